//! A trace of the page in the form that the engine opens: text, included files, pictures, program.

import { blob, type PageData } from "./page_data";
import type { Source } from "./play/player";

/** Returns the trace number `index`; a live board if the page has none. */
export async function source_of(data: PageData, index: number): Promise<Source> {
  const trace = data.traces[index];
  const blobs: Record<string, Uint8Array> = {};
  for (const [path, id] of Object.entries(trace?.blobs ?? {})) {
    const bytes = await blob(data, id);
    if (bytes) blobs[path] = bytes;
  }
  const elf = data.elf === null ? null : await blob(data, data.elf);
  return {
    board: data.board,
    name: trace ? file_name(trace.name) : "live.trace",
    text: trace && !data.live ? trace.text : null,
    header: data.live ? trace?.text : undefined,
    files: trace?.files ?? {},
    blobs,
    elf,
  };
}

/** Returns the last part of a path. */
export const file_name = (path: string): string => path.split(/[\\/]/).pop() || path;
