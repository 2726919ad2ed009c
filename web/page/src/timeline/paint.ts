//! The colours and basic shapes of the lanes.

import { colour } from "../dom";
import type { Scale } from "./scale";

const NAMES = ["desk", "paper", "raised", "sunk", "line", "line-strong", "ink", "dim", "accent", "accent-soft", "pass", "fail",
  "fail-soft", "wait", "wait-soft", "finger", "finger-top", "finger-reset", "contact", "frame", "bus", "bus-over", "tone",
  "console", "off", "playhead", "branch-1", "branch-2", "branch-3", "branch-4", "branch-5"] as const;

export type Palette = Record<(typeof NAMES)[number], string>;

export function palette(element: Element): Palette {
  return Object.fromEntries(NAMES.map((name) => [name, colour(element, `--${name}`)])) as Palette;
}

export const branch_colour = (colours: Palette, number: number): string =>
  colours[`branch-${((number - 1) % 5) + 1}` as "branch-1"];

/** The context of drawing a lane. */
export interface Brush {
  on: CanvasRenderingContext2D;
  scale: Scale;
  colours: Palette;
}

export const FONT = '11px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
export const FONT_SMALL = '10px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

export function fill(brush: Brush, style: string, x: number, y: number, width: number, height: number): void {
  brush.on.fillStyle = style;
  brush.on.fillRect(x, y, width, height);
}

/** Draws a span of time as a bar of at least two columns. */
export function bar(brush: Brush, style: string, from: number, to: number, y: number, height: number): void {
  const { scale } = brush;
  if (to < scale.from || from > scale.to) return;
  const left = Math.max(scale.left, scale.x(from));
  const right = Math.min(scale.right, scale.x(to));
  fill(brush, style, left, y, Math.max(2, right - left), height);
}

/** Draws text, truncated to its width; draws nothing if there is no space. */
export function text(brush: Brush, words: string, x: number, y: number, room: number, style: string, font = FONT_SMALL): void {
  const { on } = brush;
  if (room < 12) return;
  on.font = font;
  on.fillStyle = style;
  on.textAlign = "left";
  on.textBaseline = "middle";
  let shown = words;
  if (on.measureText(shown).width > room) {
    const share = room / on.measureText(shown).width;
    shown = shown.slice(0, Math.max(0, Math.floor(shown.length * share) - 1));
    if (shown.length < 2) return;
    shown += "…";
  }
  on.fillText(shown, x, y);
}

/** Draws text only if it fits completely: a truncated number is misleading. */
export function whole_text(brush: Brush, words: string, x: number, y: number, room: number, style: string): void {
  brush.on.font = FONT_SMALL;
  if (brush.on.measureText(words).width <= room) text(brush, words, x, y, room + 1, style);
}

export function disc(brush: Brush, style: string, x: number, y: number, radius: number): void {
  const { on } = brush;
  on.fillStyle = style;
  on.beginPath();
  on.arc(x, y, radius, 0, 2 * Math.PI);
  on.fill();
}

/** Draws a failure as a cross, so that its meaning does not depend on colour. */
export function cross(brush: Brush, style: string, x: number, y: number, radius: number): void {
  const { on } = brush;
  on.strokeStyle = style;
  on.lineWidth = 2.25;
  on.beginPath();
  on.moveTo(x - radius, y - radius);
  on.lineTo(x + radius, y + radius);
  on.moveTo(x + radius, y - radius);
  on.lineTo(x - radius, y + radius);
  on.stroke();
}

export function triangle(brush: Brush, style: string, x: number, y: number, radius: number): void {
  const { on } = brush;
  on.fillStyle = style;
  on.beginPath();
  on.moveTo(x, y - radius);
  on.lineTo(x + radius, y + radius);
  on.lineTo(x - radius, y + radius);
  on.fill();
}
