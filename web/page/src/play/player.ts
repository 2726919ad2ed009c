//! Opens a trace or a live board, goes to any time of it, plays on from there, and creates a branch when a button is
//! pressed in the past. It draws nothing; views listen to its events.

import { Engine, NoEngine, Refused, Trapped } from "../engine/engine";
import type { Request } from "../engine/host";
import type { Button, Movement, Opened, Position, Recording, Run, State, Tone, TraceError } from "../engine/protocol";
import type { BoardKind } from "../page_data";
import { MS } from "../time";
import { Clock } from "./clock";
import { empty, is_open_at, trace_so_far, type Track } from "./track";

/** The board and the trace to open. */
export interface Source {
  board: BoardKind;
  name: string;
  /** `null` for a live board. */
  text: string | null;
  header?: string;
  files: Record<string, string>;
  blobs: Record<string, Uint8Array>;
  elf: Uint8Array | null;
  /** Path of the board file among `files`, for the board `described`. */
  board_file: string | null;
  /** Path among `blobs` of the program that runs instead of the one that the board file names. */
  program?: string | null;
}

/** Returns the request that opens `source`. */
export function opening(source: Source): Request {
  const { text, name, board, files, blobs } = source;
  const request: Request = { do: "open", board, trace: text, name, files, blobs };
  if (source.elf) request.elf = source.elf;
  if (source.header) request.header = source.header;
  if (source.board_file) request.board_file = source.board_file;
  if (source.program) request.program = source.program;
  return request;
}

/** Returns the text of the trace, or the head of the trace of a live board. */
function head_of({ text, header, board_file }: Source): string {
  return text ?? ["trace 1", header?.trim(), board_file && `board ${board_file}`].filter(Boolean).join("\n");
}

export interface Trap { message: string; trace: string }

interface Events {
  /** The time, the state and the picture have changed. */
  moment: void;
  /** The list of tracks, or the data of one, has changed. */
  tracks: void;
  playing: void;
  /** Tones since the last update, each with its delay in seconds. */
  tones: { after: number; hz: number }[];
  trap: Trap;
  /** A message for the user. */
  told: string;
}

type Listeners = { [K in keyof Events]: ((what: Events[K]) => void)[] };

/** Maximum virtual time of one request while playing: a page that slept does not catch up. */
const SPAN_MAX = 250 * MS;
/** Virtual time between two movements of a chord: `MIN_HOLD` of the crate `trace`. */
const CHORD_SPAN = 30 * MS;
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10] as const;

/** Presses and tones since the previous picture that may be over again. */
interface Passed { down: Button[]; tones: Tone[] }
const NOTHING: Passed = { down: [], tones: [] };

/** Returns the buttons that went down on `track` after `before` and not after `t`. */
function pressed_between(track: Track, before: number, t: number): Button[] {
  const { fingers } = track.recording;
  const found: Button[] = [];
  for (let at = fingers.length - 1; at >= 0 && fingers[at].at > before; at--) {
    if (fingers[at].at <= t) found.push(fingers[at].button);
  }
  return found;
}

/** Returns the position after a movement; an encoder passes its edges one by one. */
function moved_to(movement: Movement): Position | undefined {
  if ("on" in movement) return movement.on;
  if ("x" in movement) return movement.y === undefined ? movement.x : [movement.x, movement.y];
  return undefined;
}

const NOWHERE: State = {
  t: 0, frame: 0, frame_at: null, down: [], tone: 0, powered: false, settled: false, console: 0, end: null, reached: 0,
  broken: null,
};

export class Player {
  tracks: Track[] = [];
  track!: Track;
  state: State = NOWHERE;
  pixels: Uint8ClampedArray | null = null;
  errors: TraceError[] = [];
  playing = false;
  speed = 1;
  /** Whether the picture is the LCD's memory in the middle of a frame. */
  drawn = false;
  /** Buttons that are down, or were since the previous picture: on a busy computer a press may be shorter than a picture. */
  down: ReadonlySet<Button> = new Set();
  /** Whether a tone sounds, or did since the previous picture. */
  sounding = false;
  private source!: Source;
  private start = 0;
  private made = 0;
  private readonly clock = new Clock();
  private queue: Promise<unknown> = Promise.resolve();
  private queued = 0;
  private wanted: { t: number; drawn: boolean } | null = null;
  private running = false;
  private readonly pressed = new Map<Button, Track>();
  private readonly listeners: Listeners =
    { moment: [], tracks: [], playing: [], tones: [], trap: [], told: [] };

