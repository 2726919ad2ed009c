// The sound of the page, measured by an analyser beside the loudspeaker.
import assert from "node:assert/strict";
import { ready, turns } from "./browser.mjs";
import { write_page } from "./page.mjs";

/** Defines `heard()`: the notes sent to the loudspeaker, once for each poll. */
const listens = () => {
  const heard = [];
  globalThis.heard = () => heard;
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...more) {
    if (to === this.context.destination) {
      // The buffer has 0.7 s, longer than a note, so that none is missed on a busy machine.
      const analyser = new AnalyserNode(this.context, { fftSize: 32768 });
      connect.call(this, analyser);
      const wave = new Float32Array(analyser.fftSize);
      setInterval(() => {
        analyser.getFloatTimeDomainData(wave);
        const rises = [];
        for (let n = 8; n < wave.length; n++) if (wave[n - 1] <= 0 && wave[n] > 0 && wave[n - 8] < -0.02) rises.push(n);
        const periods = rises.slice(1).map((n, nth) => n - rises[nth]).sort((a, b) => a - b);
        if (periods.length >= 8) heard.push({ hz: this.context.sampleRate / periods[periods.length >> 1], loud: Math.max(...wave) });
      }, 20);
    }
    return connect.call(this, to, ...more);
  };
};

/** A press without effect sounds 220 Hz for 150 ms; muted there is no sound, though the buzzer's state still changes. */
async function note({ page, folder }) {
  await page.addInitScript(listens);
  await page.goto(write_page(folder, "sound.html", { mode: "board", live: true }));
  await ready(page);
  await page.waitForFunction(() => document.querySelector(".heard").textContent.includes("Player 1's turn"));
  const notes = () => page.evaluate(() => globalThis.heard());
  assert.deepEqual(await notes(), []);
  await page.keyboard.press("q", { delay: 60 });
  await page.waitForFunction(() => globalThis.heard().length > 0);
  const [{ hz, loud }] = await notes();
  assert.ok(Math.abs(hz - 220) < 4, `${hz} Hz`);
  assert.ok(loud > 0.03 && loud < 0.2, `as loud as ${loud}`);
  await page.keyboard.press("m");
  const again = page.evaluate(() => new Promise((over) => {
    const buzzer = document.querySelector(".buzzer");
    let sounded = false;
    new MutationObserver(() => {
      if (buzzer.classList.contains("on")) sounded = true;
      else if (sounded) over();
    }).observe(buzzer, { attributes: true, attributeFilter: ["class"] });
  }));
  await turns(page, 60); // The analyser forgets the first note.
  const before = (await notes()).length;
  await page.keyboard.press("q", { delay: 60 });
  await again;
  await turns(page, 20);
  assert.equal((await notes()).length, before, "muted");
}

export const tests = [
  ["the buzzer's note is heard", note],
];
