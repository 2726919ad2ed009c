//! The mode `studio`: joins the board, the timeline, the trace's text and the panels, each of which is its own module.
//! This one knows which trace is open, whether it is saved, and the page's keys.

import { button, h } from "../dom";
import { is_free } from "../board/keys";
import type { Engine } from "../engine/engine";
import { described, type Expected } from "../engine/protocol";
import { STUDIO_KEYS, show_keys } from "../help";
import type { PageData } from "../page_data";
import type { Track } from "../play/track";
import type { Source } from "../play/player";
import { PlayerView } from "../play/view";
import { FileDrop } from "../drop";
import { file_name, source_with_board, use_board_of } from "../source";
import { exact, parse_time } from "../time";
import { show_trap } from "../trap";
import { ExpectPanel, type NewGolden } from "./expect_panel";
import { FailuresPanel } from "./failures_panel";
import { console_panel, flash_panel, pixel_panel, redrawn, registers_panel, thoughts_panel } from "./inspect";
import { write_png } from "./picture";
import { Pointing } from "./pointing";
import { ask_name } from "./save_dialog";
import { Server, type Stored } from "./server";
import { Tabs } from "./tabs";
import { theme_button } from "./theme";
import { TraceText } from "./trace_text";
import { TracksPanel } from "./tracks_panel";

const keys = () => show_keys(STUDIO_KEYS, "A button that is pressed in the past makes a branch: the trace stays as it is.");

/** Time after which a slow request is shown. */
const BUSY_MS = 1500;
/** Interval of the requests whether the file has changed. */
const LOOK_MS = 2000;
/** Interval of updates of the address: browsers limit their rate. */
const ADDRESS_MS = 250;

export async function studio(data: PageData, engine: Engine, room: HTMLElement): Promise<void> {
  // The board is known before anything of it is drawn.
  const source = await source_with_board(data, 0, engine);
  await new Studio(data, engine, room, source, false).open();
}

class Studio {
  private readonly view: PlayerView;
  private readonly server: Server;
  private readonly tabs: Tabs;
  private readonly text: TraceText;
  private readonly pointing: Pointing;
  private readonly expect: ExpectPanel;
  private readonly tracks: TracksPanel;
  private readonly failures: FailuresPanel;
  private readonly told = h("p", { class: "told", role: "alert" });
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly banner = h("div", { class: "banner", role: "alert", hidden: true });
  private readonly working = h("div", { class: "banner", role: "status", hidden: true });
  private readonly verdict = h("span", { class: "verdict-badge" });
  private readonly save_button = button("Save", () => void this.save(), { class: "save", title: "Save (S)" });
  private readonly lit = button("Redrawn", () => this.toggle_redrawn(), {
    "aria-pressed": "false", class: "redrawn-toggle", title: "Show what the last frame redrew (D)",
  });
  /** The text in the file. */
  private stored: string | null = null;
  private modified: string | number | null = null;
  /** Pictures that are written when the trace is saved. */
  private readonly goldens = new Map<string, Blob>();
  private readonly drop: FileDrop;
  private readonly gone = new AbortController();
  private shows_redrawn = false;
  private address_timer: ReturnType<typeof setTimeout> | undefined;
  /** The address as it was last read or written; if it differs, the user typed another one. */
  private known_hash = location.hash;

  /** `is_replaced`: the user has loaded another program or board file than that of the page. */
  constructor(
    private readonly data: PageData, private readonly engine: Engine, private readonly room: HTMLElement,
    private readonly source: Source, is_replaced: boolean,
  ) {
    this.view = new PlayerView(engine, "low", false, () => this.budget());
    const { player, face } = this.view;
    this.server = Server.of(data.server);
    // The server has the sources of the page's own program.
    const pixel = pixel_panel(player, is_replaced ? Server.of(null) : this.server);
    this.drop = new FileDrop(engine, {
      source: () => (this.may_be_replaced() ? player.opened : null),
      take: (next, words) => this.replace_board(next, words),
    }, this.gone.signal);
    this.pointing = new Pointing(face, {
      pixel: (x, y) => { player.pause(); pixel.look(x, y); this.tabs.open("pixel"); },
      region: (region) => { player.pause(); this.expect.mark(region); this.tabs.open("expect"); },
    });
    for (const view of face.displays) {
      view.pointed = (x, y) => { player.pause(); pixel.look(x, y, view.display.name); this.tabs.open("pixel"); };
    }
    this.expect = new ExpectPanel(player, this.pointing, (expected, golden) => this.adopt(expected, golden));
    this.tracks = new TracksPanel(player, (track) => void this.save_track(track));
    const path = data.traces[0]?.name ?? "";
    this.failures = new FailuresPanel(player, this.server, path, (golden, png) => this.blessed(golden, png));
    this.text = new TraceText(player);
    this.tabs = new Tabs([this.failures, pixel, this.expect, this.tracks, console_panel(player), registers_panel(player),
      flash_panel(player), thoughts_panel(player)]);
    this.build();
    this.listen();
    this.watch_engine();
  }

