// The board alone.
import assert from "node:assert/strict";
import { lcd, ready } from "./browser.mjs";
import { trace_of, write_page } from "./page.mjs";

const heard = (page, words) => page.waitForFunction((words) => document.querySelector(".heard").textContent.includes(words), words);

async function live({ page, folder, asked }) {
  await page.goto(write_page(folder, "board.html", { mode: "board", title: "nudge", live: true }));
  await ready(page);
  await heard(page, "Player 1's turn");
  await page.keyboard.press("c", { delay: 60 });
  await page.waitForFunction(() => document.querySelector(".buzzer.on"), null, { polling: 10 });
  await heard(page, "FREE TURN");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const still = await lcd(page);
  await page.waitForTimeout(300);
  assert.equal(await lcd(page), still, "time stands still");
  assert.deepEqual(asked, []);
}

async function by_itself({ page, folder }) {
  const { trace } = trace_of("tests/traces/free-turn.trace");
  await page.goto(write_page(folder, "demo.html", { mode: "board", traces: [trace] }));
  await ready(page);
  const note = page.getByText("Plays by itself");
  await note.waitFor();
  await heard(page, "Player 1's turn");
  const before = await lcd(page);
  await page.waitForFunction(() => document.querySelector(".hit[data-button=B3]").ariaPressed === "true");
  await page.locator(".hit[data-button=B1]").tap();
  await note.waitFor({ state: "hidden" });
  assert.notEqual(await lcd(page), before);
}

async function reset_with_space({ page, folder }) {
  await page.goto(write_page(folder, "reset.html", { mode: "board", live: true }));
  await ready(page);
  await heard(page, "Player 1's turn");
  await page.keyboard.down("Space");
  await heard(page, "Options Game. Load Game");
  await page.keyboard.up("Space");
  await page.locator(".hit[data-button=B1]").focus();
  assert.equal(await page.locator(".hit[data-button=RESET]").getAttribute("aria-pressed"), "false");
}

export const tests = [
  ["it is played by keys and sounds", live],
  ["a trace plays by itself until a button is pressed", by_itself, { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["RESET held opens the menu", reset_with_space],
];
