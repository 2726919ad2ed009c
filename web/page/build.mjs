// Bundles the page: `node build.mjs FOLDER` writes page.js and page.css there.
// The worker that the engine runs in is bundled first and goes into page.js as a text.
import { build } from "esbuild";
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2]);
const common = { bundle: true, minify: true, target: ["chrome105", "firefox113"], logLevel: "warning", charset: "utf8" };

const worker = {
  name: "worker",
  setup(bundle) {
    bundle.onResolve({ filter: /^worker-source$/ }, () => ({ path: "worker", namespace: "worker" }));
    bundle.onLoad({ filter: /.*/, namespace: "worker" }, async () => {
      const entry = join(here, "src/engine/worker.ts");
      const built = await build({ ...common, entryPoints: [entry], write: false, format: "iife" });
      return { contents: built.outputFiles[0].text, loader: "text" };
    });
  },
};

mkdirSync(folder, { recursive: true });
await build({
  ...common,
  entryPoints: { page: join(here, "src/main.ts") },
  outdir: folder,
  format: "iife",
  plugins: [worker],
});
await build({ ...common, entryPoints: { page: join(here, "src/style/page.css") }, outdir: folder });
