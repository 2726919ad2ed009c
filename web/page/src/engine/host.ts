//! Runs the engine's module in this thread: passes requests as JSON and reads answers from its memory. This module
//! knows no page and no worker.

/** The exports of the module, as in docs/web-engine.md. */
interface Exports {
  memory: WebAssembly.Memory;
  nudge_alloc(length: number): number;
  nudge_free(pointer: number, length: number): void;
  nudge_call(pointer: number, length: number): number;
  nudge_pixels(session: number): number;
  nudge_display_pixels(session: number, display: number): number;
}

/** A request of the page; its byte arrays are passed as memory. */
export type Request = { do: string; session?: number } & Record<string, unknown>;

/** Number of bytes of a picture of the LCD board. */
const PIXELS = 320 * 240 * 4;

/** The parts of an answer that name the picture of a session. */
interface Shown { session?: number; board?: { panel: [number, number]; displays?: Panel[] } | null }

/** A display after the first one. */
interface Panel { name: string; panel: [number, number] }

export class Host {
  private exports: Exports;
  /** Number of bytes of the pictures of sessions on described boards. */
  private readonly sizes = new Map<number, number>();
  /** The displays after the first one of sessions on described boards. */
  private readonly further = new Map<number, Panel[]>();

  private constructor(private readonly module: WebAssembly.Module, instance: WebAssembly.Instance) {
    this.exports = instance.exports as unknown as Exports;
  }

  static async start(bytes: BufferSource): Promise<Host> {
    const module = await WebAssembly.compile(bytes);
    return new Host(module, await WebAssembly.instantiate(module, {}));
  }

  /** Instantiates a new machine with empty memory, for use after a trap. */
  async start_anew(): Promise<void> {
    const instance = await WebAssembly.instantiate(this.module, {});
    this.exports = instance.exports as unknown as Exports;
    this.sizes.clear();
    this.further.clear();
  }

  /** Returns the engine's answer. @throws WebAssembly.RuntimeError if the engine traps. */
  call(request: Request): unknown {
    const text = JSON.stringify(this.hand_over(request));
    const sent = this.put(new TextEncoder().encode(text));
    const answer = this.exports.nudge_call(sent.ptr, sent.len);
    this.exports.nudge_free(sent.ptr, sent.len);
    const length = new DataView(this.exports.memory.buffer).getUint32(answer, true);
    const read = new Uint8Array(this.exports.memory.buffer, answer + 4, length);
    const parsed = JSON.parse(new TextDecoder().decode(read)) as Shown;
    this.note_size(request, parsed);
    return parsed;
  }

  /** Returns a copy of the session's current picture. */
  pixels(session: number): Uint8ClampedArray {
    const pointer = this.exports.nudge_pixels(session);
    const size = this.sizes.get(session) ?? PIXELS;
    if (pointer === 0) return new Uint8ClampedArray(size);
    return new Uint8ClampedArray(this.exports.memory.buffer, pointer, size).slice();
  }

  /** Returns copies of the current pictures of a session's displays after the first one, by their names. */
  displays(session: number): Record<string, Uint8ClampedArray> | undefined {
    const further = this.further.get(session);
    if (!further?.length) return undefined;
    return Object.fromEntries(further.flatMap(({ name, panel: [width, height] }, at) => {
      const pointer = this.exports.nudge_display_pixels(session, at + 1);
      if (pointer === 0) return [];
      return [[name, new Uint8ClampedArray(this.exports.memory.buffer, pointer, width * height * 4).slice()]];
    }));
  }

  /** Notes the size of the pictures of a session that the engine has opened: that of its board, or of its parent. */
  private note_size(request: Request, { session, board }: Shown): void {
    if (session === undefined) return;
    const parent = request.do === "branch" ? this.sizes.get(request.session ?? 0) : undefined;
    const size = board ? board.panel[0] * board.panel[1] * 4 : parent;
    if (size !== undefined) this.sizes.set(session, size);
    const further = request.do === "branch" ? this.further.get(request.session ?? 0) : board?.displays;
    if (further) this.further.set(session, further);
  }

  private put(bytes: Uint8Array): { ptr: number; len: number } {
    const ptr = this.exports.nudge_alloc(bytes.length);
    new Uint8Array(this.exports.memory.buffer, ptr, bytes.length).set(bytes);
    return { ptr, len: bytes.length };
  }

  private hand_over(value: unknown): unknown {
    if (value instanceof Uint8Array) return this.put(value);
    if (Array.isArray(value)) return value.map((part) => this.hand_over(part));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.hand_over(part)]));
  }
}

export type ToHost =
  | { id: number; load: Uint8Array }
  | { id: number; request: Request; pixels: boolean };

export type FromHost =
  | { id: number; answer: unknown; pixels: Uint8ClampedArray | null }
  | { id: number; trap: string }
  | { id: number; unusable: string };

/** Answers messages one after the other, in this thread; used by the worker and by a page without workers. */
export class Post {
  private host: Host | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly answer: (message: FromHost) => void) {}

  take(message: ToHost): void {
    this.last = this.last.then(() => this.handle(message)).catch((error: unknown) => {
      this.answer({ id: message.id, unusable: String(error) });
    });
  }

  private async handle(message: ToHost): Promise<void> {
    const { id } = message;
    if ("load" in message) {
      this.host = await Host.start(message.load as BufferSource);
      this.answer({ id, answer: this.host.call({ do: "version" }), pixels: null });
      return;
    }
    const host = this.host;
    if (!host) throw new Error("the engine is not loaded");
    try {
      const answer = host.call(message.request);
      const session = message.request.session;
      const pixels = message.pixels && session !== undefined ? host.pixels(session) : null;
      const displays = pixels && session !== undefined ? host.displays(session) : undefined;
      if (displays) Object.assign(answer as object, { displays });
      this.answer({ id, answer, pixels });
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
      await host.start_anew();
      this.answer({ id, trap: String(error.message) });
    }
  }
}
