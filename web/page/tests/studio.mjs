// The studio over file://: time, pointing, layout, keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { go, lcd, moment, ready, turns } from "./browser.mjs";
import { trace_of, write_page } from "./page.mjs";

const TRACE = "tests/traces/free-turn.trace";

export async function open(page, folder, { text = (text) => text, hash = "", ...more } = {}) {
  const { trace, data } = trace_of(TRACE);
  const url = write_page(folder, "studio.html", { mode: "studio", traces: [{ ...trace, text: text(trace.text) }], blobs: data, ...more });
  await page.goto(url + hash);
  await ready(page);
}

const fails = (text) => text.replace('+0ms    expect text "Player 2\'s turn"', '+0ms    expect text "Player 9 won"');

async function goes_and_comes({ page, folder }) {
  await open(page, folder);
  await go(page, 2.5);
  const then = await lcd(page);
  await go(page, 1.9);
  assert.notEqual(await lcd(page), then, "another moment has another picture");
  await go(page, 2.5);
  assert.equal(await lcd(page), then, "the same moment has the same picture");
}

async function plays({ page, folder }) {
  await open(page, folder);
  await go(page, 7);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("5");
  await page.keyboard.press("p");
  await page.waitForFunction(() => parseFloat(document.querySelector(".moment").value) > 8);
  // At the end it stops by itself.
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const end = await moment(page);
  assert.ok(end > 8 && end < 8.2, `the end, ${end}`);
  await page.locator(".heard").filter({ hasText: /turn|TURN/ }).waitFor({ state: "attached" });
}

async function steps({ page, folder }) {
  await open(page, folder);
  await go(page, 1.35);
  await page.keyboard.press(".");
  await page.waitForFunction(() => document.querySelector(".moment").value !== "1.350000 s");
  const frame = await moment(page);
  assert.ok(frame > 1.36 && frame < 1.41, `the next frame, ${frame}`);
  const whole = await lcd(page);
  await page.keyboard.press("[");
  await page.waitForFunction((frame) => parseFloat(document.querySelector(".moment").value) < frame, frame);
  const byte = await moment(page);
  assert.ok(frame - byte < 0.006, `a transaction is shorter than a frame, ${byte}`);
  await page.keyboard.press(".");
  await page.waitForFunction((frame) => parseFloat(document.querySelector(".moment").value) === frame, frame);
  assert.equal(await lcd(page), whole);
}

