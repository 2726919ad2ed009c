// A fake engine for a page: the module's exports in JavaScript, enough to look at the page without the machine and
// to make it trap. It goes into the page before its own script: `page.addInitScript({ path })`. The worker is left
// out, so that the page runs the engine in its own thread.
(() => {
  const memory = { buffer: new ArrayBuffer(1 << 22) };
  const words = new TextDecoder();
  const text = new TextEncoder();
  let free = 1 << 16;
  let sessions = 0;
  const open = new Map();
  const end = 20e9;
  const frames = [...Array(120).keys()].map((at) => ({ from: at * 160e6, at: at * 160e6 + 40e6, bytes: 900 + ((at * 7919) % 20000),
    region: [40, 60, 120, 30], settled: at % 8 === 7 }));
  const lines = (trace) => (trace ?? "").split("\n").map((line, at) => ({ line: at + 1, text: line,
    at: /^[+\d]/.test(line) ? at * 1e9 : null, over: /^[+\d]/.test(line) ? at * 1e9 + 3e8 : null,
    kind: /wait/.test(line) ? "wait" : /expect/.test(line) ? "expect" : "input",
    verdict: /expect|wait/.test(line) ? (/fail/.test(line) ? "failed" : "passed") : null, message: /fail/.test(line) ? "it is not there" : null }));
  const state = (session) => {
    const s = open.get(session);
    return { t: s.t, frame: frames.filter((f) => f.at <= s.t).length, frame_at: 0, down: s.down, tone: 0, powered: true, settled: true,
      console: 0, end: s.live ? null : end, reached: s.live ? s.t : end, broken: null };
  };
  const acts = {
    version: () => ({ version: "fake", boards: ["native"] }),
    open: (r) => { open.set(++sessions, { t: 0, down: [], live: r.trace === null, trace: r.trace }); return { session: sessions, end: r.trace === null ? null : end, errors: [] }; },
    close: () => ({}),
    record: (r) => ({ verdict: open.get(r.session).live ? null : "failed", end, lines: lines(open.get(r.session).trace), frames,
      fingers: [1, 4, 9].map((at, n) => ({ button: ["B3", "T4", "RESET"][n], at: at * 1e9, until: at * 1e9 + 8e7 })),
      contacts: [], tones: [{ at: 2e9, hz: 880 }, { at: 2.2e9, hz: 1175 }, { at: 2.5e9, hz: 0 }], console: [{ at: 1e9, text: "position board=4" }],
      power: [{ at: 0, on: true }], faults: [], violations: [] }),
    seek: (r) => { open.get(r.session).t = Math.min(r.t, end * 10); return state(r.session); },
    run: (r) => { open.get(r.session).t = r.until; return { ...state(r.session), events: { tones: [], console: [], frames: [] } }; },
    step: (r) => { open.get(r.session).t += r.back ? -160e6 : 160e6; return state(r.session); },
    press: (r) => { if (globalThis.trap_on_press) throw new WebAssembly.RuntimeError("unreachable"); open.get(r.session).down.push(r.button); return { at: open.get(r.session).t }; },
    release: (r) => { open.get(r.session).down = []; return { at: open.get(r.session).t + 8e7 }; },
    branch: (r) => { open.set(++sessions, { t: r.t, down: [], live: true, trace: null }); return { session: sessions }; },
    texts: () => ({ lines: [{ text: "Player 1's turn", x: 60, y: 110, w: 180, h: 20, font: "large" }] }),
    pixel: () => ({ colour: "#202c38", written: 1.2e9, transaction: { start: 1.19e9, end: 1.2e9, bytes: 1200, window: [0, 0, 320, 240] } }),
    panel: () => ({ registers: [{ name: "MADCTL", value: "0x28" }], sleeping: false }),
    flash: () => ({ sectors: [...Array(64).keys()].map((index) => ({ index, erases: index % 5, kind: ["settings", "game", "free"][index % 3], name: null })) }),
    thoughts: () => ({ moves: [] }),
  };
  const exports = {
    memory,
    nudge_alloc: (length) => { const at = free; free += length + 8; if (free > 3e6) free = 1 << 16; return at; },
    nudge_free: () => {},
    nudge_call: (at, length) => {
      const request = JSON.parse(words.decode(new Uint8Array(memory.buffer, at, length)));
      const act = acts[request.do];
      const answer = text.encode(JSON.stringify(act ? act(request) : { error: { message: `there is no request ${request.do}` } }));
      const place = 3.2e6;
      new DataView(memory.buffer).setUint32(place, answer.length, true);
      new Uint8Array(memory.buffer, place + 4, answer.length).set(answer);
      return place;
    },
    nudge_pixels: (session) => {
      const out = new Uint8Array(memory.buffer, 3.6e6, 320 * 240 * 4);
      const t = open.get(session).t / 1e9;
      for (let at = 0; at < 320 * 240; at++) {
        const [x, y] = [at % 320, Math.floor(at / 320)];
        out.set([(x + t * 30) % 90, (y * 0.6) % 160, Math.abs(x - t * 16) < 8 ? 255 : 60, 255], at * 4);
      }
      return 3.6e6;
    },
  };
  WebAssembly.compile = async () => ({});
  WebAssembly.instantiate = async () => ({ exports });
  globalThis.Worker = undefined;
})();
