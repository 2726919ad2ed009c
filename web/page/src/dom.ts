//! Creates elements of the page from plain values. Text is always inserted as text: this module parses no HTML.

export type Child = Node | string | null | undefined | false;
type Listener = (event: never) => void;
/** Attribute values: a function is a listener, `true` an empty attribute, `false` and `null` none, other values are the attribute's text. */
type Value = string | number | boolean | null | undefined | Listener;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, values: Record<string, Value>, children: Child[]): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "function") element.addEventListener(name, value as unknown as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** Creates an HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K, values: Record<string, Value> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, values, children);
  return element;
}

/** Creates an SVG element. */
export function s(name: string, values: Record<string, Value> = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  fill(element, values, children);
  return element;
}

/** Creates a button with a word on it; `keys` is shown in its tooltip. */
export function button(
  label: string, act: () => void, values: Record<string, Value> = {},
): HTMLButtonElement {
  return h("button", { type: "button", click: act, ...values }, label);
}

/** Replaces the children of `element`. The focused child keeps the focus if it, or one with the same text, is among the new ones. */
export function refill(element: HTMLElement, ...children: (Node | string)[]): void {
  const had = document.activeElement;
  const inside = had instanceof HTMLElement && had !== element && element.contains(had);
  element.replaceChildren(...children);
  if (!inside) return;
  const same = element.contains(had) ? had
    : [...element.querySelectorAll<HTMLElement>(had.tagName)].find((one) => one.textContent === had.textContent);
  same?.focus({ preventScroll: true });
}

/** Creates a drawing of one stroke, 16 × 16, for a button. */
export function icon(path: string): SVGElement {
  return s("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

/** Offers `text` as a file to download. */
export function download(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Returns a colour of the style sheet as text for a canvas. */
export function colour(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim() || "#888";
}
