//! The positions of all parts of the board, in units of one LCD pixel: the sizes of crates/session/window/src/face/layout.rs.
//! This module knows no colours and no elements.

import type { BoardControl, BoardDisplay, BoardLed, Button, Cells, DescribedBoard } from "../engine/protocol";
import type { Control } from "./keys";
import { CAP_HEIGHT, LINE_HEIGHT } from "./lettering";

export interface Area { left: number; top: number; width: number; height: number }

/** The whole board, as in the window; without its lower strip; without its sides too; or, on a phone in landscape format,
 * with its buttons beside the panel. */
export type Form = "whole" | "low" | "narrow" | "wide";

/** A control, an LED, a buzzer or a further display of a described board: its place without its name, and the top centre of the name. */
export interface PartPlace { name: string; area: Area; name_at: [number, number]; control?: BoardControl; led?: BoardLed; buzzer?: true; display?: BoardDisplay }

export interface Layout {
  form: Form;
  /** The visible part of the plane. */
  view: Area;
  board: Area;
  bezel: Area;
  panel: Area;
  housings: Record<Button, Area>;
  /** Top centres of the buttons' names; missing in a form without space for them. */
  names: Partial<Record<Button, [number, number]>>;
  /** The other parts of a described board. */
  parts: PartPlace[];
  /** The buzzers of a described board that do not sound. */
  silent: Area[];
  holes: [number, number][];
  wordmark: [number, number] | null;
  buzzer: Area | null;
  lamp: Area;
  lamp_name: [number, number] | null;
  part_name: [number, number] | null;
  status: Area | null;
  legend: Area | null;
}

const COLUMNS = [60, 100, 140, 180, 220, 260];
const EDGE = 10;
const BEZEL = 9;
const SIDE = 24;
const GAP = 6;
const NAME_GAP = 4;
const NAME_HEIGHT = CAP_HEIGHT + 1;
const HOUSING = 34;
const RESET_WIDTH = 88;
const RESET_HEIGHT = 30;
/** The rows of the legend: controls and their words. */
export const LEGEND: [Control, string][][] = [
  [["pause", "PAUSE"]], [["frame", "SINGLE FRAME"]], [["power", "POWER CYCLE"]], [["mute", "MUTE"]],
  [["undo", "UNDO"], ["help", "HELP"]], [["keys", "ALL KEYS"]],
];
const LEGEND_HEIGHT = LEGEND.length * LINE_HEIGHT;
const STATUS_HEIGHT = 5 * LINE_HEIGHT;
const HOLE_INSET = 11;
const LAMP = 6;
const DESK = 8;

const area = (left: number, top: number, width: number, height: number): Area => ({ left, top, width, height });

export const grown = (of: Area, by: number): Area =>
  area(of.left - by, of.top - by, of.width + 2 * by, of.height + 2 * by);

export const centre = (of: Area): [number, number] => [of.left + of.width / 2, of.top + of.height / 2];

export function layout(form: Form): Layout {
  return form === "wide" ? wide() : upright(form);
}

/** The panel as high as the board. Three columns of buttons on each side, over each other as on the whole board. */
function wide(): Layout {
  const cell = HOUSING + GAP;
  const side = 3 * cell + NAME_GAP;
  const bezel = area(DESK + GAP + side, DESK + GAP, 320 + 2 * BEZEL, 240 + 2 * BEZEL);
  const right = bezel.left + bezel.width + NAME_GAP;
  const [upper, lower, last] = [bezel.top + 52, bezel.top + 124, bezel.top + 208];
  const housings = {} as Record<Button, Area>;
  const names: Layout["names"] = {};
  for (let at = 0; at < 6; at += 1) {
    const left = (at < 3 ? DESK + GAP + at * cell : right + (at - 3) * cell) + GAP / 2;
    const [above, below] = [`T${at + 1}` as Button, `B${at + 1}` as Button];
    housings[above] = area(left, upper, HOUSING, HOUSING);
    housings[below] = area(left, lower, HOUSING, HOUSING);
    names[above] = [left + HOUSING / 2, upper - NAME_GAP - NAME_HEIGHT];
    names[below] = [left + HOUSING / 2, lower + HOUSING + NAME_GAP];
  }
  const middle = right + (3 * cell) / 2;
  housings.RESET = area(middle - RESET_WIDTH / 2, last, RESET_WIDTH, RESET_HEIGHT);
  names.RESET = [middle, last + RESET_HEIGHT + NAME_GAP];
  const board = area(DESK, DESK, 2 * (GAP + side) + bezel.width, bezel.height + 2 * GAP);
  const first = DESK + 2 * GAP;
  return {
    form: "wide",
    view: board,
    board,
    bezel,
    panel: area(bezel.left + BEZEL, bezel.top + BEZEL, 320, 240),
    housings,
    names,
    parts: [],
    silent: [],
    holes: [],
    wordmark: [first, DESK + EDGE],
    buzzer: area(first + 2 * cell, last, HOUSING, HOUSING),
    lamp: area(first, last + (HOUSING - LAMP) / 2, LAMP * 1.6, LAMP),
    lamp_name: [first + LAMP * 1.6 + NAME_GAP, last + (HOUSING - NAME_HEIGHT) / 2],
    part_name: null,
    status: null,
    legend: null,
  };
}

