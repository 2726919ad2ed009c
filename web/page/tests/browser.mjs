// A browser for the tests: Chromium as Debian and GitHub's machines have it, without a window.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "google-chrome"];

export async function launch() {
  for (const name of NAMES) {
    let path;
    try {
      path = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      continue;
    }
    return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"] });
  }
  throw new Error("a browser is needed (Debian: apt-get install chromium)");
}

/** A number that is another for another picture of the LCD. */
export const lcd = (page, within = "") => page.evaluate((within) => {
  const canvas = document.querySelector(`${within} canvas.lcd`);
  const { data } = canvas.getContext("2d").getImageData(0, 0, 320, 240);
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}, within);

/** The moment that the controls show, in seconds. */
export const moment = (page) => page.locator(".moment").first().inputValue()
  .then((text) => (text.includes(":") ? Number(text.split(":")[0]) * 60 + parseFloat(text.split(":")[1]) : parseFloat(text)));

/** Types a moment, and waits until the address has it. */
export async function go(page, t) {
  await page.locator(".moment").fill(`${t}s`);
  await page.locator(".moment").press("Enter");
  await page.waitForFunction((t) => location.hash === `#t=${t}s`, t);
}

export const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready);
