//! Shows an answer of the engine as a list of names and values. It knows the shapes of JSON and the formats of times,
//! colours and regions, but not their meaning.

import { h } from "../dom";
import { bytes, shown } from "../time";

/** Names whose values are times in nanoseconds. */
const MOMENTS = new Set(["at", "start", "end", "from", "until", "over", "written", "written_at", "frame_at", "t"]);

const words = (name: string) => name.replace(/_/g, " ");

/** Returns a list of `values`, without those that are `null` or empty. `go` is called with a clicked time. */
export function facts(values: Record<string, unknown>, go: (t: number) => void): HTMLElement {
  const list = h("dl", { class: "facts" });
  for (const [name, value] of Object.entries(values)) {
    const shown_value = fact(name, value, go);
    if (shown_value) list.append(h("dt", {}, words(name)), h("dd", {}, shown_value));
  }
  return list;
}

function fact(name: string, value: unknown, go: (t: number) => void): Node | string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number") {
    if (MOMENTS.has(name)) {
      return h("button", { type: "button", class: "link", title: "Go there", click: () => go(value) }, shown(value, 6));
    }
    if (/(^|_)bytes$/.test(name)) return bytes(value);
    return Number.isInteger(value) ? String(value) : value.toPrecision(4);
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (!/^#[0-9a-f]{6}$/i.test(value)) return h("span", { class: value.length > 30 ? "mono" : "" }, value);
    return h("span", { class: "mono" }, h("i", { class: "swatch", style: `background:${value}` }), value);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (value.every((part) => typeof part !== "object")) return h("span", { class: "mono" }, value.join(", "));
    const parts = value.map((part) => (typeof part === "object" && part ? facts(part as Record<string, unknown>, go) : String(part)));
    return h("div", { class: "parts" }, ...parts);
  }
  return facts(value as Record<string, unknown>, go);
}
