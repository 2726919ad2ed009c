// Error cases: traps, no WebAssembly, a trace with errors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { go, lcd, ready } from "./browser.mjs";
import { board_blob, board_text, with_board } from "./described.mjs";
import { here, trace_of, write_page } from "./page.mjs";
import { open } from "./studio.mjs";

/** Runs the real engine in the page's own thread, where a call can be made to trap. */
const trappable = () => {
  globalThis.Worker = undefined;
  const real = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...given) => {
    const { exports } = await real(...given);
    const call = (...words) => {
      if (globalThis.trap_next) {
        globalThis.trap_next = false;
        throw new WebAssembly.RuntimeError("unreachable executed");
      }
      return exports.nudge_call(...words);
    };
    return { exports: { ...exports, nudge_call: call } };
  };
};

async function trap({ page, folder }) {
  await page.addInitScript(trappable);
  await open(page, folder);
  await go(page, 1);
  await page.keyboard.press("b", { delay: 60 });
  await page.waitForFunction(() => parseFloat(document.querySelector(".moment").value) > 1.5
    && document.querySelector(".hit[data-button=B5]").ariaPressed === "false");
  await page.evaluate(() => { globalThis.trap_next = true; });
  const dialog = page.getByRole("dialog", { name: "The machine stopped" });
  await dialog.waitFor();
  assert.match(await dialog.textContent(), /unreachable executed/);
  const trace = await dialog.getByLabel("The trace so far").inputValue();
  assert.match(trace, /^trace 1\n[^]*game board\n[^]*\n0s power on\n1(\.0\d+)?s press B5\n[\d.]+s release B5\n[\d.]+s end\n$/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Branches", exact: true }).waitFor();
  await go(page, 2.5);
  const again = await lcd(page);
  await page.reload();
  await ready(page);
  await go(page, 2.5);
  assert.equal(await lcd(page), again, "the machine that was started anew shows the same");
}

/** Traps the machine, and returns the trace so far. */
async function trapped(page) {
  await page.evaluate(() => { globalThis.trap_next = true; });
  return so_far(page);
}

/** Returns the trace so far of the machine that has trapped. */
async function so_far(page) {
  const dialog = page.getByRole("dialog", { name: "The machine stopped" });
  await dialog.waitFor();
  return dialog.getByLabel("The trace so far").inputValue();
}

const is_at = (page, name, attribute, value) => page.waitForFunction(([name, attribute, value]) =>
  document.querySelector(`[data-control-part=${name}]`).getAttribute(attribute) === value, [name, attribute, value]);

/** The trace so far of a live board names its board file, and has the movements of controls. */
async function moves({ page, folder }) {
  await page.addInitScript(trappable);
  await page.goto(write_page(folder, "live.html", { live: true, ...with_board("dial") }));
  await ready(page);
  const part = (name) => page.locator(`[data-control-part=${name}]`);
  await is_at(page, "LEVEL", "aria-valuetext", "25 %");
  await part("LEVEL").focus();
  await page.keyboard.press("End");
  await is_at(page, "LEVEL", "aria-valuetext", "100 %");
  await part("DIAL").focus();
  await page.keyboard.press("PageUp");
  await is_at(page, "DIAL", "aria-valuenow", "5");
  await part("MODE").click();
  await is_at(page, "MODE", "aria-checked", "true");
  const text = await trapped(page);
  const t = String.raw`\d[\d.]*s`;
  assert.match(text, new RegExp(`^trace 1\nboard dial.board.toml\n\n0s power on\n${t} set LEVEL 1\n${t} turn DIAL by 5\n${t} switch MODE on\n${t} end\n$`));
}

/** The trace so far has the inputs of the trace that was opened. */
async function inputs_of_a_trace({ page, folder }) {
  await page.addInitScript(trappable);
  const { trace, data } = trace_of("examples/own-boards/traces/dial-values.trace");
  await page.goto(write_page(folder, "dial.html", { blobs: { ...data, program: board_blob("dial.elf") },
    traces: [{ ...trace, files: { "../dial.board.toml": board_text("dial.board.toml") },
      blobs: { ...trace.blobs, "../dial.elf": "program" } }] }));
  await ready(page);
  await go(page, 2.2);
  await page.evaluate(() => { globalThis.trap_next = true; });
  await page.keyboard.press("Home");
  const actions = (text) => [...text.matchAll(/^\S+ +((?:set|turn|switch|press|power) [^#\n]*?) *(?:#.*)?$/gm)].map(([, action]) => action);
  assert.deepEqual(actions(await so_far(page)), [...actions(trace.text).filter((action) => action !== "set STICK 0.5,0.5"), "press PUSH"]);
}

async function no_worker({ page, folder }) {
  await page.addInitScript(() => {
    globalThis.Worker = class { constructor() { throw new Error("forbidden"); } };
  });
  await open(page, folder);
  await go(page, 2);
}

async function no_web_assembly({ page, folder }) {
  await page.addInitScript(() => { delete globalThis.WebAssembly; });
  const { trace } = trace_of("tests/traces/free-turn.trace");
  const png = readFileSync(join(here, "../../../tests/traces/free-turn/player-1.png")).toString("base64");
  const failures = [{ line: 15, at: 1, message: "300 pixels differ", expected: "e", actual: "e", difference: null }];
  await page.goto(write_page(folder, "without.html", { traces: [{ ...trace, failures }], blobs: { e: png } }));
  await ready(page);
  await page.getByText("This browser does not run WebAssembly.").waitFor();
  await page.getByText("300 pixels differ").waitFor();
  const sizes = await page.locator("img").evaluateAll((all) => Promise.all(all.map((one) => one.decode().then(() => one.naturalWidth))));
  assert.deepEqual(sizes, [320, 320]);
}

async function errors({ page, folder }) {
  await open(page, folder, { text: (text) => text.replace("tap B2 ", "tpa B2 ") });
  assert.match(await page.locator(".verdict-badge").textContent(), /1 error/);
  const row = page.locator(".trace-text .line").filter({ hasText: "tpa B2" });
  assert.match(await row.textContent(), /unknown verb `tpa`; did you mean `tap`/);
  assert.equal(await row.locator(".error").count(), 1);
  assert.ok(await row.isVisible());
}

async function no_engine({ page, folder }) {
  await page.goto(write_page(folder, "none.html", { traces: [] }, { engine: false }));
  await ready(page);
  await page.getByText("The machine does not run here.").waitFor();
}

/** A program for another processor, and a file that is no program. */
async function foreign_program({ page, folder }) {
  const another = Buffer.alloc(64);
  // An ELF of 64 bits for x86-64.
  another.write("\x7fELF\x02\x01\x01", 0, "latin1");
  another.writeUInt16LE(2, 16);
  another.writeUInt16LE(62, 18);
  const { trace } = trace_of("tests/traces/free-turn.trace");
  for (const [name, bytes, words] of [
    ["another", another, "this ELF file is for a 64-bit machine, the RP2040 needs 32-bit ARM"],
    ["none", Buffer.from("MZ"), "this is neither an ELF nor a UF2 nor a HEX file"],
  ]) {
    await page.goto(write_page(folder, `${name}.html`, { board: "pico", elf: "elf", blobs: { elf: bytes.toString("base64") }, traces: [trace] }));
    await ready(page);
    const told = await page.locator("body").innerText();
    assert.ok(told.includes(words), told);
  }
}

export const tests = [
  ["a trap is shown with the trace so far, and the machine starts anew", trap],
  ["the trace so far has the movements of controls", moves],
  ["the trace so far has the inputs of an opened trace", inputs_of_a_trace],
  ["without workers the engine runs in the page", no_worker],
  ["without WebAssembly the page says so and shows the pictures", no_web_assembly],
  ["a trace with errors has them at their lines", errors],
  ["a page whose engine is damaged says so", no_engine],
  ["a page with a foreign program says what it is", foreign_program],
];
