//! The requests and answers of docs/web-engine.md as types. Times are nanoseconds.

export type Button =
  | "B1" | "B2" | "B3" | "B4" | "B5" | "B6"
  | "T1" | "T2" | "T3" | "T4" | "T5" | "T6" | "RESET";

export const BUTTONS: readonly Button[] =
  ["B1", "B2", "B3", "B4", "B5", "B6", "T1", "T2", "T3", "T4", "T5", "T6", "RESET"];

export const WIDTH = 320;
export const HEIGHT = 240;

export type Region = [x: number, y: number, width: number, height: number];

/** The board at one time. */
export interface State {
  t: number;
  frame: number;
  down: Button[];
  tone: number;
  powered: boolean;
  settled: boolean;
  console: number;
  frame_at: number | null;
  /** The end of a trace; `null` for a live board and a branch. */
  end: number | null;
  /** The latest time that is available. */
  reached: number;
  /** The reason why the machine cannot continue. */
  broken: string | null;
}

export interface Finger { button: Button; at: number; until: number | null }
export interface Contact { button: Button; at: number; closed: boolean }
export interface Frame { from: number; at: number; bytes: number; region: Region | null; settled: boolean }
export interface Tone { at: number; hz: number }
export interface ConsoleLine { at: number; text: string }
export interface Power { at: number; on: boolean }
export interface Fault { at: number; text: string }
export interface Violation { at: number; rule: string; message: string; note: boolean }

export interface Line {
  line: number;
  text: string;
  at: number | null;
  over: number | null;
  kind: "input" | "wait" | "expect" | "other";
  verdict: "passed" | "failed" | "skipped" | null;
  message: string | null;
}

/** All events of a track. */
export interface Recording {
  verdict: "passed" | "failed" | "limit" | "broken" | "unusable" | null;
  message?: string | null;
  end: number;
  lines: Line[];
  fingers: Finger[];
  contacts: Contact[];
  frames: Frame[];
  tones: Tone[];
  console: ConsoleLine[];
  power: Power[];
  faults: Fault[];
  violations: Violation[];
  dropped?: boolean;
}

export interface TraceError { line: number; column: number; message: string }
export interface Opened { session: number; end: number | null; errors: TraceError[] }

export interface Run extends State {
  events: { tones: Tone[]; console: ConsoleLine[]; frames: { from: number; at: number }[] };
}

export interface Difference {
  same: boolean;
  a_at: number | null;
  b_at: number | null;
  region: Region | null;
}

export interface TextLine { text: string; x: number; y: number; w: number; h: number; font: string }

/** A trace with a new line. */
export interface Expected { trace: string; line: number; text: string }
