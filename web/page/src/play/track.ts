//! A line of time: the trace (or the live board), or a branch that leaves another track at a moment. It knows no
//! page; the player moves it.

import type { Button, Recording } from "../engine/protocol";
import { exact } from "../time";

/** What the person did on a track. */
export type Own = { at: number; button: Button; down: boolean } | { at: number; power: boolean };

export interface Track {
  /** 0 is the trace or the live board. */
  number: number;
  name: string;
  session: number;
  parent: Track | null;
  /** When it leaves its parent. */
  from: number;
  /** The end of a trace; `null` where it goes on as long as it is played. */
  end: number | null;
  reached: number;
  recording: Recording;
  own: Own[];
  /** Whether what the recording holds is older than what was played. */
  stale: boolean;
  saved: boolean;
}

export function empty(): Recording {
  return {
    verdict: null, end: 0, lines: [], fingers: [], contacts: [], frames: [], tones: [], console: [], power: [],
    faults: [], violations: [],
  };
}

/** Whether a finger can move on `track` at `t` without changing what was played later. */
export function is_open_at(track: Track, t: number, trace: boolean): boolean {
  if (track.number === 0 && trace) return false;
  return t >= track.reached;
}

/** The last element of a list in order of time that is not behind `t`; -1 if there is none. */
export function last_at(list: readonly { at: number }[], t: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Everything that was done on a track, in order: its parents' before the fork, then its own. */
function done(track: Track): Own[] {
  if (track.parent) return [...done(track.parent).filter((own) => own.at < track.from), ...track.own];
  const fingers = track.recording.fingers.flatMap(({ button, at, until }) => {
    const press: Own[] = [{ at, button, down: true }];
    if (until !== null) press.push({ at: until, button, down: false });
    return press;
  });
  // The first power-on is the beginning, whenever the firmware answered.
  const power = track.recording.power.map(({ at, on }, number): Own => ({ at: number ? at : 0, power: on }));
  return [...power, ...fingers, ...track.own].sort((a, b) => a.at - b.at);
}

/** The trace so far, from what the page itself knows: when the machine has trapped, it is all there is. */
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
    const what = "power" in own ? `power ${own.power ? "on" : "off"}` : `${own.down ? "press" : "release"} ${own.button}`;
    lines.push(`${exact(own.at)} ${what}`);
  }
  return `${head.join("\n")}\n\n${lines.join("\n")}\n${exact(Math.max(t, all[all.length - 1].at))} end\n`;
}