  constructor(private readonly engine: Engine, private readonly wall: () => number = () => performance.now()) {}

  on<K extends keyof Events>(kind: K, listener: (what: Events[K]) => void): void {
    this.listeners[kind].push(listener);
  }

  private fire<K extends keyof Events>(kind: K, what: Events[K]): void {
    for (const listener of this.listeners[kind]) listener(what);
  }

  /** The text of the opened trace. */
  get text(): string | null {
    return this.source.text;
  }

  get is_trace(): boolean {
    return this.source.text !== null;
  }

  /** The latest time that can be visited on the current track. */
  get end(): number {
    return this.track.end ?? Math.max(this.track.reached, this.state.t);
  }

  /** Replays `source` and goes to `t`. */
  async open(source: Source, t: number): Promise<void> {
    this.pause();
    await this.in_turn(async () => {
      const old = this.start === this.engine.start ? this.tracks : [];
      for (const track of old) await this.engine.ask({ do: "close", session: track.session }).catch(() => {});
      await this.open_now(source, t);
    });
  }

  /** Closes all sessions; the player is not used any more. */
  async close(): Promise<void> {
    this.pause();
    await this.in_turn(async () => {
      if (this.start !== this.engine.start) return;
      for (const { session } of this.tracks) await this.engine.ask({ do: "close", session }).catch(() => {});
    });
  }

  /** The source of the trace or the live board. */
  get opened(): Source {
    return this.source;
  }

  /** Opens the same trace with another text; branches remain, with their past. */
  async replace(text: string): Promise<void> {
    this.pause();
    await this.in_turn(async () => {
      const [root, ...branches] = this.tracks;
      const { t } = this.state;
      const chosen = this.track;
      const [old, made] = [root.session, this.made];
      await this.open_now({ ...this.source, text }, chosen === root ? t : 0);
      await this.engine.ask({ do: "close", session: old });
      const fresh = this.tracks[0];
      for (const branch of branches) if (branch.parent === root) branch.parent = fresh;
      this.tracks.push(...branches);
      this.made = made;
      if (chosen !== root) { this.track = chosen; await this.go_now(t, false); }
      this.fire("tracks", undefined);
    });
  }

  /** Replaces a golden picture, a flash image or a chain of the source. */
  set_blob(path: string, bytes: Uint8Array): void {
    this.source.blobs[path] = bytes;
  }

  blob(path: string): Uint8Array | null {
    return this.source.blobs[path] ?? null;
  }

  get name(): string {
    return this.source.name;
  }

  private async open_now(source: Source, t: number): Promise<void> {
    this.source = source;
    this.start = this.engine.start;
    const { text } = source;
    const { answer } = await this.engine.ask<Opened>(opening(source));
    const root: Track = {
      number: 0, name: text === null ? "Live board" : "Trace", session: answer.session, parent: null, from: 0,
      end: answer.end ?? null, reached: answer.end ?? 0, recording: empty(), own: [], stale: false, saved: true,
    };
    this.tracks = [root];
    this.track = root;
    this.made = 0;
    this.pressed.clear();
    this.errors = answer.errors ?? [];
    root.recording = await this.record(root);
    if (this.errors.length === 0) await this.go_now(Math.min(t, root.end ?? t), false);
    this.fire("tracks", undefined);
  }

  private async record(track: Track): Promise<Recording> {
    const { answer } = await this.engine.ask<Recording>({ do: "record", session: track.session });
    return { ...empty(), ...answer };
  }

  /** Goes to `t`. Of several calls while the engine is busy, only the last takes effect. */
  seek(t: number, drawn = false): Promise<void> {
    if (this.errors.length) return Promise.resolve();
    const hurry = this.wanted !== null;
    this.wanted = { t: Math.max(0, Math.min(t, this.end)), drawn };
    if (hurry) return Promise.resolve();
    return this.act(async () => {
      const wanted = this.wanted;
      this.wanted = null;
      if (wanted) await this.go_now(wanted.t, wanted.drawn);
    });
  }

