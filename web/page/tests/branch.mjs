// Branches of the studio: made, saved, compared.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { go, lcd, ready } from "./browser.mjs";
import { write_page } from "./page.mjs";
import { open } from "./studio.mjs";

/** Creates a branch in which B5 is pressed at 1 s, and plays it to 2 s or more. */
async function branch(page) {
  await go(page, 1);
  await page.keyboard.press("b", { delay: 60 });
  await page.waitForFunction(() => parseFloat(document.querySelector(".moment").value) > 2.4);
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
}

async function is_made({ page, folder }) {
  await open(page, folder);
  await go(page, 2.4);
  const trace = await lcd(page);
  await branch(page);
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
  await go(page, 2.4);
  const other = await lcd(page);
  assert.notEqual(other, trace, "what was pressed is seen");
  await page.keyboard.press("j");
  await page.getByRole("button", { name: /^Save/ }).filter({ hasText: "Saved" }).waitFor();
  assert.equal(await lcd(page), trace, "the trace is as it was");
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Save branch 1…" }).waitFor();
  assert.equal(await lcd(page), other);
}

async function is_saved({ page, folder }) {
  await open(page, folder);
  await branch(page);
  await go(page, 2.4);
  const other = await lcd(page);
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Save as a trace" });
  await dialog.getByLabel("File name").fill("what-if");
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download" }).click()]);
  assert.equal(download.suggestedFilename(), "what-if.trace");
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /(press|tap) B5/);
  assert.match(text, /wait text "Player 1's turn"/, "what was before stays as it was written");
  const url = write_page(folder, "again.html", { traces: [{ name: "what-if.trace", text, files: {}, blobs: {}, at: null, failures: [] }] });
  await page.goto(url);
  await ready(page);
  await go(page, 2.4);
  assert.equal(await lcd(page), other, "the saved trace shows the same");
}

async function compared({ page, folder }) {
  await open(page, folder);
  await branch(page);
  await page.keyboard.press("o");
  const said = page.locator(".compared p");
  await said.waitFor();
  assert.match(await said.textContent(), /The first frame that differs: Trace at 1\.\d+ s, Branch 1 at 1\.\d+ s/);
  assert.equal(await page.locator(".compared canvas").count(), 3, "they come with the words");
  assert.equal(await page.locator(".compared .box").count(), 3);
  const box = await page.locator(".compared .box").first().boundingBox();
  assert.ok(box.width > 8 && box.height > 8, "the difference is framed");
}

async function of_a_branch({ page, folder }) {
  await open(page, folder);
  await branch(page);
  await go(page, 1.7);
  await page.keyboard.press("x", { delay: 50 });
  await page.getByRole("tab", { name: "Branches 2" }).waitFor();
  await page.getByRole("tab", { name: "Branches 2" }).click();
  assert.match(await page.locator(".track-list .now").textContent(), /Branch 2from 1\.700 s of Branch 1/);
  await page.locator(".track-list .now").getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
}

async function by_mouse({ page, folder }) {
  await open(page, folder);
  await go(page, 1);
  const button = page.locator(".hit[data-button=B5]");
  const box = await button.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.waitForFunction(() => document.querySelector(".hit[data-button=B5]").ariaPressed === "true");
  await page.waitForFunction(() => parseFloat(document.querySelector(".moment").value) > 1);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector(".hit[data-button=B5]").ariaPressed === "false");
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
}

export const tests = [
  ["a button that is pressed in the past makes a branch", is_made],
  ["a branch is saved as a trace that shows the same", is_saved],
  ["two tracks side by side with the first frame that differs", compared],
  ["a branch of a branch, closed again", of_a_branch],
  ["the mouse presses and releases", by_mouse],
];
