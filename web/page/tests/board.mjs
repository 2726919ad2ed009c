// The board alone.
import assert from "node:assert/strict";
import { lcd, lcd_after, ready, turns } from "./browser.mjs";
import { trace_of, write_page } from "./page.mjs";

const heard = (page, words) => page.waitForFunction((words) => document.querySelector(".heard").textContent.includes(words), words);

/** Counts how often an element of the page gets a class, also if only for one picture. */
const counts = (page, selector, name) => page.evaluate(([selector, name]) => {
  const element = document.querySelector(selector);
  globalThis.counted = 0;
  new MutationObserver(() => { globalThis.counted += Number(element.classList.contains(name)); })
    .observe(element, { attributes: true, attributeFilter: ["class"] });
}, [selector, name]);
const counted = (page) => page.waitForFunction(() => globalThis.counted > 0);

const live_page = (folder, text) => write_page(folder, "board.html", { mode: "board", title: "nudge", live: true,
  traces: text ? [{ name: "live.trace", text, files: {}, blobs: {}, at: null, failures: [] }] : [] });

async function live({ page, folder, asked }) {
  await page.goto(live_page(folder));
  await ready(page);
  await heard(page, "Player 1's turn");
  await counts(page, ".buzzer", "on");
  await page.keyboard.press("c", { delay: 60 });
  await counted(page);
  await heard(page, "FREE TURN");
  assert.deepEqual(asked, []);
}

/** Pause, single frames, and continue, on a board on which something always moves. */
async function stands_still({ page, folder }) {
  await page.goto(live_page(folder, "players demo"));
  await ready(page);
  await lcd_after(page, await lcd(page));
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Go on" }).waitFor();
  // Requests that were sent before the pause are still shown.
  await turns(page, 5);
  const still = await lcd(page);
  await turns(page, 40);
  assert.equal(await lcd(page), still, "time stands still");
  await page.getByRole("button", { name: "Frame" }).click();
  const next = await lcd_after(page, still);
  await turns(page, 20);
  assert.equal(await lcd(page), next, "one frame alone");
  await page.getByRole("button", { name: "Go on" }).click();
  await lcd_after(page, next);
}

async function by_itself({ page, folder }) {
  const { trace } = trace_of("tests/traces/free-turn.trace");
  await page.goto(write_page(folder, "demo.html", { mode: "board", traces: [trace] }));
  await ready(page);
  const note = page.getByText("Plays by itself");
  await note.waitFor();
  await heard(page, "Player 1's turn");
  await page.evaluate(() => {
    const button = document.querySelector(".hit[data-button=B3]");
    new MutationObserver(() => { globalThis.pressed ||= button.ariaPressed === "true"; }).observe(button, { attributes: true });
  });
  await page.waitForFunction(() => globalThis.pressed);
  const before = await lcd(page);
  await page.locator(".hit[data-button=B1]").tap();
  await note.waitFor({ state: "hidden" });
  await lcd_after(page, before);
}

async function reset_with_space({ page, folder }) {
  await page.goto(live_page(folder));
  await ready(page);
  await heard(page, "Player 1's turn");
  await page.keyboard.down("Space");
  await heard(page, "Options Game. Load Game");
  await page.keyboard.up("Space");
  await page.waitForFunction(() => document.querySelector(".hit[data-button=RESET]").ariaPressed === "false");
  await page.locator(".hit[data-button=B1]").focus();
  assert.equal(await page.locator(".hit[data-button=RESET]").getAttribute("aria-pressed"), "false");
}

/** The controls below the board by mouse and by touch, their keys, and their lines in the legend. */
async function controls({ page, folder }) {
  await page.goto(live_page(folder));
  await ready(page);
  await heard(page, "Player 1's turn");
  const board = page.getByRole("group", { name: "The board" });
  const act = (by, name, key) => {
    if (by === "key") return page.keyboard.press(key);
    if (by === "legend") return page.locator(`.control[data-control=${name.toLowerCase()}]`).click();
    return board.getByRole("button", { name, exact: true })[by]();
  };
  for (const by of ["click", "tap", "key", "legend"]) {
    await page.locator(".hit[data-button=B1]").tap();
    await heard(page, "Player 2's turn");
    await act(by, "Undo", "u");
    await heard(page, "Player 1's turn");
    const mute = board.getByRole("button", { name: "Mute" });
    const muted = () => mute.getAttribute("aria-pressed");
    await act(by, "Mute", "m");
    assert.equal(await muted(), "true");
    await act(by, "Mute", "m");
    assert.equal(await muted(), "false");
    await act(by, "Help", "h");
    await heard(page, "Help: ");
    // The lamp goes off and on, and the board begins with the game that was in progress.
    await counts(page, ".lamp", "on");
    await act(by, "Power", "F5");
    await page.waitForFunction(() => document.querySelector(".lamp.on") && globalThis.counted > 0);
    await heard(page, "Player 1's turn");
    await act(by, "Keys", "F1");
    const list = page.getByRole("dialog", { name: "Keys" });
    await list.getByText("Power off and on").waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
  }
}

/** A tablet in landscape format. */
async function tablet({ page, folder }) {
  await page.goto(live_page(folder));
  await ready(page);
  await heard(page, "Player 1's turn");
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  assert.ok(size[0] <= 1180 && size[1] <= 820, `all of it is seen at once: ${size}`);
  for (const name of ["T1", "B6", "RESET"]) {
    const box = await page.locator(`.hit[data-button=${name}]`).boundingBox();
    assert.ok(box.width >= 44 && box.height >= 44, `room for a finger on ${name}: ${box.width}×${box.height}`);
  }
  await page.locator(".hit[data-button=B3]").tap();
  await heard(page, "FREE TURN");
}

/** A phone in landscape format: the LCD takes what the screen has, and no key of a keyboard is named. */
async function landscape({ page, folder }) {
  await page.goto(live_page(folder));
  await ready(page);
  await heard(page, "Player 1's turn");
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  assert.ok(size[0] <= 844 && size[1] <= 390, `all of it is seen at once: ${size}`);
  const { width, height } = await page.locator(".lcd").boundingBox();
  assert.ok(width >= 380 && height >= 285, `the LCD: ${width}×${height}`);
  for (const name of ["T1", "B6", "RESET"]) {
    const box = await page.locator(`.hit[data-button=${name}]`).boundingBox();
    assert.ok(box.width >= 40 && box.height >= 36, `room for a finger on ${name}: ${box.width}×${box.height}`);
  }
  const key_names = () => page.evaluate(() => getComputedStyle(document.querySelector(".key-name")).visibility);
  assert.equal(await key_names(), "hidden");
  await page.locator(".hit[data-button=B3]").tap();
  await heard(page, "FREE TURN");
  await page.keyboard.press("Shift");
  assert.equal(await key_names(), "visible");
}

export const tests = [
  ["on a phone in landscape format", landscape, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }],
  ["it is played by keys and sounds", live],
  ["time stands still, goes by a frame, and goes on", stands_still],
  ["undo, help, mute and power", controls, { hasTouch: true }],
  ["on a tablet", tablet, { viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true }],
  ["a trace plays by itself until a button is pressed", by_itself, { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["RESET held opens the menu", reset_with_space],
];