function upright(form: "whole" | "low" | "narrow"): Layout {
  const whole = form !== "low";
  const width = 320 + 2 * (BEZEL + SIDE);
  const middle = DESK + width / 2;
  const panel_left = middle - 160;
  const top_names = DESK + EDGE;
  const top_row = top_names + NAME_HEIGHT + NAME_GAP;
  const bezel_top = top_row + HOUSING + GAP;
  const panel_top = bezel_top + BEZEL;
  const bezel_bottom = panel_top + 240 + BEZEL;
  const bottom_row = bezel_bottom + GAP;
  const bottom_names = bottom_row + HOUSING + NAME_GAP;
  const strip = bottom_names + NAME_HEIGHT + GAP + NAME_GAP;
  const strip_height = form === "narrow" ? RESET_HEIGHT + NAME_GAP + NAME_HEIGHT : LEGEND_HEIGHT;
  const bottom = whole ? strip + strip_height + EDGE : bottom_names + NAME_HEIGHT + EDGE - 2;

  const bezel_left = panel_left - BEZEL;
  const bezel_right = panel_left + 320 + BEZEL;
  const last = panel_left + COLUMNS[5] + HOUSING / 2;
  const housings = {} as Record<Button, Area>;
  const names: Layout["names"] = {};
  COLUMNS.forEach((column, at) => {
    const left = panel_left + column - HOUSING / 2;
    const below = `B${at + 1}` as Button;
    const above = `T${at + 1}` as Button;
    housings[below] = area(left, bottom_row, HOUSING, HOUSING);
    housings[above] = area(left, top_row, HOUSING, HOUSING);
    names[below] = [panel_left + column, bottom_names];
    names[above] = [panel_left + column, top_names];
  });
  // Without its strip the board has RESET at the end of the lower row.
  const low_width = 46;
  const low_left = (last + bezel_right - low_width) / 2 + 4;
  housings.RESET = whole
    ? area(middle - RESET_WIDTH / 2, strip, RESET_WIDTH, RESET_HEIGHT)
    : area(low_left, bottom_row + 2, low_width, RESET_HEIGHT);
  names.RESET = whole ? [middle, strip + RESET_HEIGHT + NAME_GAP] : [low_left + low_width / 2, bottom_names];

  const board = area(DESK, DESK, width, bottom - DESK);
  const near = DESK + HOLE_INSET;
  const far = DESK + width - HOLE_INSET;
  const text_left = near + HOLE_INSET;
  const legend_left = middle + RESET_WIDTH / 2 + EDGE;
  const full = form === "whole";
  return {
    form,
    view: form === "narrow"
      ? area(bezel_left - 4, DESK, 338 + 8, bottom - DESK)
      : area(0, 0, width + 2 * DESK, bottom + DESK),
    board,
    bezel: area(bezel_left, bezel_top, bezel_right - bezel_left, bezel_bottom - bezel_top),
    panel: area(panel_left, panel_top, 320, 240),
    housings,
    names,
    parts: [],
    silent: [],
    holes: form === "narrow" ? [] : [
      [near, near], [far, near], [near, bottom - HOLE_INSET], [far, bottom - HOLE_INSET],
    ],
    wordmark: [bezel_left, top_row + NAME_GAP],
    buzzer: area((last + bezel_right - HOUSING) / 2, top_row, HOUSING, HOUSING),
    lamp: area(bezel_left, bottom_row + HOUSING / 2 - LAMP / 2, LAMP * 1.6, LAMP),
    lamp_name: [bezel_left + LAMP * 1.6 + NAME_GAP, bottom_row + (HOUSING - NAME_HEIGHT) / 2],
    part_name: whole ? [(last + bezel_right) / 2, bottom_row + (HOUSING - NAME_HEIGHT) / 2] : null,
    status: full
      ? area(text_left, strip + (strip_height - STATUS_HEIGHT) / 2, middle - RESET_WIDTH / 2 - EDGE - text_left, STATUS_HEIGHT)
      : null,
    legend: full ? area(legend_left, strip, far - HOLE_INSET - legend_left, LEGEND_HEIGHT) : null,
  };
}

