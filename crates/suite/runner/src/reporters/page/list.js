"use strict";
// What the pages of results share: light or dark, the keys of a list, buttons that copy.
const nudgeList = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // Light or dark: as the system has it, until the user chooses.
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });

  // The keys of a list below the search field `text`: `/` goes to the field, `n` and `p` open the next or the
  // previous of the items `chosen` that are shown. An `item` is what a summary belongs to.
  const walk = (text, chosen, item) => document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=search]");
    if (typing && event.key === "Escape") text.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      text.focus();
    } else if (event.key === "n" || event.key === "p") {
      const shown = all(`${chosen}:not([hidden]) summary`);
      const now = shown.indexOf(document.activeElement?.closest(item)?.querySelector("summary"));
      const next = event.key === "n" ? now + 1 : now < 0 ? shown.length - 1 : now - 1;
      const summary = shown[Math.max(0, Math.min(next, shown.length - 1))];
      if (summary) {
        summary.parentElement.open = true;
        summary.focus();
        summary.scrollIntoView({ block: "start" });
      }
    }
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });

  return { all, make, walk };
})();
