//! The panels with requests about the current time: a pixel, the LCD's registers, the flash, the console, the
//! computer opponent's search.

import { h, refill } from "../dom";
import type { Player } from "../play/player";
import { last_at } from "../play/track";
import { bytes, shown, span } from "../time";
import { facts } from "./facts";
import type { Pointing } from "./pointing";
import type { Server } from "./server";
import type { Panel } from "./tabs";

/** A request whose answer is ignored if a newer one was sent. */
class Latest {
  private number = 0;
  async ask<T>(question: () => Promise<T>, met: (answer: T) => void, failed: (message: string) => void): Promise<void> {
    const number = ++this.number;
    try {
      const answer = await question();
      if (number === this.number) met(answer);
    } catch (error) {
      if (number === this.number) failed((error as Error).message);
    }
  }
}

const note = (words: string) => h("p", { class: "dim empty" }, words);
const goer = (player: Player) => (t: number) => { player.pause(); void player.seek(t, true); };

/** The panel of a pixel: its colour, its writer, its time and its origin. */
export function pixel_panel(player: Player, server: Server): Panel & { look(x: number, y: number, display?: string): void } {
  const element = h("div", { class: "panel" });
  const latest = new Latest();
  let at: [number, number] | null = null;
  let on: string | undefined;
  const show = () => {
    if (!at) {
      element.replaceChildren(note("Click the LCD: the pixel's colour, when it was written, and by what."));
      return;
    }
    if (player.playing) return;
    const [x, y] = at;
    void latest.ask(() => player.question<Record<string, unknown>>("pixel", { x, y, display: on }), (answer) => {
      refill(element, h("h3", {}, `Pixel ${x}, ${y}${on ? ` of ${on}` : ""} at ${shown(player.state.t)}`), facts(told(answer), goer(player)));
      if (typeof answer.report === "string") {
        element.append(h("details", {}, h("summary", {}, "In the words of nudge trace why"), h("pre", { class: "mono" }, answer.report)));
      }
      if (typeof answer.pc === "number") void add_source(element, server, answer.pc);
    }, (message) => element.replaceChildren(note(message)));
  };
  return { id: "pixel", name: "Pixel", element, show, look(x, y, display) { at = [x, y]; on = display; show(); } };
}

interface SourceLine { function: string | null; file: string; line: number }

interface Write {
  at: number;
  transaction: { number: number; start: number; end: number; bytes: number };
  window: { columns: [number, number]; pages: [number, number]; opened: number };
  drawn: { screen: string; element: string } | null;
}

/** Arranges the engine's answer about a pixel for reading. */
function told(answer: Record<string, unknown>): Record<string, unknown> {
  const { colour, at: _, text, unfinished, writes, written, earlier, memory, functions, pc, source, report: __, ...rest } = answer;
  const [place] = (source ?? []) as SourceLine[];
  const callers = ((functions ?? []) as string[]).slice(1);
  const cell = memory as { column: number; page: number } | undefined;
  const write = written as Write | null | undefined;
  const times = ((earlier ?? []) as Write[]).slice(0, EARLIER_MAX).map(({ at }) => ({ at }));
  return {
    colour: typeof colour === "number" ? `#${colour.toString(16).padStart(6, "0")}` : colour,
    text,
    screen: write?.drawn?.screen,
    element: write?.drawn?.element,
    written: write?.at,
    transaction: write && `number ${write.transaction.number}, ${bytes(write.transaction.bytes)} in ${span(write.transaction.end - write.transaction.start)}`,
    start: write?.transaction.start,
    end: write?.transaction.end,
    window: write && `columns ${write.window.columns.join("–")}, pages ${write.window.pages.join("–")}`,
    function: place?.function ?? (functions as string[] | undefined)?.[0],
    source: place && `${place.file}:${place.line}`,
    instruction: typeof pc === "number" ? hex(pc) : undefined,
    called_by: callers.length ? callers.join("\n") : undefined,
    unfinished: unfinished || undefined,
    writes,
    earlier: times,
    memory: cell && `column ${cell.column}, page ${cell.page}`,
    ...rest,
  };
}

/** Maximum number of earlier writes that are listed. */
const EARLIER_MAX = 6;

const hex = (address: number) => `0x${address.toString(16).padStart(8, "0")}`;

