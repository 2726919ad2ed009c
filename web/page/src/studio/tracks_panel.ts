//! The trace and its branches: show, save, close, and compare two of them at the first frame that differs.

import { button, h, refill } from "../dom";
import { HEIGHT, WIDTH, type Difference } from "../engine/protocol";
import type { Player } from "../play/player";
import type { Track } from "../play/track";
import { shown } from "../time";
import { difference, figure } from "./picture";
import type { Panel } from "./tabs";

export class TracksPanel implements Panel {
  readonly id = "tracks";
  readonly name = "Branches";
  readonly element = h("div", { class: "panel tracks" });
  private readonly list = h("ul", { class: "track-list" });
  private readonly compared = h("div", { class: "compared", "aria-live": "polite" });
  private readonly a = h("select", { "aria-label": "First track" });
  private readonly b = h("select", { "aria-label": "Second track" });

  constructor(private readonly player: Player, private readonly save: (track: Track) => void) {
    this.element.append(this.list, h("div", { class: "compare row-of-buttons" }, this.a, h("span", {}, "against"), this.b,
      button("Compare", () => void this.compare(), { class: "run-compare", title: "The first frame that differs (O)" })), this.compared);
    player.on("tracks", () => this.show());
  }

  show(): void {
    const { tracks, track } = this.player;
    refill(this.list, ...tracks.map((one) => this.row(one, one === track)));
    if (tracks.length === 1) {
      this.list.append(h("li", { class: "dim empty" }, "Go to any moment and press a button of the board: a branch begins there."));
    }
    this.fill(this.a, tracks[0]);
    this.fill(this.b, track.number ? track : tracks[tracks.length - 1]);
    this.element.querySelector<HTMLElement>(".compare")!.hidden = tracks.length < 2;
    if (tracks.length < 2) this.compared.replaceChildren();
  }

  private row(track: Track, now: boolean): HTMLElement {
    const of = track.parent && track.parent.number ? ` of ${track.parent.name}` : "";
    const from = track.parent ? `from ${shown(track.from)}${of}` : track.end === null ? "live" : `${shown(track.end)} long`;
    const presses = track.own.filter((own) => "down" in own && own.down).length;
    return h("li", { class: now ? "now" : "", "aria-current": now ? "true" : undefined },
      h("i", { class: `chip branch-${track.number ? ((track.number - 1) % 5) + 1 : 0}` }),
      h("strong", {}, track.name), h("span", { class: "dim" }, `${from}${presses ? `, ${presses} ${presses === 1 ? "press" : "presses"}` : ""}`),
      button("Show", () => void this.player.choose(track), { disabled: now }),
      track.number || track.end === null ? button("Save…", () => this.save(track), { class: "save-track" }) : null,
      track.number ? button("Close", () => void this.player.drop(track)) : null);
  }

  private fill(select: HTMLSelectElement, wanted: Track): void {
    const { tracks } = this.player;
    const kept = tracks.find((track) => String(track.number) === select.value && select.options.length === tracks.length) ?? wanted;
    select.replaceChildren(...tracks.map((track) => h("option", { value: track.number, selected: track === kept }, track.name)));
  }

  async compare(): Promise<void> {
    const of = (select: HTMLSelectElement) => this.player.tracks.find((track) => String(track.number) === select.value);
    const [a, b] = [of(this.a), of(this.b)];
    if (!a || !b || a === b) return;
    this.player.pause();
    try {
      const found = await this.player.question<Difference>("compare", { a: a.session, b: b.session }, a);
      await this.show_difference(a, b, found);
    } catch (error) {
      this.compared.replaceChildren(h("p", { class: "told" }, (error as Error).message));
    }
  }

  private async show_difference(a: Track, b: Track, found: Difference): Promise<void> {
    if (found.same) {
      this.compared.replaceChildren(h("p", {}, "Every frame is the same, as far as both have been played."));
      return;
    }
    const at = (t: number | null) => (t === null ? "no frame" : `at ${shown(t)}`);
    const parts: HTMLElement[] = [];
    const [left, right] = [await this.picture(a, found.a_at), await this.picture(b, found.b_at)];
    if (left) parts.push(figure(left, WIDTH, HEIGHT, `${a.name}, ${at(found.a_at)}`, found.region));
    if (right) parts.push(figure(right, WIDTH, HEIGHT, `${b.name}, ${at(found.b_at)}`, found.region));
    if (left && right) {
      const { pixels, region, count } = difference(left, right, WIDTH);
      parts.push(figure(pixels, WIDTH, HEIGHT, `What differs: ${count} pixels`, region));
    }
    const go = (track: Track, t: number | null) => (t === null ? null
      : button(`Go to ${track.name}`, () => void this.player.choose(track, t)));
    this.compared.replaceChildren(
      h("p", {}, `The first frame that differs: ${a.name} ${at(found.a_at)}, ${b.name} ${at(found.b_at)}.`),
      h("div", { class: "pictures" }, ...parts), h("div", { class: "row-of-buttons" }, go(a, found.a_at), go(b, found.b_at)));
  }

  private async picture(track: Track, t: number | null): Promise<Uint8ClampedArray | null> {
    if (t === null) return null;
    let seen: Uint8ClampedArray | null = null;
    await this.player.peek(track, [t], (_, pixels) => (seen = pixels), true);
    return seen;
  }
}
