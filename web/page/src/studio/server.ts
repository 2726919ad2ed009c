//! The server that the page came from, if there is one, has access to the files. Without it, the page downloads a
//! file or shows the command. This module does not know the page's elements.

import { download } from "../dom";

export interface FileState { file: string; modified: string | number; changed: boolean }

/** The source of an instruction, with the lines around it. */
export interface Source { function: string; file: string | null; line: number | null; text: { line: number; text: string }[] }

/** The result of writing a file. */
export type Stored =
  | { how: "stored"; modified?: string | number }
  | { how: "downloaded" }
  | { how: "changed" }
  | { how: "exists" }
  | { how: "failed"; message: string };

export class Server {
  private constructor(private readonly base: string | null) {}

  static of(server: { base: string } | null): Server {
    return new Server(server?.base ?? null);
  }

  get is_there(): boolean {
    return this.base !== null;
  }

  /** Whether the last request for the state got no answer of this studio: it has ended, or another one has its port. */
  is_gone = false;

  async state(): Promise<FileState | null> {
    if (this.base === null) return null;
    try {
      const answer = await fetch(`${this.base}state`, { cache: "no-store" });
      this.is_gone = !answer.ok;
      return answer.ok ? ((await answer.json()) as FileState) : null;
    } catch {
      this.is_gone = true;
      return null;
    }
  }

  /** Writes the opened trace, unless another program has changed it since `modified`. */
  put_trace(text: string, modified: string | number | null, name: string): Promise<Stored> {
    const head: Record<string, string> = modified === null ? {} : { "If-Match": String(modified) };
    return this.put("trace", text, head, () => download(name, text), "changed");
  }

  /** Writes a new file beside the trace. */
  put_new(name: string, text: string): Promise<Stored> {
    return this.put(`save?name=${encodeURIComponent(name)}`, text, {}, () => download(name, text), "exists");
  }

  put_golden(path: string, png: Blob): Promise<Stored> {
    const fall_back = () => { throw new Error("goldens are written by a server only"); };
    return this.put(`golden?name=${encodeURIComponent(path)}`, png, {}, fall_back, "changed");
  }

  async source(pc: string): Promise<Source | null> {
    if (this.base === null) return null;
    try {
      const answer = await fetch(`${this.base}source?pc=${encodeURIComponent(pc)}`);
      return answer.ok ? ((await answer.json()) as Source) : null;
    } catch {
      return null;
    }
  }

  private async put(
    where: string, body: BodyInit, headers: Record<string, string>, without: () => void, conflict: "changed" | "exists",
  ): Promise<Stored> {
    if (this.base === null) {
      without();
      return { how: "downloaded" };
    }
    try {
      const answer = await fetch(`${this.base}${where}`, { method: "PUT", body, headers });
      if (answer.status === 409 || answer.status === 412) return { how: conflict };
      if (!answer.ok) return { how: "failed", message: (await answer.text()) || `the server answered ${answer.status}` };
      const told = (await answer.json().catch(() => ({}))) as { modified?: string | number };
      return { how: "stored", modified: told.modified };
    } catch {
      return { how: "failed", message: "the program that opened this page does not answer; is `nudge open` still running?" };
    }
  }
}
