// Measures the speed of the module, in user CPU time of node, which hardly depends on other load.
//   node bench.mjs ENGINE.wasm [pico=ELF] [demo] SECONDS…
// Two players press a button every three seconds (with `demo`: the computer plays against itself) for SECONDS of
// virtual time; then random times of it are visited.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Engine } from "./engine.mjs";

const [, , wasm, ...rest] = process.argv;
const elf = rest[0]?.startsWith("pico=") ? readFileSync(rest.shift().slice(5)) : null;
const demo = rest[0] === "demo" && rest.shift() !== undefined;
const SECOND = 1e9;

// Returns the user CPU time of `act` in milliseconds.
function spent(act) {
  const before = process.cpuUsage();
  act();
  return process.cpuUsage(before).user / 1000;
}

const bytes = readFileSync(wasm);
console.log(`module: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);
let engine;
let session;
const board = elf === null ? "native" : "pico";
console.log("first frame:", spent(() => {
  engine = new Engine(wasm);
  const program = elf === null ? null : engine.hand(elf);
  session = engine.call({ do: "open", board, elf: program, header: `seed 7\nplayers ${demo ? "demo" : "two"}` }).session;
  engine.call({ do: "run", session, until: SECOND });
  engine.pixels(session);
}).toFixed(0), "ms");

// A random generator with the same sequence on each machine.
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;

let t = 0;
for (const seconds of rest.map(Number)) {
  const played = spent(() => {
    for (; t < seconds; t += 3) {
      engine.call({ do: "run", session, until: Math.min(t + 3, seconds) * SECOND });
      if (demo) continue;
      const button = "BT"[Math.floor(random() * 2)] + (1 + Math.floor(random() * 6));
      engine.call({ do: "press", session, button });
      engine.call({ do: "release", session, button });
    }
  });
  t = seconds;
  const visits = Array.from({ length: 12 }, () => {
    const at = Math.floor(random() * seconds * SECOND);
    return spent(() => {
      engine.call({ do: "seek", session, t: at });
      engine.pixels(session);
    });
  }).sort((a, b) => a - b);
  engine.call({ do: "seek", session, t: seconds * SECOND });
  const median = visits[visits.length / 2].toFixed(1);
  console.log(`${seconds} s on ${board}${demo ? ", demo" : ""}: played in ${(played / 1000).toFixed(1)} s, a random moment in ${median} ms`
    + ` (longest ${visits.at(-1).toFixed(1)} ms), memory ${(engine.exports.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB`);
}
