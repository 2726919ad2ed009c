//! Panels, one of which is shown.

import { h } from "../dom";

export interface Panel {
  id: string;
  name: string;
  element: HTMLElement;
  /** Called when the panel is shown, and whenever the time changes while it is shown. */
  show(): void;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tab-list", role: "tablist", "aria-label": "Panels" });
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private shown: Panel | null = null;

  constructor(private readonly panels: Panel[]) {
    for (const panel of panels) {
      const tab = h("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}`,
        "aria-selected": "false", tabindex: -1, click: () => this.open(panel.id) }, panel.name);
      panel.element.id = `panel-${panel.id}`;
      panel.element.setAttribute("role", "tabpanel");
      panel.element.setAttribute("aria-labelledby", tab.id);
      panel.element.hidden = true;
      this.tabs.set(panel.id, tab);
      this.list.append(tab);
    }
    this.list.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!way || !this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      const next = this.panels[(this.panels.indexOf(this.shown) + way + this.panels.length) % this.panels.length];
      this.open(next.id);
      this.tabs.get(next.id)?.focus();
    });
    this.element = h("div", { class: "tabs" }, this.list, h("div", { class: "panels" }, ...panels.map((panel) => panel.element)));
    this.open(panels[0].id);
  }

  open(id: string): void {
    const panel = this.panels.find((panel) => panel.id === id);
    if (!panel) return;
    for (const other of this.panels) {
      const now = other === panel;
      other.element.hidden = !now;
      const tab = this.tabs.get(other.id)!;
      tab.setAttribute("aria-selected", String(now));
      tab.tabIndex = now ? 0 : -1;
    }
    this.shown = panel;
    panel.show();
  }

  /** Shows a number beside a tab's name; 0 hides it. */
  count(id: string, count: number): void {
    const tab = this.tabs.get(id);
    const panel = this.panels.find((panel) => panel.id === id);
    if (tab && panel) tab.textContent = count ? `${panel.name} ${count}` : panel.name;
  }

  is_open(id: string): boolean {
    return this.shown?.id === id;
  }

  /** Reports that the time has changed. */
  update(): void {
    this.shown?.show();
  }
}
