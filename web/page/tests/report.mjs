// Players inside of a report that another program wrote.
import assert from "node:assert/strict";
import { lcd } from "./browser.mjs";
import { trace_of, write_page } from "./page.mjs";

const BODY = `<style>p.dim, .facts, .time { color: rgb(1, 2, 3); margin: 7px }</style><p class="dim" id="own">the report's own</p>
<div id="a" data-nudge-player="0"><button type="button" hidden>Play from here</button></div>
<div id="b" data-nudge-player="1"><button type="button" hidden>Play from here</button></div>`;

function write(folder, more = {}) {
  const { trace, data } = trace_of("tests/traces/free-turn.trace");
  const failing = { ...trace, text: trace.text.replace('expect text "Player 2\'s turn"', 'expect text "nobody"'), at: 4_209_000_000 };
  return write_page(folder, "report.html", { mode: "report", traces: [failing, { ...trace, at: 2_000_000_000 }], blobs: data, ...more }, { body: BODY });
}

async function players({ page, folder, asked }) {
  await page.goto(write(folder));
  await page.locator("#a button").click();
  await page.locator("#a[data-ready=yes]").waitFor();
  assert.equal(await page.locator("#a .moment").inputValue(), "4.209000 s", "it begins at the failure");
  const failed = await lcd(page, "#a");
  await page.locator("#b button").click();
  await page.locator("#b[data-ready=yes]").waitFor();
  assert.equal(await page.locator("#b .moment").inputValue(), "2.000000 s");
  assert.notEqual(await lcd(page, "#b"), failed);
  assert.equal(await lcd(page, "#a"), failed, "the first one stays");
  await page.locator("#b .player").press("r", { delay: 50 });
  await page.waitForFunction(() => parseFloat(document.querySelector("#b .moment").value) > 2.2);
  assert.equal(await page.locator("#a .moment").inputValue(), "4.209000 s", "keys go to one player");
  const own = await page.locator("#own").evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).marginTop]);
  assert.deepEqual(own, ["rgb(1, 2, 3)", "7px"], "the report keeps its looks");
  assert.deepEqual(asked, []);
}

async function address({ page, folder }) {
  await page.goto(`${write(folder)}#trace=1&t=3.5s`);
  await page.locator("#b[data-ready=yes]").waitFor();
  assert.equal(await page.locator("#b .moment").inputValue(), "3.500000 s");
  assert.equal(await page.locator("#a .moment").count(), 0);
}

async function without_program({ page, folder }) {
  const { trace } = trace_of("tests/traces/free-turn.trace");
  const traces = [{ ...trace, elf_command: "nudge open free-turn.trace --board pico=old.elf" }];
  await page.goto(write_page(folder, "pico.html", { mode: "report", board: "pico", traces }, { body: BODY }));
  await page.locator("#a button").click();
  await page.getByText("nudge open free-turn.trace --board pico=old.elf").waitFor();
}

export const tests = [
  ["each failure has a player of its own", players],
  ["a moment of a trace has an address", address],
  ["a page without the Pico's program says how it is opened", without_program],
];
