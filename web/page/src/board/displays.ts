//! The displays of a described board after the first one, each on its place of the face. A press on one tells its
//! pixel. This module does not know the engine.

import { h } from "../dom";
import type { BoardDisplay } from "../engine/protocol";
import type { Area, PartPlace } from "./layout";

/** Returns the largest area of this ratio in the middle of another one. */
export function fitted_area(within: Area, [width, height]: [number, number]): Area {
  const scale = Math.min(within.width / width, within.height / height);
  const [w, h] = [width * scale, height * scale];
  return { left: within.left + (within.width - w) / 2, top: within.top + (within.height - h) / 2, width: w, height: h };
}

export class DisplayView {
  readonly element: HTMLCanvasElement;
  readonly area: Area;
  /** Called when a pixel is pressed. */
  pointed: ((x: number, y: number) => void) | null = null;
  private readonly context: CanvasRenderingContext2D;

  constructor(readonly place: PartPlace, readonly display: BoardDisplay) {
    const [width, height] = display.panel;
    this.area = fitted_area(place.area, display.panel);
    this.element = h("canvas", { width, height, class: "lcd", role: "img", "aria-label": `The display ${display.name}` });
    this.context = this.element.getContext("2d", { alpha: false })!;
    this.element.addEventListener("pointerup", (event) => {
      if (event.button !== 0 || !this.pointed) return;
      const box = this.element.getBoundingClientRect();
      const within = (share: number, limit: number) => Math.max(0, Math.min(limit - 1, Math.floor(share * limit)));
      this.pointed(within((event.clientX - box.left) / box.width, width), within((event.clientY - box.top) / box.height, height));
    });
  }

  /** Draws the picture; without one the last remains. */
  show(pixels: Uint8ClampedArray | undefined): void {
    if (!pixels) return;
    this.context.putImageData(new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, ...this.display.panel), 0, 0);
  }
}
