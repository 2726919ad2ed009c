//! Maps real time to virtual time. The wall clock's reading is an argument. This module does not know the machine.

import { MS } from "../time";

/** A larger lag of the machine is skipped: the board continues late instead of catching up fast. */
const LAG_MAX = 100 * MS;

export class Clock {
  private wall = 0;
  private at = 0;
  private speed = 1;

  /** From `wall` (milliseconds) on, virtual time runs from `at`, at `speed` times real time. */
  start(wall: number, at: number, speed: number): void {
    this.wall = wall;
    this.at = at;
    this.speed = speed;
  }

  /** Returns the virtual time to be reached at `wall`, in whole milliseconds. */
  target(wall: number): number {
    const gone = Math.max(0, wall - this.wall) * this.speed;
    return Math.floor((this.at + gone * MS) / MS) * MS;
  }

  /** Reports that the machine has reached `now`; skips the lag if it is too large. */
  met(wall: number, now: number): void {
    if (this.target(wall) - now > LAG_MAX * this.speed) this.start(wall, now, this.speed);
  }
}
