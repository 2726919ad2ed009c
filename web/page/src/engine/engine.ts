//! The page's interface to the engine: requests and answers, one after the other. It loads the module from the
//! page, runs it in a worker if possible, and restarts it after a trap.

import source from "worker-source";
import { Post, type FromHost, type Request, type ToHost } from "./host";

/** The engine refused a request: its message, and the line of the trace if it names one. */
export class Refused extends Error {
  constructor(message: string, readonly line: number | null) {
    super(message);
  }
}

/** The engine trapped, or was stopped. The machine has been restarted: all sessions are lost. */
export class Trapped extends Error {
  constructor(message: string, readonly stopped = false) {
    super(message);
  }
}

/** The reason why there is no engine. */
export class NoEngine extends Error {}

export interface Answer<T> { answer: T; pixels: Uint8ClampedArray | null }

export interface Version { version: string; source_hash?: string; boards: string[] }

interface Waiting { met(answer: Answer<unknown>): void; failed(error: Error): void }

export class Engine {
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private send: (message: ToHost, transfer?: Transferable[]) => void = () => {};
  private worker: Worker | null = null;
  private bytes: Uint8Array = new Uint8Array();
  /** Number of starts of the machine: sessions of an earlier start are invalid. */
  start = 1;
  version: Version = { version: "?", boards: [] };
  /** Whether the engine can be stopped: only in a worker. */
  get can_stop(): boolean {
    return this.worker !== null;
  }

  /** Called when requests begin to wait (`true`) and when all are answered (`false`). */
  busy: (waits: boolean) => void = () => {};

  /** Loads the engine from the element `engine` of this page. @throws NoEngine */
  static async load(): Promise<Engine> {
    if (typeof WebAssembly !== "object") throw new NoEngine("This browser does not run WebAssembly.");
    if (typeof DecompressionStream !== "function") {
      throw new NoEngine("This browser cannot unpack the machine; one of 2023 or newer can.");
    }
    const text = document.getElementById("engine")?.textContent;
    if (!text?.trim()) throw new NoEngine("This page was written without the machine.");
    const engine = new Engine();
    engine.bytes = await unpack(text);
    await engine.run();
    return engine;
  }

  /** Returns the engine's answer, with the session's picture if `pixels`. @throws Refused, Trapped */
  async ask<T>(request: Request, pixels = false): Promise<Answer<T>> {
    const { answer, pixels: picture } = await this.post((id) => ({ id, request, pixels }));
    const error = (answer as { error?: { message: string; line?: number } }).error;
    if (error) throw new Refused(error.message, error.line ?? null);
    return { answer: answer as T, pixels: picture };
  }

  /** Aborts the current request, for a replay that takes too long: all sessions are lost. */
  async stop(): Promise<void> {
    if (!this.worker) return;
    this.worker.terminate();
    this.fail_all(new Trapped("it was stopped", true));
    await this.run();
  }

  private async run(): Promise<void> {
    try {
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const worker = new Worker(address);
      worker.onmessage = (event: MessageEvent<FromHost>) => this.hear(event.data);
      this.send = (message, transfer) => worker.postMessage(message, transfer ?? []);
      // A policy that forbids workers is reported asynchronously.
      const lost = new Promise<never>((_, failed) => {
        worker.onerror = (event) => { event.preventDefault?.(); failed(new Error(event.message)); };
      });
      this.worker = worker;
      this.version = (await Promise.race([this.start_module(), lost])) as Version;
      worker.onerror = (event) => this.fail_all(new Trapped(event.message || "the engine's thread ended"));
      URL.revokeObjectURL(address);
    } catch (error) {
      if (error instanceof NoEngine) throw error;
      this.worker = null;
      this.waiting.clear();
      const post = new Post((message) => this.hear(message));
      this.send = (message) => post.take(message);
      this.version = (await this.start_module()) as Version;
    }
  }

  private async start_module(): Promise<unknown> {
    const { answer } = await this.post((id) => ({ id, load: this.bytes }));
    return answer;
  }

  private post(message: (id: number) => ToHost): Promise<Answer<unknown>> {
    const id = this.next++;
    return new Promise((met, failed) => {
      this.waiting.set(id, { met, failed });
      if (this.waiting.size === 1) this.busy(true);
      this.send(message(id));
    });
  }

  private hear(message: FromHost): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (this.waiting.size === 0) this.busy(false);
    if ("trap" in message) {
      this.start += 1;
      waiting?.failed(new Trapped(message.trap));
    } else if ("unusable" in message) {
      waiting?.failed(new NoEngine(message.unusable));
    } else {
      waiting?.met({ answer: message.answer, pixels: message.pixels });
    }
  }

  private fail_all(error: Error): void {
    this.start += 1;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    this.busy(false);
    for (const waiting of all) waiting.failed(error);
  }
}

/** Decodes base64 and gzip. */
export async function unpack(text: string): Promise<Uint8Array> {
  const packed = from_base64(text);
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function from_base64(text: string): Uint8Array {
  const bytes = atob(text.replace(/\s+/g, ""));
  const read = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) read[at] = bytes.charCodeAt(at);
  return read;
}
