//! Small pictures of frames for the filmstrip. They are asked for when nothing else is to be done, and kept.

import { HEIGHT, WIDTH } from "../engine/protocol";
import type { Player } from "../play/player";
import type { Track } from "../play/track";

export const PICTURE_HEIGHT = 42;
export const PICTURE_WIDTH = 56;
/** Pictures that are kept: about 37 KiB each. */
const KEPT_MAX = 600;
const QUIET_MS = 120;

export class Film {
  private readonly kept = new Map<string, CanvasImageSource>();
  private readonly wanted = new Map<Track, Set<number>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly whole = document.createElement("canvas");
  /** Called when there are new pictures. */
  drawn: () => void = () => {};

  constructor(private readonly player: Player) {
    this.whole.width = WIDTH;
    this.whole.height = HEIGHT;
  }

  /** The picture of the frame that was complete at `at`, or nothing yet. */
  picture(track: Track, at: number): CanvasImageSource | null {
    const kept = this.kept.get(key(track, at));
    if (kept) return kept;
    const wanted = this.wanted.get(track) ?? new Set();
    this.wanted.set(track, wanted.add(at));
    return null;
  }

  /** The present picture is one of the strip's too. */
  note(): void {
    const { state, pixels, track } = this.player;
    const at = state.frame_at;
    if (at !== null && pixels && !this.player.drawn && !this.kept.has(key(track, at))) this.keep(track, at, pixels);
  }

  /** Before lanes are drawn: what they asked for last time is no longer wanted. */
  forget_wishes(): void {
    this.wanted.clear();
  }

  /** All sessions are gone, or the trace is another. */
  clear(): void {
    this.kept.clear();
    this.wanted.clear();
  }

  /** After lanes are drawn. */
  fetch_soon(): void {
    clearTimeout(this.timer);
    if (this.wanted.size) this.timer = setTimeout(() => void this.fetch(), QUIET_MS);
  }

  private async fetch(): Promise<void> {
    if (this.player.playing) return;
    for (const [track, times] of [...this.wanted]) {
      if (!this.player.tracks.includes(track)) continue;
      const sorted = [...times].sort((a, b) => a - b);
      let shown = performance.now();
      await this.player.peek(track, sorted, (t, pixels) => {
        this.keep(track, t, pixels);
        // A slow board shows what it has so far.
        if (performance.now() - shown > 300) { shown = performance.now(); this.drawn(); }
      }).catch(() => {});
    }
    this.drawn();
  }

  private keep(track: Track, at: number, pixels: Uint8ClampedArray): void {
    const image = new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, WIDTH, HEIGHT);
    this.whole.getContext("2d")!.putImageData(image, 0, 0);
    const small = document.createElement("canvas");
    small.width = PICTURE_WIDTH * 2;
    small.height = PICTURE_HEIGHT * 2;
    const on = small.getContext("2d")!;
    on.imageSmoothingQuality = "high";
    on.drawImage(this.whole, 0, 0, small.width, small.height);
    if (this.kept.size >= KEPT_MAX) this.kept.delete(this.kept.keys().next().value!);
    this.kept.set(key(track, at), small);
  }
}

const key = (track: Track, at: number) => `${track.session} ${at}`;
