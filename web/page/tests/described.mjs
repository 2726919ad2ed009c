// Boards that board files describe: those of examples/own-boards, with their programs on the emulated chip.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ready } from "./browser.mjs";
import { repository, trace_of, write_page } from "./page.mjs";

const boards = join(repository, "examples/own-boards");
const text = (name) => readFileSync(join(boards, name), "utf8");
const blob = (name) => readFileSync(join(boards, name)).toString("base64");

/** Returns the data of a page with a described board; traces that the page makes are for the folder of the boards. */
const with_board = (name) => ({
  board: "described", blobs: { program: blob(`${name}.elf`) },
  board_file: { path: `${name}.board.toml`, files: { [`${name}.board.toml`]: text(`${name}.board.toml`) },
    blobs: { [`${name}.elf`]: "program" } },
});

const size = (page) => page.locator("canvas.lcd").evaluate(({ width, height }) => [width, height]);
const names = (page) => page.locator(".hit[data-button]").evaluateAll((all) => all.map((one) => one.dataset.button));

/** True if the LCD's pixel at `x`, `y` is of the colour `main` (red, green or blue) more than of the others. */
const has_colour = (page, x, y, main) => page.evaluate(pixel_has, [x, y, main]);
const is_shown = (page, x, y, main) => page.waitForFunction(pixel_has, [x, y, main]);
const pixel_has = ([x, y, main]) => {
  const { data } = document.querySelector("canvas.lcd").getContext("2d").getImageData(x, y, 1, 1);
  const [red, green, blue] = data;
  const level = { red, green, blue };
  return Object.keys(level).every((name) => (level[name] > 150) === (name === main));
};

/** The board alone has the panel, the buttons and the keys of the board file. */
async function is_played({ page, folder, asked }) {
  await page.goto(write_page(folder, "board.html", { mode: "board", title: "nudge", live: true, ...with_board("handheld") }));
  await ready(page);
  assert.deepEqual(await size(page), [240, 240]);
  assert.deepEqual(await names(page), ["A", "B", "UP", "DOWN"]);
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0, "a chord of the LCD board");
  const up = page.locator("[data-button=UP]");
  assert.equal(await up.getAttribute("title"), "UP · key W");
  // The last pixel of the square, which the program draws last.
  await is_shown(page, 139, 139, "red");
  await page.keyboard.press("w", { delay: 80 });
  await is_shown(page, 139, 99, "red");
  assert.ok(!await has_colour(page, 139, 139, "red"), "the square moved");
  await page.locator("[data-button=A]").click({ delay: 80 });
  await is_shown(page, 139, 99, "green");
  assert.deepEqual(asked, []);
}

/** No button overlaps another one or the panel. */
async function has_room({ page, folder }) {
  for (const name of ["handheld", "badge"]) {
    await page.goto(write_page(folder, `${name}.html`, { mode: "board", title: "nudge", live: true, ...with_board(name) }));
    await ready(page);
    const boxes = await page.locator(".hit[data-button], canvas.lcd").evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top, right, bottom]));
    boxes.forEach(([left, top, right, bottom], at) => {
      assert.ok(right - left > 10 && bottom - top > 10, `${name}: ${boxes[at]}`);
      for (const other of boxes.slice(0, at)) {
        const apart = right <= other[0] || other[2] <= left || bottom <= other[1] || other[3] <= top;
        assert.ok(apart, `${name}: ${boxes[at]} and ${other}`);
      }
    });
  }
}

/** The studio replays a trace that names its board, with its goldens. */
async function is_replayed({ page, folder }) {
  const { trace, data } = trace_of("examples/own-boards/traces/move.trace");
  await page.goto(write_page(folder, "studio.html", { blobs: { ...data, program: blob("handheld.elf") },
    traces: [{ ...trace, files: { "../handheld.board.toml": text("handheld.board.toml") },
      blobs: { ...trace.blobs, "../handheld.elf": "program" } }] }));
  await ready(page);
  assert.equal(await page.locator(".verdict-badge").textContent(), "✓ passed");
  assert.deepEqual(await size(page), [240, 240]);
  assert.deepEqual(await names(page), ["A", "B", "UP", "DOWN"]);
  assert.equal(await page.locator(".chip-board").textContent(), "Handheld");
}

export const tests = [
  ["a described board is played with its own keys", is_played],
  ["the parts of a described board do not overlap", has_room],
  ["a trace runs on the board that it names", is_replayed],
];
