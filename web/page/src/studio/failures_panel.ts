//! The failures: the message, the pictures, and a button that blesses the golden of a difference.

import { button, h } from "../dom";
import { type Line, type Region } from "../engine/protocol";
import type { Player } from "../play/player";
import { shown } from "../time";
import { cut, difference, figure, read_png, whole, write_png } from "./picture";
import type { Server } from "./server";
import type { Panel } from "./tabs";

/** Matches a line `expect frame NAME in x,y,w,h …`. */
interface Golden { path: string; region: Region }

function golden_of(line: Line, trace: string): Golden | null {
  const name = /^\s*\S+\s+expect\s+frame\s+([A-Za-z0-9_-]+)/.exec(line.text)?.[1];
  if (!name) return null;
  const part = /\sin\s+(\d+),(\d+),(\d+),(\d+)/.exec(line.text.replace(/\s#.*$/, ""));
  const region = part ? (part.slice(1, 5).map(Number) as Region) : whole();
  return { path: `${trace.replace(/\.trace$/, "")}/${name}.png`, region };
}

export class FailuresPanel implements Panel {
  readonly id = "failures";
  readonly name = "Failures";
  readonly element = h("div", { class: "panel failures" });
  private built: unknown = null;

  constructor(
    private readonly player: Player, private readonly server: Server, private readonly path: string,
    private readonly blessed: (path: string, png: Uint8Array) => Promise<void>,
  ) {}

  get lines(): Line[] {
    return (this.player.tracks[0]?.recording.lines ?? []).filter((line) => line.verdict === "failed");
  }

  show(): void {
    const recording = this.player.tracks[0]?.recording;
    if (!recording || this.built === recording) return;
    this.built = recording;
    const { lines } = this;
    // A frame without its golden is not compared, and may be the failure that was reported.
    const uncompared = recording.lines.filter((line) => line.verdict === "skipped" && golden_of(line, this.player.name));
    const whole = recording.verdict === "limit" || recording.verdict === "broken" ? recording.message : null;
    this.element.replaceChildren(
      ...(whole ? [h("p", { class: "told" }, whole)] : []),
      ...[...lines, ...uncompared].map((line) => this.section(line)),
      ...(lines.length || uncompared.length || whole ? [] : [h("p", { class: "dim empty" }, this.player.is_trace ? "Every line passed." : "A live board expects nothing.")]));
  }

  private section(line: Line): HTMLElement {
    const at = line.over ?? line.at ?? 0;
    const pictures = h("div", { class: "pictures" });
    const actions = h("div", { class: "row-of-buttons" }, button(`Go to ${shown(at)}`, () => this.go(at)));
    const golden = golden_of(line, this.player.name);
    if (golden) void this.compare(golden, at, pictures, actions);
    return h("section", { class: "failure" }, h("h3", {}, line.verdict === "failed" ? `✗ Line ${line.line}` : `– Line ${line.line}, not compared`), h("p", { class: "mono" }, line.text.trim()),
      h("p", { class: "message" }, line.message ?? (line.verdict === "failed" ? "failed" : "")), pictures, actions);
  }

  private go(at: number): void {
    const root = this.player.tracks[0];
    if (this.player.track === root) void this.player.seek(at);
    else void this.player.choose(root, at);
  }

  private async compare(golden: Golden, at: number, pictures: HTMLElement, actions: HTMLElement): Promise<void> {
    const root = this.player.tracks[0];
    let seen: Uint8ClampedArray | null = null;
    await this.player.peek(root, [at], (_, pixels) => (seen = pixels), true).catch(() => {});
    if (!seen) return;
    const [, , width, height] = golden.region;
    const part = cut(seen, golden.region);
    const bytes = this.player.blob(golden.path);
    const expected = bytes ? await read_png(bytes).catch(() => null) : null;
    const same_size = expected && expected.width === width && expected.height === height;
    const found = same_size ? difference(part, expected.pixels, width) : null;
    pictures.append(figure(part, width, height, "What the LCD showed", found?.region ?? null));
    if (expected) pictures.append(figure(expected.pixels, expected.width, expected.height, "What was expected", found?.region ?? null));
    if (found) pictures.append(figure(found.pixels, width, height, `What differs: ${found.count} pixels`, found.region));
    if (!same_size) pictures.append(h("p", { class: "told no-golden" }, this.why_without(golden, bytes !== null, expected)));
    if (found?.region && Math.max(found.region[2], found.region[3]) <= LOUPE_FOR) pictures.append(loupe(part, expected!.pixels, found.region, width, height));
    actions.append(this.bless(golden, seen));
  }

  /** Says why nothing is compared. */
  private why_without(golden: Golden, is_there: boolean, picture: { width: number; height: number } | null): string {
    if (picture) return `The golden ${golden.path} has ${picture.width}×${picture.height} pixels, and the line compares ${golden.region[2]}×${golden.region[3]}.`;
    if (is_there) return `The golden ${golden.path} cannot be read as a picture.`;
    if (this.server.is_there) return `There is no golden ${golden.path} yet: bless this one if it is right.`;
    return `This page has no golden ${golden.path}: it was missing when the page was made, or the page's goldens were too large together. \`nudge open\` reads it from the disk.`;
  }

  private bless(golden: Golden, seen: Uint8ClampedArray): HTMLElement {
    if (!this.server.is_there) {
      const command = `nudge replay --bless ${/^[\w./-]+$/.test(this.path) ? this.path : `'${this.path.replace(/'/g, "'\\''")}'`}`;
      return h("span", { class: "command" }, "Bless it with ", h("code", {}, command),
        button("Copy", () => void navigator.clipboard?.writeText(command)));
    }
    return button("Bless: this is right", () => void this.write(golden, seen), { class: "primary bless" });
  }

  private async write(golden: Golden, seen: Uint8ClampedArray): Promise<void> {
    const png = await write_png(seen, golden.region);
    const stored = await this.server.put_golden(golden.path, png);
    if (stored.how === "stored") await this.blessed(golden.path, new Uint8Array(await png.arrayBuffer()));
    else {
      const why = stored.how === "failed" ? stored.message : "the picture has changed on the disk; reload first";
      this.element.prepend(h("p", { class: "told", role: "alert" }, `${golden.path} was not written: ${why}.`));
    }
  }
}

const LOUPE = 24;
/** Largest difference that is magnified, in pixels; a larger one is visible without. */
const LOUPE_FOR = 48;

/** Shows the difference magnified, actual and expected. */
function loupe(is: Uint8ClampedArray, was: Uint8ClampedArray, region: Region, width: number, height: number): HTMLElement {
  const size = Math.min(LOUPE, width, height);
  const start = (from: number, length: number, limit: number) =>
    Math.max(0, Math.min(limit - size, Math.round(from + Math.min(length, size) / 2 - size / 2)));
  const [x, y] = [start(region[0], region[2], width), start(region[1], region[3], height)];
  const draw = (pixels: Uint8ClampedArray, words: string) => {
    const canvas = h("canvas", { width: size, height: size, class: "loupe", role: "img", "aria-label": words, title: words });
    const image = new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, width, height);
    canvas.getContext("2d")!.putImageData(image, -x, -y, x, y, size, size);
    return canvas;
  };
  return h("figure", {}, h("div", { class: "loupes" }, draw(is, "as it is, magnified"), draw(was, "as it was expected, magnified")),
    h("figcaption", {}, `Magnified around ${region[0]},${region[1]}: is, was expected`));
}

