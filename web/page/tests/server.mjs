// The studio with a server that has access to the files: a small one replaces `nudge open`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { go, ready } from "./browser.mjs";
import { trace_of, write_page } from "./page.mjs";

/** Serves `page` with one file while `act` operates the browser. `more` is added to the page's data; `source` answers for an instruction. */
export async function served(page, folder, act, { change = (text) => text, more = {}, source = () => null } = {}) {
  const { trace, data } = trace_of("tests/traces/free-turn.trace");
  const file = { text: change(trace.text), modified: "1", changed: false };
  const put = {};
  const server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const reply = (status, value, type = "application/json") => {
        answer.writeHead(status, { "content-type": type });
        answer.end(type === "application/json" ? JSON.stringify(value) : value);
      };
      if (pathname === "/token/") {
        const traces = [{ ...trace, text: file.text }];
        const url = write_page(folder, "served.html", { mode: "studio", traces, server: { base: "/token/", modified: file.modified }, ...more, blobs: { ...data, ...more.blobs } });
        reply(200, readFileSync(new URL(url), "utf8"), "text/html");
      } else if (pathname === "/token/state") reply(200, { file: trace.name, modified: file.modified, changed: file.changed });
      else if (pathname === "/token/trace" && request.method === "PUT") {
        if (request.headers["if-match"] !== file.modified) return reply(409, { error: "changed" });
        file.text = body.toString();
        file.modified += "1";
        reply(200, { modified: file.modified });
      } else if (pathname === "/token/save") {
        const name = searchParams.get("name");
        if (put[name]) return reply(409, { error: "exists" });
        put[name] = body.toString();
        reply(200, {});
      } else if (pathname === "/token/golden") {
        put[searchParams.get("name")] = body;
        reply(200, {});
      } else if (pathname === "/token/source" && source(searchParams.get("pc"))) {
        reply(200, source(searchParams.get("pc")));
      } else reply(404, {});
    });
  });
  await new Promise((met) => server.listen(0, "127.0.0.1", met));
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/token/`);
    await ready(page);
    await act(file, put, server);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
}

const saves_a_branch = ({ page, folder }) => served(page, folder, async (_, put) => {
  for (const again of [false, true]) {
    if (!again) {
      await go(page, 1);
      await page.keyboard.press("b", { delay: 60 });
      await page.getByRole("tab", { name: "Branches 1" }).waitFor();
    }
    await page.keyboard.press("s");
    const dialog = page.getByRole("dialog", { name: "Save as a trace" });
    await dialog.getByLabel("File name").fill("mine.trace");
    await dialog.getByRole("button", { name: "Save beside the trace" }).click();
    await page.getByText(again ? "There is a file mine.trace already" : "Saved mine.trace").waitFor();
  }
  assert.match(put["mine.trace"], /^trace 1\n[^]*(press|tap) B5/);
});

const sees_a_change = ({ page, folder }) => served(page, folder, async (file) => {
  file.text = file.text.replace("FREE TURN: the last", "CHANGED: the last");
  file.modified = "other";
  await page.getByText("Another program has changed the file").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("# CHANGED: the last stone").waitFor();
});

const sees_the_end = ({ page, folder }) => served(page, folder, async (_file, _put, server) => {
  server.closeAllConnections();
  server.close();
  await page.getByText("does not answer any more, so nothing can be saved here").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download mine" }).click()]);
  assert.match(download.suggestedFilename(), /\.trace$/);
});

const blesses = ({ page, folder }) => served(page, folder, async (_, put) => {
  assert.match(await page.locator(".verdict-badge").textContent(), /1 failed/);
  await page.locator(".failure canvas").nth(2).waitFor();
  await page.getByRole("button", { name: "Bless: this is right" }).click();
  await page.getByText("Blessed free-turn/player-1.png").waitFor();
  await page.waitForFunction(() => document.querySelector(".verdict-badge").textContent.includes("passed"));
  assert.equal(put["free-turn/player-1.png"].subarray(1, 4).toString(), "PNG");
}, { change: (text) => text.replace("+1s     tap B3", "+1s     tap B3 for 90ms").replace("+0ms    expect frame player-1", "+300ms  tap T1\n+200ms  expect frame player-1") });

const says_why_nothing_is_compared = ({ page, folder }) => served(page, folder, async () => {
  await page.getByText("Not compared: its golden is not here").waitFor();
  await page.getByRole("tab", { name: "Failures" }).click();
  await page.getByText("There is no golden free-turn/other.png yet").waitFor();
}, { change: (text) => text.replace("expect frame player-1", "expect frame other") });

export const tests = [
  ["a failure without its golden says why", says_why_nothing_is_compared],
  ["a branch is saved as a new file, once", saves_a_branch],
  ["a file that changes is offered again", sees_a_change],
  ["a server that has ended is reported", sees_the_end],
  ["a golden is blessed where the difference is seen", blesses],
];
