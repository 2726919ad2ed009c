//! Pointers, the wheel and keys on the encoders, switches, joysticks, potentiometers and touch panels of a board. A pointer holds the
//! part on which it went down, wherever it moves; a joystick returns to its rest when it is released. This module draws
//! nothing.

import type { Face } from "../board/face";
import { is_free, move_of } from "../board/keys";
import { slider_ends, stick_reach, type ControlView } from "../board/parts";
import { described, type BoardControl, type Movement, type Position } from "../engine/protocol";

/** The receiver of the movements. */
export interface PartMoved {
  move(control: string, movement: Movement): Promise<void>;
  /** Returns the position of a control at the current time. */
  position(control: string): Position | undefined;
}

/** Steps of a potentiometer: of an arrow key, with Shift, and of PageUp. */
const STEP = 0.05;
const FINE_STEP = 0.01;
const LARGE_STEP = 0.2;
/** Detents of an encoder for PageUp. */
const LARGE_TURN = 5;
/** Way of a pointer for a detent, in pixels of the page. */
const DETENT = 14;

const clamped = (value: number) => Math.min(1, Math.max(0, value));
/** A recording of a drag remains readable in whole percent. */
const percent = (value: number) => Math.round(100 * clamped(value)) / 100;

/** Movements of one control that wait for those before them. */
interface Waiting { next: { movement: Movement; position?: Position; drag: boolean }[]; sends: boolean; position?: Position }

export class PartHands {
  private readonly waiting = new Map<string, Waiting>();
  /** Directions of joysticks whose keys are held: left, right, up, down. */
  private readonly held = new Map<string, Set<number>>();
  private readonly dragged = new Set<string>();

  constructor(private readonly moved: PartMoved) {}

  on_face(face: Face): void {
    for (const view of face.controls) {
      const { element, control } = view;
      element.addEventListener("keydown", (event) => this.focus_key(control, event));
      element.addEventListener("keyup", (event) => this.focus_key_up(control, event));
      element.addEventListener("blur", () => this.let_go_of(control));
      element.addEventListener("contextmenu", (event) => event.preventDefault());
      if (control.kind === "switch") {
        element.addEventListener("click", () => this.toggle(control));
        continue;
      }
      this.on_pointer(view);
      if (control.kind !== "joystick") this.on_wheel(view);
    }
    for (const { name, display } of described?.touches ?? []) {
      const canvas = display === 0 ? face.lcd : face.displays[display - 1]?.element;
      if (canvas) this.on_display(canvas, name);
    }
  }

  /** Returns `true` if the key moves a control. */
  key_down(event: KeyboardEvent): boolean {
    const move = move_of(event.code);
    if (!move || !is_free(event)) return false;
    event.preventDefault();
    const { control, nth } = move;
    if (control.kind === "switch") {
      if (!event.repeat) this.toggle(control);
    } else if (control.kind === "joystick") {
      if (!event.repeat) this.hold(control, nth, true);
    } else {
      this.turn(control, nth === 0 ? -1 : 1, event.shiftKey ? FINE_STEP : STEP);
    }
    return true;
  }

  key_up(event: KeyboardEvent): void {
    const move = move_of(event.code);
    if (move?.control.kind === "joystick") this.hold(move.control, move.nth, false);
  }

  /** Lets go of all joysticks when the page loses the keyboard. */
  let_go(): void {
    for (const control of described?.controls ?? []) this.let_go_of(control);
  }

  private let_go_of(control: BoardControl): void {
    if (this.held.get(control.name)?.size) {
      this.held.delete(control.name);
      this.follow_keys(control);
    }
  }

