// Writes a page like `nudge`, from the bundle and data, for the tests of the bundle: `write_page(folder, data)`.
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
export const repository = join(here, "../../..");
export const target = resolve(process.env.CARGO_TARGET_DIR ?? join(repository, "target"));
export const bundle = resolve(process.env.NUDGE_PAGE ?? join(repository, "web/bundle"));

/** Returns a trace of tests/traces with the files that it needs. */
export function trace_of(path) {
  const text = readFileSync(join(repository, path), "utf8");
  const at = path.replace(/\.trace$/, "");
  const name = path.split("/").pop();
  const blobs = {};
  const data = {};
  for (const found of text.matchAll(/expect frame ([\w-]+)/g)) {
    const file = join(repository, at, `${found[1]}.png`);
    if (!existsSync(file)) continue;
    const id = `${name}-${found[1]}`;
    data[id] = readFileSync(file).toString("base64");
    blobs[`${name.replace(/\.trace$/, "")}/${found[1]}.png`] = id;
  }
  return { trace: { name: path, text, files: {}, blobs, at: null, failures: [], elf_command: null }, data };
}

/** Writes a page with `data` and returns its address; `body` is inserted before the script. */
export function write_page(folder, name, data, { body = "", engine = true } = {}) {
  const wasm = engine ? readFileSync(join(bundle, "engine.wasm.gz")).toString("base64") : "ZmFrZQ==";
  const whole = { mode: "studio", title: "nudge", board: "native", elf: null, traces: [], blobs: {}, server: null, live: false, ...data };
  const html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<style>${readFileSync(join(bundle, "page.css"), "utf8")}</style></head><body>${body}
<script type="application/octet-stream;gzip;base64" id="engine">${wasm}</script>
<script type="application/json" id="nudge-data">${JSON.stringify(whole).replaceAll("<", "\\u003c")}</script>
<script>${readFileSync(join(bundle, "page.js"), "utf8").replaceAll("</script", "<\\/script")}</script></body></html>`;
  const path = join(folder, name);
  writeFileSync(path, html);
  return `file://${path}`;
}
