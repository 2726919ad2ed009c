//! Files that the user drops on the page, or chooses: a program and a board file, with the tables, fonts and images that
//! it names. They replace those of the page's board. Nothing of them leaves the page.

import { button, h } from "./dom";
import type { Engine } from "./engine/engine";
import { described, type Opened, type State, type TraceError } from "./engine/protocol";
import { opening, type Source } from "./play/player";

/** Largest total size of the files in bytes, and their largest number. */
const BYTES_MAX = 64 << 20;
const COUNT_MAX = 32;

export interface Dropped { name: string; bytes: Uint8Array }

/** What the files are. */
interface Sorted { board: Dropped | null; program: Dropped | null; others: Dropped[] }

const text_of = (file: Dropped) => new TextDecoder().decode(file.bytes);

function is_board(file: Dropped): boolean {
  return /\.board\.toml$/i.test(file.name) || (/\.toml$/i.test(file.name) && /^\s*board\s*=/m.test(text_of(file)));
}

function is_program({ name, bytes }: Dropped): boolean {
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  return /\.(uf2|elf|hex)$/i.test(name) || starts(0x7f, 0x45, 0x4c, 0x46) || starts(0x55, 0x46, 0x32, 0x0a);
}

/** Returns the name of the program that the text of a board file gives; the engine reads the file itself. */
const named_program = (board: Dropped) => /^\s*program\s*=\s*["']([^"']+)["']/m.exec(text_of(board))?.[1] ?? null;

const last_part = (path: string) => path.split(/[\\/]/).pop() ?? path;

/** Reads the files. @throws Error if they are too many or too large. */
async function read(files: File[]): Promise<Dropped[]> {
  if (files.length > COUNT_MAX) throw new Error(`These are ${files.length} files; a page takes at most ${COUNT_MAX} at once.`);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > BYTES_MAX) {
    throw new Error(`${files.length === 1 ? files[0].name : "These files"}: ${Math.ceil(total / (1 << 20))} MiB are more than a page takes, ${BYTES_MAX >> 20} MiB.`);
  }
  return Promise.all(files.map(async (file) => {
    const bytes = await file.arrayBuffer().catch(() => { throw new Error(`${file.name} cannot be read; is it a folder?`); });
    return { name: file.name, bytes: new Uint8Array(bytes) };
  }));
}

/** Finds the program and the board file among the files. @throws Error if there are several or none. */
function sorted(files: Dropped[]): Sorted {
  const boards = files.filter(is_board);
  if (boards.length > 1) throw new Error(`${boards[0].name} and ${boards[1].name} are board files; drop one of them.`);
  const [board = null] = boards;
  let programs = files.filter((file) => file !== board && is_program(file));
  if (!board && !programs.length && files.length === 1 && /\.bin$/i.test(files[0].name)) programs = files;
  if (programs.length > 1) {
    const named = board && named_program(board);
    const wanted = programs.filter((program) => named !== null && program.name === last_part(named));
    if (wanted.length !== 1) throw new Error(`${programs[0].name} and ${programs[1].name} are programs; drop one of them.`);
    programs = wanted;
  }
  const [program = null] = programs;
  if (!board && !program) {
    const names = files.map(({ name }) => name).join(", ");
    throw new Error(`${names}: neither a program (UF2, ELF, HEX, BIN) nor a board file (NAME.board.toml).`);
  }
  return { board, program, others: files.filter((file) => file !== board && file !== program) };
}

/** Returns the path of the file of this name: of one that was dropped, or of one of the page. */
const blob_named = (name: string, blobs: Record<string, Uint8Array>) =>
  (name in blobs ? name : Object.keys(blobs).find((path) => last_part(path) === name));

/** The source with the files in place of its own, and the path of its board file. */
interface Replaced { source: Source; path: string | null }

