//! Which buttons are held down, and by which holders: a key, the mouse and fingers can hold the same button, which
//! stays down until all have released it. This module does not know the page.

import type { Button } from "../engine/protocol";

export class Held {
  private readonly holders = new Map<Button, Set<string>>();

  /** Adds `holder` to the holders of `button`; returns `true` if the button was up before. */
  press(button: Button, holder: string): boolean {
    const holders = this.holders.get(button) ?? new Set();
    this.holders.set(button, holders);
    const up = holders.size === 0;
    holders.add(holder);
    return up;
  }

  /** Removes `holder` from the holders of `button`; returns `true` if the button goes up. */
  release(button: Button, holder: string): boolean {
    const holders = this.holders.get(button);
    return holders !== undefined && holders.delete(holder) && holders.size === 0;
  }

  /** Removes `holder` everywhere; returns the buttons that go up. */
  release_holder(holder: string): Button[] {
    return [...this.holders.keys()].filter((button) => this.release(button, holder));
  }

  release_all(): Button[] {
    const down = [...this.holders].filter(([, holders]) => holders.size > 0).map(([button]) => button);
    this.holders.clear();
    return down;
  }
}
