//! The list of keys.

import { button, h } from "./dom";

type Keys = [title: string, keys: [string, string][]];

const BOARD: Keys = ["The board (keys count by their position)", [
  ["Q W E R T Y", "T1 to T6"], ["Z X C V B N", "B1 to B6"], ["Space", "RESET"], ["U", "Undo: RESET and T6"],
  ["H", "Help: RESET and T5"], ["M", "Sound off or on"],
]];

/** Keys of the board alone. */
export const BOARD_KEYS: Keys[] = [BOARD, ["The page", [
  ["P", "Pause, or go on"], [".", "One frame, and pause"], ["F5", "Power off and on"], ["F1", "This list"],
]]];

/** Keys of the studio. */
export const STUDIO_KEYS: Keys[] = [
  BOARD,
  ["Time", [
    ["P", "Play or pause"], [".  ,", "One frame on, back"], ["]  [", "One SPI transaction on, back"], ["→  ←", "100 ms on, back (with Shift 1 s)"],
    ["PgDn  PgUp", "10 s on, back"], ["Home  End", "Start, end"], ["F  Shift F", "Next, previous failure"], ["G", "Go to a moment"],
    ["+  −  0", "Zoom in, out, whole"], ["J  K", "Previous, next track"],
  ]],
  ["The studio", [
    ["I", "Look at pixels: arrow keys move the point"], ["A", "Add an expectation"], ["D", "Show what the last frame redrew"],
    ["O", "Compare two tracks"], ["S", "Save"], ["L", "Say the LCD's text"], ["?", "This list"],
  ]],
];

export function show_keys(groups: Keys[], note: string): void {
  if (document.querySelector("dialog.keys")) return;
  const dialog = h("dialog", { class: "keys nudge", "aria-labelledby": "keys-title", close: () => dialog.remove() },
    h("h2", { id: "keys-title" }, "Keys"),
    h("div", { class: "key-columns" }, ...groups.map(([title, keys]) => h("section", {}, h("h3", {}, title),
      h("dl", {}, ...keys.flatMap(([names, words]) => [
        h("dt", {}, ...names.split(/\s{2,}| /).map((name) => h("kbd", {}, name))), h("dd", {}, words)]))))),
    note && h("p", { class: "dim" }, note),
    h("div", { class: "row-of-buttons" }, button("Close", () => dialog.close(), { class: "primary" })));
  document.body.append(dialog);
  dialog.showModal();
}
