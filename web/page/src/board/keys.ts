//! The key map of docs/keymap.md. Keys are compared by position, so the two letter rows are the two rows of cups on
//! every keyboard. This module does not know the board.

import { described, type BoardControl, type Button } from "../engine/protocol";
import { can_write } from "./lettering";

/** `KeyboardEvent.code` of each button. */
const CODES: Record<string, Button> = {
  KeyZ: "B1", KeyX: "B2", KeyC: "B3", KeyV: "B4", KeyB: "B5", KeyN: "B6",
  KeyQ: "T1", KeyW: "T2", KeyE: "T3", KeyR: "T4", KeyT: "T5", KeyY: "T6",
  Space: "RESET",
};

/** The controls of the board that have keys. */
export type Control = "pause" | "frame" | "power" | "mute" | "undo" | "help" | "keys";

/** The key names on the caps and in the legend. */
export interface Labels { of(action: Button | Control): string }

const CONTROLS: Record<string, Control> = {
  KeyP: "pause", Period: "frame", F5: "power", KeyM: "mute", KeyU: "undo", KeyH: "help", F1: "keys",
};

/** The buttons that `undo` and `help` press together: the held one, then the other. */
export const CHORDS: Record<"undo" | "help", [held: Button, pressed: Button]> = {
  undo: ["RESET", "T6"],
  help: ["RESET", "T5"],
};

/** `KeyboardEvent.code` of the keys of board files whose names are not those of letters, digits or the same. */
const NAMED: Record<string, string> = {
  Return: "Enter", Up: "ArrowUp", Down: "ArrowDown", Left: "ArrowLeft", Right: "ArrowRight", "-": "Minus", "=": "Equal",
  Numlock: "NumLock", Application: "ContextMenu", "#": "Backslash", "[": "BracketLeft", "]": "BracketRight", "\\": "Backslash", ";": "Semicolon", "'": "Quote", "`": "Backquote",
  ",": "Comma", ".": "Period", "/": "Slash",
};

/** Names after `Numpad` in the codes of the keypad. */
const KEYPAD: Record<string, string> = { "/": "Divide", "*": "Multiply", "-": "Subtract", "+": "Add", ".": "Decimal", "=": "Equal" };

const MODIFIERS: Record<string, string> = { Ctrl: "Control", Shift: "Shift", Alt: "Alt", GUI: "Meta" };

/** Returns the `KeyboardEvent.code` of a key by its name in board files. */
export function code_of(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Key${key}`;
  if (/^[0-9]$/.test(key)) return `Digit${key}`;
  const [first, second] = key.split(" ");
  if (second && first === "Keypad") return `Numpad${KEYPAD[second] ?? second}`;
  if (second && MODIFIERS[second]) return `${MODIFIERS[second]}${first}`;
  return NAMED[key] ?? key;
}

/** Long names of keys, as keyboards print them. */
const PRINTED: Record<string, string> = {
  Backspace: "BKSP", Enter: "ENT", Escape: "ESC", Delete: "DEL", Insert: "INS", PageUp: "PGUP", PageDown: "PGDN", CapsLock: "CAPS",
  PrintScreen: "PRT", ScrollLock: "SCRL", NumLock: "NUM", ContextMenu: "MENU", Space: "SPC",
};

/** Returns the name of a key as a small keyboard prints it. */
export const printed = (label: string): string => PRINTED[label] ?? label.replace(/^Numpad/, "KP ");

/** Returns the buttons of the page's board by the codes of their keys. */
function codes(): Record<string, Button> {
  if (!described) return CODES;
  return Object.fromEntries(described.buttons.flatMap(({ name, keys }) => keys.map((key) => [code_of(key), name])));
}

/** Returns the control of a described board that a key moves, and the number of the key among those of the control. */
export function move_of(code: string): { control: BoardControl; nth: number } | undefined {
  for (const control of described?.controls ?? []) {
    const nth = control.keys.findIndex((key) => code_of(key) === code);
    if (nth >= 0) return { control, nth };
  }
  return undefined;
}

export const button_of = (code: string): Button | undefined => codes()[code];

/** Returns the control of a key. Undo and Help are chords of the LCD board. */
export function control_of(code: string): Control | undefined {
  const control = CONTROLS[code];
  return described && (control === "undo" || control === "help") ? undefined : control;
}

/** Returns whether a key event is meant for the page, not for a field, a menu or the browser. */
export function is_free(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const at = event.target;
  if (!(at instanceof HTMLElement)) return true;
  if (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return false;
  // Space activates the focused element, unless that is a button of the board itself.
  const operates = event.code === "Space" && /^(BUTTON|SUMMARY|A)$/.test(at.tagName);
  return !(operates && !at.classList.contains("hit")) && !at.closest("dialog[open]");
}

const US: Record<string, string> = { Space: "Space", Period: "." };
const name_on_us = (code: string) => US[code] ?? code.replace(/^(Key|Digit|Arrow)/, "");

/** Returns the labels of this keyboard's keys, if the browser provides them; otherwise those of a US keyboard. */
export async function labels(): Promise<Labels> {
  const keyboard = (navigator as { keyboard?: { getLayoutMap?(): Promise<Map<string, string>> } }).keyboard;
  return labels_of(await keyboard?.getLayoutMap?.().catch(() => undefined));
}

export function labels_of(map?: Map<string, string>): Labels {
  const name = (code: string) => {
    const own = map?.get(code)?.toUpperCase();
    return own && can_write(own) ? own : name_on_us(code);
  };
  // Of several keys of a button the first is its label.
  const actions = Object.entries<Button | Control>({ ...CONTROLS, ...codes() }).reverse();
  const known = new Map(actions.map(([code, action]) => [action, name(code)]));
  return { of: (action) => known.get(action) ?? "" };
}
