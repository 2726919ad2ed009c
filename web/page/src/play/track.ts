//! A track: the trace (or the live board), or a branch that leaves another track at a time. This module does not know
//! the page; the player changes tracks.

import type { Button, Recording } from "../engine/protocol";
import { exact } from "../time";

/** An input of the user on a track. */
export type Own = { at: number; button: Button; down: boolean } | { at: number; power: boolean } | { at: number; typed: string }
  | { at: number; moved: string };

export interface Track {
  /** 0 is the trace or the live board. */
  number: number;
  name: string;
  session: number;
  parent: Track | null;
  /** Time at which it leaves its parent. */
  from: number;
  /** End of a trace; `null` for a track that grows while it is played. */
  end: number | null;
  reached: number;
  recording: Recording;
  own: Own[];
  /** Whether the track was played since its recording was made. */
  stale: boolean;
  saved: boolean;
}

export function empty(): Recording {
  return {
    verdict: null, end: 0, lines: [], fingers: [], contacts: [], frames: [], tones: [], console: [], power: [],
    faults: [], violations: [],
  };
}

/** Returns whether a press on `track` at `t` changes no later event. */
export function is_open_at(track: Track, t: number, trace: boolean): boolean {
  if (track.number === 0 && trace) return false;
  return t >= track.reached;
}

/** Returns the index of the last element at or before `t` in a list in order of time; -1 if there is none. */
export function last_at(list: readonly { at: number }[], t: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns all inputs on a track, in order: its parents' before the fork, then its own. */
function done(track: Track): Own[] {
  if (track.parent) return [...done(track.parent).filter((own) => own.at < track.from), ...track.own];
  const fingers = track.recording.fingers.flatMap(({ button, at, until }) => {
    const press: Own[] = [{ at, button, down: true }];
    if (until !== null) press.push({ at: until, button, down: false });
    return press;
  });
  // The first power-on is at 0, whenever the firmware started.
  const power = track.recording.power.map(({ at, on }, number): Own => ({ at: number ? at : 0, power: on }));
  return [...power, ...fingers, ...track.own].sort((a, b) => a.at - b.at);
}

/** Returns the action of a trace's line. */
function action_of(own: Own): string {
  if ("power" in own) return `power ${own.power ? "on" : "off"}`;
  if ("typed" in own) return `type "${own.typed.replace(/["\\]/g, "\\$&")}"`;
  if ("moved" in own) return own.moved;
  return `${own.down ? "press" : "release"} ${own.button}`;
}

/** Returns the trace so far, from the page's own data: after a trap of the machine there is no other source. */
export function trace_so_far(track: Track, text: string | null, t: number): string {
  const head = [];
  for (const line of (text ?? "trace 1\n").split(/\r?\n/)) {
    if (/^\s*(\+?\d|include\b)/.test(line)) break;
    head.push(line);
  }
  while (head.length && !head[head.length - 1].trim()) head.pop();
  const lines: string[] = [];
  const all = done(track).filter((own) => own.at <= t);
  if (!all.some((own) => "power" in own)) all.unshift({ at: 0, power: true });
  for (const own of all) {
    lines.push(`${exact(own.at)} ${action_of(own)}`);
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n${exact(Math.max(t, all[all.length - 1].at))} end\n`;
}
