//! The controls of a player: play, single frame, single transaction, the time, speed, zoom.

import { button, h, icon } from "../dom";
import { parse_time, shown } from "../time";
import { SPEEDS, type Player } from "./player";

const PLAY = "M4 2.5v11l9.5-5.5z";
const PAUSE = "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z";
const NEXT_FRAME = "M2.5 3v10l7-5zM10.5 3h2.4v10h-2.4z";
const LAST_FRAME = "M13.5 3v10l-7-5zM3.1 3h2.4v10H3.1z";
// A transaction on the wire, and the direction.
const NEXT_BYTE = "M1 10.5V5h1.5v4H4V5h4.5v4H10v1.5H7V6.5H5.5v4zM11 4.5v7l4-3.5z";
const LAST_BYTE = "M15 10.5V5h-1.5v4H12V5H7.5v4H6v1.5h3V6.5h1.5v4zM5 4.5v7L1 8z";
const TO_START = "M1.5 3h1.8v10H1.5zM9 3v10L3.8 8zM14.5 3v10L9.3 8z";

export interface TransportOptions {
  /** Times of failures, in order. */
  failures(): number[];
  zoom(factor: number): void;
  whole(): void;
  mute(): boolean;
}

export class Transport {
  readonly element: HTMLElement;
  readonly time = h("input", {
    class: "moment mono", "aria-label": "Moment", size: 11, spellcheck: false, autocomplete: "off", title: "The moment; type another (G)",
  });
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly failure: HTMLButtonElement;
  private readonly muted: HTMLButtonElement;

  constructor(private readonly player: Player, private readonly options: TransportOptions) {
    this.play = this.tool(PLAY, "Play (P)", () => this.toggle());
    this.play.classList.add("primary", "play-button");
    this.failure = button("✗ Failure", () => this.to_failure(1), { class: "to-failure", title: "Go to the next failure (F)" });
    this.speed = h("select", { class: "speed", "aria-label": "Speed", change: () => player.set_speed(Number(this.speed.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.muted = button("Mute", () => this.mute(), { "aria-pressed": "false", class: "mute", title: "Sound off or on (M)" });
    this.time.addEventListener("change", () => this.typed());
    this.time.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") this.time.blur();
    });
    this.element = h("div", { class: "transport", role: "toolbar", "aria-label": "Play" },
      h("div", { class: "group" },
        this.tool(TO_START, "To the start (Home)", () => void player.seek(0)),
        this.tool(LAST_BYTE, "One transaction back ([)", () => void player.step("transaction", true), "transaction-back"),
        this.tool(LAST_FRAME, "One frame back (,)", () => void player.step("frame", true), "frame-back"),
        this.play,
        this.tool(NEXT_FRAME, "One frame on (.)", () => void player.step("frame", false), "frame-on"),
        this.tool(NEXT_BYTE, "One transaction on (])", () => void player.step("transaction", false), "transaction-on")),
      h("div", { class: "group" }, this.time, this.speed, this.failure),
      h("div", { class: "group zoom" },
        button("−", () => options.zoom(2), { "aria-label": "Zoom out", title: "Zoom out (−)" }),
        button("+", () => options.zoom(0.5), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
        button("Whole", () => options.whole(), { title: "The whole time (0)" }), this.muted));
    player.on("moment", () => this.show());
    player.on("playing", () => this.show_playing());
    player.on("tracks", () => this.show());
  }

  toggle(): void {
    if (this.player.playing) this.player.pause();
    else this.player.play();
  }

  /** Goes to the next failure (1) or the previous one (-1), cyclically. */
  to_failure(way: 1 | -1): void {
    const all = this.options.failures();
    if (!all.length) return;
    const { t } = this.player.state;
    const beyond = way > 0 ? all.find((at) => at > t) : all.findLast((at) => at < t);
    const at = beyond ?? all[way > 0 ? 0 : all.length - 1];
    this.player.pause();
    if (this.player.track.number === 0) void this.player.seek(at);
    else void this.player.choose(this.player.tracks[0], at);
  }

  mute(): void {
    this.muted.setAttribute("aria-pressed", String(this.options.mute()));
  }

  private tool(path: string, words: string, act: () => void, name = ""): HTMLButtonElement {
    const made = h("button", { type: "button", class: `tool ${name}`, title: words, "aria-label": words.replace(/ \(.*/, ""), click: act });
    made.append(icon(path));
    return made;
  }

  private typed(): void {
    const t = parse_time(this.time.value);
    if (t !== null) { this.player.pause(); void this.player.seek(t); }
    this.show();
  }

  private show(): void {
    const { player } = this;
    if (document.activeElement !== this.time) this.time.value = shown(player.state.t, player.playing ? 2 : 6);
    this.failure.hidden = this.options.failures().length === 0;
  }

  private show_playing(): void {
    const { playing } = this.player;
    this.play.replaceChildren(icon(playing ? PAUSE : PLAY));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.title = playing ? "Pause (P)" : "Play (P)";
    this.show();
  }
}
