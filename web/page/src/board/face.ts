//! The picture of the board: PCB, the panel's frame, twelve NUDGE buttons and RESET with their state, lamp, buzzer,
//! status lines and legend, drawn as in crates/session/window/src/face. The LCD is a canvas; each button is an element that
//! mouse, touch and the keyboard's focus can reach. This module does not know the engine.

import { h, s } from "../dom";
import { BUTTONS, HEIGHT, WIDTH, described, type Button, type State } from "../engine/protocol";
import { C } from "./colours";
import { DisplayView } from "./displays";
import { printed, type Control, type Labels } from "./keys";
import { LEGEND, centre, control_area, grown, layout, layout_of, type Area, type Form, type Layout } from "./layout";
import { CAP_HEIGHT, LINE_HEIGHT, STROKE, fitted, path, width } from "./lettering";
import { ControlView, LedView } from "./parts";
import { place_at } from "./place";

export { C };

/** A status line: its name, its value, and whether the value is highlighted. */
export type Status = [name: string, value: string, active: boolean];

/** Column of the legend's words, unless its keys are wider. */
const LEGEND_TAB = 20;

let boards = 0;

export class Face {
  readonly element: HTMLElement;
  /** The LCD, in the size of the panel. */
  readonly lcd: HTMLCanvasElement;
  /** An overlay on the LCD, for marks: regions, the inspected pixel. */
  readonly over: SVGElement;
  readonly buttons = {} as Record<Button, HTMLButtonElement>;
  /** The encoders, switches, joysticks and potentiometers of a described board. */
  readonly controls: ControlView[] = [];
  /** The displays of a described board after the first one. */
  readonly displays: DisplayView[] = [];
  private readonly leds: LedView[] = [];
  private readonly caps = {} as Record<Button, SVGElement>;
  private readonly lamp: SVGElement;
  private readonly buzzer: SVGElement;
  private readonly status: SVGElement;
  private readonly words = {} as Record<Button, SVGElement>;
  private readonly legend: SVGElement;
  private readonly context: CanvasRenderingContext2D;
  readonly layout: Layout;
  /** The board of this face: a report may have players of several. */
  private readonly names = BUTTONS;
  private readonly board_name = described?.name ?? null;
  private readonly size: [number, number] = [WIDTH, HEIGHT];
  private readonly id = `face${++boards}`;

  /** `control` executes a line of the legend when it is clicked; without it, the lines are not clickable. */
  constructor(form: Form, labels: Labels, control?: (control: Control) => void) {
    const place = described ? layout_of(described, form) : layout(form);
    this.layout = place;
    const { view } = place;
    const drawing = s("svg", {
      viewBox: `${view.left} ${view.top} ${view.width} ${view.height}`, "aria-hidden": "true", class: "face-drawing",
    });
    this.legend = s("g", {}, ...this.legend_lines(labels));
    drawing.append(this.gradients(), ...this.bare(), this.legend);
    for (const name of this.names) {
      const cap = this.cap(name, labels.of(name));
      this.caps[name] = cap;
      drawing.append(cap);
    }
    this.add_parts();
    for (const part of [...this.leds, ...this.controls]) drawing.append(part.drawing);
    for (const { name, name_at: [x, y], area } of place.parts) {
      drawing.append(this.text(fitted(name, area.width), x, y, 1, true, C.silk));
    }
    this.lamp = this.draw_lamp();
    this.buzzer = place.buzzer ? this.draw_buzzer(place.buzzer) : s("g", {});
    drawing.append(...place.silent.map((buzzer) => this.draw_buzzer(buzzer)));
    this.status = s("g", { class: "face-status" });
    drawing.append(this.lamp, this.buzzer, this.status);

    this.lcd = h("canvas", { width: WIDTH, height: HEIGHT, class: "lcd", role: "img", "aria-label": "The LCD" });
    this.context = this.lcd.getContext("2d", { alpha: false })!;
    this.over = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lcd-over", "aria-hidden": "true" });
    this.element = h("div", { class: `face face-${form}`, style: `--face-ratio:${view.width / view.height}` }, drawing);
    for (const part of [this.lcd, this.over]) {
      place_at(part, place.panel, view);
      this.element.append(part);
    }
    for (const name of this.names) {
      const hit = h("button", { type: "button", class: "hit", "aria-label": spoken(name), "aria-pressed": "false",
        "data-button": name, title: tip(name, labels.of(name)) });
      const room = name === "RESET" ? 2 : 3;
      place_at(hit, grown(place.housings[name], room), view);
      this.buttons[name] = hit;
      this.element.append(hit);
    }
    for (const { element, area, place: { name, area: part, name_at: [x, y] } } of this.displays) {
      drawing.append(this.text(fitted(name, part.width), x, y, 1, true, C.silk));
      place_at(element, area, view);
      this.element.append(element);
    }
    for (const { element, place: part } of this.controls) {
      place_at(element, part.area, view);
      this.element.append(element);
    }
    if (control && place.legend) this.element.append(...this.legend_controls(place.legend, control));
  }