  async open(): Promise<void> {
    const { source } = this;
    const { player } = this.view;
    this.stored = source.text;
    const t = this.address() ?? this.data.traces[0]?.at ?? null;
    await player.open(source, t ?? 0);
    // A trace begins without power: without a time in the address, the first settled screen is shown.
    const first = player.tracks[0].recording.frames.find((frame) => frame.settled);
    if (t === null && first && source.text !== null) await player.seek(this.view.failures()[0] ?? first.at);
    if (source.text === null) player.play();
    this.modified = this.data.server?.modified ?? null;
    if (this.server.is_there) {
      const timer = setInterval(() => void this.look_at_file(), LOOK_MS);
      this.gone.signal.addEventListener("abort", () => clearInterval(timer));
    }
    this.tabs.open(this.view.failures().length ? "failures" : source.text === null ? "tracks" : "pixel");
    this.show();
  }

  /** Asks the user, if the trace or branches are not saved. */
  private may_be_replaced(): boolean {
    const { tracks } = this.view.player;
    const is_unsaved = this.is_dirty || tracks.some((track) => track.number > 0 && !track.saved);
    return !is_unsaved || confirm("Another board discards what is not saved. Load it?");
  }

  /** Shows another board in place of this one, and opens the trace on it. */
  private async replace_board(next: Source, words: string): Promise<void> {
    const text = this.stored;
    this.gone.abort();
    clearTimeout(this.address_timer);
    await this.view.close();
    await use_board_of(next, this.engine);
    const studio = new Studio(this.data, this.engine, this.room, { ...next, text }, true);
    await studio.open();
    studio.say(words);
  }

  private build(): void {
    const { face, transport, timeline, listener } = this.view;
    const name = this.data.traces[0]?.name || this.data.title;
    document.title = `${file_name(name)} – nudge studio`;
    const head = h("header", { class: "studio-head" },
      h("h1", {}, "nudge"), h("span", { class: "file mono", title: name }, name), this.verdict,
      h("span", { class: "chip-board" }, described?.name ?? (this.source.board === "pico" ? "Pico" : "native")), this.note, h("span", { class: "fill" }),
      this.lit, this.save_button, this.drop.button, theme_button(), button("?", keys, { "aria-label": "Keys", title: "Keys (?)" }));
    this.room.replaceChildren(h("div", { class: "studio" }, head, h("div", { class: "banners" }, this.working, this.banner), this.told, this.drop.note,
      h("section", { class: "stage", "aria-label": "The board" }, face.element),
      h("section", { class: "source", "aria-label": "The trace's text" }, this.text.element),
      this.tabs.element,
      h("section", { class: "time", "aria-label": "Time" }, transport.element, timeline.element), listener.element));
  }

  private listen(): void {
    const { view } = this;
    const { player } = view;
    let settle: ReturnType<typeof setTimeout> | undefined;
    player.on("moment", () => {
      redrawn(player, this.pointing, this.shows_redrawn);
      clearTimeout(settle);
      settle = setTimeout(() => this.tabs.update(), player.playing ? 200 : 30);
      this.follow_address();
    });
    player.on("playing", () => { this.tabs.update(); this.follow_address(); });
    player.on("tracks", () => this.show());
    player.on("told", (words) => (this.told.textContent = words));
    player.on("trap", (trap) => show_trap(trap, this.new_name("trapped")));
    const { signal } = this.gone;
    addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("keyup", (event) => view.key_up(event), { signal });
    addEventListener("hashchange", () => {
      this.known_hash = location.hash;
      const t = this.address();
      if (t !== null && exact(t) !== exact(player.state.t)) { player.pause(); void player.seek(t); }
    }, { signal });
    addEventListener("beforeunload", (event) => { if (this.is_dirty) event.preventDefault(); }, { signal });
    // A button that was clicked by mouse loses the focus, so that Space remains RESET.
    this.room.addEventListener("click", (event) => {
      const pressed = (event.target as Element).closest?.("button");
      if (event.detail > 0 && pressed && !pressed.closest("[role=tablist]")) pressed.blur();
    }, { signal });
  }

