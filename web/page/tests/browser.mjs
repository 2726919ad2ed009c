// Browsers for the tests, without a window: Chromium from Debian and on GitHub's machines, and Mozilla's own
// Firefox, which is driven by WebDriver BiDi.
import { execFileSync } from "node:child_process";
import { chromium, firefox } from "playwright-core";

/** Time limit of each step of a page; long, for a busy machine. */
export const PATIENCE_MS = Number(process.env.NUDGE_PAGE_PATIENCE_MS ?? 30_000);

/** Returns the path of the first of these programs that exists. */
function program(...names) {
  for (const name of names) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      continue;
    }
  }
  return null;
}

export async function chromium_browser() {
  const executablePath = program("chromium", "google-chrome");
  if (!executablePath) throw new Error("a browser is needed (Debian: apt-get install chromium)");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"] });
}

/** Starts Firefox; `null` if it is not installed. */
export async function firefox_browser() {
  const executablePath = program("firefox-esr", "firefox");
  return executablePath && firefox.launch({ channel: "moz-firefox", executablePath });
}

/** Init script of every page: defines a hash of the LCD's picture. */
export const hashes = () => {
  globalThis.nudge_hash = (within = "") => {
    const canvas = document.querySelector(`${within} canvas.lcd`);
    const { data } = canvas.getContext("2d").getImageData(0, 0, 320, 240);
    let hash = 0x811c9dc5;
    for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return hash;
  };
};

/** Returns a hash of the LCD's picture. */
export const lcd = (page, within = "") => page.evaluate((within) => globalThis.nudge_hash(within), within);

/** Returns the time that the controls show, in seconds. */
export const moment = (page) => page.locator(".moment").first().inputValue()
  .then((text) => (text.includes(":") ? Number(text.split(":")[0]) * 60 + parseFloat(text.split(":")[1]) : parseFloat(text)));

/** Types a time, and waits until the address has it. */
export async function go(page, t) {
  await page.locator(".moment").fill(`${t}s`);
  await page.locator(".moment").press("Enter");
  await page.waitForFunction((t) => location.hash === `#t=${t}s`, t);
}

/** Waits until the hash of the LCD's picture differs from `hash`, and returns it. */
export async function lcd_after(page, hash) {
  await page.waitForFunction((hash) => globalThis.nudge_hash() !== hash, hash);
  return lcd(page);
}

/** Waits for `count` animation frames, in each of which a playing board would advance. No fixed time is waited for. */
export const turns = (page, count) => page.evaluate((count) => new Promise((met) => {
  const turn = () => (count-- > 0 ? requestAnimationFrame(turn) : met());
  turn();
}), count);

export const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready);
