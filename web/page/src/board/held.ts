//! Which buttons are held down, and by what: keys, the mouse and fingers can hold one button together, and it is
//! down until all have let go. It knows no page.

import type { Button } from "../engine/protocol";

export class Held {
  private readonly holders = new Map<Button, Set<string>>();

  /** `holder` begins to hold `button`; `true` if the button was up before. */
  press(button: Button, holder: string): boolean {
    const holders = this.holders.get(button) ?? new Set();
    this.holders.set(button, holders);
    const up = holders.size === 0;
    holders.add(holder);
    return up;
  }

  /** `holder` lets go; `true` if the button goes up. */
  release(button: Button, holder: string): boolean {
    const holders = this.holders.get(button);
    return holders !== undefined && holders.delete(holder) && holders.size === 0;
  }

  /** All that `holder` holds goes up; the buttons that no one else holds. */
  release_holder(holder: string): Button[] {
    return [...this.holders.keys()].filter((button) => this.release(button, holder));
  }

  release_all(): Button[] {
    const down = [...this.holders].filter(([, holders]) => holders.size > 0).map(([button]) => button);
    this.holders.clear();
    return down;
  }
}
