// The page of `nudge replay --against … --html`, written by `nudge` itself; without a `nudge` (`cargo build`) these tests are skipped.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { target } from "./page.mjs";

const nudge = process.env.NUDGE_BINARY ?? join(target, "debug/nudge");

const TRACE = `trace 1
game board

0ms     power on
+0ms    wait text "Player 1's turn" within 5s
+0ms    settle within 5s
+500ms  tap B3
+0ms    settle within 10s
+0ms    end
`;

/** Writes the page about `count` traces compared with a `nudge` that sows another cup. */
function write_changes(folder, count) {
  mkdirSync(join(folder, "suite"));
  for (let nth = 1; nth <= count; nth++) writeFileSync(join(folder, "suite", `t${nth}.trace`), TRACE);
  writeFileSync(join(folder, "other.trace"), TRACE.replace("tap B3", "tap B2"));
  const old = join(folder, "old");
  writeFileSync(old, `#!/bin/sh\n[ "$*" = "trace observe" ] && exec '${nudge}' trace observe\nexec '${nudge}' trace observe '${folder}/other.trace'\n`);
  chmodSync(old, 0o755);
  execFileSync(nudge, ["replay", "suite", "--against", "native=old", "--html", "changes"], { cwd: folder, stdio: "pipe" });
  return `file://${join(folder, "changes/index.html")}`;
}

async function changes({ page, folder, asked }) {
  await page.goto(write_changes(folder, 2));
  const sums = await page.locator(".sums li").allTextContents();
  assert.ok(sums.includes("2 traces"), sums.join());
  const first = page.locator(".group").first();
  await first.locator(".pair.live").waitFor();
  const mode = (name) => first.getByRole("button", { name, exact: true });
  await mode("Swipe").click();
  const slider = first.getByRole("slider");
  await slider.fill("20");
  assert.equal(await first.locator("img.over").evaluate((over) => over.style.clipPath), "inset(0px 80% 0px 0px)");
  await mode("Difference").click();
  const marked = await first.locator(".sides:not([hidden]) canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += Number(data[at] === 255 && data[at + 1] === 32 && data[at + 2] === 128);
    return count;
  });
  assert.ok(marked > 0, "what differs is seen");
  const box = mode("Box");
  const pressed = await box.getAttribute("aria-pressed");
  await box.click();
  assert.notEqual(await box.getAttribute("aria-pressed"), pressed);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.activeElement.closest(".group")?.id === "c1");
  await page.getByRole("searchbox").fill("no such text");
  await page.getByText("Nothing matches the filter.").waitFor();
  assert.equal(await page.locator(".group:visible").count(), 0);
  await page.getByRole("searchbox").fill("");
  await first.waitFor();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.getByRole("button", { name: "Light or dark" }).click();
  assert.notEqual(await paper(), dark);
  assert.deepEqual(asked, [], "the page asks no one");
}

async function one({ page, folder }) {
  await page.goto(write_changes(folder, 1));
  const sums = await page.locator(".sums li").allTextContents();
  assert.ok(sums.includes("1 trace"), sums.join());
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing is wider than the phone: ${wide}`);
}

export const tests = existsSync(nudge) ? [
  ["what a change alters, beside each other, swiped, as the difference", changes, { colorScheme: "dark" }],
  ["of one trace, on a phone", one, { viewport: { width: 390, height: 844 }, isMobile: true }],
] : [];
if (tests.length === 0) console.log(`left out  changes: there is no ${nudge}`);
