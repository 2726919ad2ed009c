//! Pictures of the LCD in panels: pixels to a canvas, PNG files to pixels, the difference of two.

import { h } from "../dom";
import { HEIGHT, WIDTH, type Region } from "../engine/protocol";

/** Returns a picture with its caption; `box` is framed. */
export function figure(pixels: Uint8ClampedArray, width: number, height: number, words: string, box: Region | null): HTMLElement {
  const canvas = h("canvas", { width, height, class: "picture", role: "img", "aria-label": words });
  canvas.getContext("2d")!.putImageData(new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  const frame = h("div", { class: "framed" }, canvas);
  if (box) {
    // The frame is larger than the box, so that a difference of one pixel is visible.
    const [x, y, w, high] = box;
    const share = (value: number, of: number) => `${(100 * value) / of}%`;
    frame.append(h("i", { class: "box", style: `left:calc(${share(x, width)} - 3px);top:calc(${share(y, height)} - 3px);` +
      `width:calc(${share(w, width)} + 6px);height:calc(${share(high, height)} + 6px)` }));
  }
  return h("figure", {}, frame, h("figcaption", {}, words));
}

export interface Picture { pixels: Uint8ClampedArray; width: number; height: number }

/** Decodes the pixels of a PNG file. */
export async function read_png(bytes: Uint8Array): Promise<Picture> {
  const image = await createImageBitmap(new Blob([bytes as BlobPart], { type: "image/png" }));
  const canvas = h("canvas", { width: image.width, height: image.height });
  const on = canvas.getContext("2d", { willReadFrequently: true })!;
  on.drawImage(image, 0, 0);
  return { pixels: on.getImageData(0, 0, image.width, image.height).data, width: image.width, height: image.height };
}

/** Encodes a region of the LCD as a PNG file. */
export async function write_png(pixels: Uint8ClampedArray, [x, y, width, height]: Region): Promise<Blob> {
  const part = cut(pixels, [x, y, width, height]);
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d")!.putImageData(new ImageData(part as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  return new Promise((met, failed) =>
    canvas.toBlob((blob) => (blob ? met(blob) : failed(new Error("the browser wrote no PNG"))), "image/png"));
}

/** Returns the region of the whole panel. */
export const whole = (): Region => [0, 0, WIDTH, HEIGHT];

/** Copies a region of the LCD's picture. */
export function cut(pixels: Uint8ClampedArray, [x, y, width, height]: Region): Uint8ClampedArray {
  const part = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * WIDTH + x) * 4;
    part.set(pixels.subarray(from, from + width * 4), row * width * 4);
  }
  return part;
}

/** Returns the difference of two pictures of one size, bright on a dark copy, and the rectangle around it. */
export function difference(
  a: Uint8ClampedArray, b: Uint8ClampedArray, width: number,
): { pixels: Uint8ClampedArray; region: Region | null; count: number } {
  const pixels = new Uint8ClampedArray(a.length);
  let [left, top, right, bottom, count] = [Infinity, Infinity, -1, -1, 0];
  for (let at = 0; at < a.length; at += 4) {
    const differs = a[at] !== b[at] || a[at + 1] !== b[at + 1] || a[at + 2] !== b[at + 2];
    const grey = (a[at] * 0.3 + a[at + 1] * 0.59 + a[at + 2] * 0.11) * 0.28;
    pixels.set(differs ? [255, 170, 190, 255] : [grey, grey, grey, 255], at);
    if (!differs) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    count += 1;
  }
  return { pixels, count, region: count ? [left, top, right - left + 1, bottom - top + 1] : null };
}
