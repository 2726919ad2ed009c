//! Adds expectations by pointing: the text of the LCD, a marked region, that the screen is settled, the tone. The
//! engine writes the line into the trace as a person would; the studio shows it there.

import { button, h, refill } from "../dom";
import type { Expected, Region, TextLine } from "../engine/protocol";
import type { Player } from "../play/player";
import { shown } from "../time";
import type { Pointing } from "./pointing";
import type { Panel } from "./tabs";

/** A picture that a new line compares with. */
export interface NewGolden { name: string; region: Region }

export type Adopt = (expected: Expected, golden: NewGolden | null) => Promise<void>;

export class ExpectPanel implements Panel {
  readonly id = "expect";
  readonly name = "Expect";
  readonly element = h("div", { class: "panel expect" });
  private region: Region | null = null;
  private asked = 0;
  private wants_focus = false;
  private readonly golden = h("input", { size: 14, "aria-label": "Name of the picture", placeholder: "name", class: "mono" });

  constructor(private readonly player: Player, private readonly pointing: Pointing, private readonly adopt: Adopt) {}

  /** Reports that a region was marked on the LCD. */
  mark(region: Region | null): void {
    this.region = region;
    this.pointing.marked(region);
    this.show();
  }

  /** Focuses the first offer once there is one. */
  focus(): void {
    this.wants_focus = true;
    this.show();
  }

  show(): void {
    if (this.player.playing || this.player.errors.length) return;
    const asked = ++this.asked;
    void this.player.question<{ lines: TextLine[] }>("texts").then(({ lines }) => {
      if (asked === this.asked) this.build(lines);
    }).catch((error: Error) => {
      if (asked === this.asked) this.element.replaceChildren(h("p", { class: "dim empty" }, error.message));
    });
  }

  private build(lines: TextLine[]): void {
    const { state } = this.player;
    const { region } = this;
    const seen = new Set<string>();
    const texts = lines.filter(({ text }) => text.trim() && !seen.has(text) && seen.add(text));
    refill(this.element,
      h("h3", {}, `Expect at ${shown(state.t)}`),
      h("ul", { class: "offers", "aria-label": "Texts on the LCD" }, ...texts.map((line) => this.offer(line, region))),
      h("div", { class: "row-of-buttons" },
        button(state.settled ? "The screen is settled" : "The screen settles", () => void this.add({ kind: "settled" }), { class: "settled" }),
        button(state.tone ? `Tone ${state.tone} Hz` : "No tone sounds", () => void this.add({ kind: "tone", hz: state.tone }),
          { class: "tone" })),
      region ? h("div", { class: "region" },
        h("p", {}, `Marked: ${region[2]}×${region[3]} at ${region[0]},${region[1]}`), this.golden,
        button("Expect this part", () => void this.add_region(region), { class: "primary" }),
        button("Clear", () => this.mark(null)))
        : h("p", { class: "dim" }, "Drag over the LCD to mark a part of it."));
    if (this.wants_focus) this.element.querySelector("button")?.focus();
    this.wants_focus = false;
  }

  private offer(line: TextLine, region: Region | null): HTMLElement {
    const area: Region = [line.x, line.y, line.w, line.h];
    const inside = region && line.x >= region[0] && line.y >= region[1]
      && line.x + line.w <= region[0] + region[2] && line.y + line.h <= region[1] + region[3];
    const more = inside ? { region } : {};
    const add = () => void this.add({ kind: "text", text: line.text, ...more });
    const offer = button(line.text, add, { class: "mono offer", title: `Expect the text “${line.text}”` });
    const here = () => this.pointing.noted(area);
    const away = () => this.pointing.noted(null);
    for (const kind of ["pointerenter", "focus"]) offer.addEventListener(kind, here);
    for (const kind of ["pointerleave", "blur"]) offer.addEventListener(kind, away);
    return h("li", {}, offer, inside ? h("span", { class: "dim" }, "in the marked part") : null);
  }

  private async add_region(region: Region): Promise<void> {
    const name = this.golden.value.trim() || "part";
    await this.add({ kind: "region", region, name }, { name, region });
  }

  private async add(what: Record<string, unknown>, golden: NewGolden | null = null): Promise<void> {
    const t = this.player.state.t;
    try {
      const expected = await this.player.question<Expected>("expect", { t, ...what });
      this.pointing.noted(null);
      await this.adopt(expected, golden);
    } catch {
      // The player has reported the reason.
    }
  }
}
