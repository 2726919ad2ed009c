// Compares the page's board with face.txt, with which crates/session/window/src/face/same.rs compares the window's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const NUMBERS = fileURLToPath(new URL("face.txt", import.meta.url));

const shown = (numbers) => numbers.map((number) => Math.round(number * 10) / 10).join(" ");
const area = ({ left, top, width, height }) => shown([left, top, width, height]);

/** Returns the properties that the two boards must have in common, in the order of face.txt. */
function described({ layout, control_area, LEGEND, GLYPHS, CAP_HEIGHT, LINE_HEIGHT, SPACING, STROKE, C, labels_of, BUTTONS }) {
  const place = layout("whole");
  const labels = labels_of();
  const lines = [`view ${shown([place.view.width, place.view.height])}`];
  for (const name of ["panel", "board", "bezel", "buzzer", "lamp", "status", "legend"]) lines.push(`${name} ${area(place[name])}`);
  for (const name of ["wordmark", "lamp_name", "part_name"]) lines.push(`${name} ${shown(place[name])}`);
  lines.push(`holes ${shown(place.holes.flat())}`);
  for (const name of BUTTONS) {
    lines.push(`button ${name} ${area(place.housings[name])} name ${shown(place.names[name])} key ${labels.of(name)}`);
  }
  LEGEND.forEach((row, at) => row.forEach(([control, words], nth) => {
    lines.push(`control ${control.toUpperCase()} ${area(control_area(place.legend, at, nth))} words ${words} key ${labels.of(control)}`);
  }));
  lines.push(`lettering ${CAP_HEIGHT} ${LINE_HEIGHT} ${SPACING} ${STROKE}`);
  for (const letter of Object.keys(GLYPHS).sort()) lines.push(`glyph '${letter}' ${GLYPHS[letter][0]} [${GLYPHS[letter][1]}]`);
  for (const name of Object.keys(C).sort()) lines.push(`colour ${name} ${C[name]}`);
  return `${lines.join("\n")}\n`;
}

/** Bundles the modules of the board, and returns their exports. */
async function modules(folder) {
  const names = ["board/layout", "board/lettering", "board/keys", "board/face", "engine/protocol"];
  const contents = names.map((name) => `export * from "./${name}";`).join("\n");
  const outfile = join(folder, "face.mjs");
  await build({ stdin: { contents, resolveDir: SOURCES, loader: "ts" }, bundle: true, format: "esm", outfile, logLevel: "silent" });
  return import(pathToFileURL(outfile));
}

async function as_in_the_window({ folder }) {
  assert.equal(described(await modules(folder)), readFileSync(NUMBERS, "utf8"));
}

async function keys_of_board_files({ folder }) {
  const { code_of, printed, width } = await modules(folder);
  const codes = { A: "KeyA", 1: "Digit1", Up: "ArrowUp", Backspace: "Backspace", "Keypad 1": "Numpad1", "Keypad *": "NumpadMultiply",
    "Keypad Enter": "NumpadEnter", "Left Ctrl": "ControlLeft", "Right GUI": "MetaRight", Numlock: "NumLock", F12: "F12" };
  for (const [key, code] of Object.entries(codes)) assert.equal(code_of(key), code);
  assert.deepEqual(["Backspace", "Numpad1", "F12"].map(printed), ["BKSP", "KP 1", "F12"]);
  assert(width(printed("Backspace")) < width("Backspace") / 2);
}

export const tests = [
  ["the board has the window's places, words, letters and colours", as_in_the_window],
  ["keys of board files have codes, and short names on caps", keys_of_board_files],
];
