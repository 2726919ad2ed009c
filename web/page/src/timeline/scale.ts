//! Converts between virtual time and columns of the timeline. This module draws nothing.

import { MS, SECOND } from "../time";

/** Shortest span that can be shown: single transactions of the LCD's bus are microseconds apart. */
const SPAN_MIN = 0.02 * MS;

export class Scale {
  from = 0;
  to = 10 * SECOND;
  /** End of the whole time range in nanoseconds. */
  end = 10 * SECOND;
  left = 0;
  right = 100;

  get span(): number {
    return this.to - this.from;
  }

  /** Nanoseconds per column. */
  get column(): number {
    return this.span / Math.max(1, this.right - this.left);
  }

  x(t: number): number {
    return this.left + ((t - this.from) / this.span) * (this.right - this.left);
  }

  t(x: number): number {
    return this.from + ((x - this.left) / Math.max(1, this.right - this.left)) * this.span;
  }

  /** Shows the whole time. */
  whole(): void {
    this.show(0, this.end);
  }

  get is_whole(): boolean {
    return this.from <= 0 && this.to >= this.end;
  }

  show(from: number, to: number): void {
    const limit = this.end * 1.02;
    const span = Math.min(Math.max(to - from, SPAN_MIN), Math.max(limit, SPAN_MIN));
    const middle = (from + to) / 2;
    this.from = Math.max(0, Math.min(middle - span / 2, limit - span));
    this.to = this.from + span;
  }

  /** Makes the span `factor` times as long, around `t`, which keeps its column. */
  zoom(factor: number, t: number): void {
    const share = (t - this.from) / this.span;
    const span = Math.min(Math.max(this.span * factor, SPAN_MIN), this.end * 1.02);
    const from = Math.max(0, t - share * span);
    this.show(from, from + span);
  }

  pan(by: number): void {
    const by_at_most = Math.max(-this.from, by);
    this.show(this.from + by_at_most, this.to + by_at_most);
  }

  /** Moves the view so that `t` is visible. */
  follow(t: number): void {
    if (t >= this.from && t <= this.to) return;
    const span = this.span;
    const from = t > this.to ? t - span * 0.1 : t - span * 0.5;
    this.show(Math.max(0, from), Math.max(0, from) + span);
  }
}

/** Round distances of the ruler's marks. */
const STEPS = [1, 2, 5].flatMap((digit) => [...Array(14).keys()].map((power) => digit * 10 ** power)).sort((a, b) => a - b);

/** Returns the distance of the ruler's marks that is at least `apart` columns. */
export function ruler_step(scale: Scale, apart: number): number {
  const wanted = scale.column * apart;
  return STEPS.find((step) => step >= wanted) ?? STEPS[STEPS.length - 1];
}

/** Formats a mark of the ruler, with as many digits as the step needs. */
export function ruler_label(t: number, step: number): string {
  if (step >= SECOND) {
    const seconds = Math.round(t / SECOND);
    return seconds >= 60 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : `${seconds} s`;
  }
  const digits = Math.min(9, Math.ceil(Math.log10(SECOND / step)));
  return `${(t / SECOND).toFixed(digits)} s`;
}
