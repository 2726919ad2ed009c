//! Light or dark: by the system's setting, until the user selects one.

import { button } from "../dom";

const KEY = "nudge-theme";

/** Storage is forbidden to some pages; the selection then lasts as long as the page. */
function stored(value?: string): string | null {
  try {
    if (value !== undefined) localStorage.setItem(KEY, value);
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function next_theme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  stored(root.dataset.theme);
}

export function theme_button(): HTMLButtonElement {
  const chosen = stored();
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  return button("◐", next_theme, { "aria-label": "Light or dark", title: "Light or dark" });
}