/** Adds the source lines around an instruction, if the server has them. */
async function add_source(element: HTMLElement, server: Server, pc: number): Promise<void> {
  const asked = element.firstChild;
  const source = await server.source(hex(pc));
  // Another pixel is shown by now.
  if (!source || element.firstChild !== asked) return;
  const lines = source.text.map(({ line, text }) => h("span", { class: line === source.line ? "here" : "" }, `${String(line).padStart(5)}  ${text}\n`));
  if (lines.length) element.append(h("pre", { class: "mono source-lines", "aria-label": "The lines of source" }, ...lines));
}

interface Register { name: string; code?: string; value: unknown; section?: string; note?: string | null }

/** The panel of the ILI9341's registers; values that changed since the last display are marked. */
export function registers_panel(player: Player): Panel {
  const element = h("div", { class: "panel" });
  const latest = new Latest();
  let before = new Map<string, string>();
  const show = () => {
    if (player.playing) return;
    void latest.ask(() => player.question<Record<string, unknown>>("panel"), (answer) => {
      const registers = (answer.registers ?? []) as Register[];
      const rest = { ...answer };
      delete rest.registers;
      const now = new Map(registers.map(({ name, value }) => [name, String(value)]));
      const table = h("table", { class: "registers" }, h("caption", { class: "heard" }, "Registers of the ILI9341"),
        ...registers.map(({ name, code, value, section, note }) => h("tr", { class: before.size && before.get(name) !== String(value) ? "changed" : "" },
          h("th", { scope: "row", title: section ? `command ${code}, datasheet ${section}` : undefined }, name),
          h("td", { class: "mono" }, String(value)), h("td", { class: "dim" }, note ?? ""))));
      before = now;
      refill(element, h("h3", {}, `LCD controller at ${shown(player.state.t)}`), table, facts(rest, goer(player)));
    }, (message) => element.replaceChildren(note(message)));
  };
  return { id: "registers", name: "LCD", element, show };
}

interface Sector { index: number; erases: number; kind: string; name?: string | null; used?: number }

/** The panel of the flash: a cell for each sector, darker with each erase. */
export function flash_panel(player: Player): Panel {
  const element = h("div", { class: "panel" });
  const latest = new Latest();
  const show = () => {
    if (player.playing) return;
    void latest.ask(() => player.question<Record<string, unknown>>("flash"), (answer) => {
      const sectors = (answer.sectors ?? []) as Sector[];
      const rest = { ...answer };
      delete rest.sectors;
      const lines = Array.isArray(rest.lines) ? (rest.lines as unknown[]).map(String) : [];
      delete rest.lines;
      const most = Math.max(1, ...sectors.map((sector) => sector.erases));
      const kinds = [...new Set(sectors.map((sector) => sector.kind))].filter((kind) => kind && kind !== "free");
      const said = h("p", { class: "mono said" }, `${sectors.length} sectors`);
      const tell = (sector: Sector) => {
        const name = sector.name ? `, ${sector.name}` : "";
        const used = sector.used === undefined ? "" : `, ${bytes(sector.used)} used`;
        said.textContent = `sector ${sector.index}: ${sector.kind || "free"}${name}${used}, erased ${sector.erases} ×`;
      };
      const cells = sectors.map((sector) => {
        const kind = kinds.indexOf(sector.kind) + 1;
        return h("button", { type: "button", class: `sector kind-${kind % 6}`, style: `--wear:${sector.erases / most}`,
          "aria-label": `Sector ${sector.index}, ${sector.kind}, erased ${sector.erases} times`,
          pointerenter: () => tell(sector), focus: () => tell(sector) }, kind ? sector.kind[0].toUpperCase() : "");
      });
      refill(element, h("h3", {}, `Flash at ${shown(player.state.t)}`), h("div", { class: "sectors" }, ...cells), said,
        h("p", { class: "legend" }, ...kinds.map((kind, at) => h("span", {}, h("i", { class: `sector kind-${(at + 1) % 6}` }, kind[0].toUpperCase()), kind))),
        lines.length ? h("pre", { class: "mono" }, lines.join("\n")) : "", facts(rest, goer(player)));
    }, (message) => element.replaceChildren(note(message)));
  };
  return { id: "flash", name: "Flash", element, show };
}

/** Number of console lines shown around the current time. */
const CONSOLE_SHOWN = 2000;
const CONSOLE_STEP = 500;

/** Maximum length of a line that is typed on the console. */
const TYPED_MAX = 512;

