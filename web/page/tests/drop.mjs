// Programs and board files that are dropped on the page, or chosen.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE_MS, go, ready } from "./browser.mjs";
import { board_text as text, board_blob as blob, boards, is_shown, names, size, with_board } from "./described.mjs";
import { trace_of, write_page } from "./page.mjs";

const RP2040 = 0xe48bff56;

/** Returns the program of an ELF file as a UF2 file. */
function uf2_of(elf, family = RP2040) {
  const flash = new Map();
  const [first, size, count] = [elf.readUInt32LE(28), elf.readUInt16LE(42), elf.readUInt16LE(44)];
  for (let at = first; at < first + size * count; at += size) {
    const [kind, offset, , address, bytes] = [0, 4, 8, 12, 16].map((field) => elf.readUInt32LE(at + field));
    if (kind !== 1) continue;
    for (let byte = 0; byte < bytes; byte++) {
      const page = Math.floor((address + byte) / 256) * 256;
      if (!flash.has(page)) flash.set(page, Buffer.alloc(256));
      flash.get(page)[address + byte - page] = elf[offset + byte];
    }
  }
  const pages = [...flash].sort(([one], [other]) => one - other);
  return Buffer.concat(pages.map(([address, bytes], number) => {
    const block = Buffer.alloc(512);
    [0x0a324655, 0x9e5d5157, 0x2000, address, 256, number, pages.length, family].forEach((word, at) => block.writeUInt32LE(word, 4 * at));
    bytes.copy(block, 32);
    block.writeUInt32LE(0x0ab16f30, 508);
    return block;
  }));
}

const elf = (name) => readFileSync(join(boards, `${name}.elf`));

/** Drops files, each with its name and its bytes or text. */
async function drop(page, ...files) {
  const all = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  await page.evaluate((all) => {
    const data = new DataTransfer();
    for (const [name, base64] of all) {
      data.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
    }
    for (const kind of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, all);
}

const reason = async (page) => {
  await page.locator(".drop-told").waitFor();
  return page.locator(".drop-reason").innerText();
};
const loaded = (page, words) => page.getByRole("status").filter({ hasText: words }).waitFor();

const lcd_board = (folder) => write_page(folder, "lcd.html", { mode: "board", title: "nudge", live: true });

/** A page of the LCD board becomes that of the handheld, which is played. */
async function both({ page, folder, asked }) {
  await page.goto(lcd_board(folder));
  await ready(page);
  assert.equal((await names(page)).length, 13);
  await drop(page, ["game.uf2", uf2_of(elf("handheld"))], ["handheld.board.toml", text("handheld.board.toml")]);
  await loaded(page, "Loaded game.uf2 and handheld.board.toml");
  assert.deepEqual(await size(page), [240, 240]);
  assert.deepEqual(await names(page), ["A", "B", "UP", "DOWN"]);
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  await is_shown(page, 139, 139, "red");
  await page.keyboard.press("w", { delay: 80 });
  await is_shown(page, 139, 99, "red");
  // The keys of the board before are gone: B1 of the LCD board has the key of A.
  await page.keyboard.press("z", { delay: 80 });
  await is_shown(page, 139, 99, "green");
  assert.ok(await page.locator(".drop-sign").isHidden());
  assert.deepEqual(asked, []);
}

/** The file chooser is reached with the keyboard; a program of another name takes the place of the board's own. */
async function chosen({ page, folder }) {
  // The browser is asked for the event before the key is pressed.
  const choosing = page.waitForEvent("filechooser");
  await page.goto(write_page(folder, "board.html", { mode: "board", title: "nudge", live: true, ...with_board("handheld") }));
  await ready(page);
  await is_shown(page, 139, 139, "red");
  await page.keyboard.press("w", { delay: 80 });
  await is_shown(page, 139, 99, "red");
  const path = join(folder, "other.uf2");
  writeFileSync(path, uf2_of(elf("handheld")));
  await page.getByRole("button", { name: "Load…" }).focus();
  await page.keyboard.press("Enter");
  const chooser = await choosing;
  assert.ok(chooser.isMultiple());
  await chooser.setFiles([path]);
  await loaded(page, "Loaded other.uf2");
  // The board was started again.
  await is_shown(page, 139, 139, "red");
  // An edited board file, with the program that was loaded before.
  await drop(page, ["new.board.toml", text("handheld.board.toml").replace('"UP"', '"NORTH"').replace("handheld.elf", "absent.elf")]);
  await loaded(page, "Loaded new.board.toml");
  assert.deepEqual(await names(page), ["A", "B", "NORTH", "DOWN"]);
  await is_shown(page, 139, 139, "red");
}

/** What is refused is named with its file and place; the board goes on. */
async function refused({ page, folder }) {
  await page.goto(write_page(folder, "board.html", { mode: "board", title: "nudge", live: true, ...with_board("handheld") }));
  await ready(page);
  await is_shown(page, 139, 139, "red");
  await page.keyboard.press("w", { delay: 80 });
  await is_shown(page, 139, 99, "red");
  const board = text("handheld.board.toml");
  const large = Buffer.alloc(512 * 10_000);
  for (let block = 0; block < 10_000; block++) {
    [0x0a324655, 0x9e5d5157, 0x2000, 0x10000000 + 256 * block, 256, block, 10_000, RP2040]
      .forEach((word, at) => large.writeUInt32LE(word, 512 * block + 4 * at));
    large.writeUInt32LE(0x0ab16f30, 512 * block + 508);
  }
  for (const [files, words] of [
    [[["notes.txt", "hello"]], "notes.txt: neither a program (UF2, ELF, HEX, BIN) nor a board file (NAME.board.toml)."],
    [[["game.uf2", "hello"]], "game.uf2: this is neither an ELF nor a UF2 nor a HEX file"],
    [[["game.uf2", uf2_of(elf("handheld"), 0xe48bff59)]], "game.uf2: this UF2 file is for family 0xe48bff59, the RP2040 is 0xe48bff56"],
    [[["large.uf2", large]], "flash"],
    [[["wrong.board.toml", board.replace('"GP10"', '"GP99"').replace('"GP11"', '"GP98"')]], "wrong.board.toml:18:7"],
    [[["wrong.board.toml", board.replace('"GP10"', '"GP99"').replace('"GP11"', '"GP98"')]], "\nwrong.board.toml:19:8"],
    [[["far.board.toml", board.replace("handheld.elf", "build/far.elf")]], "far.elf cannot be read"],
    [[["glass.board.toml", board.replace('"st7789"', '"glass/mine.toml"')]], "the table of the panel, glass/mine.toml, cannot be read"],
    [[["a.uf2", "1"], ["b.elf", "2"]], "a.uf2 and b.elf are programs; drop one of them."],
    [[["a.board.toml", board], ["b.board.toml", board]], "a.board.toml and b.board.toml are board files"],
  ]) {
    await drop(page, ...files);
    const told = await reason(page);
    assert.ok(told.includes(words), `${words}\n${told}`);
    await page.locator(".drop-told").getByRole("button", { name: "Close" }).click();
    assert.ok(await page.locator(".drop-told").isHidden());
  }
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array((64 << 20) + 1)], "huge.elf"));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  });
  assert.equal(await reason(page), "huge.elf: 65 MiB are more than a page takes, 64 MiB.");
  // The board was not started again.
  await is_shown(page, 139, 99, "red");
  await page.locator("[data-button=A]").click({ delay: 80 });
  await is_shown(page, 139, 99, "green");
}

