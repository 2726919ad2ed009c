// Tests the page in a real browser: `node tests/run.mjs [PART OF A NAME]`. Needs web/bundle (scripts/page.sh).
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, chromium_browser, firefox_browser, hashes } from "./browser.mjs";

const suites = ["face", "firefox", "studio", "branch", "board", "sound", "report", "server", "bad", "pico", "described", "drop", "changes"];
const wanted = process.argv[2] ?? "";
/** Time limit of a whole test, and of closing what it opened: a script in a page that never answers has no limit of its own. */
const TEST_MS = 10 * PATIENCE_MS;
/** Number of pages that are operated at once: they mostly wait for what plays in real time. */
const AT_ONCE = 3;
const folder = mkdtempSync(join(tmpdir(), "nudge-page-"));
// Each browser is started with its first test.
const start = { chromium: chromium_browser, firefox: firefox_browser };
const browsers = {};
const began = Date.now();
let [passed, failed] = [0, 0];

/** Waits for `promise`, at most for TEST_MS; `what` names it in the error. */
function limited(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended after ${TEST_MS / 1000} s`)), TEST_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function run(suite, name, test, { browser: kind = "chromium", ...options }, number) {
  const browser = await (browsers[kind] ??= start[kind]());
  if (!browser) return console.log(`no ${kind}: ${suite}: ${name}`);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(hashes);
  const page = await context.newPage();
  const said = [];
  const asked = [];
  page.on("pageerror", (error) => said.push(`an error on the page: ${error.stack ?? error}`));
  page.on("request", (request) => { if (/^(https?|wss?):/.test(request.url())) asked.push(request.url()); });
  const own = join(folder, number);
  mkdirSync(own);
  try {
    await limited(test({ page, folder: own, context, asked }), "the test");
    if (said.length) throw new Error(said.join("\n"));
    passed += 1;
    console.log(`ok      ${suite}: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${suite}: ${name}\n${error.stack ?? error}\n${said.join("\n")}`);
    await page.screenshot({ path: join(tmpdir(), "nudge-page-failed.png") }).catch(() => {});
  }
  await limited(context.close(), "closing the page").catch((error) => {
    failed += 1;
    console.log(`FAILED  ${suite}: ${name}\n${error.stack}`);
  });
}

const waiting = [];
for (const suite of suites) {
  const { tests, one_by_one = false } = await import(`./${suite}.mjs`);
  const chosen = tests.filter(([name]) => `${suite}: ${name}`.includes(wanted));
  const runs = chosen.map(([name, test, options = {}], nth) => (number) => run(suite, name, test, options, `${number}-${nth}`));
  if (!one_by_one) waiting.push(...runs);
  else if (runs.length) waiting.push(async (number) => { for (const act of runs) await act(number); });
}
let next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  while (next < waiting.length) {
    const number = next++;
    await waiting[number](number);
  }
}));
const closed = Promise.all(Object.values(browsers).map(async (browser) => (await browser)?.close()));
await limited(closed, "closing the browsers").catch((error) => console.log(error.message));
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed in ${((Date.now() - began) / 1000).toFixed(1)} s`);
process.exit(failed || !passed ? 1 : 0);
