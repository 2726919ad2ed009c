//! The lanes of the timeline: each draws one aspect of a track, and describes the time under the pointer. This module
//! knows no canvas element and no pointer.

import { BUTTONS, described, type Button, type Frame, type InputAction, type Line } from "../engine/protocol";
import { last_at, type Track } from "../play/track";
import { bytes, shown, span } from "../time";
import type { Film } from "./film";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "./film";
import { FONT_SMALL, bar, branch_colour, cross, disc, fill, text, triangle, whole_text, type Brush } from "./paint";

export interface Lane {
  name: string;
  height: number;
  track: Track;
  /** Whether a line above it separates it from another track. */
  first: boolean;
  draw(brush: Brush, top: number): void;
  /** Describes the event at `t`, within `near`. */
  at(t: number, near: number): string | null;
}

/** Returns the index of the first element at or after `t`. */
const first_from = (list: readonly { at: number }[], t: number) => last_at(list, t - 1) + 1;

/** Returns the lanes of the trace (or the live board) that have events. */
export function trace_lanes(track: Track, film: Film, budget: number | null, compact: boolean): Lane[] {
  const { recording } = track;
  const lanes: Lane[] = recording.lines.length ? [lines_lane(track)] : [];
  if (compact) lanes.push(all_buttons_lane(track));
  else lanes.push(...used_buttons(track).map((button) => button_lane(track, button)), ...control_lanes(track));
  lanes.push(film_lane(track, film));
  if (!compact && recording.frames.some((frame) => frame.bytes > 0)) lanes.push(bus_lane(track, budget));
  if (recording.tones.length) lanes.push(tone_lane(track));
  if (recording.console.length) lanes.push(console_lane(track));
  if (recording.faults.length + recording.violations.length + recording.power.length > 1) lanes.push(board_lane(track));
  if (lanes[0]) lanes[0].first = true;
  return lanes;
}

/** Returns the two lanes of a branch: its presses and its pictures. */
export function branch_lanes(track: Track, film: Film): Lane[] {
  const buttons = all_buttons_lane(track);
  return [{ ...buttons, name: track.name, first: true }, { ...film_lane(track, film), name: "" }];
}

function used_buttons(track: Track): Button[] {
  const used = new Set(track.recording.fingers.map((finger) => finger.button));
  for (const contact of track.recording.contacts) used.add(contact.button);
  const order = described ? BUTTONS : [...BUTTONS.slice(6, 12), ...BUTTONS.slice(0, 6), "RESET"];
  return order.filter((button) => used.has(button));
}

function finger_colour(brush: Brush, button: Button): string {
  if (described) return brush.colours.finger;
  return brush.colours[button === "RESET" ? "finger-reset" : button[0] === "T" ? "finger-top" : "finger"];
}

/** A lane of one button: the finger as a bar, below it whether its contact is closed, with every bounce. */
function button_lane(track: Track, button: Button): Lane {
  const { recording } = track;
  const fingers = recording.fingers.filter((finger) => finger.button === button);
  const contacts = recording.contacts.filter((contact) => contact.button === button);
  return {
    name: button, height: 14, track, first: false,
    draw(brush, top) {
      for (const { at, until } of fingers) bar(brush, finger_colour(brush, button), at, until ?? recording.end, top + 2, 6);
      for (let at = 0; at < contacts.length; at++) {
        if (!contacts[at].closed) continue;
        bar(brush, brush.colours.contact, contacts[at].at, contacts[at + 1]?.at ?? recording.end, top + 9, 2);
      }
    },
    at(t, near) {
      const finger = fingers.find(({ at, until }) => t >= at - near && t <= (until ?? recording.end) + near);
      if (!finger) return null;
      const held = finger.until === null ? "held to the end" : `for ${span(finger.until - finger.at)}`;
      return `${button} pressed at ${shown(finger.at)} ${held}`;
    },
  };
}

/** Returns the movements of controls; `control` is the name of one. */
const moves = (track: Track, control?: string) =>
  track.recording.inputs.filter((input) => input.control !== null && (control === undefined || input.control === control));

const nearest_move = (list: InputAction[], t: number, near: number) => {
  const move = list.findLast(({ at }) => Math.abs(at - t) <= near);
  return move ? `${move.action} at ${shown(move.at)}` : null;
};

