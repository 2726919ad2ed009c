// Boards that board files describe: those of examples/own-boards, with their programs on the emulated chip.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { go, ready } from "./browser.mjs";
import { repository, trace_of, write_page } from "./page.mjs";

export const boards = join(repository, "examples/own-boards");
export const board_text = (name) => readFileSync(join(boards, name), "utf8");
export const board_blob = (name) => readFileSync(join(boards, name)).toString("base64");

/** Returns the data of a page with a described board; traces that the page makes are for the folder of the boards. */
export const with_board = (name) => ({
  board: "described", blobs: { program: board_blob(`${name}.elf`) },
  board_file: { path: `${name}.board.toml`, files: { [`${name}.board.toml`]: board_text(`${name}.board.toml`) },
    blobs: { [`${name}.elf`]: "program" } },
});

export const size = (page) => page.locator("canvas.lcd").evaluate(({ width, height }) => [width, height]);
export const names = (page) => page.locator(".hit[data-button]").evaluateAll((all) => all.map((one) => one.dataset.button));

/** True if the LCD's pixel at `x`, `y` is of the colour `main` (red, green or blue) more than of the others. */
const has_colour = (page, x, y, main) => page.evaluate(pixel_has, [x, y, main]);
export const is_shown = (page, x, y, main) => page.waitForFunction(pixel_has, [x, y, main]);
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

const part = (page, name) => page.locator(`[data-control-part=${name}]`);
const position = (page, name) => part(page, name).getAttribute("aria-valuetext");

/** Pointers, the wheel and keys move the controls of a board; a joystick returns when it is released. */
async function is_moved({ page, folder, asked }) {
  await page.goto(write_page(folder, "dial.html", { mode: "board", title: "nudge", live: true, ...with_board("dial") }));
  await ready(page);
  assert.deepEqual(await names(page), ["PUSH", "K1", "K2", "K3", "K4"]);
  const roles = await page.locator("[data-control-part]").evaluateAll((all) =>
    all.map((one) => [one.dataset.controlPart, one.getAttribute("role"), one.getAttribute("aria-label")]));
  assert.deepEqual(roles, [["DIAL", "spinbutton", "DIAL"], ["MODE", "switch", "MODE"], ["STICK", "slider", "STICK"],
    ["LEVEL", "slider", "LEVEL"]]);
  const is = (name, attribute, value) => page.waitForFunction(([name, attribute, value]) =>
    document.querySelector(`[data-control-part=${name}]`).getAttribute(attribute) === value, [name, attribute, value]);
  await is("LEVEL", "aria-valuetext", "25 %");

  // The keyboard: the keys of the board file, and the arrow keys on the part with the focus.
  await page.keyboard.press("ArrowRight");
  await is("DIAL", "aria-valuenow", "1");
  await part(page, "LEVEL").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowLeft");
  await is("LEVEL", "aria-valuetext", "29 %");
  assert.equal(await part(page, "DIAL").getAttribute("aria-valuenow"), "1", "the focus has its own keys");
  await part(page, "STICK").focus();
  await page.keyboard.down("ArrowUp");
  await is("STICK", "aria-valuetext", "x 50 %, y 100 %");
  await page.keyboard.up("ArrowUp");
  await is("STICK", "aria-valuetext", "x 50 %, y 50 %");
  await page.keyboard.press("m");
  await is("MODE", "aria-checked", "true");
  await part(page, "MODE").focus();
  await page.keyboard.press(" ");
  await is("MODE", "aria-checked", "false");

  // The mouse: a click, the wheel, and drags that leave the part.
  await part(page, "MODE").click();
  await is("MODE", "aria-checked", "true");
  await part(page, "DIAL").hover();
  await page.mouse.wheel(0, -300);
  await is("DIAL", "aria-valuenow", "4");
  const dial = await part(page, "DIAL").boundingBox();
  await page.mouse.click(dial.x + dial.width / 4, dial.y + dial.height / 2);
  await is("DIAL", "aria-valuenow", "3");
  const stick = await part(page, "STICK").boundingBox();
  const [x, y] = [stick.x + stick.width / 2, stick.y + stick.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 400, y, { steps: 4 });
  await is("STICK", "aria-valuetext", "x 0 %, y 50 %");
  await page.mouse.up();
  await is("STICK", "aria-valuetext", "x 50 %, y 50 %");
  const level = await part(page, "LEVEL").boundingBox();
  await page.mouse.move(level.x + level.width / 2, level.y + level.height / 2);
  await page.mouse.down();
  assert.equal(await position(page, "LEVEL").then((text) => Math.abs(parseInt(text, 10) - 50) < 50), true);
  await page.mouse.move(level.x + 3 * level.width, level.y);
  await page.mouse.up();
  await is("LEVEL", "aria-valuetext", "100 %");
  // The program lights its LEDs.
  assert.ok(await page.locator("[data-part=STRIP] .led").count() === 4);
  await page.waitForFunction(() => document.querySelector("[data-part=STRIP] .led.on"));
  assert.deepEqual(asked, []);
}

/** A control that is moved in the past of a trace begins a branch, whose saved trace has the movement. */
async function is_branched({ page, folder }) {
  const { trace, data } = trace_of("examples/own-boards/traces/dial-values.trace");
  await page.goto(write_page(folder, "dial-studio.html", { blobs: { ...data, program: board_blob("dial.elf") },
    traces: [{ ...trace, files: { "../dial.board.toml": board_text("dial.board.toml") },
      blobs: { ...trace.blobs, "../dial.elf": "program" } }] }));
  await ready(page);
  assert.equal(await page.locator(".verdict-badge").textContent(), "✓ passed");
  await go(page, 1);
  assert.equal(await position(page, "LEVEL"), "25 %");
  await part(page, "LEVEL").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("[data-control-part=LEVEL]").getAttribute("aria-valuetext") === "100 %");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Save as a trace" });
  const [file] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download" }).click()]);
  const saved = readFileSync(await file.path(), "utf8");
  assert.match(saved, /set LEVEL 1\n/);
  assert.doesNotMatch(saved, /set LEVEL 0\.8/);
}

/** No part that can be pressed or moved overlaps another one or the panel. */
async function has_room({ page, folder }) {
  for (const name of ["handheld", "badge", "dial"]) {
    await page.goto(write_page(folder, `${name}.html`, { mode: "board", title: "nudge", live: true, ...with_board(name) }));
    await ready(page);
    const boxes = await page.locator(".hit, canvas.lcd").evaluateAll((all) =>
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
  await page.goto(write_page(folder, "studio.html", { blobs: { ...data, program: board_blob("handheld.elf") },
    traces: [{ ...trace, files: { "../handheld.board.toml": board_text("handheld.board.toml") },
      blobs: { ...trace.blobs, "../handheld.elf": "program" } }] }));
  await ready(page);
  assert.equal(await page.locator(".verdict-badge").textContent(), "✓ passed");
  assert.deepEqual(await size(page), [240, 240]);
  assert.deepEqual(await names(page), ["A", "B", "UP", "DOWN"]);
  assert.equal(await page.locator(".chip-board").textContent(), "Handheld");
}

export const tests = [
  ["a described board is played with its own keys", is_played],
  ["the controls of a described board are moved", is_moved],
  ["a control that is moved in the past begins a branch", is_branched],
  ["the parts of a described board do not overlap", has_room],
  ["a trace runs on the board that it names", is_replayed],
];
