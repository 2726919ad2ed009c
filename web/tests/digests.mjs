// Prints hashes of the frames, tones and console lines of traces in the module, one line a trace.
//   node digests.mjs ENGINE.wasm FOLDER [pico=ELF] TRACE…
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { Engine } from "./engine.mjs";

const [, , wasm, folder, ...rest] = process.argv;
const elf = rest[0]?.startsWith("pico=") ? rest.shift().slice(5) : null;
const slashes = (path) => path.split(sep).join(posix.sep);
const files = readdirSync(folder, { recursive: true }).map(slashes);
const engine = new Engine(wasm);
const program = elf === null ? null : readFileSync(elf);

for (const trace of rest) {
  const from = (path) => slashes(relative(dirname(trace), path));
  const beside = files.filter((file) => dirname(file) === dirname(trace) && file.endsWith(".flash"));
  const goldens = files.filter((file) => file.startsWith(trace.replace(/\.trace$/, "/")) && /\.(png|frames)$/.test(file));
  const { session, errors } = engine.call({
    do: "open",
    board: program === null ? "native" : "pico",
    elf: program === null ? null : engine.hand(program),
    name: posix.basename(trace),
    trace: readFileSync(join(folder, trace), "utf8"),
    files: Object.fromEntries(files.filter((file) => file.endsWith(".inc"))
      .map((file) => [from(file), readFileSync(join(folder, file), "utf8")])),
    blobs: Object.fromEntries([...beside, ...goldens]
      .map((file) => [from(file), engine.hand(readFileSync(join(folder, file)))])),
  });
  if (errors.length > 0) throw new Error(`${trace}: ${JSON.stringify(errors)}`);
  const digest = engine.call({ do: "digest", session });
  engine.call({ do: "close", session });
  console.log(`${trace} ${Object.entries(digest).sort().map(([name, value]) => `${name}=${value}`).join(" ")}`);
}
