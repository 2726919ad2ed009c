//! The page without the engine: the reason, and the pictures in the page's data.

import { h } from "./dom";
import { blob, type PageData, type TraceData } from "./page_data";

export async function without_engine(data: PageData, why: string, index: number | null, room: HTMLElement): Promise<void> {
  const traces: TraceData[] = index === null ? data.traces : data.traces.slice(index, index + 1);
  const parts: HTMLElement[] = [
    h("p", { class: "told", role: "alert" }, `The machine does not run here. ${why}`),
  ];
  for (const trace of traces) {
    for (const failure of trace.failures) {
      const pictures = h("div", { class: "pictures" });
      for (const [id, words] of [
        [failure.actual, "What the LCD showed"], [failure.expected, "What was expected"], [failure.difference, "What differs"],
      ] as const) {
        const bytes = id === null ? null : await blob(data, id).catch(() => null);
        if (!bytes) continue;
        const src = URL.createObjectURL(new Blob([bytes as BlobPart], { type: "image/png" }));
        pictures.append(h("figure", {}, h("img", { src, alt: words }), h("figcaption", {}, words)));
      }
      parts.push(h("section", {}, h("h3", {}, `${trace.name}${failure.line ? `:${failure.line}` : ""}`),
        h("p", { class: "mono" }, failure.message), pictures));
    }
    if (index === null && trace.text) parts.push(h("pre", { class: "mono" }, trace.text));
  }
  room.replaceChildren(h("main", { class: "no-engine" }, ...parts));
}