  private async go_now(t: number, drawn: boolean): Promise<void> {
    this.drawn = drawn;
    const request = { do: "seek", session: this.track.session, t: Math.round(t), drawn };
    this.meet(await this.engine.ask<State>(request, true));
    this.clock.start(this.wall(), this.state.t, this.speed);
    this.fire("tones", [{ after: 0, hz: 0 }]);
  }

  private meet({ answer, pixels }: { answer: State; pixels: Uint8ClampedArray | null }, passed: Passed = NOTHING): void {
    this.state = answer;
    this.down = new Set([...answer.down, ...passed.down]);
    this.sounding = answer.tone > 0 || passed.tones.some(({ hz }) => hz > 0);
    this.track.reached = Math.max(this.track.reached, answer.reached ?? answer.t, answer.t);
    if (pixels) this.pixels = pixels;
    this.fire("moment", undefined);
  }

  step(unit: "frame" | "transaction", back: boolean): Promise<void> {
    this.pause();
    return this.act(async () => {
      this.drawn = unit === "transaction";
      this.meet(await this.engine.ask<State>({ do: "step", session: this.track.session, unit, back }, true));
    });
  }

  play(): void {
    if (this.playing || this.errors.length) return;
    const over = this.track.end !== null && this.state.t >= this.track.end;
    if (over) void this.seek(0);
    this.playing = true;
    void this.act(async () => this.clock.start(this.wall(), this.state.t, this.speed));
    this.fire("playing", undefined);
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.fire("tones", [{ after: 0, hz: 0 }]);
    this.fire("playing", undefined);
    void this.refresh();
  }

  set_speed(speed: number): void {
    this.speed = speed;
    this.clock.start(this.wall(), this.state.t, speed);
    this.fire("playing", undefined);
  }

  /** Must be called for every animation frame. */
  frame(): void {
    if (!this.playing || this.running || this.queued > 0) return;
    this.running = true;
    void this.act(() => this.run_now()).finally(() => (this.running = false));
  }

  private async run_now(): Promise<void> {
    const { track } = this;
    const before = this.state.t;
    const target = Math.min(this.clock.target(this.wall()), before + SPAN_MAX * Math.max(1, this.speed));
    const until = track.end === null ? target : Math.min(target, track.end);
    if (until <= before) return;
    const reply = await this.run_to(track, until);
    this.clock.met(this.wall(), this.state.t);
    if (reply.broken) {
      this.fire("told", `The machine cannot go on: ${reply.broken}`);
      this.pause();
    } else if (track.end !== null && this.state.t >= track.end) {
      this.pause();
    }
  }

  /** Runs `track`, which is at the current time, to `until`. */
  private async run_to(track: Track, until: number): Promise<Run> {
    const before = this.state.t;
    this.drawn = false;
    const reply = await this.engine.ask<Run>({ do: "run", session: track.session, until }, true);
    const { events } = reply.answer;
    if (track.end === null && events) {
      track.recording.tones.push(...events.tones);
      track.recording.console.push(...events.console);
      const { frames } = track.recording;
      frames.push(...events.frames.map(({ from, at }) => ({ from, at, bytes: 0, region: null, settled: false })));
      track.stale = true;
    }
    const tones = events?.tones ?? [];
    this.meet(reply, { down: pressed_between(track, before, reply.answer.t), tones });
    if (tones.length) {
      const after = (at: number) => (at - before) / (1e9 * this.speed);
      this.fire("tones", tones.map(({ at, hz }) => ({ after: after(at), hz })));
    }
    return reply.answer;
  }

  /** Presses a button: on the current track if that changes no later event, else on a new branch. */
  press(button: Button): Promise<void> {
    if (this.errors.length) return Promise.resolve();
    return this.act(async () => {
      await this.press_now(await this.open_track(), button);
    }).then(() => this.play());
  }