/** The lanes of the controls that move: a mark for each movement, with what it does where there is space. */
function control_lanes(track: Track): Lane[] {
  const names = new Set(moves(track).map(({ control }) => control!));
  return [...names].map((name) => ({
    name, height: 14, track, first: false,
    draw(brush, top) {
      const list = moves(track, name);
      for (let at = first_from(list, brush.scale.from); at < list.length && list[at].at <= brush.scale.to; at++) {
        const x = brush.scale.x(list[at].at);
        fill(brush, brush.colours.finger, x, top + 2, 2, 10);
        const next = list[at + 1] ? brush.scale.x(list[at + 1].at) : brush.scale.right;
        const [, , ...words] = list[at].action.split(" ");
        text(brush, words.join(" "), x + 5, top + 7, next - x - 8, brush.colours.dim);
      }
    },
    at: (t, near) => nearest_move(moves(track, name), t, near),
  }));
}

/** A lane of all buttons in one row, each press with its name; and the movements of controls. */
function all_buttons_lane(track: Track): Lane {
  const { recording } = track;
  return {
    name: "Buttons", height: 18, track, first: false,
    draw(brush, top) {
      if (track.parent) brush.on.globalAlpha = 1;
      for (const { button, at, until } of recording.fingers) {
        const faint = track.parent && at < track.from;
        brush.on.globalAlpha = faint ? 0.3 : 1;
        bar(brush, finger_colour(brush, button), at, until ?? Math.max(track.reached, at), top + 12, 4);
        const x = brush.scale.x(at);
        if (!faint && x > brush.scale.left - 20 && x < brush.scale.right) {
          text(brush, button, x + (track.parent ? 4 : 0), top + 6, 40, brush.colours.ink, FONT_SMALL);
        }
      }
      let free = -Infinity;
      for (const { at, control } of moves(track)) {
        const x = brush.scale.x(at);
        const faint = track.parent && at < track.from;
        if (x < brush.scale.left || x > brush.scale.right) continue;
        brush.on.globalAlpha = faint ? 0.3 : 1;
        fill(brush, brush.colours.finger, x, top + 11, 2, 6);
        // A drag has many movements, and one name.
        if (!faint && x >= free) text(brush, control!, x, top + 6, 60, brush.colours.ink, FONT_SMALL);
        if (x >= free) free = x + 60;
      }
      brush.on.globalAlpha = 1;
    },
    at(t, near) {
      const finger = recording.fingers.findLast(({ at, until }) => t >= at - near && t <= (until ?? track.reached) + near);
      return finger ? `${finger.button} at ${shown(finger.at)}` : nearest_move(moves(track), t, near);
    },
  };
}

/** The lane of frames: pictures side by side in the available width, and a mark for each frame. */
function film_lane(track: Track, film: Film): Lane {
  const { frames } = track.recording;
  return {
    name: "Frames", height: PICTURE_HEIGHT + 12, track, first: false,
    draw(brush, top) {
      const { scale, on, colours } = brush;
      const until = track.end ?? track.reached;
      const begin = Math.max(scale.from, track.parent ? track.from : 0);
      const step = scale.column * (PICTURE_WIDTH + 2);
      // The slots are fixed in time, so that pictures do not change while the view moves.
      for (let slot = Math.floor(begin / step) * step; slot < Math.min(scale.to, until); slot += step) {
        const from = Math.max(slot, begin);
        const at = last_at(frames, slot + step / 2);
        if (at < 0) continue;
        const left = Math.max(scale.left, scale.x(from));
        const right = Math.min(scale.x(Math.min(slot + step, until)) - 2, scale.right);
        const room = Math.min(PICTURE_WIDTH, right - left);
        if (room < 3) continue;
        const picture = film.picture(track, frames[at].at);
        if (picture) {
          const share = (room / PICTURE_WIDTH) * PICTURE_WIDTH * 2;
          on.drawImage(picture, 0, 0, share, PICTURE_HEIGHT * 2, left, top + 1, room, PICTURE_HEIGHT);
        } else fill(brush, colours.sunk, left, top + 1, room, PICTURE_HEIGHT);
      }
      const y = top + PICTURE_HEIGHT + 3;
      let drawn = -9;
      for (let at = first_from(frames, scale.from); at < frames.length && frames[at].at <= scale.to; at++) {
        const x = Math.round(scale.x(frames[at].at));
        if (x === drawn) continue;
        drawn = x;
        fill(brush, frames[at].settled ? colours.ink : colours.frame, x, y, 1, frames[at].settled ? 7 : 5);
        const wide = x - scale.x(frames[at].from);
        if (wide > 2) fill(brush, colours.frame, x - wide, y, wide, 1);
      }
    },
    at(t, near) {
      const at = last_at(frames, t + near);
      if (at < 0) return null;
      const frame = frames[at];
      return `frame ${at + 1} complete at ${shown(frame.at, 6)}${frame.settled ? ", settled" : ""}${drawn_part(frame)}`;
    },
  };
}

