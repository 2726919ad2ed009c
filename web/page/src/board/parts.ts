//! The encoders, switches, joysticks, potentiometers and LEDs of a described board, drawn as in
//! crates/session/window/src/face/parts.rs. Each control is an element that pointers and the keyboard's focus can
//! reach, with its role and value for screen readers. This module does not know the engine.

import { h, s } from "../dom";
import type { BoardControl, BoardLed, Position } from "../engine/protocol";
import { C } from "./colours";
import { centre, grown, type Area, type PartPlace } from "./layout";

/** Largest and smallest side of the place of an LED. */
const LENS_MAX = 24;
const LENS_MIN = 3;
/** Distance of the ends of a slider's way from the edge of its place, and radius of a joystick's opening as a share of its side. */
const SLIDER_INSET = 11;
const STICK_WELL = 0.42;

/** Shape of a part's elements, which all parts have in common. */
export interface Brush {
  box(area: Area, radius: number, fill: string, more?: Record<string, string | number>): SVGElement;
  paint(name: string): string;
}

/** A part that is drawn. */
export interface PartView {
  readonly place: PartPlace;
  readonly drawing: SVGElement;
  /** The element of a control. */
  readonly element: HTMLElement | null;
}

const around = ([x, y]: [number, number], width: number, height: number): Area =>
  ({ left: x - width / 2, top: y - height / 2, width, height });

/** Returns the ends of the way of a slider, as shares of the width of its place. */
export const slider_ends = (area: Area): [number, number] =>
  [SLIDER_INSET / area.width, 1 - SLIDER_INSET / area.width];

const stick_side = (area: Area): number => Math.min(area.width, area.height) - 6;

/** Returns the way of a pointer from the middle of a joystick to its end, as a share of the width of its place. */
export const stick_reach = (area: Area): number => (stick_side(area) * STICK_WELL) / area.width;

export class ControlView implements PartView {
  readonly drawing: SVGElement;
  readonly element: HTMLElement;
  private readonly moving: SVGElement;

  constructor(readonly place: PartPlace, readonly control: BoardControl, brush: Brush) {
    const { area } = place;
    const { name, kind } = control;
    const drawn = { encoder: knob, switch: switched, joystick: stick, potentiometer: slider }[kind](area, brush);
    this.moving = drawn.moving;
    this.drawing = s("g", { class: `part part-${kind}`, "data-part": name }, ...drawn.bare, this.moving);
    const roles = {
      encoder: { role: "spinbutton", "aria-roledescription": "knob" },
      switch: { role: "switch" },
      potentiometer: { role: "slider", "aria-valuemin": 0, "aria-valuemax": 100 },
      joystick: { role: "slider", "aria-valuemin": 0, "aria-valuemax": 100, "aria-roledescription": "joystick" },
    };
    const how = {
      encoder: "wheel, drag up and down, or click a side", switch: "click",
      potentiometer: "drag, or wheel", joystick: "drag",
    };
    const keys = control.keys.length ? ` · key ${control.keys.join(" ")}` : "";
    this.element = h("div", { class: "hit", tabindex: 0, "aria-label": name, "data-control-part": name,
      title: `${name} · ${how[kind]}${keys}`, ...roles[kind] });
  }

  show(position: Position): void {
    const { kind, detents = 20, edges = 4 } = this.control;
    const { area } = this.place;
    const attribute = (name: string, value: string | number) => this.element.setAttribute(name, String(value));
    if (kind === "switch") {
      this.drawing.classList.toggle("on", position === true);
      attribute("aria-checked", String(position === true));
    } else if (Array.isArray(position)) {
      const [x, y] = position;
      const reach = stick_side(area) * 0.18;
      this.moving.setAttribute("transform", `translate(${(2 * x - 1) * reach} ${(1 - 2 * y) * reach})`);
      attribute("aria-valuenow", Math.round(100 * x));
      attribute("aria-valuetext", `x ${Math.round(100 * x)} %, y ${Math.round(100 * y)} %`);
    } else if (typeof position === "number" && kind === "encoder") {
      const [x, y] = centre(area);
      this.moving.setAttribute("transform", `rotate(${(360 * position) / (detents * edges)} ${x} ${y})`);
      attribute("aria-valuenow", Math.trunc(position / edges));
    } else if (typeof position === "number") {
      const [left, right] = slider_ends(area);
      this.moving.setAttribute("transform", `translate(${(left + (right - left) * position) * area.width} 0)`);
      attribute("aria-valuenow", Math.round(100 * position));
      attribute("aria-valuetext", `${Math.round(100 * position)} %`);
    }
  }
}

interface Drawn { bare: SVGElement[]; moving: SVGElement }

const housing = (brush: Brush, area: Area): SVGElement[] => [
  brush.box(area, 4, brush.paint("metal"), { filter: brush.paint("cast") }),
  brush.box(grown(area, -0.5), 3.5, "none", { stroke: brush.paint("edge"), "stroke-opacity": 0.7 }),
];