/** Puts the files in place of those of `source`. */
function replaced(source: Source, { board, program, others }: Sorted): Replaced {
  const blobs = { ...source.blobs };
  const files = { ...source.files };
  for (const { name, bytes } of others) blobs[name] = bytes;
  const next: Source = { ...source, blobs, files };
  // A trace names the file of its board: the new one takes its place.
  const own = source.text !== null ? described?.file ?? null : null;
  const path = board ? own ?? board.name : described?.file ?? null;
  if (board && path !== null) {
    delete files[path];
    blobs[path] = board.bytes;
  }
  if (path !== null && own === null) Object.assign(next, { board: "described", board_file: path, elf: null, header: undefined });
  if (program && path === null) return { source: { ...next, board: "pico", elf: program.bytes }, path };
  if (program) {
    blobs[program.name] = program.bytes;
    next.program = program.name;
  } else if (board) {
    const named = named_program(board);
    next.program = (named !== null ? blob_named(last_part(named), blobs) : described?.program) ?? source.program ?? null;
    if (named === null && !next.program && source.elf) {
      blobs["program"] = source.elf;
      next.program = "program";
    }
  }
  return { source: next, path };
}

/** Powers the board on without its trace, then checks its trace. @throws Error with the reason why it does not run. */
async function try_out({ source, path }: Replaced, engine: Engine): Promise<void> {
  const live: Source = { ...source, text: null };
  if (path !== null) Object.assign(live, { board: "described", board_file: path });
  const { answer: { session } } = await engine.ask<Opened>(opening(live));
  const { answer: state } = await engine.ask<State>({ do: "seek", session, t: 0 });
  await engine.ask({ do: "close", session });
  if (state.broken) throw new Error(state.broken);
  if (source.text === null) return;
  const { answer } = await engine.ask<{ errors?: TraceError[] }>({ ...opening(source), do: "describe" });
  const [error] = answer.errors ?? [];
  if (error) throw new Error(`${source.name}:${error.line}:${error.column}: ${error.message}`);
}

/** The board that takes the files. */
export interface Target {
  /** The source of the board that runs. `null` if the user does not want it to be replaced. */
  source(): Source | null;
  /** Replaces the board. */
  take(source: Source, words: string): Promise<void>;
}

/** Takes files that are dropped on the page or chosen with its button, as long as the page has its board. */
export class FileDrop {
  readonly button: HTMLElement;
  /** The reason why files were refused. */
  readonly note = h("div", { class: "told drop-told", role: "alert", hidden: true });
  private readonly chooser = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Program and board file" });
  private readonly sign = h("div", { class: "drop-sign", hidden: true }, "Drop a program (UF2, ELF), a board file, or both");

  constructor(private readonly engine: Engine, private readonly target: Target, gone: AbortSignal) {
    this.chooser.addEventListener("change", () => {
      void this.take([...(this.chooser.files ?? [])]);
      this.chooser.value = "";
    });
    this.button = h("span", { class: "load-files" },
      button("Load…", () => this.chooser.click(), { title: "Load a program (UF2, ELF), a board file, or both; they can be dropped on the page too" }),
      this.chooser, this.sign);
    const has_files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!has_files(event)) return;
      event.preventDefault();
      this.sign.hidden = false;
    };
    addEventListener("dragenter", over, { signal: gone });
    addEventListener("dragover", over, { signal: gone });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) this.sign.hidden = true; }, { signal: gone });
    addEventListener("drop", (event) => {
      if (!has_files(event)) return;
      event.preventDefault();
      this.sign.hidden = true;
      void this.take([...(event.dataTransfer?.files ?? [])]);
    }, { signal: gone });
  }

  private async take(files: File[]): Promise<void> {
    if (!files.length) return;
    this.note.hidden = true;
    let found: Sorted | null = null;
    let path: string | null = null;
    try {
      found = sorted(await read(files));
      const current = this.target.source();
      if (!current) return;
      const next = replaced(current, found);
      path = next.path;
      await try_out(next, this.engine);
      const names = [found.program, found.board].flatMap((file) => (file ? [file.name] : []));
      await this.target.take(next.source, `Loaded ${names.join(" and ")}`);
    } catch (error) {
      this.refuse(found, path, (error as Error).message);
    }
  }

  private refuse(found: Sorted | null, path: string | null, message: string): void {
    const board = found?.board;
    // The engine knows the board file by the path that the trace gives.
    const words = board && path ? message.replaceAll(path, board.name) : message;
    const named = found?.program && !words.includes(found.program.name) && !board ? `${found.program.name}: ${words}` : words;
    this.note.replaceChildren(h("p", { class: "drop-reason mono" }, named),
      h("p", {}, "The board on the page is the same as before.", board &&
        " A board file is dropped together with its program, and with the tables, fonts and images that it names."),
      button("Close", () => (this.note.hidden = true)));
    this.note.hidden = false;
  }
}