const drawn_part = (frame: Frame) =>
  (frame.region ? `, changed ${frame.region[2]}×${frame.region[3]} at ${frame.region[0]},${frame.region[1]}` : "");

/** The lane of the LCD's bus: bytes of each frame, against a budget. */
function bus_lane(track: Track, budget: number | null): Lane {
  const { frames } = track.recording;
  const most = frames.reduce((most, frame) => Math.max(most, frame.bytes), budget ?? 1);
  const height = 28;
  return {
    name: "Bus", height, track, first: false,
    draw(brush, top) {
      const { scale, colours } = brush;
      const room = height - 5;
      // Large and small frames differ by a factor of a thousand: the square root shows both.
      const tall = (count: number) => Math.sqrt(count / most) * room;
      let column = -1;
      let highest = 0;
      const put = () => {
        if (column < 0) return;
        const tallest = Math.max(1.5, tall(highest));
        const over = budget !== null && highest > budget;
        fill(brush, over ? colours["bus-over"] : colours.bus, column, top + height - 2 - tallest, 2, tallest);
      };
      for (let at = first_from(frames, scale.from); at < frames.length && frames[at].at <= scale.to; at++) {
        const x = Math.floor(scale.x(frames[at].at) / 2) * 2;
        if (x !== column) { put(); column = x; highest = 0; }
        highest = Math.max(highest, frames[at].bytes);
      }
      put();
      if (budget !== null) {
        const y = Math.round(top + height - 2 - tall(budget)) + 0.5;
        brush.on.strokeStyle = colours["bus-over"];
        brush.on.setLineDash([4, 3]);
        brush.on.lineWidth = 1;
        brush.on.beginPath();
        brush.on.moveTo(scale.left, y);
        brush.on.lineTo(scale.right, y);
        brush.on.stroke();
        brush.on.setLineDash([]);
      }
    },
    at(t, near) {
      const at = last_at(frames, t + near);
      if (at < 0) return null;
      const { bytes: count, from, at: over } = frames[at];
      const limit = budget === null ? "" : count > budget ? `, over the budget of ${bytes(budget)}` : `, budget ${bytes(budget)}`;
      return `frame ${at + 1}: ${bytes(count)} in ${span(over - from)}${limit}`;
    },
  };
}

/** The lane of tones, higher ones drawn higher. */
function tone_lane(track: Track): Lane {
  const { tones } = track.recording;
  const height = 22;
  const heard = tones.filter((tone) => tone.hz > 0).map((tone) => Math.log(tone.hz));
  const [low, high] = heard.length ? [Math.min(...heard), Math.max(...heard)] : [0, 1];
  return {
    name: "Tones", height, track, first: false,
    draw(brush, top) {
      const { scale, colours } = brush;
      for (let at = Math.max(0, last_at(tones, scale.from)); at < tones.length && tones[at].at <= scale.to; at++) {
        const { hz, at: from } = tones[at];
        if (hz === 0) continue;
        const to = tones[at + 1]?.at ?? track.end ?? track.reached;
        const share = high > low ? (Math.log(hz) - low) / (high - low) : 0.5;
        const y = top + height - 7 - share * (height - 12);
        bar(brush, colours.tone, from, to, y, 4);
        whole_text(brush, `${hz} Hz`, scale.x(from), y < top + 10 ? y + 10 : y - 5, scale.x(to) - scale.x(from), colours.dim);
      }
    },
    at(t, near) {
      const at = last_at(tones, t + near);
      return at >= 0 && tones[at].hz > 0 ? `${tones[at].hz} Hz from ${shown(tones[at].at)}` : null;
    },
  };
}

function console_lane(track: Track): Lane {
  const { console: lines } = track.recording;
  return {
    name: "Console", height: 16, track, first: false,
    draw(brush, top) {
      const { scale, colours } = brush;
      for (let at = first_from(lines, scale.from); at < lines.length && lines[at].at <= scale.to; at++) {
        const x = scale.x(lines[at].at);
        fill(brush, colours.console, x, top + 3, 2, 10);
        const next = lines[at + 1] ? scale.x(lines[at + 1].at) : scale.right;
        if (next - x > 40) text(brush, lines[at].text, x + 5, top + 8, next - x - 8, colours.dim);
      }
    },
    at(t, near) {
      const at = last_at(lines, t + near);
      return at >= 0 && lines[at].at >= t - near ? lines[at].text : null;
    },
  };
}