function switched(area: Area, brush: Brush): Drawn {
  const height = Math.min(area.height - 8, 16);
  const box = around(centre(area), Math.min(2 * height, area.width - 6), height);
  const slot = grown(box, -3);
  const half = slot.width / 2;
  const moving = brush.box({ ...slot, width: half }, 2, brush.paint("cap"),
    { class: "part-slider", style: `--way:${half}px` });
  const ring = brush.box(grown(box, 1), 4, "none", { stroke: C.active, "stroke-width": 1.5, class: "when-on" });
  return { bare: [...housing(brush, box), brush.box(slot, 2, "#000", { "fill-opacity": 0.7 }), ring], moving };
}

function knob(area: Area, brush: Brush): Drawn {
  const [cx, cy] = centre(area);
  const r = Math.min(area.width, area.height) / 2 - 4;
  const disc = s("circle", { cx, cy, r, fill: brush.paint("metal"), filter: brush.paint("cast") });
  const rim = s("circle", { cx, cy, r: r * 0.8, fill: "none", stroke: C.metal_edge, "stroke-width": 1 });
  const moving = s("line", { x1: cx, x2: cx, y1: cy - 0.3 * r, y2: cy - 0.72 * r, stroke: C.cap_light,
    "stroke-width": 2.5, "stroke-linecap": "round" });
  return { bare: [disc, rim], moving };
}

function slider(area: Area, brush: Brush): Drawn {
  const [, middle] = centre(area);
  const height = Math.min(area.height - 8, 20);
  const box = around(centre(area), area.width - 6, height);
  const [left, right] = slider_ends(area).map((share) => area.left + share * area.width);
  const way = s("line", { x1: left, x2: right, y1: middle, y2: middle, stroke: "#000", "stroke-width": 3, "stroke-linecap": "round" });
  // At the left edge of the place; its state moves it.
  const moving = brush.box(around([area.left, middle], 7, height - 5), 2, brush.paint("cap"));
  return { bare: [...housing(brush, box), way], moving };
}

function stick(area: Area, brush: Brush): Drawn {
  const side = stick_side(area);
  const [cx, cy] = centre(area);
  const box = around([cx, cy], side, side);
  const well = s("circle", { cx, cy, r: side * STICK_WELL, fill: "#000", "fill-opacity": 0.6 });
  const moving = s("circle", { cx, cy, r: side * 0.24, fill: brush.paint("cap") });
  return { bare: [...housing(brush, box), well], moving };
}

/** An LED, or a chain of them. */
export class LedView implements PartView {
  readonly drawing: SVGElement;
  readonly element = null;
  private readonly lenses: SVGElement[];

  constructor(readonly place: PartPlace, readonly led: BoardLed) {
    const all = lenses(place.area, led.count).map((lens) => {
      const [cx, cy] = centre(lens);
      const glow = s("circle", { cx, cy, r: lens.width * 0.46, class: "led-glow" });
      const light = s("circle", { cx, cy, r: lens.width * 0.32 - 0.5, class: "led-light", stroke: C.metal_edge });
      return { whole: s("g", { class: "led" }, glow, light) };
    });
    this.lenses = all.map(({ whole }) => whole);
    this.drawing = s("g", { class: "part", "data-part": led.name }, ...this.lenses);
  }

  show(lights: (number | string)[]): void {
    this.lenses.forEach((lens, at) => {
      const light = lights[at];
      const colour = typeof light === "number" ? mix("#000000", this.led.colour, light) : light ?? "#000000";
      const is_on = colour !== "#000000";
      lens.classList.toggle("on", is_on);
      lens.style.setProperty("--light", is_on ? mix(colour, "#ffffff", 0.35) : mix(this.led.colour, "#000000", 0.75));
      lens.style.setProperty("--glow", colour);
    });
  }
}

/** Mixes two colours `#rrggbb`. */
function mix(from: string, to: string, share: number): string {
  const part = (colour: string, at: number) => parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16);
  const mixed = [0, 1, 2].map((at) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the areas of `count` LEDs in `area`, in rows, as large as fit; those that would be too small are left out. */
function lenses({ left, top, width, height }: Area, count: number): Area[] {
  const fits = (side: number) => Math.floor(width / side) * Math.floor(height / side) >= count;
  let side = Math.max(LENS_MIN, Math.min(LENS_MAX, width, height));
  while (side > LENS_MIN && !fits(side)) side = Math.max(LENS_MIN, side - 0.5);
  const most = Math.max(1, Math.min(Math.floor(width / side), count));
  const shown = Math.min(count, most * Math.max(1, Math.floor(height / side)));
  const rows = Math.ceil(shown / most);
  const columns = Math.ceil(shown / rows);
  const [x, y] = [left + (width - columns * side) / 2, top + (height - rows * side) / 2];
  return Array.from({ length: shown }, (_, at) =>
    ({ left: x + (at % columns) * side, top: y + Math.floor(at / columns) * side, width: side, height: side }));
}
