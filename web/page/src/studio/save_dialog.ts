//! Asks for a new trace's name and shows the text that will be written.

import { button, h } from "../dom";

/** Returns a name that ends in `.trace`, or `null` if the user cancels. */
export function ask_name(proposal: string, text: string, on_server: boolean): Promise<string | null> {
  return new Promise((met) => {
    const name = h("input", { value: proposal, size: 36, class: "mono", "aria-label": "File name", spellcheck: false, autocomplete: "off" });
    const wrong = h("p", { class: "told", role: "alert" });
    let answer: string | null = null;
    const done = (event?: Event) => {
      event?.preventDefault();
      const wanted = name.value.trim().replace(/(\.trace)?$/, ".trace");
      if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]*\.trace$/.test(wanted)) {
        wrong.textContent = "A name has letters, digits, - and _, and no folder.";
        return;
      }
      answer = wanted;
      dialog.close();
    };
    const dialog = h("dialog", { class: "save-dialog nudge", "aria-labelledby": "save-title",
      close: () => { dialog.remove(); met(answer); } },
      h("h2", { id: "save-title" }, "Save as a trace"),
      h("form", { submit: done }, name, wrong,
        h("textarea", { readonly: true, rows: 14, class: "mono", "aria-label": "The trace" }, text),
        h("div", { class: "row-of-buttons" },
          button(on_server ? "Save beside the trace" : "Download", () => done(), { class: "primary" }),
          button("Cancel", () => dialog.close()))));
    document.body.append(dialog);
    dialog.showModal();
    name.focus();
    name.setSelectionRange(0, name.value.length - ".trace".length);
  });
}