/** The lane of expectations: waits as spans; expectations as dots, or crosses where they failed. */
function lines_lane(track: Track): Lane {
  const lines = track.recording.lines.filter((line) => line.at !== null && (line.kind === "wait" || line.kind === "expect"));
  return {
    name: "Expected", height: 18, track, first: true,
    draw(brush, top) {
      const { scale, colours } = brush;
      for (const line of lines) {
        if (line.kind !== "wait" || line.over === null) continue;
        bar(brush, line.verdict === "failed" ? colours["fail-soft"] : colours["wait-soft"], line.at!, line.over, top + 5, 8);
        const x = scale.x(line.at!);
        if (line.over - line.at! > scale.column * 3 && x >= scale.left) fill(brush, colours.wait, x, top + 4, 1.5, 10);
      }
      for (const line of lines.filter((line) => line.verdict !== "failed")) {
        const at = line.over ?? line.at!;
        if (at < scale.from || at > scale.to) continue;
        const passed = line.verdict === "passed";
        const style = passed ? (line.kind === "wait" ? colours.wait : colours.pass) : colours["line-strong"];
        disc(brush, style, scale.x(at), top + 9, 3.5);
      }
      for (const line of lines.filter((line) => line.verdict === "failed")) {
        const at = line.over ?? line.at!;
        if (at < scale.from || at > scale.to) continue;
        const x = Math.min(Math.max(scale.x(at), scale.left + 6), scale.right - 6);
        cross(brush, colours.fail, x, top + 9, 5);
      }
    },
    at(t, near) {
      const line = nearest(lines, t, near);
      if (!line) return null;
      const message = line.message ? `: ${line.message}` : "";
      return `line ${line.line} ${line.verdict ?? "not reached"}${message}, ${line.text.trim().replace(/\s+/g, " ")}`;
    },
  };
}

function nearest(lines: Line[], t: number, near: number): Line | null {
  const away = (line: Line) => {
    const [from, to] = [line.at!, line.over ?? line.at!];
    return t < from ? from - t : t > to ? t - to : line.kind === "wait" ? Math.min(near, to - t) : 0;
  };
  const found = lines.filter((line) => away(line) <= near * 2);
  // A failure is preferred to other lines near the pointer.
  return found.sort((a, b) => Number(b.verdict === "failed") - Number(a.verdict === "failed") || away(a) - away(b))[0] ?? null;
}

/** The lane of power, faults, and findings of the LCD's linter. */
function board_lane(track: Track): Lane {
  const { power, faults, violations } = track.recording;
  return {
    name: "Board", height: 16, track, first: false,
    draw(brush, top) {
      const { scale, colours } = brush;
      for (let at = 0; at < power.length; at++) {
        if (power[at].on) continue;
        bar(brush, colours.off, power[at].at, power[at + 1]?.at ?? track.end ?? track.reached, top + 1, 14);
        text(brush, "no power", scale.x(power[at].at) + 3, top + 8,
          scale.x(power[at + 1]?.at ?? track.reached) - scale.x(power[at].at) - 4, colours.dim);
      }
      for (const fault of faults) {
        const x = scale.x(fault.at);
        if (x < scale.left || x > scale.right) continue;
        triangle(brush, colours.wait, x, top + 8, 5);
        text(brush, fault.text, x + 7, top + 8, 140, colours.dim);
      }
      for (const violation of violations) {
        const x = scale.x(violation.at);
        if (x < scale.left || x > scale.right) continue;
        // A note is no failure: a use that real panels tolerate although the datasheet discourages it.
        if (violation.note) disc(brush, colours["line-strong"], x, top + 8, 3);
        else cross(brush, colours.fail, x, top + 8, 4);
      }
    },
    at(t, near) {
      const violation = violations.find((violation) => Math.abs(violation.at - t) <= near * 2);
      if (violation) return `${violation.note ? "note, " : ""}${violation.rule}: ${violation.message}`;
      return faults.find((fault) => Math.abs(fault.at - t) <= near * 2)?.text ?? null;
    },
  };
}

/** Draws the line from a track to its branch. */
export function fork(brush: Brush, track: Track, from_y: number, to_y: number): void {
  const { on, scale, colours } = brush;
  const x = scale.x(track.from);
  if (x < scale.left || x > scale.right) return;
  on.strokeStyle = branch_colour(colours, track.number);
  on.lineWidth = 2;
  on.beginPath();
  on.moveTo(x, from_y);
  on.lineTo(x, to_y - 6);
  on.quadraticCurveTo(x, to_y, x + 6, to_y);
  const end = Math.min(scale.right, Math.max(x + 6, scale.x(track.reached)));
  on.lineTo(end, to_y);
  on.stroke();
  disc(brush, branch_colour(colours, track.number), x, from_y, 3.5);
}