/** Smallest side of a cell of a described board's face, which has room for a cap and its name. */
const CELL = 40;

/** Places the parts of a described board on the grid of its board file. The panel keeps its size. */
export function layout_of(board: DescribedBoard, form: Form): Layout {
  const [width, height] = board.panel;
  const display: Cells = board.display ?? [1, 1, board.columns, board.rows];
  const framed = (side: number) => side + 2 * (BEZEL + GAP);
  const cell = Math.ceil(Math.max(CELL, framed(width) / display[2], framed(height) / display[3]));
  const [left, top] = [DESK + EDGE, DESK + EDGE + NAME_HEIGHT + GAP];
  const place = ([column, row, columns, rows]: Cells): Area =>
    area(left + (column - 1) * cell, top + (row - 1) * cell, columns * cell, rows * cell);
  const [x, y] = centre(place(display));
  const panel = area(Math.round(x - width / 2), Math.round(y - height / 2), width, height);
  const housings: Record<Button, Area> = {};
  const names: Layout["names"] = {};
  for (const { name, area: cells } of board.buttons) {
    const whole = grown(place(cells ?? [1, board.rows, 1, 1]), -4);
    const below = whole.top + NAME_HEIGHT + NAME_GAP;
    const side = Math.min(HOUSING, whole.height - (below - whole.top));
    const wide = Math.min(whole.width, Math.max(side, whole.width - cell + side));
    names[name] = [centre(whole)[0], whole.top];
    housings[name] = area(centre(whole)[0] - wide / 2, below, wide, side);
  }
  const bottom = top + board.rows * cell + EDGE;
  const whole = area(DESK, DESK, board.columns * cell + 2 * EDGE, bottom - DESK);
  const parts = parts_of(board, place);
  // The board has the tones of the first buzzer.
  const [buzzer = null, ...silent] = parts.filter(({ buzzer }) => buzzer).map((part) => squared(part.area));
  return {
    form,
    view: grown(whole, DESK),
    board: whole,
    bezel: grown(panel, BEZEL),
    panel,
    housings,
    names,
    parts,
    silent,
    holes: [],
    wordmark: [left, DESK + EDGE],
    buzzer,
    lamp: area(whole.left + whole.width - EDGE - LAMP * 1.6, DESK + EDGE, LAMP * 1.6, LAMP),
    lamp_name: null,
    part_name: null,
    status: null,
    legend: null,
  };
}

/** Returns the largest place of a round part in the middle of `of`. */
function squared(of: Area): Area {
  const side = Math.min(of.width, of.height, HOUSING);
  const [x, y] = centre(of);
  return area(x - side / 2, y - side / 2, side, side);
}

/** Returns the places of the controls, LEDs, buzzers and further displays: each has its name above it, like a button. */
function parts_of(board: DescribedBoard, place: (cells: Cells) => Area): PartPlace[] {
  const controls = board.controls.map((control) => ({ of: control, kind: { control } }));
  const leds = board.leds.map((led) => ({ of: led, kind: { led } }));
  const buzzers = board.buzzers.map((buzzer) => ({ of: buzzer, kind: { buzzer: true as const } }));
  const displays = board.displays.map((display) => ({ of: display, kind: { display } }));
  return [...controls, ...leds, ...buzzers, ...displays].flatMap(({ of: { name, area: cells }, kind }): PartPlace[] => {
    if (!cells) return [];
    const whole = grown(place(cells), -2);
    const below = whole.top + NAME_HEIGHT + NAME_GAP;
    const part = area(whole.left, below, whole.width, whole.top + whole.height - below);
    return [{ name, area: part, name_at: [centre(whole)[0], whole.top + 2], ...kind }];
  });
}

/** Returns the clickable area of control `nth` in `row` of the legend. */
export function control_area(legend: Area, row: number, nth: number): Area {
  const width = legend.width / LEGEND[row].length;
  return area(legend.left + nth * width, legend.top + row * LINE_HEIGHT, width, LINE_HEIGHT);
}