  private async press_now(track: Track, button: Button): Promise<number> {
    const { answer } = await this.engine.ask<{ at: number }>({ do: "press", session: track.session, button });
    this.pressed.set(button, track);
    track.own.push({ at: answer.at, button, down: true });
    track.recording.fingers.push({ button, at: answer.at, until: null });
    track.saved = false;
    this.state = { ...this.state, down: [...this.state.down, button] };
    this.down = new Set([...this.down, button]);
    this.fire("tracks", undefined);
    return answer.at;
  }

  release(button: Button): Promise<void> {
    return this.act(() => this.release_now(button));
  }

  private async release_now(button: Button): Promise<number> {
    const track = this.pressed.get(button);
    if (!track || !this.tracks.includes(track)) return this.state.t;
    this.pressed.delete(button);
    const { answer } = await this.engine.ask<{ at: number }>({ do: "release", session: track.session, button });
    track.own.push({ at: answer.at, button, down: false });
    const finger = track.recording.fingers.findLast((finger) => finger.button === button);
    if (finger && finger.until === null) finger.until = answer.at;
    this.state = { ...this.state, down: this.state.down.filter((down) => down !== button) };
    return answer.at;
  }

  /** Presses two buttons together: `held` is down before the other, and longer. */
  chord(held: Button, other: Button): Promise<void> {
    if (this.errors.length || this.pressed.has(held) || this.pressed.has(other)) return Promise.resolve();
    return this.act(async () => {
      const track = await this.open_track();
      // Timed by the board's clock, so that the order does not depend on the load of the computer.
      for (const [button, down] of [[held, true], [other, true], [other, false], [held, false]] as const) {
        const at = down ? await this.press_now(track, button) : await this.release_now(button);
        await this.run_to(track, at + CHORD_SPAN);
      }
      this.clock.start(this.wall(), this.state.t, this.speed);
    }).then(() => this.play());
  }

  /** Moves a control of a described board: on the current track if that changes no later event, else on a new branch. */
  move(control: string, movement: Movement): Promise<void> {
    if (this.errors.length) return Promise.resolve();
    return this.act(async () => {
      const track = await this.open_track();
      const request = { do: "move", session: track.session, control, ...movement };
      const { answer } = await this.engine.ask<{ at: number; line: string }>(request);
      track.own.push({ at: answer.at, action: answer.line });
      track.recording.inputs.push({ at: answer.at, action: answer.line, control });
      track.saved = false;
      const position = moved_to(movement);
      if (position !== undefined) {
        this.state = { ...this.state, controls: { ...this.state.controls, [control]: position } };
      }
      this.fire("tracks", undefined);
    }).then(() => this.play());
  }

  /** Types a line on the board's console: on the current track if that changes no later event, else on a new branch. */
  type_line(text: string): Promise<void> {
    if (this.errors.length) return Promise.resolve();
    return this.act(async () => {
      const track = await this.open_track();
      const { answer } = await this.engine.ask<{ at: number }>({ do: "type", session: track.session, text });
      track.own.push({ at: answer.at, typed: text });
      track.saved = false;
      this.fire("tracks", undefined);
    }).then(() => this.play());
  }

  /** Switches the board off, and on again after 200 ms. */
  cycle_power(): Promise<void> {
    if (this.errors.length) return Promise.resolve();
    return this.act(async () => {
      const track = await this.open_track();
      const off = await this.engine.ask<{ at: number }>({ do: "power", session: track.session, on: false });
      await this.run_to(track, off.answer.at + 200 * MS);
      const on = await this.engine.ask<{ at: number }>({ do: "power", session: track.session, on: true });
      track.own.push({ at: off.answer.at, power: false }, { at: on.answer.at, power: true });
      track.saved = false;
      this.clock.start(this.wall(), this.state.t, this.speed);
    }).then(() => this.play());
  }

  private async open_track(): Promise<Track> {
    if (is_open_at(this.track, this.state.t, this.is_trace)) return this.track;
    return this.fork_now(this.state.t);
  }

  private async fork_now(t: number): Promise<Track> {
    const parent = this.track;
    const { answer } = await this.engine.ask<{ session: number }>({ do: "branch", session: parent.session, t });
    this.made += 1;
    const track: Track = {
      number: this.made, name: `Branch ${this.made}`, session: answer.session, parent, from: t, end: null, reached: t,
      recording: empty(), own: [], stale: false, saved: true,
    };
    track.recording = await this.record(track);
    this.tracks.push(track);
    this.track = track;
    await this.go_now(t, false);
    this.fire("tracks", undefined);
    return track;
  }

