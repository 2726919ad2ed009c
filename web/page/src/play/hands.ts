//! Keys, mouse and touch on a board press and release the player's buttons, and move its other controls. This module draws nothing.

import type { Face } from "../board/face";
import { Held } from "../board/held";
import { CHORDS, button_of, is_free } from "../board/keys";
import { BUTTONS, type Button } from "../engine/protocol";
import { PartHands, type PartMoved } from "./part_hands";

/** The receiver of the presses. */
export interface Moved extends PartMoved {
  press(button: Button): void;
  release(button: Button): void;
  /** Presses `held`, then `other`, and releases them in reverse order. */
  chord(held: Button, other: Button): void;
}

export class Hands {
  private readonly held = new Held();
  private readonly parts: PartHands;

  constructor(private readonly moved: Moved) {
    this.parts = new PartHands(moved);
  }

  /** Connects the buttons of `face` to mouse, touch, and Enter or Space on the focused button. */
  on_face(face: Face): void {
    this.parts.on_face(face);
    for (const button of BUTTONS) {
      const element = face.buttons[button];
      const release = (event: PointerEvent) => this.release(button, `pointer ${event.pointerId}`);
      element.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button !== 0) return;
        element.setPointerCapture(event.pointerId);
        this.press(button, `pointer ${event.pointerId}`);
      });
      element.addEventListener("pointerup", release);
      element.addEventListener("pointercancel", release);
      element.addEventListener("lostpointercapture", release);
      element.addEventListener("contextmenu", (event) => event.preventDefault());
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.repeat) return;
        event.preventDefault();
        this.press(button, "Enter");
      });
      element.addEventListener("keyup", (event) => {
        if (event.key === "Enter") this.release(button, "Enter");
        // Space is RESET wherever the focus is; the browser would click as well.
        if (event.key === " ") event.preventDefault();
      });
      // A screen reader clicks without a pointer.
      element.addEventListener("click", (event) => {
        if (event.detail !== 0 || (event as PointerEvent).pointerType) return;
        this.press(button, "click");
        setTimeout(() => this.release(button, "click"), 80);
      });
    }
  }

  /** Returns `true` if the key belongs to the board. */
  key_down(event: KeyboardEvent): boolean {
    if (this.parts.key_down(event)) return true;
    const button = button_of(event.code);
    if (!button || !is_free(event) || event.shiftKey) return false;
    event.preventDefault();
    if (!event.repeat) this.press(button, event.code);
    return true;
  }

  key_up(event: KeyboardEvent): void {
    this.parts.key_up(event);
    const button = button_of(event.code);
    if (button) this.release(button, event.code);
  }

  /** Presses two buttons together, as fingers would: Undo, Help. */
  chord(which: "undo" | "help"): void {
    this.moved.chord(...CHORDS[which]);
  }

  /** Releases all buttons and joysticks when the page loses the keyboard, because it receives no more key releases. */
  let_go(): void {
    this.parts.let_go();
    for (const button of this.held.release_all()) this.moved.release(button);
  }

  private press(button: Button, holder: string): void {
    if (this.held.press(button, holder)) this.moved.press(button);
  }

  private release(button: Button, holder: string): void {
    if (this.held.release(button, holder)) this.moved.release(button);
  }
}
