//! The timeline on a canvas: lanes, ruler, the current time; drag to go through time, wheel and two fingers to zoom.
//! It shows a player's tracks and passes the user's navigation to the player.

import { h } from "../dom";
import type { Player } from "../play/player";
import type { Track } from "../play/track";
import { shown } from "../time";
import { Film } from "./film";
import { branch_lanes, fork, trace_lanes, type Lane } from "./lanes";
import { FONT, bar, branch_colour, fill, palette, text, type Brush, type Palette } from "./paint";
import { Scale, ruler_label, ruler_step } from "./scale";

const GUTTER = 68;
const RULER = 24;
const OVERVIEW = 12;

export interface TimelineOptions {
  compact: boolean;
  /** Returns the bytes that a frame may take. */
  budget: () => number | null;
}

export class Timeline {
  readonly element: HTMLElement;
  readonly scale = new Scale();
  readonly film: Film;
  private readonly canvas: HTMLCanvasElement;
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly on: CanvasRenderingContext2D;
  private lanes: Lane[] = [];
  private colours: Palette | null = null;
  private asked = false;
  private hover: { x: number; y: number } | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private drag: "seek" | "overview" | "pinch" | null = null;
  private known_end = 0;
  private readonly resized = new ResizeObserver(() => this.draw_soon());

