//! The requests and answers of docs/web-engine.md as types. Times are nanoseconds.

/** The name of a button of the board. */
export type Button = string;

const LCD_BOARD: readonly Button[] =
  ["B1", "B2", "B3", "B4", "B5", "B6", "T1", "T2", "T3", "T4", "T5", "T6", "RESET"];

/** Column, row, width and height of a part in cells of the face; columns and rows begin at 1. */
export type Cells = [column: number, row: number, columns: number, rows: number];

/** An encoder, a switch, a joystick or a potentiometer. */
export interface BoardControl {
  name: string;
  kind: "encoder" | "switch" | "joystick" | "potentiometer";
  keys: string[];
  area: Cells | null;
  /** Detents of a full turn of an encoder, and edges between two of them. */
  detents?: number;
  edges?: number;
  /** Position of a joystick without a hand on it, on both axes. */
  rest?: number;
}

/** LEDs, with the colour of those that have one. */
/** A display of a described board after the first one. */
export interface BoardDisplay { name: string; panel: [width: number, height: number]; area: Cells | null }
export interface BoardLed { name: string; count: number; colour: string; area: Cells | null }

/** Position of a control: edges of an encoder, a switch that is on, a share of 3.3 V, or two of them; pixel of a finger. */
export type Position = number | boolean | [x: number, y: number];

/** A movement of a control. */
export type Movement = { turn: number } | { on: boolean } | { x: number; y?: number } | { lift: true };

/** A board that a board file describes. */
export interface DescribedBoard {
  name: string;
  panel: [width: number, height: number];
  buttons: { name: Button; keys: string[]; area: Cells | null }[];
  controls: BoardControl[];
  leds: BoardLed[];
  /** The touch panels, each with the number of its display, from 0. */
  touches?: { name: string; display: number }[];
  /** The buzzers; the board has the tones of the first one. */
  buzzers: { name: string; area: Cells | null }[];
  /** Paths of the board file and of its program. */
  file: string;
  program: string;
  displays: BoardDisplay[];
  display: Cells | null;
  columns: number;
  rows: number;
}

/** The board of the page, `null` for the LCD board: its buttons and the size of its panel. */
export let described: DescribedBoard | null = null;
export let BUTTONS = LCD_BOARD;
export let WIDTH = 320;
export let HEIGHT = 240;

/** Makes `board` the board of the page, before anything of it is drawn. */
export function use_board(board: DescribedBoard | null): void {
  described = board;
  BUTTONS = board ? board.buttons.map((button) => button.name) : LCD_BOARD;
  [WIDTH, HEIGHT] = board ? board.panel : [320, 240];
}

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
  /** Positions of the controls of a described board, and brightness or colour of its LEDs, by their names. */
  controls?: Record<string, Position>;
  leds?: Record<string, (number | string)[]>;
  /** Pictures of the displays after the first one, by their names; only with those of a session. */
  displays?: Record<string, Uint8ClampedArray>;
}

export interface Finger { button: Button; at: number; until: number | null }
/** An input as the action of a trace, with the control that it moves. */
export interface InputAction { at: number; action: string; control: string | null }
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
  inputs: InputAction[];
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
export interface Opened { session: number; end: number | null; errors: TraceError[]; board?: DescribedBoard | null }

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
