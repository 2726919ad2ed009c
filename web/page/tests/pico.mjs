// The studio with the Pico's program, which `make firmware` builds; without it these tests are left out.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { go } from "./browser.mjs";
import { bundle } from "./page.mjs";
import { served } from "./server.mjs";

const program = process.env.NUDGE_PICO_ELF ?? join(dirname(bundle), "firmware/nudge-pico.elf");

/** A pixel of the Pico's LCD names the function that sent it and its line, and shows the source that the server knows. */
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
    await page.locator("#panel-thoughts").getByText("Open the trace on native").waitFor();
  }, { more: { board: "pico", elf: "elf", blobs: { elf } }, source });
};

export const tests = existsSync(program) ? [["a pixel of the Pico names its function and its line", names_the_source]] : [];
if (tests.length === 0) console.log(`left out  pico: there is no ${program}; \`make firmware\` builds it`);
