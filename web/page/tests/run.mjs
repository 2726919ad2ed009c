// The page in a real browser: `node tests/run.mjs [PART OF A NAME]`. Needs target/page (scripts/page.sh).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";

const suites = ["studio", "branch", "board", "report", "server", "bad"];
const wanted = process.argv[2] ?? "";
/** How long the page may take for one thing; a machine that is busy with other work gets it all. */
const PATIENCE_MS = Number(process.env.NUDGE_PAGE_PATIENCE_MS ?? 30_000);
const folder = mkdtempSync(join(tmpdir(), "nudge-page-"));
const browser = await launch();
const began = Date.now();
let [passed, failed] = [0, 0];

for (const suite of suites) {
  const { tests } = await import(`./${suite}.mjs`);
  for (const [name, test, options = {}] of tests) {
    if (!`${suite}: ${name}`.includes(wanted)) continue;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const said = [];
    const asked = [];
    page.on("pageerror", (error) => said.push(`an error on the page: ${error.stack ?? error}`));
    page.on("request", (request) => { if (/^(https?|wss?):/.test(request.url())) asked.push(request.url()); });
    try {
      await test({ page, folder, context, asked });
      if (said.length) throw new Error(said.join("\n"));
      passed += 1;
      console.log(`ok      ${suite}: ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${suite}: ${name}\n${error.stack ?? error}\n${said.join("\n")}`);
      await page.screenshot({ path: join(tmpdir(), "nudge-page-failed.png") }).catch(() => {});
    }
    await context.close();
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed in ${((Date.now() - began) / 1000).toFixed(1)} s`);
process.exit(failed || !passed ? 1 : 0);
