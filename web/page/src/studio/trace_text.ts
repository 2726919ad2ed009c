//! The trace's text: each line with its verdict, errors below their lines, and the current line highlighted. A click
//! on a line goes to its time.

import { h } from "../dom";
import type { Line, TraceError } from "../engine/protocol";
import type { Player } from "../play/player";
import { shown } from "../time";

const MARKS: Record<string, [mark: string, words: string]> = {
  passed: ["✓", "passed"], failed: ["✗", "failed"], skipped: ["–", "skipped"],
};

/** Maximum number of rows in the page; a trace may have a million lines. */
const ROWS_MAX = 20_000;
/** From this number of rows on, the browser lays out only the visible ones. */
const ROWS_LONG = 2_000;

export class TraceText {
  readonly element = h("ol", { class: "trace-text mono", "aria-label": "The trace" });
  private rows: HTMLElement[] = [];
  private lines: Line[] = [];
  private running = -1;
  private until = Infinity;
  private text = "";

  constructor(private readonly player: Player) {
    player.on("tracks", () => this.build());
    player.on("moment", () => this.light());
  }

  /** Marks the added line. */
  mark_new(line: number): void {
    const row = this.rows[line - 1];
    row?.classList.add("new");
    this.bring(row);
  }

  private build(): void {
    const { recording } = this.player.tracks[0];
    const text = this.player.text ?? "";
    if (text && text === this.text && recording.lines === this.lines && this.rows.length) {
      this.light();
      return;
    }
    this.text = text;
    this.lines = recording.lines;
    this.running = -1;
    this.until = Infinity;
    const known = new Map(recording.lines.map((line) => [line.line, line]));
    const errors = this.player.errors;
    const rows = text.replace(/\r?\n$/, "").split(/\r?\n/);
    this.rows = rows.slice(0, ROWS_MAX).map((words, at) => this.row(at + 1, words, known.get(at + 1), errors.filter((error) => error.line === at + 1)));
    this.element.classList.toggle("long", rows.length > ROWS_LONG);
    if (rows.length > ROWS_MAX) {
      this.rows.push(h("li", { class: "dim empty" }, `${rows.length - ROWS_MAX} more lines are not shown.`));
    }
    const homeless = errors.filter((error) => error.line < 1 || error.line > rows.length);
    this.element.replaceChildren(...homeless.map(error_row), ...this.rows);
    if (!text) {
      this.element.replaceChildren(h("li", { class: "dim empty" }, "What is played stands here as a trace when it pauses."));
      void this.show_played();
    }
    this.light();
    this.bring(this.rows.find((row) => row.querySelector(".error")));
  }

  /** Returns the time up to which the current track is the trace. */
  private fork(): number {
    let until = Infinity;
    for (let track = this.player.track; track.parent; track = track.parent) until = track.from;
    return until;
  }

  private bring(row: HTMLElement | undefined): void {
    if (row && this.element.offsetParent) keep_in_view(this.element, row);
  }

  /** Shows the inputs on a live board as the trace that would be saved. */
  private async show_played(): Promise<void> {
    if (this.player.playing || !this.player.track) return;
    try {
      const { trace } = await this.player.question<{ trace: string }>("save", {}, this.player.tracks[0]);
      const rows = trace.replace(/\n$/, "").split("\n");
      this.element.replaceChildren(...rows.map((words, at) => this.row(at + 1, words, undefined, [])));
    } catch {
      // The player has reported the reason.
    }
  }

  private row(number: number, words: string, line: Line | undefined, errors: TraceError[]): HTMLElement {
    const [mark, verdict] = MARKS[line?.verdict ?? ""] ?? ["", ""];
    const at = line?.at ?? null;
    const when = at === null ? "" : shown(line?.over ?? at);
    const row = h("li", { class: `line ${line?.verdict ?? ""} ${/^\s*#/.test(words) ? "comment" : ""}` },
      h("span", { class: "number" }, String(number)),
      h("span", { class: "verdict", title: verdict, role: verdict ? "img" : undefined, "aria-label": verdict || undefined }, mark),
      at === null
        ? h("span", { class: "words" }, ...coloured(words))
        : h("button", { type: "button", class: "words", title: `Go to ${when}`, click: () => this.go(line!) }, ...coloured(words)),
      h("span", { class: "when" }, when));
    if (line?.verdict === "failed" && line.message && !errors.length) row.append(h("p", { class: "error" }, line.message));
    if (line?.verdict === "skipped" && /^\s*\S+\s+expect\s+((settled\s+)?frames?)\s/.test(words)) {
      row.append(h("p", { class: "error" }, "Not compared: its golden is not here. It was missing when this page was made, or the page's goldens were too large together; `nudge open` reads it from the disk."));
    }
    for (const error of errors) row.append(error_note(error));
    return row;
  }

  private go(line: Line): void {
    const t = line.over ?? line.at ?? 0;
    this.player.pause();
    const root = this.player.tracks[0];
    if (this.player.track === root) void this.player.seek(t);
    else void this.player.choose(root, t);
  }

  /** Highlights the last line at or before the current time. */
  private light(): void {
    const fork = this.fork();
    const t = Math.min(this.player.state.t, fork);
    if (fork !== this.until) {
      this.until = fork;
      for (const line of this.lines) this.rows[line.line - 1]?.classList.toggle("beyond", line.at !== null && line.at >= fork);
    }
    let at = -1;
    for (const line of this.lines) {
      if (line.at !== null && line.at <= t) at = line.line;
    }
    // If several lines have this time, the failed one is highlighted.
    at = this.lines.find((line) => line.verdict === "failed" && (line.over ?? line.at) === t)?.line ?? at;
    if (at === this.running) return;
    this.rows[this.running - 1]?.removeAttribute("aria-current");
    this.running = at;
    const row = this.rows[at - 1];
    row?.setAttribute("aria-current", "step");
    this.bring(row);
  }
}

/** Scrolls the list, but not the elements around it. */
function keep_in_view(list: HTMLElement, row: HTMLElement): void {
  if (list.scrollHeight <= list.clientHeight) return;
  const top = row.offsetTop;
  if (top < list.scrollTop + 20) list.scrollTop = Math.max(0, top - 60);
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight - 20) {
    list.scrollTop = top + row.offsetHeight - list.clientHeight + 60;
  }
}

function error_note(error: TraceError): HTMLElement {
  return h("p", { class: "error" }, `column ${error.column}: ${error.message}`);
}

function error_row(error: TraceError): HTMLElement {
  return h("li", { class: "line failed" }, error_note(error));
}

/** Splits a line into time, verb and comment. */
function coloured(words: string): (Node | string)[] {
  const comment = /(^|\s)#.*$/.exec(words);
  const code = comment ? words.slice(0, comment.index) : words;
  const parts: (Node | string)[] = [];
  const timed = /^(\s*\+?[\d.]+(?:ns|us|ms|s|min|h))(\s+)(\S+)(.*)$/.exec(code);
  if (timed) parts.push(h("span", { class: "delay" }, timed[1]), timed[2], h("span", { class: "verb" }, timed[3]), timed[4]);
  else parts.push(code);
  if (comment) parts.push(h("span", { class: "remark" }, words.slice(comment.index)));
  return parts;
}
