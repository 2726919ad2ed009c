//! Pointing at the LCD: a press shows a pixel, a drag marks a region; arrow keys move the point while the LCD has the
//! focus. It draws the marks over the LCD and does not know the engine.

import type { Face } from "../board/face";
import { s } from "../dom";
import { HEIGHT, WIDTH, type Region } from "../engine/protocol";

export interface Pointed {
  pixel(x: number, y: number): void;
  region(region: Region): void;
}

export class Pointing {
  private at: [number, number] = [WIDTH / 2, HEIGHT / 2];
  private from: [number, number] | null = null;
  private readonly mark = s("g", { class: "point", visibility: "hidden" });
  private readonly box = s("rect", { class: "marked", visibility: "hidden" });
  private readonly lit = s("rect", { class: "redrawn", visibility: "hidden" });
  private readonly note = s("rect", { class: "noted", visibility: "hidden" });

  constructor(face: Face, private readonly pointed: Pointed) {
    this.mark.append(
      s("path", { class: "halo", d: "M-9 0H-2M2 0H9M0 -9V-2M0 2V9" }), s("path", { d: "M-9 0H-2M2 0H9M0 -9V-2M0 2V9" }),
      s("rect", { x: -1, y: -1, width: 2, height: 2, class: "pixel" }));
    face.over.append(this.lit, this.note, this.box, this.mark);
    const { lcd } = face;
    lcd.tabIndex = 0;
    lcd.style.cursor = "crosshair";
    lcd.style.touchAction = "none";
    const point = (event: PointerEvent): [number, number] => {
      const box = lcd.getBoundingClientRect();
      const within = (value: number, limit: number) => Math.max(0, Math.min(limit - 1, Math.floor(value)));
      return [
        within(((event.clientX - box.left) / box.width) * WIDTH, WIDTH),
        within(((event.clientY - box.top) / box.height) * HEIGHT, HEIGHT),
      ];
    };
    lcd.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      lcd.setPointerCapture(event.pointerId);
      this.from = point(event);
      set(this.box, null);
    });
    lcd.addEventListener("pointermove", (event) => {
      if (this.from) set(this.box, region_of(this.from, point(event)));
    });
    lcd.addEventListener("pointerup", (event) => {
      const { from } = this;
      this.from = null;
      if (!from) return;
      const region = region_of(from, point(event));
      if (region) this.pointed.region(region);
      else this.go(...from);
    });
    lcd.addEventListener("pointercancel", () => { this.from = null; set(this.box, null); });
    lcd.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? 10 : 1;
      const [dx, dy] = ({ ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] } as
        Record<string, [number, number]>)[event.key] ?? [0, 0];
      if (!dx && !dy && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      const within = (value: number, limit: number) => Math.max(0, Math.min(limit - 1, value));
      this.go(within(this.at[0] + dx, WIDTH), within(this.at[1] + dy, HEIGHT));
    });
  }

  /** The last inspected point. */
  get point(): [number, number] {
    return this.at;
  }

  /** Shows the region that the last frame changed; `null` hides it. */
  redrawn(region: Region | null): void {
    set(this.lit, region);
  }

  /** Shows the region that the page refers to; `null` hides it. */
  noted(region: Region | null): void {
    set(this.note, region);
  }

  /** Shows the marked region; `null` hides it. */
  marked(region: Region | null): void {
    set(this.box, region);
  }

  private go(x: number, y: number): void {
    this.at = [x, y];
    this.mark.setAttribute("transform", `translate(${x + 0.5} ${y + 0.5})`);
    this.mark.setAttribute("visibility", "visible");
    set(this.box, null);
    this.pointed.pixel(x, y);
  }
}

/** A drag of less than four pixels counts as a press. */
const HAND = 4;

function region_of(a: [number, number], b: [number, number]): Region | null {
  const [left, top] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  const [width, height] = [Math.abs(a[0] - b[0]) + 1, Math.abs(a[1] - b[1]) + 1];
  return width < HAND && height < HAND ? null : [left, top, width, height];
}

function set(rect: SVGElement, region: Region | null): void {
  rect.setAttribute("visibility", region ? "visible" : "hidden");
  if (!region) return;
  ["x", "y", "width", "height"].forEach((name, at) => rect.setAttribute(name, String(region[at])));
}