  /** Switches to another track, at the same time if the track has it. */
  choose(track: Track, t = this.state.t): Promise<void> {
    if (!this.tracks.includes(track)) return Promise.resolve();
    this.pause();
    return this.act(async () => {
      this.track = track;
      await this.go_now(Math.min(t, this.end), false);
      this.fire("tracks", undefined);
    });
  }

  /** Closes a branch; branches that start from it remain, with their own past. */
  drop(track: Track): Promise<void> {
    if (track.number === 0) return Promise.resolve();
    this.pause();
    return this.act(async () => {
      await this.engine.ask({ do: "close", session: track.session });
      this.tracks = this.tracks.filter((kept) => kept !== track);
      if (this.track === track) {
        this.track = track.parent && this.tracks.includes(track.parent) ? track.parent : this.tracks[0];
        await this.go_now(Math.min(track.from, this.end), false);
      }
      this.fire("tracks", undefined);
    });
  }

  /** Records again the tracks that were played since their last recording. */
  refresh(): Promise<void> {
    return this.act(async () => {
      for (const track of this.tracks.filter((track) => track.stale)) {
        const recording = await this.record(track);
        track.recording = recording;
        track.stale = false;
      }
      this.fire("tracks", undefined);
    });
  }

  /** Sends a request about the current time of a track. */
  question<T>(what: string, more: Record<string, unknown> = {}, track = this.track): Promise<T> {
    return this.in_turn(async () => {
      const { answer } = await this.engine.ask<T>({ do: what, session: track.session, ...more });
      return answer;
    });
  }

  /**
   * Fetches pictures of other times of a track, in order; the current time does not change. Unless `needed`, it stops
   * when another request waits.
   */
  async peek(
    track: Track, times: number[], met: (t: number, pixels: Uint8ClampedArray) => void, needed = false,
  ): Promise<void> {
    if ((this.playing && !needed) || this.errors.length) return;
    await this.in_turn(async () => {
      const present = track === this.track ? this.state.t : Math.min(this.state.t, track.end ?? track.reached);
      for (const t of times) {
        if (!needed && (this.queued > 1 || this.playing)) break;
        const { pixels } = await this.engine.ask<State>({ do: "seek", session: track.session, t }, true);
        if (pixels) met(t, pixels);
      }
      await this.engine.ask({ do: "seek", session: track.session, t: present, drawn: this.drawn });
    });
  }

  /** Executes an action of the user. Failures were reported by events already, so the promise never rejects. */
  private act(act: () => Promise<unknown>): Promise<void> {
    return this.in_turn(act).then(() => {}, () => {});
  }

  /** Executes requests one after the other; after a trap it starts a new machine. */
  private in_turn<T>(act: () => Promise<T>): Promise<T> {
    this.queued += 1;
    const turn = this.queue.then(async () => {
      if (this.tracks.length && this.start !== this.engine.start) await this.start_anew();
      return act();
    });
    const met = turn.catch((error: unknown) => this.recover(error)) as Promise<T>;
    this.queue = met.catch(() => {}).finally(() => (this.queued -= 1));
    return met;
  }

  private async start_anew(): Promise<void> {
    if (!this.source) return;
    await this.open_now(this.source, this.state.t);
  }

  private async recover(error: unknown): Promise<never> {
    if (error instanceof Refused) this.fire("told", error.message);
    if (error instanceof Trapped && error.stopped) {
      this.playing = false;
      this.fire("told", "The machine was stopped. Go to a moment to start it again.");
      this.fire("playing", undefined);
    } else if (error instanceof Trapped) {
      this.playing = false;
      const trace = this.track ? trace_so_far(this.track, head_of(this.source), this.state.t) : this.source.text ?? "";
      this.fire("trap", { message: error.message, trace });
      this.fire("playing", undefined);
      try {
        await this.open_now(this.source, 0);
      } catch (again) {
        this.fire("told", `The machine traps on this trace each time: ${(again as Error).message}`);
      }
    }
    if (error instanceof NoEngine) this.fire("told", error.message);
    throw error;
  }
}