/** The panel of the console, on which lines can be typed; lines after the current time are faint. */
export function console_panel(player: Player): Panel {
  const list = h("ol", { class: "console mono" });
  const line = h("input", { class: "mono typed", maxLength: TYPED_MAX, "aria-label": "Line to type on the console", placeholder: "type a line: help", spellcheck: false, autocomplete: "off" });
  const form = h("form", { submit: (event: Event) => {
    event.preventDefault();
    const text = line.value.replace(/[^ -~]/g, "");
    line.value = "";
    if (text.trim()) void player.type_line(text);
  } }, line);
  const element = h("div", { class: "panel" }, form, list);
  let built: [unknown, number, number] = [null, 0, 0];
  const show = () => {
    const { console: lines } = player.track.recording;
    const last = last_at(lines, player.state.t);
    const begin = Math.max(0, Math.floor((last - CONSOLE_SHOWN / 2) / CONSOLE_STEP) * CONSOLE_STEP);
    if (built[0] !== lines || built[1] !== lines.length || built[2] !== begin) {
      built = [lines, lines.length, begin];
      list.replaceChildren(...lines.slice(begin, begin + CONSOLE_SHOWN).map(({ at, text }) => h("li", {},
        h("button", { type: "button", class: "link", click: () => { player.pause(); void player.seek(at); } }, shown(at)), h("span", {}, text))));
      if (!lines.length) list.replaceChildren(h("li", {}, note("Nothing is on the console.")));
    }
    [...list.children].forEach((row, at) => {
      row.classList.toggle("to-come", begin + at > last);
      if (begin + at === last) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    const row = list.children[last - begin] as HTMLElement | undefined;
    if (row) element.scrollTop = Math.max(0, row.offsetTop - element.clientHeight * 0.6);
  };
  return { id: "console", name: "Console", element, show };
}

interface Thoughts {
  moves: { button: string; value: number | null }[];
  /** Whether the search is known; `why` is the reason if not. */
  known: boolean;
  why?: string;
  /** The origin: this board, or `native` in the same position. */
  of: "board" | "position";
  in_hand: string | null;
  decided: string | null;
  turns: number | null;
  sowings: number;
}

/** The panel of the computer's current or last search. */
export function thoughts_panel(player: Player): Panel {
  const element = h("div", { class: "panel" });
  const latest = new Latest();
  const show = () => {
    if (player.playing) return;
    void latest.ask(() => player.question<Thoughts>("thoughts"), (thoughts) => {
      if (!thoughts.moves.length) {
        refill(element, note(thoughts.why ?? "The computer has not thought about a move yet."));
        return;
      }
      const beside = thoughts.of === "position" && h("p", { class: "dim" },
        "A Pico keeps its thoughts to itself. These are of the same firmware on native, in this position, as long after the console has told of it.");
      refill(element, ...(beside ? [beside] : []), h("h3", {}, thoughts.in_hand ? "What the computer considers" : "What the computer considered"),
        thoughts_table(thoughts), facts({
          looks_ahead: thoughts.turns === null ? "to the end of the game" : thoughts.turns === 0 ? "this sowing"
            : `${thoughts.turns} ${thoughts.turns === 1 ? "turn" : "turns"}`,
          sowings: thoughts.sowings,
        }, goer(player)),
        h("p", { class: "dim" }, "Values are in stones, for the player to move. One below the best may be lower still: the search leaves such a move as soon as it is known to be worse."));
    }, (message) => element.replaceChildren(note(message)));
  };
  return { id: "thoughts", name: "Thoughts", element, show };
}

/** Returns the moves with their values, best first as far as the search has got. */
function thoughts_table({ moves, in_hand, decided }: Thoughts): HTMLElement {
  const row = ({ button, value }: Thoughts["moves"][number]) => {
    const state = button === decided ? "plays it" : button === in_hand ? "in hand" : "";
    return h("tr", { class: state ? "changed" : "" }, h("th", { scope: "row" }, button),
      h("td", { class: "mono" }, value === null ? "" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`), h("td", { class: "dim" }, state));
  };
  return h("table", { class: "registers" }, h("caption", { class: "heard" }, "Moves that the computer considers"), ...moves.map(row));
}

/** Marks the region that the current frame redrew. */
export function redrawn(player: Player, pointing: Pointing, shown_now: boolean): void {
  const { frames } = player.track.recording;
  const at = last_at(frames, player.state.t);
  pointing.redrawn(shown_now && at >= 0 ? frames[at].region : null);
}
