// Measures the cost of a page in Chromium: `node web/page/tests/measure.mjs PAGE.html…` for pages of
// `nudge replay --html` and `nudge export`, and `FILE.trace`, which is opened in the studio. Times are processor time
// of the page's process, its worker included, which hardly depends on other load.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { chromium_browser, go, ready } from "./browser.mjs";
import { write_page } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "nudge-measure-"));
for (const path of process.argv.slice(2)) {
  const browser = await chromium_browser();
  const processes = await browser.newBrowserCDPSession();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto("file:///dev/null");
  // The page's process is the busiest of its kind.
  const renderer = async () => {
    const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
    const all = processInfo.filter(({ type }) => type === "renderer").sort((a, b) => b.cpuTime - a.cpuTime);
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${all[0].id}/status`, "utf8"))[1]);
    return { seconds: all[0].cpuTime, megabytes: memory / 1024 };
  };
  const spent = async (what, act) => {
    const before = (await renderer()).seconds;
    await act();
    const { seconds, megabytes } = await renderer();
    console.log(`${basename(path)}: ${what}: ${((seconds - before) * 1000).toFixed(0)} ms, then ${megabytes.toFixed(0)} MB`);
  };
  const blank = (await renderer()).megabytes;
  console.log(`${basename(path)}: a page without anything: ${blank.toFixed(0)} MB`);
  const studio = path.endsWith(".trace");
  const trace = { name: basename(path), text: studio ? readFileSync(path, "utf8") : "", files: {}, blobs: {}, at: null, failures: [] };
  const url = studio ? write_page(folder, "studio.html", { traces: [trace] }) : `file://${resolve(path)}`;
  await spent("opened", async () => {
    await page.goto(url);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    if (studio) await ready(page);
  });
  if (!studio) {
    const button = page.locator("[data-nudge-player] button").first();
    if (await button.count()) {
      await spent("the first failure played", async () => {
        await button.click();
        await page.locator("[data-nudge-player][data-ready=yes]").waitFor();
      });
    }
  } else {
    const end = await page.evaluate(() => Number(document.querySelector("canvas.lanes").getAttribute("aria-valuemax")) / 1000);
    for (const part of [0.9, 0.05, 0.5, 0.500001, 0.3, 0.8]) {
      const t = Number((end * part).toFixed(3));
      await spent(`at ${t} s`, () => go(page, t));
    }
  }
  await browser.close();
}
rmSync(folder, { recursive: true });