  constructor(private readonly player: Player, private readonly options: TimelineOptions) {
    this.film = new Film(player);
    this.film.drawn = () => this.draw_soon();
    this.canvas = h("canvas", { class: "lanes", tabindex: 0, role: "slider", "aria-label": "Time", "aria-valuemin": 0 });
    this.on = this.canvas.getContext("2d")!;
    this.element = h("div", { class: "timeline" }, this.canvas, this.tip);
    this.listen();
    this.resized.observe(this.element);
    const themes = matchMedia("(prefers-color-scheme: dark)");
    themes.addEventListener("change", () => this.recolour());
    // The user may select light or dark, here or in the report around it.
    new MutationObserver(() => this.recolour()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    player.on("moment", () => {
      if (player.playing) this.scale.follow(player.state.t);
      this.film.note();
      this.draw_soon();
    });
    player.on("tracks", () => this.rebuild());
  }

  /** Ends the observation of the page. */
  close(): void {
    this.resized.disconnect();
  }

  private recolour(): void {
    this.colours = null;
    this.draw_soon();
  }

  /** Builds the lanes again from the tracks' recordings. */
  rebuild(): void {
    const { player } = this;
    const [root, ...branches] = player.tracks;
    if (!root) return;
    this.lanes = [
      ...trace_lanes(root, this.film, this.options.budget(), this.options.compact),
      ...branches.flatMap((track) => branch_lanes(track, this.film)),
    ];
    this.grow();
    this.canvas.style.height = `${this.height}px`;
    this.draw_soon();
  }

  /** Extends the time to the end of the tracks. */
  private grow(): void {
    const ends = this.player.tracks.map((track) => Math.max(track.end ?? 0, track.reached));
    const end = Math.max(1e9, ...ends);
    if (end === this.known_end) return;
    const whole = this.scale.is_whole || this.known_end === 0;
    // A live end grows in steps, so that the view does not move with each frame.
    const moves = this.player.track.end === null && end > (this.player.tracks[0].end ?? 0);
    this.known_end = end;
    this.scale.end = moves ? Math.max(this.scale.end, Math.ceil(end / 5e9 + 0.2) * 5e9) : end;
    if (whole) this.scale.whole();
  }

  zoom(factor: number): void {
    this.scale.zoom(factor, this.player.state.t);
    this.draw_soon();
  }

  whole(): void {
    this.scale.whole();
    this.draw_soon();
  }

  private get height(): number {
    return OVERVIEW + RULER + this.lanes.reduce((sum, lane) => sum + lane.height + (lane.first ? 5 : 0), 0) + 6;
  }

  draw_soon(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  private draw(): void {
    const { canvas, on, scale } = this;
    const width = this.element.clientWidth;
    if (!width || !this.player.track) return;
    this.grow();
    const ratio = devicePixelRatio || 1;
    const height = this.height;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
    }
    this.colours ??= palette(this.element);
    const brush: Brush = { on, scale, colours: this.colours };
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    scale.left = GUTTER;
    scale.right = width - 8;
    fill(brush, brush.colours.paper, 0, 0, width, height);
    this.film.forget_wishes();
    this.draw_overview(brush);
    this.draw_ruler(brush, height);
    this.draw_lanes(brush, width);
    this.draw_moment(brush, height);
    this.film.fetch_soon();
    const { t } = this.player.state;
    canvas.setAttribute("aria-valuemax", String(Math.round(this.player.end / 1e6)));
    canvas.setAttribute("aria-valuenow", String(Math.round(t / 1e6)));
    canvas.setAttribute("aria-valuetext", shown(t));
  }

  /** Draws the whole time, and the visible part of it. */
  private draw_overview(brush: Brush): void {
    const { scale, colours } = brush;
    const x = (t: number) => scale.left + (t / (scale.end * 1.0)) * (scale.right - scale.left);
    fill(brush, colours.sunk, scale.left, 3, scale.right - scale.left, OVERVIEW - 5);
    const { fingers, lines } = this.player.tracks[0].recording;
    for (const { at } of fingers) fill(brush, colours["line-strong"], x(at), 4, 1, OVERVIEW - 7);
    for (const line of lines) {
      if (line.verdict === "failed" && line.at !== null) fill(brush, colours.fail, x(line.over ?? line.at) - 1, 3, 3, OVERVIEW - 5);
    }
    brush.on.strokeStyle = colours.accent;
    brush.on.lineWidth = 1.5;
    const from = Math.max(scale.left, x(scale.from));
    const to = Math.min(scale.right, x(scale.to));
    brush.on.strokeRect(from, 2.5, Math.max(4, to - from), OVERVIEW - 4);
    fill(brush, colours.playhead, x(this.player.state.t) - 0.5, 2, 2, OVERVIEW - 3);
  }

  private draw_ruler(brush: Brush, height: number): void {
    const { on, scale, colours } = brush;
    const step = ruler_step(scale, 90);
    const small = step / 5;
    for (let t = Math.ceil(scale.from / small) * small; t <= scale.to; t += small) {
      const x = Math.round(scale.x(t)) + 0.5;
      const large = Math.abs(t / step - Math.round(t / step)) < 1e-6;
      fill(brush, colours.line, x, OVERVIEW + RULER - (large ? 8 : 4), 1, large ? height : 4);
      if (large) {
        on.font = FONT;
        on.fillStyle = colours.dim;
        on.textAlign = "left";
        on.textBaseline = "middle";
        const words = ruler_label(t, step);
        if (x + on.measureText(words).width + 4 < scale.right) on.fillText(words, x + 3, OVERVIEW + RULER / 2 - 1);
      }
    }
  }

  private draw_lanes(brush: Brush, width: number): void {
    const { on, scale, colours } = brush;
    let top = OVERVIEW + RULER;
    const tops = new Map<Track, number>();
    this.lanes.forEach((lane, number) => {
      if (lane.first) {
        top += 5;
        if (number > 0) fill(brush, colours.line, 0, top - 3, width, 1);
        tops.set(lane.track, top);
      }
      const now = lane.track === this.player.track;
      if (now && this.player.tracks.length > 1) {
        fill(brush, colours["accent-soft"], 0, top, GUTTER - 6, lane.height);
      }
      if (lane.track.parent) {
        on.globalAlpha = 0.1;
        bar(brush, branch_colour(colours, lane.track.number), lane.track.from, lane.track.reached, top, lane.height);
        on.globalAlpha = 1;
      }
      const style = lane.track.parent && lane.first ? branch_colour(colours, lane.track.number) : colours.dim;
      text(brush, lane.name, 8, top + Math.min(lane.height / 2, 22), GUTTER - 14, style, FONT);
      on.save();
      on.beginPath();
      on.rect(scale.left, top - 1, scale.right - scale.left, lane.height + 2);
      on.clip();
      lane.draw(brush, top);
      on.restore();
      top += lane.height;
    });
    for (const track of this.player.tracks) {
      const to = tops.get(track);
      const from = track.parent && tops.get(track.parent);
      if (to !== undefined && from) fork(brush, track, from + (track.parent!.number ? 14 : 9), to + 17);
    }
  }

  private draw_moment(brush: Brush, height: number): void {
    const { scale, colours, on } = brush;
    const { t } = this.player.state;
    const x = scale.x(t);
    if (x >= scale.left - 1 && x <= scale.right + 1) {
      fill(brush, colours.playhead, x - 0.75, OVERVIEW + 2, 1.5, height);
      const words = shown(t);
      on.font = FONT;
      const wide = on.measureText(words).width + 10;
      const left = Math.min(Math.max(x - wide / 2, scale.left), scale.right - wide);
      fill(brush, colours.playhead, left, OVERVIEW + 2, wide, 16);
      on.fillStyle = colours.paper;
      on.textAlign = "left";
      on.textBaseline = "middle";
      on.fillText(words, left + 5, OVERVIEW + 10.5);
    }
    if (this.hover && !this.drag && this.hover.x > scale.left) {
      fill(brush, colours["line-strong"], this.hover.x, OVERVIEW + RULER - 4, 1, height);
    }
  }

  private lane_at(y: number): Lane | null {
    let top = OVERVIEW + RULER;
    for (const lane of this.lanes) {
      top += (lane.first ? 5 : 0) + lane.height;
      if (y < top) return lane;
    }
    return null;
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const at = this.point(event);
      this.fingers.set(event.pointerId, at);
      canvas.setPointerCapture(event.pointerId);
      if (this.fingers.size === 2) this.drag = "pinch";
      else if (at.y < OVERVIEW) { this.drag = "overview"; this.move_view(at.x); }
      else if (at.x < GUTTER) this.choose(at.y);
      else { this.drag = "seek"; this.player.pause(); this.go(at, event.shiftKey); }
    });
    canvas.addEventListener("pointermove", (event) => {
      const at = this.point(event);
      const before = this.fingers.get(event.pointerId);
      if (this.drag === "pinch" && before) this.pinch(event.pointerId, at);
      else if (this.drag === "overview") this.move_view(at.x);
      else if (this.drag === "seek" && before) this.go(at, event.shiftKey);
      if (before) this.fingers.set(event.pointerId, at);
      this.show_tip(at, event.pointerType);
    });
    const up = (event: PointerEvent) => {
      this.fingers.delete(event.pointerId);
      if (this.fingers.size === 0) this.drag = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.tip.hidden = true;
      this.draw_soon();
    });
    canvas.addEventListener("wheel", (event) => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        this.scale.pan(((event.deltaX || event.deltaY) / 800) * this.scale.span);
      } else if (event.ctrlKey || this.element.scrollHeight <= this.element.clientHeight + 1) {
        event.preventDefault();
        this.scale.zoom(Math.exp(event.deltaY / 400), this.scale.t(this.point(event).x));
      } else return;
      this.draw_soon();
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => {
      if (this.point(event).x > GUTTER) this.zoom(0.5);
    });
  }

  private point(event: MouseEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private go(at: { x: number; y: number }, exactly: boolean): void {
    const lane = this.lane_at(at.y);
    let t = this.scale.t(at.x);
    // A time near a failure snaps to it, unless Shift is held.
    if (!exactly) t = this.snapped(t);
    if (lane && lane.track !== this.player.track && lane.track.number > 0) void this.player.choose(lane.track, t);
    else if (lane && lane.track.number === 0 && this.player.track.number > 0 && at.y > OVERVIEW + RULER) {
      void this.player.choose(lane.track, t);
    } else void this.player.seek(t);
  }

  /** Returns the time of the nearest failure within a few columns, else `t`. */
  private snapped(t: number): number {
    const near = this.scale.column * 6;
    const { lines } = this.player.tracks[0].recording;
    const moments = lines.filter((line) => line.verdict === "failed" && line.at !== null).map((line) => line.over ?? line.at!);
    const close = moments.filter((at) => Math.abs(at - t) <= near).sort((a, b) => Math.abs(a - t) - Math.abs(b - t));
    return close[0] ?? t;
  }

  private choose(y: number): void {
    const lane = this.lane_at(y);
    if (lane && lane.track !== this.player.track) void this.player.choose(lane.track);
  }

  private move_view(x: number): void {
    const { scale } = this;
    const t = ((x - scale.left) / (scale.right - scale.left)) * scale.end;
    scale.pan(t - (scale.from + scale.to) / 2);
    this.draw_soon();
  }

  private pinch(moved: number, at: { x: number; y: number }): void {
    const other = [...this.fingers].find(([id]) => id !== moved)?.[1];
    const before = this.fingers.get(moved);
    if (!other || !before) return;
    const apart = (x: number) => Math.max(12, Math.abs(x - other.x));
    this.scale.zoom(apart(before.x) / apart(at.x), this.scale.t((other.x + at.x) / 2));
    this.draw_soon();
  }

  private show_tip(at: { x: number; y: number }, kind: string): void {
    this.hover = kind === "touch" ? null : at;
    this.draw_soon();
    const lane = this.lane_at(at.y);
    const inside = at.x > GUTTER && at.y > OVERVIEW + RULER && lane && kind !== "touch" && !this.drag;
    const words = inside ? lane.at(this.scale.t(at.x), this.scale.column * 5) : null;
    this.tip.hidden = !words;
    if (!words) return;
    this.tip.textContent = words;
    const room = this.element.clientWidth;
    const wide = Math.min(420, room - 16);
    this.tip.style.maxWidth = `${wide}px`;
    const left = at.x + 14 + this.tip.offsetWidth > room ? Math.max(4, at.x - 14 - this.tip.offsetWidth) : at.x + 14;
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${at.y + 16}px`;
  }
}
