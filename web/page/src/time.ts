//! Virtual time as text. All times are nanoseconds since the first power-on.

export const MS = 1e6;
export const SECOND = 1e9;

/** Formats the exact time in seconds, for a trace or an address: `4.0755s`. */
export function exact(t: number): string {
  const whole = Math.floor(t / SECOND);
  const rest = String(Math.round(t - whole * SECOND)).padStart(9, "0").replace(/0+$/, "");
  return rest ? `${whole}.${rest}s` : `${whole}s`;
}

/** Formats a time for display: `4.076 s`, with minutes above one. */
export function shown(t: number, digits = 3): string {
  const seconds = t / SECOND;
  if (seconds < 60) return `${seconds.toFixed(digits)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(digits).padStart(digits ? 3 + digits : 2, "0")}`;
}

/** Formats a duration: `12.5 ms`, `3 µs`, `2.4 s`. */
export function span(t: number): string {
  if (t >= SECOND) return `${trim(t / SECOND)} s`;
  if (t >= MS) return `${trim(t / MS)} ms`;
  if (t >= 1e3) return `${trim(t / 1e3)} µs`;
  return `${t} ns`;
}

const trim = (value: number) => String(Number(value.toPrecision(4)));

const UNITS: Record<string, number> = { ns: 1, us: 1e3, ms: MS, s: SECOND, min: 60 * SECOND, h: 3600 * SECOND };

/** Parses a time of a trace or an address: `4.0755s`, `250ms`; without a unit, seconds. */
export function parse_time(text: string): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min|h)?\s*$/.exec(text);
  if (!found) return null;
  const [whole, rest = ""] = found[1].split(".");
  const unit = UNITS[found[2] ?? "s"];
  const t = Number(whole) * unit + Math.round(Number(`0.${rest || 0}`) * unit);
  return Number.isSafeInteger(t) ? t : null;
}

/** Formats a number of bytes: `12.3 kB`. */
export function bytes(count: number): string {
  return count < 1000 ? `${count} B` : count < 1e6 ? `${trim(count / 1e3)} kB` : `${trim(count / 1e6)} MB`;
}