async function scrubs({ page, folder }) {
  await open(page, folder);
  await go(page, 1);
  const canvas = page.locator("canvas.lanes");
  const box = await canvas.boundingBox();
  const at = (t) => [box.x + 68 + ((box.width - 76) * t) / 8.094, box.y + 60];
  await page.mouse.move(...at(2));
  await page.mouse.down();
  await page.mouse.move(...at(5), { steps: 8 });
  // The time follows the pointer while the button is down, also beside the timeline.
  await page.waitForFunction(() => /^[45]\.[09]/.test(document.querySelector(".moment").value));
  const [x, y] = at(3.4);
  await page.mouse.move(x, y - 130, { steps: 8 });
  await page.waitForFunction(() => /^3\.[34]/.test(document.querySelector(".moment").value));
  await page.mouse.up();
  await page.mouse.move(...at(6), { steps: 4 });
  await page.waitForFunction(() => /^#t=3\.[34]/.test(location.hash));
  const dragged = await lcd(page);
  const t = Number((await page.evaluate(() => location.hash)).slice(3, -1));
  await go(page, 0.5);
  await go(page, t);
  assert.equal(await lcd(page), dragged);
  await page.waitForFunction((now) => document.querySelector("canvas.lanes").getAttribute("aria-valuenow") === now, String(Math.round(t * 1000)));
}

async function to_the_failure({ page, folder }) {
  await open(page, folder, { text: fails });
  assert.match(await page.locator(".verdict-badge").textContent(), /1 failed/);
  const row = page.locator(".trace-text .failed");
  assert.match(await row.textContent(), /Player 9 won/);
  await go(page, 0.5);
  await page.keyboard.press("f");
  await page.waitForFunction(() => /^#t=4\./.test(location.hash));
  assert.equal(await row.getAttribute("aria-current"), "step", "the running line is lit");
  assert.match(await page.locator("#panel-failures").textContent(), /Line 19/);
}

async function address({ page, folder }) {
  await open(page, folder);
  await go(page, 4.0755);
  const there = await lcd(page);
  await page.reload();
  await ready(page);
  assert.equal(await moment(page), 4.0755);
  assert.equal(await lcd(page), there);
  await page.evaluate(() => { location.hash = "#t=1500ms"; });
  await page.waitForFunction(() => document.querySelector(".moment").value === "1.500000 s");
}

async function pixel({ page, folder }) {
  await open(page, folder);
  await go(page, 2.5);
  const box = await page.locator("canvas.lcd").boundingBox();
  await page.mouse.click(box.x + (box.width * 160) / 320, box.y + (box.height * 8) / 240);
  const panel = page.locator("#panel-pixel");
  await panel.getByText("Pixel 160, 8").waitFor();
  const told = await panel.textContent();
  assert.match(told, /colour#[0-9a-f]{6}/);
  assert.match(told, /screen.+element.+written0\.\d+ stransaction/, "what drew it, when, and by which transfer");
  // The time of the write can be visited too.
  await panel.getByTitle("Go there").first().click();
  await page.waitForFunction(() => /^#t=0\./.test(location.hash));
  for (const [tab, words] of [["LCD", /MADCTL/], ["Flash", /64 sectors|sector/], ["Console", /position board/]]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await page.getByRole("tabpanel").getByText(words).first().waitFor();
  }
}

/** An expectation by pointing is in the trace's text, passes, and is saved. */
async function expects({ page, folder }) {
  await open(page, folder);
  await go(page, 3);
  await page.keyboard.press("a");
  const panel = page.locator("#panel-expect");
  await panel.getByRole("button", { name: "FREE TURN" }).click();
  const added = page.locator(".trace-text .new");
  await added.waitFor();
  assert.match(await added.textContent(), /expect text "FREE TURN"/);
  assert.match(await added.getAttribute("class"), /passed/);
  const box = await page.locator("canvas.lcd").boundingBox();
  // The middle of a pixel, because its edge may be on either side.
  const at = (x, y) => [box.x + (box.width * (x + 0.5)) / 320, box.y + (box.height * (y + 0.5)) / 240];
  await page.mouse.move(...at(60, 20));
  await page.mouse.down();
  await page.mouse.move(...at(140, 80), { steps: 4 });
  await page.mouse.up();
  await panel.getByLabel("Name of the picture").fill("stones");
  await panel.getByRole("button", { name: "Expect this part" }).click();
  const framed = page.locator(".trace-text .new").filter({ hasText: "expect frame stones in" });
  await framed.waitFor();
  assert.match(await framed.getAttribute("class"), /passed/, "its golden is what was marked");
  assert.match(await page.locator(".verdict-badge").textContent(), /passed/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /expect text "FREE TURN"\n/);
  assert.match(text, /expect frame stones in 60,20,81,61\n/);
}

async function phone({ page, folder }) {
  await open(page, folder);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing is wider than the phone: ${wide}`);
  const button = await page.locator(".hit[data-button=B3]").boundingBox();
  assert.ok(button.width >= 30 && button.height >= 30, `room for a finger: ${button.width}×${button.height}`);
  const controls = await page.locator(".transport :is(button, select, input)").all();
  const boxes = await Promise.all(controls.map((one) => one.boundingBox()));
  assert.ok(boxes.length >= 13, `${boxes.length} controls`);
  for (const box of boxes.filter(Boolean)) {
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height >= 40, `a control is in reach: ${JSON.stringify(box)}`);
  }
  assert.ok(Math.min(...boxes.filter(Boolean).map((box) => box.y)) > 740, "in two rows");
  await page.locator(".hit[data-button=B3]").tap();
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
}

async function keys({ page, folder }) {
  await open(page, folder);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("b");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("tab", { name: "Branches", exact: true }).count(), 1, "no key goes through the list");
  await page.keyboard.press("a");
  assert.equal(await page.getByRole("tab", { name: "Expect" }).getAttribute("aria-selected"), "true");
  await page.waitForFunction(() => document.activeElement?.matches("#panel-expect .offer"));
  await page.keyboard.press("Tab");
  const focus = () => page.evaluate(() => [document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]);
  const [words, outline] = await focus();
  assert.equal(outline, "solid", "the focus is seen");
  await page.evaluate(() => document.querySelector("[role=tab][aria-selected=true]").click());
  await turns(page, 20);
  assert.deepEqual(await focus(), [words, "solid"], "what is built anew keeps the focus");
  const names = await page.locator("button").evaluateAll((all) =>
    all.filter((one) => !(one.getAttribute("aria-label") ?? one.textContent).trim()).length);
  assert.equal(names, 0, "every button has a name");
}

async function themes({ page, folder }) {
  await open(page, folder);
  const paper = (least, most) => page.waitForFunction(([least, most]) => {
    const canvas = document.querySelector("canvas.lanes");
    const [red, , , painted] = canvas.getContext("2d").getImageData(2, canvas.height - 2, 1, 1).data;
    return painted === 255 && red >= least && red <= most;
  }, [least, most]);
  // Dark by the system's setting, light by the user's.
  await paper(0, 60);
  await page.getByRole("button", { name: "Light or dark" }).click();
  await paper(200, 255);
}

async function alone({ page, folder, context, asked }) {
  await context.setOffline(true);
  await open(page, folder);
  await go(page, 2);
  await page.keyboard.press("e");
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
  assert.deepEqual(asked, [], "the page asks no one");
}

/** The computer's search is shown beside the board. */
async function thinks({ page, folder }) {
  const text = "trace 1\nseed 7\nplayers demo\nlevel intermediate\n\n0ms power on\n6s end\n";
  await page.goto(write_page(folder, "demo.html", { traces: [{ name: "demo.trace", text, files: {}, blobs: {}, at: null, failures: [] }] }));
  await ready(page);
  await go(page, 0.1);
  await page.getByRole("tab", { name: "Thoughts", exact: true }).click();
  const panel = page.locator("#panel-thoughts");
  await panel.getByText("The computer has not thought about a move yet.").waitFor();
  await go(page, 5.5);
  await panel.getByRole("row").nth(1).waitFor();
  const rows = await panel.getByRole("row").allTextContents();
  assert.ok(rows.every((row) => /^[BT][1-6]([+−]?\d+\.\d\d)?(plays it|in hand)?$/.test(row)), rows.join(" | "));
  assert.ok(rows.some((row) => /\d\.\d\d/.test(row)), "values are known");
  assert.match(await panel.textContent(), /looks ahead(this sowing|\d+ turns?|to the end)/);
}

/** A tablet in portrait format, by touch alone. */
async function tablet({ page, folder }) {
  await open(page, folder);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 820, `nothing is wider than the tablet: ${wide}`);
  for (const name of ["B1", "T6", "RESET"]) {
    const box = await page.locator(`.hit[data-button=${name}]`).boundingBox();
    assert.ok(box.width >= 32 && box.height >= 32, `room for a finger on ${name}: ${box.width}×${box.height}`);
  }
  await go(page, 2.5);
  await page.getByRole("button", { name: "One frame on", exact: true }).tap();
  await page.waitForFunction(() => parseFloat(document.querySelector(".moment").value) > 2.5);
  const box = await page.locator("canvas.lcd").boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + (box.height * 8) / 240);
  await page.locator("#panel-pixel").getByText(/Pixel 1(59|60), [78]/).waitFor();
  await page.getByRole("tab", { name: "Console", exact: true }).tap();
  await page.getByRole("tabpanel").getByText(/position board/).first().waitFor();
  await page.locator(".hit[data-button=B5]").tap();
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
}

export const tests = [
  ["a moment is a place", goes_and_comes],
  ["it plays to the end, and says the LCD's text", plays],
  ["it goes by frames and by transactions", steps],
  ["a drag over the timeline goes through time", scrubs],
  ["F goes to the failure, which is marked at its line", to_the_failure],
  ["a moment has an address", address],
  ["a pixel says what wrote it; registers, flash, console", pixel],
  ["an expectation is added by pointing", expects],
  ["what the computer considers", thinks],
  ["on a tablet, by touch", tablet, { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true }],
  ["on a phone", phone, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["keys, names and focus", keys],
  ["light and dark", themes, { colorScheme: "dark" }],
  ["without a network", alone],
];
