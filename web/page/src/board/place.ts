//! Places an element of the page over an area of the board's drawing. This module knows no part of the board.

import type { Area } from "./layout";

export function place_at(element: HTMLElement | SVGElement, area: Area, view: Area): void {
  const share = (value: number, of: number) => `${(100 * value) / of}%`;
  element.style.left = share(area.left - view.left, view.width);
  element.style.top = share(area.top - view.top, view.height);
  element.style.width = share(area.width, view.width);
  element.style.height = share(area.height, view.height);
}
