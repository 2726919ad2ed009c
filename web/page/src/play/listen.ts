//! The LCD's text for screen readers: a live region that is updated when the screen has settled. It reads the text
//! from the player and does not know the board.

import { h } from "../dom";
import type { Face } from "../board/face";
import type { TextLine } from "../engine/protocol";
import type { Player } from "./player";

/** Delay before an announcement: a screen that changes again within it is not announced. */
const PAUSE_MS = 250;

export class Listener {
  readonly element = h("div", { class: "heard", "aria-live": "polite", role: "status" });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private frame = -1;

  constructor(private readonly player: Player, private readonly face: () => Face) {
    player.on("moment", () => this.look());
  }

  /** Announces the LCD's text again. */
  async say(): Promise<void> {
    const text = await this.read();
    this.element.textContent = "";
    this.element.textContent = text;
  }

  private look(): void {
    const { state, playing } = this.player;
    if (state.frame === this.frame || (playing && !state.settled)) return;
    this.frame = state.frame;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.tell(), PAUSE_MS);
  }

  private async tell(): Promise<void> {
    const text = await this.read();
    this.face().lcd.setAttribute("aria-label", text ? `The LCD shows: ${text}` : "The LCD is dark");
    if (this.element.textContent !== text) this.element.textContent = text;
  }

  private async read(): Promise<string> {
    try {
      const { lines } = await this.player.question<{ lines: TextLine[] }>("texts");
      return in_rows(lines);
    } catch {
      return "";
    }
  }
}

/** Returns the texts row by row, from the left. */
function in_rows(lines: TextLine[]): string {
  const rows: TextLine[][] = [];
  for (const line of [...lines].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows[rows.length - 1];
    if (row && Math.abs(row[0].y - line.y) < 4) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.sort((a, b) => a.x - b.x).map(({ text }) => text).join(" ")).join(". ");
}
