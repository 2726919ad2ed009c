//! Real time to virtual time. The wall clock's reading is an argument. It knows no machine.

import { MS } from "../time";

/** What the machine is behind by more than this is skipped: the board goes on late rather than in a rush. */
const LAG_MAX = 100 * MS;

export class Clock {
  private wall = 0;
  private at = 0;
  private speed = 1;

  /** From `wall` (milliseconds) on, virtual time runs from `at`, `speed` times as fast. */
  start(wall: number, at: number, speed: number): void {
    this.wall = wall;
    this.at = at;
    this.speed = speed;
  }

  /** How far virtual time should be, in whole milliseconds. */
  target(wall: number): number {
    const gone = Math.max(0, wall - this.wall) * this.speed;
    return Math.floor((this.at + gone * MS) / MS) * MS;
  }

  /** The machine has reached `now`. */
  met(wall: number, now: number): void {
    if (this.target(wall) - now > LAG_MAX * this.speed) this.start(wall, now, this.speed);
  }
}
