//! The display after a trap of the engine: its message, and the trace so far, so that the bug can be reported and
//! reproduced.

import { button, download, h } from "./dom";
import type { Trap } from "./play/player";

export function show_trap(trap: Trap, name: string): void {
  document.querySelector("dialog.trap")?.remove();
  const close = () => dialog.remove();
  const dialog = h("dialog", { class: "trap nudge", "aria-labelledby": "trap-title", close },
    h("h2", { id: "trap-title" }, "The machine stopped"),
    h("p", {}, "The engine met an error that it cannot go on from, and was started anew. " +
      "This trace leads there; please report it."),
    h("p", { class: "mono trap-message" }, trap.message),
    h("textarea", { readonly: true, rows: 12, class: "mono", "aria-label": "The trace so far" }, trap.trace),
    h("div", { class: "row-of-buttons" },
      button("Download the trace", () => download(name, trap.trace), { class: "primary" }),
      button("Copy", () => void navigator.clipboard?.writeText(trap.trace)),
      button("Close", () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