/** In the studio the trace is replayed on the board that was loaded, if it fits. */
async function replayed({ page, folder }) {
  const { trace, data } = trace_of("examples/own-boards/traces/move.trace");
  await page.goto(write_page(folder, "studio.html", { blobs: { ...data, program: blob("handheld.elf") },
    traces: [{ ...trace, files: { "../handheld.board.toml": text("handheld.board.toml") },
      blobs: { ...trace.blobs, "../handheld.elf": "program" } }] }));
  await ready(page);
  const verdict = page.locator(".verdict-badge");
  assert.equal(await verdict.textContent(), "✓ passed");
  const board = text("handheld.board.toml");
  await drop(page, ["mine.board.toml", board.replace('"UP"', '"NORTH"')]);
  assert.match(await reason(page), /^move\.trace:9:.*UP/);
  await drop(page, ["mine.board.toml", board.replace('"GP10"', '"GP99"')]);
  await page.locator(".drop-reason").filter({ hasText: "mine.board.toml:18:7" }).waitFor();
  // A and B are swapped.
  await drop(page, ["mine.board.toml", board.replace('"GP15"', '"GP1000"').replace('"GP17"', '"GP15"').replace('"GP1000"', '"GP17"')]);
  await loaded(page, "Loaded mine.board.toml");
  assert.match(await verdict.textContent(), /failed/);
  await drop(page, ["handheld.board.toml", board], ["game.uf2", uf2_of(elf("handheld"))]);
  await loaded(page, "Loaded game.uf2 and handheld.board.toml");
  assert.equal(await verdict.textContent(), "✓ passed");
  await go(page, 2.4);
  await page.keyboard.press("w", { delay: 60 });
  await page.getByRole("tab", { name: "Branches 1" }).waitFor();
}

/**
 * Presses `button` until a buzzer is drawn as sounding. The tone of one press lasts 100 ms: a page that gets no
 * frame in that time does not draw it, and the next press is as good.
 */
async function sounds(page, button) {
  await page.evaluate(() => {
    new MutationObserver(() => { globalThis.sounded ||= Boolean(document.querySelector(".buzzer.on")); })
      .observe(document.body, { subtree: true, attributeFilter: ["class"] });
  });
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    await page.locator(`[data-button=${button}]`).click({ delay: 400 });
    if (await page.evaluate(() => globalThis.sounded)) return;
    await page.waitForTimeout(200);
  }
  assert.fail(`no buzzer sounded at ${button}`);
}

/** Each buzzer is drawn; the tones are those of the first one. */
async function buzzers({ page, folder }) {
  await page.goto(write_page(folder, "dial.html", { mode: "board", title: "nudge", live: true, ...with_board("dial") }));
  await ready(page);
  assert.equal(await page.locator(".buzzer").count(), 1);
  await sounds(page, "K2");
  const board = text("dial.board.toml").replace('kind = "toggled"\n', 'name = "HIGH"\nkind = "toggled"\n');
  await drop(page, ["dial.board.toml", `${board}\n[[buzzer]]\nname = "LOW"\npin = "GP24"\n`]);
  await loaded(page, "Loaded dial.board.toml");
  assert.equal(await page.locator(".buzzer").count(), 2);
}

export const tests = [
  ["a program and a board file that are dropped make another board", both],
  ["a program is chosen with the keyboard, and an edited board file is dropped", chosen],
  ["files that do not fit are refused with the reason, and the board goes on", refused],
  ["the studio replays the trace on a board that is dropped", replayed],
  ["the buzzers of a described board are drawn and sound", buzzers],
];
