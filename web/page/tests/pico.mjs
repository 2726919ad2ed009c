// The studio with the Pico's program, which `make firmware` builds; without it these tests are skipped.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { go, ready } from "./browser.mjs";
import { target, write_page } from "./page.mjs";
import { served } from "./server.mjs";

const program = process.env.NUDGE_PICO_ELF ?? join(target, "firmware/nudge-pico.elf");

/** A pixel of the Pico's LCD names the function that sent it and its line, and shows the source lines of the server. */
const names_the_source = ({ page, folder }) => {
  const asked = [];
  const source = (pc) => {
    asked.push(pc);
    return { function: "send", file: "lcd.rs", line: 8, text: [{ line: 7, text: "fn send() {" }, { line: 8, text: "    <b>spi.write()</b>" }] };
  };
  const elf = `gz:${gzipSync(readFileSync(program)).toString("base64")}`;
  return served(page, folder, async () => {
    await go(page, 2.5);
    const box = await page.locator("canvas.lcd").boundingBox();
    await page.mouse.click(box.x + (box.width * 160) / 320, box.y + (box.height * 8) / 240);
    const panel = page.locator("#panel-pixel");
    await panel.getByText("Pixel 160, 8").waitFor();
    const told = await panel.textContent();
    assert.match(told, /function\S.*source[^ ]+\.rs:\d+.*instruction0x1[0-9a-f]{7}called by/, told);
    const lines = panel.getByLabel("The lines of source");
    await lines.waitFor();
    assert.equal(await lines.locator(".here").textContent(), "    8      <b>spi.write()</b>\n", "it is text");
    assert.ok(told.includes(`instruction${asked[0]}`), `${asked} of ${told}`);
    await page.getByRole("tab", { name: "Thoughts", exact: true }).click();
    await page.locator("#panel-thoughts").getByText("The computer has not thought about a move yet.").waitFor();
  }, { more: { board: "pico", elf: "elf", blobs: { elf } }, source });
};

/** The search on a Pico is that of native, with a note; another program's is not known. */
async function thinks({ page, folder }) {
  const text = "trace 1\nseed 7\nplayers demo\nlevel intermediate\n\n0ms power on\n6s end\n";
  const bytes = readFileSync(program);
  const pico = (name, bytes) => page.goto(write_page(folder, name, { board: "pico", elf: "elf",
    blobs: { elf: `gz:${gzipSync(bytes).toString("base64")}` },
    traces: [{ name: "demo.trace", text, files: {}, blobs: {}, at: null, failures: [] }] }));
  await pico("pico.html", bytes);
  await ready(page);
  await go(page, 5.5);
  await page.getByRole("tab", { name: "Thoughts", exact: true }).click();
  const panel = page.locator("#panel-thoughts");
  await panel.getByRole("row").nth(1).waitFor();
  assert.match(await panel.textContent(), /same firmware on native, in this position.*looks ahead/);
  // Changes a digit in the hash of its sources.
  const at = bytes.indexOf("nudge-firmware-source=") + "nudge-firmware-source=".length;
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
  await pico("other.html", bytes);
  await ready(page);
  await page.getByRole("tab", { name: "Thoughts", exact: true }).click();
  await panel.getByText("it was built from other firmware sources than this page").waitFor();
}

// A program of other sources than the page's is refused: `make firmware` and `make page` belong together.
export const tests = existsSync(program) ? [
  ["a pixel of the Pico names its function and its line", names_the_source],
  ["what the computer considers on a Pico", thinks],
] : [];
if (tests.length === 0) console.log(`left out  pico: there is no ${program}; \`make firmware\` builds it`);
