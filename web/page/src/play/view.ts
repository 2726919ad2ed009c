//! A complete player view: the board, its controls and the timeline, joined with input, sound and keys. The report
//! shows it below a failing trace, the studio between its panels.

import { Face } from "../board/face";
import { control_of, is_free, labels, labels_of } from "../board/keys";
import type { Form } from "../board/layout";
import { Speaker } from "../board/speaker";
import type { Engine } from "../engine/engine";
import { MS } from "../time";
import { Timeline } from "../timeline/timeline";
import { Hands } from "./hands";
import { Listener } from "./listen";
import { Player } from "./player";
import { Transport } from "./transport";

export class PlayerView {
  readonly player: Player;
  readonly face: Face;
  readonly timeline: Timeline;
  readonly transport: Transport;
  readonly listener: Listener;
  private readonly hands: Hands;
  private readonly speaker = new Speaker();
  private gone = false;

  constructor(engine: Engine, form: Form, compact: boolean, budget: () => number | null) {
    const player = new Player(engine);
    this.player = player;
    this.face = new Face(form, labels_of());
    void labels().then((own) => this.face.set_labels(own));
    this.hands = new Hands({
      press: (button) => {
        this.speaker.wake();
        void player.press(button);
      },
      release: (button) => void player.release(button),
      chord: (held, other) => void player.chord(held, other),
      move: (control, movement) => {
        this.speaker.wake();
        return player.move(control, movement);
      },
      position: (control) => player.state.controls?.[control],
    });
    this.hands.on_face(this.face);
    this.timeline = new Timeline(player, { compact, budget });
    this.transport = new Transport(player, {
      failures: () => this.failures(),
      zoom: (factor) => this.timeline.zoom(factor),
      whole: () => this.timeline.whole(),
      mute: () => { this.speaker.mute(!this.speaker.muted); return this.speaker.muted; },
    });
    this.listener = new Listener(player, () => this.face);
    player.on("moment", () => this.show());
    player.on("tracks", () => this.show());
    player.on("playing", () => { if (player.playing) this.speaker.wake(); });
    player.on("tones", (tones) => this.speaker.play_span(tones));
    player.on("trap", () => this.timeline.film.clear());
    addEventListener("blur", () => this.hands.let_go());
    const tick = () => {
      if (this.gone) return;
      player.frame();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Returns the times of failed lines. */
  failures(): number[] {
    const lines = this.player.tracks[0]?.recording.lines ?? [];
    const moments = lines.filter((line) => line.verdict === "failed").map((line) => line.over ?? line.at ?? 0);
    return [...new Set(moments)].sort((a, b) => a - b);
  }

  async close(): Promise<void> {
    this.gone = true;
    this.speaker.close();
    this.timeline.close();
    await this.player.close();
  }

  key_up(event: KeyboardEvent): void {
    this.hands.key_up(event);
  }

  /** Executes a key; returns `true` if it is one of the player's. */
  key_down(event: KeyboardEvent): boolean {
    if (this.hands.key_down(event)) return true;
    if (!is_free(event)) return false;
    const act = this.act_of(event);
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }

  private act_of(event: KeyboardEvent): (() => void) | null {
    const { player, transport, timeline } = this;
    const by = (span: number) => () => { player.pause(); void player.seek(player.state.t + span); };
    const far = event.shiftKey ? 1000 * MS : 100 * MS;
    switch (event.key) {
      case "ArrowLeft": return by(-far);
      case "ArrowRight": return by(far);
      case "PageUp": return by(-10_000 * MS);
      case "PageDown": return by(10_000 * MS);
      case "Home": return () => { player.pause(); void player.seek(0); };
      case "End": return () => { player.pause(); void player.seek(player.end); };
      case ",": return () => void player.step("frame", true);
      case "[": return () => void player.step("transaction", true);
      case "]": return () => void player.step("transaction", false);
      case "+": case "=": return () => timeline.zoom(0.5);
      case "-": return () => timeline.zoom(2);
      case "0": return () => timeline.whole();
      case "f": return () => transport.to_failure(1);
      case "F": return () => transport.to_failure(-1);
      case "g": return () => { transport.time.focus(); transport.time.select(); };
      case "l": return () => void this.listener.say();
      case "j": return () => this.next_track(-1);
      case "k": return () => this.next_track(1);
    }
    switch (control_of(event.code)) {
      case "pause": return () => transport.toggle();
      case "frame": return () => void player.step("frame", false);
      case "mute": return () => transport.mute();
      case "undo": return () => this.hands.chord("undo");
      case "help": return () => this.hands.chord("help");
      default: return null;
    }
  }

  private next_track(way: number): void {
    const { tracks, track } = this.player;
    const next = tracks[(tracks.indexOf(track) + way + tracks.length) % tracks.length];
    if (next !== track) void this.player.choose(next);
  }

  private show(): void {
    const { state, pixels } = this.player;
    if (pixels) this.face.draw(pixels);
    this.face.set_down(this.player.down);
    this.face.set_parts(state);
    this.face.set_powered(state.powered);
    this.face.set_sounding(this.player.sounding);
  }
}
