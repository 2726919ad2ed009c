//! The data that the program wrote into the page: the mode, traces, files, pictures.

import { from_base64, unpack } from "./engine/engine";

export interface FailureData {
  line: number | null;
  at: number | null;
  message: string;
  expected: string | null;
  actual: string | null;
  difference: string | null;
}

export interface TraceData {
  name: string;
  text: string;
  files: Record<string, string>;
  /** Names of blobs by path. */
  blobs: Record<string, string>;
  /** Time of the first failure, or `null`. */
  at: number | null;
  failures: FailureData[];
  elf_command: string | null;
}

export type BoardKind = "native" | "pico" | "described";

export interface BoardFileData {
  path: string;
  files: Record<string, string>;
  /** Names of blobs by path. */
  blobs: Record<string, string>;
}

export interface PageData {
  mode: "report" | "board" | "studio";
  title: string;
  board: BoardKind;
  /** The board file that describes the board, with the files that it names. */
  board_file: BoardFileData | null;
  elf: string | null;
  traces: TraceData[];
  blobs: Record<string, string>;
  server: { base: string; modified?: string | null } | null;
  live: boolean;
}

/** Parses the element `nudge-data`; `null` in a page without one. */
export function page_data(): PageData | null {
  const text = document.getElementById("nudge-data")?.textContent;
  if (!text) return null;
  const data = JSON.parse(text) as Partial<PageData>;
  return {
    mode: data.mode ?? "board",
    title: data.title ?? "nudge",
    board: data.board ?? "native",
    board_file: data.board_file ?? null,
    elf: data.elf ?? null,
    traces: (data.traces ?? []).map((trace) => ({
      name: trace.name ?? "",
      text: trace.text ?? "",
      files: trace.files ?? {},
      blobs: trace.blobs ?? {},
      at: trace.at ?? null,
      failures: trace.failures ?? [],
      elf_command: trace.elf_command ?? null,
    })),
    blobs: data.blobs ?? {},
    server: data.server ?? null,
    live: data.live ?? false,
  };
}

/** Decodes a blob: base64, and gzip if it has the prefix `gz:`. */
export async function blob(data: PageData, id: string): Promise<Uint8Array | null> {
  const text = data.blobs[id];
  if (text === undefined) return null;
  return text.startsWith("gz:") ? unpack(text.slice(3)) : from_base64(text);
}
