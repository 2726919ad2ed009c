//! The board's silk-screen lettering: the stroke font of the window (crates/session/window/src/face/lettering.rs),
//! as paths. Capital letters only. A glyph is a width and lines on a grid of half units, two digits in
//! base 36 a point; gentle bends are rounded.

export const CAP_HEIGHT = 6;
export const LINE_HEIGHT = 11;
/** Space between two glyphs, in half units. */
export const SPACING = 4;
/** Width of the stroke, in units. */
export const STROKE = 1.25;

export const GLYPHS: Record<string, [width: number, lines: string]> = {
  " ": [3, ""], "A": [8, "0c033050838c 0787"], "B": [8, "06006082846606 66888a6c0c06"],
  "C": [8, "826020020a2c6c8a"], "D": [8, "06005083895c0c06"], "E": [8, "80000c8c 0666"],
  "F": [8, "80000c 0666"], "G": [8, "826020020a2c6c8a8757"], "H": [8, "000c 808c 0686"],
  "I": [4, "0040 202c 0c4c"], "J": [8, "808a6c2c0a09"], "K": [8, "000c 8008 358c"], "L": [8, "000c8c"],
  "M": [8, "0c0045808c"], "N": [8, "0c008c80"], "O": [8, "06022060828a6c2c0a06"], "P": [8, "0c006082856707"],
  "Q": [8, "06022060828a6c2c0a06 598c"], "R": [8, "0c006082856707 478c"],
  "S": [8, "82602002042666888a6c2c0a"], "T": [8, "0080 404c"], "U": [8, "000a2c6c8a80"], "V": [8, "004c80"],
  "W": [8, "002c446c80"], "X": [8, "008c 800c"], "Y": [8, "004680 464c"], "Z": [8, "00800c8c"],
  "0": [8, "06022060828a6c2c0a06 2963"], "1": [6, "0230 303c 0c6c"], "2": [8, "0220608284 840c8c"],
  "3": [8, "022060828466 66888a6c2c0a 3666"], "4": [8, "6c600888"], "5": [8, "80000565878a6c2c0a"],
  "6": [8, "7040040a2c6c8a87652507"], "7": [8, "00803c"], "8": [8, "2604022060828466 2666888a6c2c0a0826"],
  "9": [8, "1c4c888260200205276785"], ".": [1, "0b1b1c0c0b"], ",": [2, "1c0e"], ":": [1, "0303 0a0a"],
  ";": [2, "1414 1b0d"], "-": [6, "0666"], "+": [8, "0686 424a"], "=": [8, "0484 0888"], "_": [8, "0c8c"],
  "/": [6, "0c60"], "\\": [6, "006c"], "|": [1, "000e"], "[": [3, "30000c3c"], "]": [3, "00303c0c"],
  "(": [3, "3003093c"], ")": [3, "0033390c"], "<": [6, "61066b"], ">": [6, "01660b"], "'": [1, "0003"],
  "`": [2, "0022"], "\"": [4, "0003 4043"], "#": [8, "212b 616b 0484 0888"], "*": [8, "424a 0488 0884"],
  "!": [1, "0008 0c0c"], "?": [8, "022060828447 4748 4c4c"], "%": [8, "0c80 0030330300 59898c5c59"],
  "~": [8, "07256785"], "^": [8, "044084"], "×": [6, "0369 0963"], "·": [1, "0606"],
};
const UNKNOWN: [number, string] = [8, "00808c0c00"];

type Point = [x: number, y: number];

const glyph = (letter: string) => GLYPHS[letter.toUpperCase()] ?? UNKNOWN;

/** Returns whether the font has every letter of `text`. */
export const can_write = (text: string): boolean => [...text].every((letter) => glyph(letter) !== UNKNOWN);

/** Returns the width of `text`, in units, between the centres of the outermost strokes. */
export function width(text: string): number {
  const halves = [...text].reduce((sum, letter) => sum + glyph(letter)[0] + SPACING, 0);
  return Math.max(0, halves - SPACING) / 2;
}

/** Returns the longest beginning of `text` that is at most `limit` units wide, with `..` for the rest. */
export function fitted(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  for (let kept = text.slice(0, -1); kept; kept = kept.slice(0, -1)) {
    const shortened = `${kept.trimEnd()}..`;
    if (width(shortened) <= limit) return shortened;
  }
  return "";
}

/** Returns the path of `text`, with the tops of its capitals at `y`, starting at `x` or centred on it. */
export function path(text: string, x: number, y: number, size: number, centred: boolean): string {
  let pen = (centred ? x - ((width(text) + 1) * size) / 2 : x) + size / 2;
  const top = y + size / 2;
  let drawn = "";
  for (const letter of text) {
    const [wide, lines] = glyph(letter);
    for (const line of lines.split(" ")) {
      if (!line) continue;
      const points: Point[] = [];
      for (let at = 0; at + 1 < line.length; at += 2) {
        points.push([
          pen + (parseInt(line[at], 36) * size) / 2,
          top + (parseInt(line[at + 1], 36) * size) / 2,
        ]);
      }
      const number = (value: number) => String(Math.round(value * 100) / 100);
      drawn += rounded(rounded(points)).map(([px, py], at) => `${at ? "L" : "M"}${number(px)} ${number(py)}`).join("");
    }
    pen += ((wide + SPACING) * size) / 2;
  }
  return drawn;
}

/** Rounds each gentle bend from a quarter before to a quarter after it; sharp corners are not changed. */
function rounded(points: Point[]): Point[] {
  const between = (a: Point, b: Point, share: number): Point =>
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    const after = points[at + 1];
    if (!before || !after) return [point];
    const [ax, ay, bx, by] = [point[0] - before[0], point[1] - before[1], after[0] - point[0], after[1] - point[1]];
    const cosine = (ax * bx + ay * by) / Math.max(Math.hypot(ax, ay) * Math.hypot(bx, by), 1e-9);
    return cosine >= 0.49 ? [between(point, before, 0.25), between(point, after, 0.25)] : [point];
  });
}
