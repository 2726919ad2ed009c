//! Small pictures of frames for the filmstrip. They are requested while the engine is idle, and cached.

import { HEIGHT, WIDTH } from "../engine/protocol";
import type { Player } from "../play/player";
import type { Track } from "../play/track";

export const PICTURE_HEIGHT = 42;
export const PICTURE_WIDTH = 56;
/** Maximum number of cached pictures of about 37 KiB. */
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

  /** Returns the picture of the frame that was complete at `at`; `null` if it is not cached yet. */
  picture(track: Track, at: number): CanvasImageSource | null {
    const kept = this.kept.get(key(track, at));
    if (kept) return kept;
    const wanted = this.wanted.get(track) ?? new Set();
    this.wanted.set(track, wanted.add(at));
    return null;
  }

  /** Caches the current picture of the player. */
  note(): void {
    const { state, pixels, track } = this.player;
    const at = state.frame_at;
    if (at !== null && pixels && !this.player.drawn && !this.kept.has(key(track, at))) this.keep(track, at, pixels);
  }

  /** Called before the lanes are drawn: clears the requests of the last drawing. */
  forget_wishes(): void {
    this.wanted.clear();
  }

  /** Clears the cache, for new sessions or another trace. */
  clear(): void {
    this.kept.clear();
    this.wanted.clear();
  }

  /** Called after the lanes are drawn: fetches the missing pictures soon. */
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
        // On a slow board the pictures are shown as they arrive.
        if (performance.now() - shown > 300) { shown = performance.now(); this.drawn(); }
      }).catch(() => {});
    }
    this.drawn();
  }

  private keep(track: Track, at: number, pixels: Uint8ClampedArray): void {
    const image = new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, this.whole.width, this.whole.height);
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