  /** Draws a picture on the LCD. */
  draw(pixels: Uint8ClampedArray): void {
    this.context.putImageData(new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, ...this.size), 0, 0);
  }

  set_down(down: ReadonlySet<Button>): void {
    for (const name of this.names) {
      this.caps[name].classList.toggle("down", down.has(name));
      this.buttons[name].setAttribute("aria-pressed", String(down.has(name)));
    }
  }

  /** Shows the positions of the controls, and the light of the LEDs. */
  set_parts({ controls, leds, displays }: State): void {
    for (const view of this.displays) view.show(displays?.[view.display.name]);
    for (const view of this.controls) {
      const position = controls?.[view.control.name];
      if (position !== undefined) view.show(position);
    }
    for (const view of this.leds) view.show(leds?.[view.led.name] ?? []);
  }

  set_powered(on: boolean): void {
    this.lamp.classList.toggle("on", on);
  }

  set_sounding(on: boolean): void {
    this.buzzer.classList.toggle("on", on);
  }

  set_status(lines: Status[]): void {
    const area = this.layout.status;
    if (!area) return;
    const drawn = lines.flatMap(([name, value, active], at) => {
      const top = area.top + at * LINE_HEIGHT;
      const text = fitted(value, area.width - 39);
      return [
        this.text(name, area.left, top, 1, false, C.silk_dim),
        this.text(text, area.left + 38, top, 1, false, active ? C.active : C.silk),
      ];
    });
    this.status.replaceChildren(...drawn);
  }

  /** Writes other key names on the caps, for the user's keyboard. */
  set_labels(labels: Labels): void {
    for (const name of this.names) {
      this.words[name].replaceWith((this.words[name] = this.cap_word(name, labels.of(name))));
      this.buttons[name].title = tip(name, labels.of(name));
    }
    this.legend.replaceChildren(...this.legend_lines(labels));
  }

  private add_parts(): void {
    const brush = { box: this.box.bind(this), paint: this.paint.bind(this) };
    for (const place of this.layout.parts) {
      if (place.control) this.controls.push(new ControlView(place, place.control, brush));
      if (place.led) this.leds.push(new LedView(place, place.led));
      if (place.display) this.displays.push(new DisplayView(place, place.display));
    }
  }

  private text(text: string, x: number, y: number, size: number, centred: boolean, fill: string): SVGElement {
    return s("path", { d: path(text, x, y, size, centred), fill: "none", stroke: fill,
      "stroke-width": STROKE * size, "stroke-linecap": "round", "stroke-linejoin": "round" });
  }

  private box(area: Area, radius: number, fill: string, more: Record<string, string | number> = {}): SVGElement {
    const round = Math.min(radius, area.width / 2, area.height / 2);
    return s("rect", { x: area.left, y: area.top, width: area.width, height: area.height, rx: round, fill, ...more });
  }

  private paint(name: string): string {
    return `url(#${this.id}-${name})`;
  }

  private gradients(): SVGElement {
    const down = (name: string, top: string, bottom: string) => s("linearGradient",
      { id: `${this.id}-${name}`, x1: 0, y1: 0, x2: 0, y2: 1 },
      s("stop", { offset: 0, "stop-color": top }), s("stop", { offset: 1, "stop-color": bottom }));
    const shadow = (name: string, dy: number, blur: number, opacity: number) => s("filter",
      { id: `${this.id}-${name}`, x: "-30%", y: "-30%", width: "160%", height: "160%" },
      s("feDropShadow", { dx: 0, dy, stdDeviation: blur, "flood-color": "#000", "flood-opacity": opacity }));
    return s("defs", {},
      down("board", C.board_top, C.board_bottom), down("bezel", C.bezel_top, C.bezel_bottom),
      down("rim", "#4C5157", "#1E2023"), down("metal", C.metal_top, C.metal_bottom),
      down("edge", C.metal_edge, C.metal_bottom), down("hole", "#D9BF8C", C.gold),
      down("cap", C.cap_light, C.cap_dark), down("dish", "#E2DCCB", "#F2EEE2"),
      down("cap-down", "#AAA492", "#DAD4C4"), down("dish-down", "#CFC8B6", "#DFDACB"),
      down("reset", C.reset_light, C.reset_dark), down("dish-reset", "#D05720", "#E27B4E"),
      down("reset-down", "#94340C", "#C34B18"), down("dish-reset-down", "#B8450F", "#CB6840"),
      down("buzzer", "#3A3D42", "#17191C"),
      shadow("cast", 1.5, 1.6, 0.6), shadow("deep", 1.5, 2.6, 0.6), shadow("far", 1.5, 3, 0.5));
  }

  private bare(): SVGElement[] {
    const place = this.layout;
    const drawn = [
      this.box(place.board, 7, this.paint("board"), { filter: this.paint("far") }),
      this.box(grown(place.board, -0.5), 6.5, "none", { stroke: C.board_edge, "stroke-opacity": 0.8 }),
      ...this.copper(),
    ];
    for (const [cx, cy] of place.holes) {
      drawn.push(s("circle", { cx, cy, r: 6.5, fill: this.paint("hole") }),
        s("circle", { cx, cy, r: 4, class: "face-desk" }));
    }
    drawn.push(this.box(place.bezel, 4, this.paint("bezel"), { filter: this.paint("deep") }),
      this.box(grown(place.bezel, -0.5), 3.5, "none", { stroke: this.paint("rim") }),
      this.box(grown(place.panel, 2), 2, C.glass));
    for (const name of this.names) {
      const housing = place.housings[name];
      drawn.push(this.box(housing, 4, this.paint("metal"), { filter: this.paint("cast") }),
        this.box(grown(housing, -0.5), 3.5, "none", { stroke: this.paint("edge"), "stroke-opacity": 0.7 }));
      const at = place.names[name];
      if (at) drawn.push(this.text(name, at[0], at[1], 1, true, C.silk));
    }
    if (place.wordmark) {
      const [left, top] = place.wordmark;
      if (this.board_name !== null) drawn.push(this.text(fitted(this.board_name.toUpperCase(), 160), left, top, 1, false, C.silk));
      else drawn.push(this.text("NUDGE", left, top, 1.5, false, C.silk),
        this.text("LCD BOARD", left, top + 15, 0.75, false, C.silk_dim));
    }
    if (place.lamp_name) drawn.push(this.text("PWR", ...place.lamp_name, 1, false, C.silk_dim));
    if (place.part_name) drawn.push(this.text("ILI9341", ...place.part_name, 1, true, C.silk_dim));
    return drawn;
  }

  private copper(): SVGElement[] {
    const { bezel, housings } = this.layout;
    const track = (x: number, from: number, to: number) =>
      s("line", { x1: x, x2: x, y1: from, y2: to, stroke: C.copper, "stroke-width": 1.5, "stroke-opacity": 0.9 });
    const drawn: SVGElement[] = [];
    if (this.board_name !== null) return drawn;
    for (const name of this.names) {
      const [x, y] = centre(housings[name]);
      const edge = y < bezel.top ? bezel.top : bezel.top + bezel.height;
      const apart = name === "RESET" ? 2 : 9;
      drawn.push(track(x - apart, y, edge), track(x + apart, y, edge));
    }
    return drawn;
  }

  private legend_lines(labels: Labels): SVGElement[] {
    const area = this.layout.legend;
    if (!area) return [];
    const key_of = (control: Control) => fitted(labels.of(control), 36);
    const in_column = LEGEND.filter((row) => row.length === 1).map(([[control]]) => width(key_of(control)));
    const column = Math.max(LEGEND_TAB, Math.max(...in_column) + 8);
    return LEGEND.flatMap((row, at) => row.flatMap(([control, words], nth) => {
      const { left, top, width: share } = control_area(area, at, nth);
      const key = key_of(control);
      // The key's name is centred in its column; if a row has two, it is at the left.
      const tab = row.length === 1 ? column : width(key) + 12;
      const middle = left + (tab - 8) / 2;
      const half = Math.max(5, width(key) / 2 + 3);
      const cap = { left: middle - half, top: top - 1.5, width: 2 * half, height: LINE_HEIGHT - 1 };
      return [
        this.box(cap, 2.5, C.silk, { "fill-opacity": 0.16 }),
        this.text(key, middle, top, 1, true, C.silk),
        this.text(fitted(words, share - tab), left + tab, top, 1, false, C.silk_dim),
      ];
    }));
  }

  /** The lines of the legend as clickable places. Users of a screen reader, or without a mouse, use the page's own buttons. */
  private legend_controls(legend: Area, act: (control: Control) => void): HTMLElement[] {
    return LEGEND.flatMap((row, at) => row.map(([control, words], nth) => {
      const place = h("button", { type: "button", class: "hit control", tabindex: -1, "aria-hidden": "true",
        "aria-label": words, "data-control": control, click: () => act(control) });
      place_at(place, control_area(legend, at, nth), this.layout.view);
      return place;
    }));
  }

  private cap(name: Button, label: string): SVGElement {
    const reset = name === "RESET";
    const housing = this.layout.housings[name];
    const full = grown(housing, reset ? -4 : -3.5);
    const word = this.cap_word(name, label);
    this.words[name] = word;
    const kind = reset ? "reset" : "cap";
    const dish = reset ? "dish-reset" : "dish";
    const pressed = grown(full, -0.75);
    const round = full.height / 2;
    return s("g", { class: "cap" },
      this.box(grown(housing, 1.25), 5, "none", { stroke: C.active, "stroke-width": 1.5, class: "when-down" }),
      this.box(grown(full, 1), round, "#000", { "fill-opacity": 0.55 }),
      s("g", { class: "when-up" },
        this.box(full, round, this.paint(kind), { filter: this.paint("cast") }),
        this.box(grown(full, -2), round, this.paint(dish))),
      s("g", { class: "when-down" },
        this.box(pressed, round, this.paint(`${kind}-down`)),
        this.box(grown(pressed, -2), round, this.paint(`${dish}-down`))),
      word);
  }

  private cap_word(name: Button, label: string): SVGElement {
    const reset = name === "RESET";
    const housing = this.layout.housings[name];
    const dish = grown(housing, reset ? -6 : -5.5);
    const room = (word: string) => (dish.width - 3) / (width(word) + 1);
    // A long name would be too small to read.
    const word = room(label) < 1 ? printed(label) : label;
    const wanted = word.length === 1 ? 1.5 : 1;
    const size = Math.min(wanted, room(word));
    const [x, y] = centre(dish);
    const ink = this.text(word, x, y - ((CAP_HEIGHT + 1) * size) / 2, size, true, reset ? C.reset_ink : C.cap_ink);
    return s("g", { class: "key-name" }, ink);
  }

  private draw_lamp(): SVGElement {
    const { lamp } = this.layout;
    return s("g", { class: "lamp" },
      this.box(grown(lamp, 4), 5, C.active, { class: "lamp-glow" }),
      this.box(grown(lamp, 1), 1.5, C.gold),
      this.box(lamp, 1, C.lamp_off, { class: "lamp-light" }));
  }

  private draw_buzzer(buzzer: Area): SVGElement {
    const [cx, cy] = centre(buzzer);
    const r = buzzer.width / 2 - 1;
    const ring = (radius: number, stroke: string, wide: number, name = "") =>
      s("circle", { cx, cy, r: radius, fill: "none", stroke, "stroke-width": wide, class: name });
    return s("g", { class: "buzzer" },
      s("circle", { cx, cy, r, fill: this.paint("buzzer"), filter: this.paint("cast") }),
      ring(r * 0.82, "#4A4E54", 1), ring(r + 0.5, C.active, 1.5, "when-on"), ring(r * 0.5, C.active, 1.25, "when-on"),
      s("circle", { cx, cy, r: r * 0.2, fill: "#000" }));
  }
}

/** A button's name for screen readers. */
function spoken(name: Button): string {
  if (name === "RESET" || described) return name;
  return `${name[0] === "T" ? "Top" : "Bottom"} ${name[1]}`;
}

const tip = (name: Button, key: string) => (key ? `${name} · key ${key}` : name);
