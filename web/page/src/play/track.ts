//! A track: the trace (or the live board), or a branch that leaves another track at a time. This module does not know
//! the page; the player changes tracks.

import type { Button, Recording } from "../engine/protocol";
import { exact } from "../time";

/** An input of the user on a track. */
export type Own = { at: number; button: Button; down: boolean } | { at: number; power: boolean } | { at: number; typed: string }
  | { at: number; action: string };

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
    verdict: null, end: 0, lines: [], fingers: [], inputs: [], contacts: [], frames: [], tones: [], console: [], power: [],
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
  if (track.end === null) return [{ at: 0, power: true }, ...track.own];
  const { inputs, faults } = track.recording;
  const all = [...inputs, ...faults.map(({ at, text }) => ({ at, action: text }))];
  return all.sort((a, b) => a.at - b.at);
}

/** Returns the action of a trace's line. */
function action_of(own: Own): string {
  if ("power" in own) return `power ${own.power ? "on" : "off"}`;
  if ("typed" in own) return `type "${own.typed.replace(/["\\]/g, "\\$&")}"`;
  if ("action" in own) return own.action;
  return `${own.down ? "press" : "release"} ${own.button}`;
}

/** Returns the trace so far, from the page's own data, with the head of `text`: after a trap of the machine there is no other source. */
export function trace_so_far(track: Track, text: string, t: number): string {
  const head = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(\+?\d|include\b)/.test(line)) break;
    head.push(line);
  }
  while (head.length && !head[head.length - 1].trim()) head.pop();
  const lines: string[] = [];
  const all = done(track).filter((own) => own.at <= t);
  for (const own of all) {
    lines.push(`${exact(own.at)} ${action_of(own)}`);
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n${exact(Math.max(t, all[all.length - 1]?.at ?? 0))} end\n`;
}