  private focus_key(control: BoardControl, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { kind } = control;
    const direction = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].indexOf(event.key);
    const large = ["PageDown", "PageUp"].indexOf(event.key);
    if (kind === "switch") {
      if (event.key !== " " && event.key !== "Enter") return;
      if (!event.repeat) this.toggle(control);
    } else if (kind === "joystick") {
      if (direction < 0) return;
      if (!event.repeat) this.hold(control, direction, true);
    } else if (direction >= 0) {
      const more = direction === 1 || direction === 2;
      this.turn(control, more ? 1 : -1, event.shiftKey ? FINE_STEP : STEP);
    } else if (large >= 0) {
      this.turn(control, (large ? 1 : -1) * (kind === "encoder" ? LARGE_TURN : 1), LARGE_STEP);
    } else if (kind === "potentiometer" && (event.key === "Home" || event.key === "End")) {
      this.set(control, event.key === "Home" ? 0 : 1, false);
    } else {
      return;
    }
    event.preventDefault();
  }

  private focus_key_up(control: BoardControl, event: KeyboardEvent): void {
    const direction = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].indexOf(event.key);
    if (control.kind === "joystick" && direction >= 0) this.hold(control, direction, false);
    // The browser would click as well.
    if (event.key === " ") event.preventDefault();
  }

  private on_pointer({ element, control, place }: ControlView): void {
    const { kind, name } = control;
    let from: { id: number; x: number; y: number; turned: number; is_drag: boolean } | null = null;
    /** Returns where the event is on the part, in shares of its width from its left edge and its middle. */
    const at = (event: PointerEvent) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: (event.clientX - left) / width, up: (top + height / 2 - event.clientY) / width };
    };
    const follow = (event: PointerEvent) => {
      if (!from) return;
      if (kind === "encoder") {
        const turned = Math.trunc((from.y - event.clientY) / DETENT);
        from.is_drag ||= turned !== 0;
        const by = turned - from.turned;
        from.turned = turned;
        if (by) this.turn(control, by, 0);
      } else if (kind === "potentiometer") {
        const [left, right] = slider_ends(place.area);
        this.set(control, (at(event).x - left) / (right - left), true);
      } else {
        const reach = stick_reach(place.area);
        const { x, up } = at(event);
        this.tilt(control, (x - 0.5) / reach, up / reach, true);
      }
    };
    element.addEventListener("pointerdown", (event) => {
      if ((event.pointerType === "mouse" && event.button !== 0) || from) return;
      element.setPointerCapture(event.pointerId);
      from = { id: event.pointerId, x: event.clientX, y: event.clientY, turned: 0, is_drag: false };
      if (kind === "joystick") this.dragged.add(name);
      if (kind !== "encoder") follow(event);
    });
    element.addEventListener("pointermove", (event) => { if (from?.id === event.pointerId) follow(event); });
    const release = (event: PointerEvent) => {
      if (from?.id !== event.pointerId) return;
      const { is_drag } = from;
      from = null;
      if (kind === "encoder" && !is_drag && event.type === "pointerup") this.turn(control, at(event).x < 0.5 ? -1 : 1, 0);
      if (kind === "joystick") {
        this.dragged.delete(name);
        this.follow_keys(control);
      }
    };
    for (const over of ["pointerup", "pointercancel", "lostpointercapture"] as const) element.addEventListener(over, release);
  }

  /** A pointer on the display of a touch panel is the finger on it. */
  private on_display(canvas: HTMLCanvasElement, name: string): void {
    let finger: number | null = null;
    let last = "";
    const touch = (event: PointerEvent) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const within = (share: number, limit: number) => Math.floor(Math.min(limit - 1, Math.max(0, share * limit)));
      const x = within((event.clientX - left) / width, canvas.width);
      const y = within((event.clientY - top) / height, canvas.height);
      if (last === `${x},${y}`) return;
      last = `${x},${y}`;
      this.send({ name }, { x, y }, [x, y], true);
    };
    canvas.classList.add("touched");
    canvas.addEventListener("pointerdown", (event) => {
      if ((event.pointerType === "mouse" && event.button !== 0) || finger !== null) return;
      finger = event.pointerId;
      canvas.setPointerCapture(finger);
      touch(event);
    });
    canvas.addEventListener("pointermove", (event) => { if (finger === event.pointerId) touch(event); });
    const lift = (event: PointerEvent) => {
      if (finger !== event.pointerId) return;
      finger = null;
      last = "";
      this.send({ name }, { lift: true }, undefined, false);
    };
    for (const over of ["pointerup", "pointercancel", "lostpointercapture"] as const) canvas.addEventListener(over, lift);
  }

  private on_wheel({ element, control }: ControlView): void {
    let rest = 0;
    element.addEventListener("wheel", (event) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      // A notch of a wheel is about 100 pixels or three lines; a touchpad has many small steps.
      const turned = -(event.deltaY || event.deltaX) / (event.deltaMode === 1 ? 3 : 100);
      rest = Math.abs(turned) >= 0.9 ? Math.round(turned) : rest + turned;
      const by = Math.trunc(rest);
      if (by) {
        rest -= by;
        this.turn(control, by, event.shiftKey ? FINE_STEP : STEP);
      }
    }, { passive: false });
  }

  /** Turns an encoder by detents, or moves a potentiometer by steps. */
  private turn(control: BoardControl, by: number, step: number): void {
    if (control.kind === "encoder") return this.send(control, { turn: by }, undefined, false);
    const position = this.position(control);
    if (typeof position === "number") this.set(control, position + by * step, false);
  }

  private toggle(control: BoardControl): void {
    const on = this.position(control) !== true;
    this.send(control, { on }, on, false);
  }

  private set(control: BoardControl, share: number, drag: boolean): void {
    const x = percent(share);
    if (this.position(control) !== x) this.send(control, { x }, x, drag);
  }

  private hold(control: BoardControl, direction: number, down: boolean): void {
    const held = this.held.get(control.name) ?? new Set();
    this.held.set(control.name, held);
    if (held.has(direction) === down) return;
    if (down) held.add(direction);
    else held.delete(direction);
    if (!this.dragged.has(control.name)) this.follow_keys(control);
  }

  private follow_keys(control: BoardControl): void {
    const held = this.held.get(control.name);
    const axis = (less: number, more: number) => Number(held?.has(more) ?? false) - Number(held?.has(less) ?? false);
    this.tilt(control, axis(0, 1), axis(3, 2), false);
  }

  /** Tilts a joystick to the right and up, as shares of the way from its rest to its ends. */
  private tilt(control: BoardControl, right: number, up: number, drag: boolean): void {
    const rest = control.rest ?? 0.5;
    const axis = (tilt: number) => {
      const share = Math.max(-1, Math.min(1, tilt));
      return percent(rest + share * (share > 0 ? 1 - rest : rest));
    };
    const [x, y] = [axis(right), axis(up)];
    const before = this.position(control);
    if (Array.isArray(before) && before[0] === x && before[1] === y) return;
    this.send(control, { x, y }, [x, y], drag);
  }

  /** Returns the position that a control will have after the movements that wait. */
  private position({ name }: BoardControl): Position | undefined {
    return this.waiting.get(name)?.position ?? this.moved.position(name);
  }

  private send({ name }: { name: string }, movement: Movement, position: Position | undefined, drag: boolean): void {
    const waiting = this.waiting.get(name) ?? { next: [], sends: false };
    this.waiting.set(name, waiting);
    // Of a drag, only the latest point waits.
    if (drag && waiting.next.at(-1)?.drag) waiting.next.pop();
    waiting.next.push({ movement, position, drag });
    waiting.position = position;
    if (!waiting.sends) void this.send_all(name, waiting);
  }

  private async send_all(name: string, waiting: Waiting): Promise<void> {
    waiting.sends = true;
    for (let next = waiting.next.shift(); next; next = waiting.next.shift()) {
      await this.moved.move(name, next.movement);
    }
    waiting.sends = false;
    waiting.position = undefined;
  }
}