  /** Shows slow requests, and a button that stops them. */
  private watch_engine(): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.engine.busy = (waits) => {
      clearTimeout(timer);
      this.working.hidden = true;
      if (waits) timer = setTimeout(() => (this.working.hidden = false), BUSY_MS);
    };
    const stop = button("Stop", () => void this.engine.stop(), { disabled: !this.engine.can_stop });
    this.working.append(h("span", {}, this.source.board === "pico" || described ? "The emulated chip works through the trace…" : "The machine works…"), stop);
  }

  private key(event: KeyboardEvent): void {
    if (this.view.key_down(event) || !is_free(event)) return;
    const acts: Record<string, () => void> = {
      "?": keys,
      F1: keys,
      i: () => { this.tabs.open("pixel"); this.view.face.lcd.focus(); },
      a: () => { this.view.player.pause(); this.tabs.open("expect"); this.expect.focus(); },
      d: () => this.toggle_redrawn(),
      o: () => { this.tabs.open("tracks"); void this.tracks.compare(); },
      s: () => void this.save(),
      Escape: () => { this.expect.mark(null); this.pointing.noted(null); },
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private show(): void {
    const { player } = this.view;
    const [root] = player.tracks;
    if (!root) return;
    const failed = this.failures.lines.length;
    const words: Record<string, string> = {
      passed: "✓ passed", failed: `✗ ${failed} failed`, limit: "✗ time limit", broken: "✗ machine stopped",
      unusable: `✗ ${player.errors.length} ${player.errors.length === 1 ? "error" : "errors"}`,
    };
    const verdict = root.recording.verdict;
    this.verdict.textContent = player.errors.length ? words.unusable : verdict ? words[verdict] ?? verdict : "live";
    this.verdict.className = `verdict-badge ${verdict ?? "live"}`;
    this.tabs.count("failures", failed);
    this.tabs.count("tracks", player.tracks.length - 1);
    this.save_button.disabled = !this.is_dirty && player.track.number === 0 && player.is_trace;
    this.save_button.textContent = player.track.number || !player.is_trace ? `Save ${player.track.name.toLowerCase()}…`
      : this.is_dirty ? "Save •" : "Saved";
    this.tabs.update();
  }

  private get is_dirty(): boolean {
    const { text } = this.view.player;
    return text !== null && this.stored !== null && text !== this.stored;
  }

  /** Returns the bytes that a frame may take, by the first `expect bus` of the trace. */
  private budget(): number | null {
    const found = /expect\s+bus\s+<=?\s+(\d+)(B|kB|KiB|MB|MiB)/.exec(this.view?.player.text ?? "");
    const units: Record<string, number> = { B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1 << 20 };
    return found ? Number(found[1]) * units[found[2]] : null;
  }

  private address(): number | null {
    return parse_time(new URLSearchParams(location.hash.slice(1)).get("t") ?? "");
  }

  private follow_address(): void {
    clearTimeout(this.address_timer);
    if (this.view.player.playing) return;
    this.address_timer = setTimeout(() => {
      // The user has just typed another address: its event follows, and the player goes there.
      if (location.hash !== this.known_hash) return;
      const hash = `#t=${exact(this.view.player.state.t)}`;
      if (location.hash !== hash) history.replaceState(null, "", hash);
      this.known_hash = location.hash;
    }, ADDRESS_MS);
  }

  private toggle_redrawn(): void {
    this.shows_redrawn = !this.shows_redrawn;
    this.lit.setAttribute("aria-pressed", String(this.shows_redrawn));
    redrawn(this.view.player, this.pointing, this.shows_redrawn);
  }

  private new_name(word: string): string {
    const name = file_name(this.data.traces[0]?.name || "live.trace").replace(/\.trace$/, "");
    return `${name}-${word}.trace`;
  }

  /** Adopts the trace with one more line; on a branch it becomes a new file. */
  private async adopt(expected: Expected, golden: NewGolden | null): Promise<void> {
    const { player } = this.view;
    const seen = player.pixels;
    if (player.track.number !== 0 || !player.is_trace) {
      await this.save_text(expected.trace, this.new_name(`branch-${player.track.number || 1}`));
      return;
    }
    if (golden && seen) {
      const png = await write_png(seen, golden.region);
      const path = `${player.name.replace(/\.trace$/, "")}/${golden.name}.png`;
      player.set_blob(path, new Uint8Array(await png.arrayBuffer()));
      this.goldens.set(path, png);
    }
    await player.replace(expected.trace);
    this.view.timeline.film.clear();
    this.text.mark_new(expected.line);
    this.say(`Added: ${expected.text.trim().replace(/\s+/g, " ")}`);
    this.show();
  }

  private async blessed(path: string, png: Uint8Array): Promise<void> {
    const { player } = this.view;
    player.set_blob(path, png);
    await player.replace(player.text ?? "");
    this.say(`Blessed ${path}`);
  }

  /** Key S: saves the shown branch, or the trace if it differs from its file. */
  private async save(): Promise<void> {
    const { player } = this.view;
    if (player.track.number || !player.is_trace) {
      await this.save_track(player.track);
      return;
    }
    const text = player.text ?? "";
    if (!this.is_dirty) return;
    const stored = await this.server.put_trace(text, this.modified, file_name(this.data.traces[0]?.name || "trace.trace"));
    if (stored.how === "stored") this.modified = stored.modified ?? (await this.server.state())?.modified ?? this.modified;
    if (stored.how === "stored" || stored.how === "downloaded") this.stored = text;
    this.tell(stored, "the trace");
    if (stored.how === "stored") await this.store_goldens();
    else if (stored.how === "downloaded" && this.goldens.size) {
      this.say(`Downloaded the trace; nudge replay --bless writes its ${this.goldens.size === 1 ? "picture" : "pictures"}`);
    }
    this.show();
  }

  /** Writes the pictures that new lines compare with. */
  private async store_goldens(): Promise<void> {
    for (const [path, png] of this.goldens) {
      const stored = await this.server.put_golden(path, png);
      if (stored.how === "stored") this.goldens.delete(path);
      else this.tell(stored, path);
    }
  }

  private async save_track(track: Track): Promise<void> {
    const { player } = this.view;
    player.pause();
    try {
      const { trace } = await player.question<{ trace: string }>("save", {}, track);
      const saved = await this.save_text(trace, this.new_name(track.number ? `branch-${track.number}` : "played"));
      if (saved) track.saved = true;
    } catch {
      // The player has reported the reason.
    }
  }

  private async save_text(text: string, proposal: string): Promise<boolean> {
    const name = await ask_name(proposal, text, this.server.is_there);
    if (name === null) return false;
    const stored = await this.server.put_new(name, text);
    this.tell(stored, name);
    return stored.how === "stored" || stored.how === "downloaded";
  }

  private tell(stored: Stored, what: string): void {
    this.told.textContent = "";
    if (stored.how === "stored") this.say(`Saved ${what}`);
    else if (stored.how === "downloaded") this.say(`Downloaded ${what}`);
    else if (stored.how === "changed") this.offer_reload("Another program has changed the file since it was opened, so it was not written.");
    else if (stored.how === "exists") this.told.textContent = `There is a file ${what} already; save under another name.`;
    else this.told.textContent = `Not saved: ${stored.message}`;
  }

  private say(words: string): void {
    this.note.textContent = words;
    setTimeout(() => { if (this.note.textContent === words) this.note.textContent = ""; }, 6000);
  }

  private async look_at_file(): Promise<void> {
    const state = await this.server.state();
    this.show_whether_served();
    if (!state) return;
    if (this.modified === null) this.modified = state.modified;
    if (state.changed || String(state.modified) !== String(this.modified)) {
      this.offer_reload("Another program has changed the file.");
    }
  }

  /** Says that `nudge open` has ended, as long as it does not answer: the page plays on, and saves nothing. */
  private show_whether_served(): void {
    const is_told = this.banner.dataset.why === "gone";
    if (!this.server.is_gone) {
      if (is_told) this.banner.hidden = true;
      delete this.banner.dataset.why;
      return;
    }
    if (is_told) return;
    this.banner.dataset.why = "gone";
    this.banner.hidden = false;
    this.banner.replaceChildren(
      h("span", {}, "The program that opened this page does not answer any more, so nothing can be saved here. Start `nudge open` again."),
      button("Download mine", () => void Server.of(null).put_trace(this.view.player.text ?? "", null, this.new_name("mine"))),
      button("Later", () => (this.banner.hidden = true)));
  }

  private offer_reload(words: string): void {
    if (!this.banner.hidden) return;
    this.banner.hidden = false;
    const reload = () => { this.stored = this.view.player.text; location.reload(); };
    this.banner.replaceChildren(h("span", {}, words, this.is_dirty ? " Reloading discards what you have added." : ""),
      button("Reload", reload, { class: "primary" }),
      button("Download mine", () => void Server.of(null).put_trace(this.view.player.text ?? "", null, this.new_name("mine"))),
      button("Later", () => (this.banner.hidden = true)));
  }
}
