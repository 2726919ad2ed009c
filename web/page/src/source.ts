//! A trace of the page in the form that the engine opens: text, included files, pictures, program.

import { blob, type PageData } from "./page_data";
import type { Engine } from "./engine/engine";
import { use_board, type DescribedBoard } from "./engine/protocol";
import { opening, type Source } from "./play/player";

/** Returns the trace number `index`; a live board if the page has none. */
export async function source_of(data: PageData, index: number): Promise<Source> {
  const trace = data.traces[index];
  const blobs: Record<string, Uint8Array> = {};
  const ids = { ...trace?.blobs, ...data.board_file?.blobs };
  for (const [path, id] of Object.entries(ids)) {
    const bytes = await blob(data, id);
    if (bytes) blobs[path] = bytes;
  }
  const elf = data.elf === null ? null : await blob(data, data.elf);
  return {
    board: data.board,
    name: trace ? file_name(trace.name) : "live.trace",
    text: trace && !data.live ? trace.text : null,
    header: data.live ? trace?.text : undefined,
    files: { ...trace?.files, ...data.board_file?.files },
    board_file: data.board_file?.path ?? null,
    blobs,
    elf,
  };
}

/** Makes the board of the trace number `index` that of the page, and returns the trace. */
export async function source_with_board(data: PageData, index: number, engine: Engine): Promise<Source> {
  const source = await source_of(data, index);
  await use_board_of(source, engine);
  return source;
}

/** Makes the board of `source` that of the page. */
export async function use_board_of(source: Source, engine: Engine): Promise<void> {
  const { answer } = await engine.ask<{ board: DescribedBoard | null }>({ ...opening(source), do: "describe" });
  use_board(answer.board);
}

/** Returns the last part of a path. */
export const file_name = (path: string): string => path.split(/[\\/]/).pop() || path;
