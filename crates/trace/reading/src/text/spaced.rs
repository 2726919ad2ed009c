//! Joins the glyphs of a proportional font to lines.
//!
//! A line begins at a glyph whose box of ink is on the frame, and is extended to the right and to
//! the left by every sequence of glyphs and spaces whose ink is there. Of all sequences the one
//! that explains the most ink is the text; of several, the one with the fewest characters, then the
//! one whose words change least often between lower case, upper case, digits and other characters,
//! then the one whose characters come first in the font.
//!
//! In the rows of the font's letters and digits, the cells of a line contain nothing but its ink.
//! Ink outside of its cell (an italic `f`) and outside of these rows (a bracket) must be there;
//! what else is around it does not matter, unless it touches.

use core::cell::{Cell, RefCell};
use core::cmp::Reverse;
use core::iter::Peekable;
use core::ops::Range;
use std::collections::{BTreeMap, HashSet};

use super::edges::Picture;
use super::font::{Font, Glyph};
use super::merged;
use super::proportional::{Inked, Kind, Part, Proportional, Strips};
use super::runs::{MAX_SPACES, Run, known_run};
use ili9341_model::Frame;

/// Maximum number of states of the search that extends a line at one end.
const STATES_MAX: usize = 8192;

/// Maximum number of states for all lines in one font of a frame: what is beyond it is not read.
const STATES_OF_A_FRAME_MAX: usize = 1 << 17;

/// Joins the glyphs that the box fonts have found to runs. A run in `known`, whose order is that of
/// the result, is not joined again.
pub(super) fn join<'a>(
    picture: Picture<'_>,
    font: &Font,
    of: &Proportional,
    found: impl Iterator<Item = &'a Glyph>,
    known: impl Iterator<Item = Run>,
) -> Vec<Run> {
    let mut seeds: Vec<Glyph> = found.copied().collect();
    seeds.sort_unstable_by_key(|seed| (seed.order(), seed.character));
    let mut known: Peekable<_> = known.peekable();
    let mut used = HashSet::new();
    let mut runs = Vec::new();
    let mut states = STATES_OF_A_FRAME_MAX;
    for seed in seeds {
        let is_used = |part: &Part| {
            let (left, top) = corner(font, &seed, part);
            let top = top + (of.core.start * font.scale()) as isize;
            used.contains(&(left, top, seed.ink, of.glyphs[part.glyph].character))
        };
        if of.alike(seed.character).iter().any(is_used) {
            continue;
        }
        let known = known_run(&mut known, &seed);
        let Some(run) = known.or_else(|| run(picture.frame, font, of, seed, &mut states)) else {
            continue;
        };
        let places = run
            .glyphs
            .iter()
            .map(|glyph| (glyph.x as isize, glyph.y as isize, glyph.ink, glyph.character));
        used.extend(places);
        runs.push(run);
    }
    runs
}

/// Returns the place on the frame of a glyph's first column and of the font's first row, of a glyph
/// whose `part` is found as `seed`.
fn corner(font: &Font, seed: &Glyph, part: &Part) -> (isize, isize) {
    let place = |at: usize, cells: usize| at as isize - (cells * font.scale()) as isize;
    (place(seed.x, part.column), place(seed.y, part.row))
}

/// Returns the text of glyphs in one line.
pub(super) fn text_of(font: &Font, of: &Proportional, glyphs: &[Glyph]) -> String {
    let mut text = String::with_capacity(2 * glyphs.len());
    let mut pen: Option<isize> = None;
    for glyph in glyphs {
        let Some(inked) = of.glyph(glyph.character) else { continue };
        let scale = font.scale() as isize;
        let origin = glyph.x as isize - inked.left * scale;
        if let (Some(pen), Some(space)) = (pen, of.space) {
            (0..(origin - pen) / (space * scale)).for_each(|_| text.push(' '));
        }
        text.push(glyph.character);
        pen = Some(origin + inked.advance * scale);
    }
    text
}

/// Returns the run of the line that contains `seed`, if there is one.
fn run(
    frame: &Frame,
    font: &Font,
    of: &Proportional,
    seed: Glyph,
    states: &mut usize,
) -> Option<Run> {
    let scale = font.scale();
    let mut best: Option<(Cost, Vec<Placed>, Band<'_>)> = None;
    let mut columns: Option<Range<usize>> = None;
    let mut rows = seed.y..seed.y + 1;
    for part in of.alike(seed.character) {
        let nth = part.glyph;
        let inked = &of.glyphs[nth];
        let (left, top) = corner(font, &seed, part);
        if left < 0 || top + ((of.core.start * scale) as isize) < 0 {
            continue;
        }
        let pen = left - inked.left * scale as isize;
        let band = Band::new(frame, (scale, of.rows), (pen, top), seed);
        let mut end = |is_mirrored| end(of, &band, is_mirrored, nth, states);
        let ends = has_ink(&band, inked).then(|| Some((end(false)?, end(true)?))).flatten();
        let looked_at = band.looked_at();
        columns = Some(match columns {
            Some(known) => known.start.min(looked_at.start)..known.end.max(looked_at.end),
            None => looked_at,
        });
        let bottom = top + (of.rows * scale) as isize;
        rows = rows.start.min(top.max(0) as usize)..rows.end.max(bottom.max(0) as usize);
        let Some(((ahead, mut after), (behind, before))) = ends else { continue };
        let mut glyphs: Vec<Placed> = before
            .into_iter()
            .rev()
            .map(|placed| Placed { pen: -placed.pen - of.glyphs[placed.nth].advance, ..placed })
            .collect();
        glyphs.push(Placed { nth, pen: 0 });
        glyphs.append(&mut after);
        let own = Cost::of(nth, inked, false);
        let cost = own.plus(ahead).plus(behind);
        if explains(of, &band, &glyphs) && best.as_ref().is_none_or(|(known, ..)| cost > *known) {
            best = Some((cost, glyphs, band));
        }
    }
    let (_, placed, band) = best?;
    let glyphs: Vec<Glyph> = placed
        .iter()
        .map(|placed| {
            let inked = &of.glyphs[placed.nth];
            let x = band.left + (placed.pen + inked.left) * scale as isize;
            let y = band.top + (of.core.start * scale) as isize;
            Glyph { x: x as usize, y: y as usize, character: inked.character, ..seed }
        })
        .collect();
    let touches = |nth| merged::merges(frame, font, &glyphs, nth, |_, _| false);
    Some(Run {
        text: text_of(font, of, &glyphs),
        is_strokes: false,
        ink: placed.iter().map(|placed| of.glyphs[placed.nth].pixels * scale * scale).sum(),
        is_touched: (0..glyphs.len()).any(touches),
        glyphs,
        first: seed,
        looked_at: (columns.unwrap_or(seed.x..seed.x + 1), rows),
    })
}

/// A glyph of a line: its index in the font, and the pen's position in columns from the seed's.
#[derive(Clone, Copy, Debug)]
struct Placed {
    nth: usize,
    pen: isize,
}

/// Value of a sequence of glyphs; the largest is the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Number of font pixels of ink.
    ink: usize,
    characters: Reverse<usize>,
    /// Number of characters whose kind differs from their neighbour's.
    changes: Reverse<usize>,
    /// Sum of the characters' places in the font.
    places: Reverse<usize>,
}

impl Cost {
    fn of(nth: usize, glyph: &Inked, is_change: bool) -> Self {
        Self {
            ink: glyph.pixels,
            characters: Reverse(1),
            changes: Reverse(is_change.into()),
            places: Reverse(nth),
        }
    }

    fn plus(self, other: Self) -> Self {
        let sum = |one: Reverse<usize>, other: Reverse<usize>| Reverse(one.0 + other.0);
        Self {
            ink: self.ink + other.ink,
            characters: sum(self.characters, other.characters),
            changes: sum(self.changes, other.changes),
            places: sum(self.places, other.places),
        }
    }
}

/// Everything on which the continuation of a sequence depends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// Position of the pen, in columns.
    pen: isize,
    /// Ink of the glyphs so far in the columns that later glyphs may still reach, from the first
    /// one.
    pending: Vec<u128>,
    kind: Kind,
    /// Number of spaces since the last glyph.
    spaces: usize,
}

/// The best sequence that leads to a state.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: Cost,
    /// Place in the list of placed glyphs.
    last: Option<usize>,
}

/// Returns the best extension of a line after glyph `seed`, whose pen is at 0, with its glyphs from
/// there on; with `is_mirrored`, before it. `None` if the line cannot even end there.
fn end(
    of: &Proportional,
    band: &Band<'_>,
    is_mirrored: bool,
    seed: usize,
    states: &mut usize,
) -> Option<(Cost, Vec<Placed>)> {
    let strips = &of.strips[usize::from(is_mirrored)];
    let inked = &of.glyphs[seed];
    // The columns of the seed's own ink are checked when the line is complete.
    let (pen, floor) = match is_mirrored {
        false => (inked.advance, inked.left + inked.columns.len() as isize),
        true => (0, -inked.left),
    };
    let own = &strips.all[seed];
    let start = pen - inked.advance + own.left - (pen - strips.back);
    let own = own.columns.iter().skip((-start).max(0) as usize);
    let pending = core::iter::repeat_n(&0, start.max(0) as usize).chain(own).copied().collect();
    let core = of.core_bits();
    let search = Search { band, strips, core, is_mirrored, floor };
    if !search.is_settled(floor..pen - strips.back, &[], floor) {
        return None;
    }
    let first = State { pen, pending, kind: inked.kind, spaces: 0 };
    let mut open = BTreeMap::from([(first, Reached { cost: Cost::default(), last: None })]);
    let mut placed: Vec<(Placed, Option<usize>)> = Vec::new();
    let mut best: Option<Reached> = None;
    let mut left = STATES_MAX.min(*states);
    while let Some((state, reached)) = open.pop_first() {
        let Some(less) = left.checked_sub(1) else { break };
        left = less;
        *states -= 1;
        let base = state.pen - strips.back;
        let may_end = state.spaces == 0
            && search.is_settled(base..state.pen, &state.pending, base)
            && !search.is_touched(&state);
        if may_end && best.is_none_or(|best| reached.cost > best.cost) {
            best = Some(reached);
        }
        let mut reach = |next: State, reached: Reached| {
            let known = open.entry(next).or_insert(reached);
            if reached.cost > known.cost {
                *known = reached;
            }
        };
        if let (Some(space), true) = (of.space, state.spaces < MAX_SPACES)
            && let Some(pending) = search.settle(&state, state.pending.clone(), space)
        {
            let (pen, spaces) = (state.pen + space, state.spaces + 1);
            let next = State { pen, pending, kind: Kind::Blank, spaces };
            let cost = reached.cost.plus(Cost { characters: Reverse(1), ..Cost::default() });
            reach(next, Reached { cost, ..reached });
        }
        for (nth, (strip, inked)) in strips.all.iter().zip(&of.glyphs).enumerate() {
            let first = state.pen + strip.left;
            let has_ink = |(column, ink): (usize, &u128)| {
                ink & !search.column(first + column as isize).ink == 0
            };
            if !strip.columns.iter().enumerate().all(has_ink) {
                continue;
            }
            let mut pending = state.pending.clone();
            let start = (first - base) as usize;
            pending.resize(pending.len().max(start + strip.columns.len()), 0);
            for (known, ink) in pending[start..].iter_mut().zip(&strip.columns) {
                *known |= ink;
            }
            let Some(pending) = search.settle(&state, pending, strip.advance) else { continue };
            let cost = reached.cost.plus(Cost::of(nth, inked, inked.kind.differs(state.kind)));
            let next =
                State { pen: state.pen + strip.advance, pending, kind: inked.kind, spaces: 0 };
            placed.push((Placed { nth, pen: state.pen }, reached.last));
            reach(next, Reached { cost, last: Some(placed.len() - 1) });
        }
    }
    let best = best?;
    let before = |last: &usize| placed[*last].1;
    let glyphs = std::iter::successors(best.last, before).map(|last| placed[last].0);
    let mut glyphs: Vec<Placed> = glyphs.collect();
    glyphs.reverse();
    Some((best.cost, glyphs))
}

/// The columns of a line in one direction.
struct Search<'a> {
    band: &'a Band<'a>,
    strips: &'a Strips,
    core: u128,
    is_mirrored: bool,
    /// First column that is checked.
    floor: isize,
}

impl Search<'_> {
    fn column(&self, at: isize) -> Column {
        self.band.column(if self.is_mirrored { -1 - at } else { at })
    }

    /// Returns whether these columns contain the ink in `pending`, which begins at column `base`,
    /// and nothing else.
    fn is_settled(&self, columns: Range<isize>, pending: &[u128], base: isize) -> bool {
        (columns.start.max(self.floor)..columns.end).all(|at| {
            let ink = usize::try_from(at - base).ok().and_then(|nth| pending.get(nth));
            self.column(at).is(ink.copied().unwrap_or(0), self.core)
        })
    }

    /// Returns whether ink of the last glyph continues at its far side.
    fn is_touched(&self, state: &State) -> bool {
        let pending = |at: isize| {
            let place = usize::try_from(at - state.pen + self.strips.back).ok();
            place.and_then(|place| state.pending.get(place)).copied().unwrap_or(0)
        };
        let end = state.pen + state.pending.len() as isize;
        (state.pen - 1..end).any(|at| {
            // In the cells before the pen all ink is that of the line.
            let here = if at < state.pen { self.column(at).ink & self.core } else { pending(at) };
            here & self.column(at + 1).ink & !pending(at + 1) != 0
        })
    }

    /// Returns the ink that is still pending after the pen has moved by `advance`; `None` if the
    /// columns that no later glyph reaches contain anything else than the ink.
    fn settle(&self, state: &State, mut pending: Vec<u128>, advance: isize) -> Option<Vec<u128>> {
        let base = state.pen - self.strips.back;
        if !self.is_settled(base..base + advance, &pending, base) {
            return None;
        }
        pending.drain(..pending.len().min(advance as usize));
        while pending.last() == Some(&0) {
            pending.pop();
        }
        Some(pending)
    }
}

/// Returns whether all ink of the glyph with the pen at 0 is there: a part of it has been found.
fn has_ink(band: &Band<'_>, glyph: &Inked) -> bool {
    (glyph.left..).zip(&glyph.columns).all(|(at, ink)| ink & !band.column(at).ink == 0)
}

/// Returns whether the cells of a line contain its ink and nothing else.
fn explains(of: &Proportional, band: &Band<'_>, glyphs: &[Placed]) -> bool {
    let core = of.core_bits();
    let start = glyphs.first().map_or(0, |first| first.pen);
    let end = glyphs.last().map_or(0, |last| last.pen + of.glyphs[last.nth].advance);
    let mut ink = vec![0_u128; (end - start).max(0) as usize];
    for placed in glyphs {
        let inked = &of.glyphs[placed.nth];
        for (at, column) in (placed.pen + inked.left - start..).zip(&inked.columns) {
            if let Some(known) = usize::try_from(at).ok().and_then(|at| ink.get_mut(at)) {
                *known |= column;
            }
        }
    }
    (start..).zip(ink).all(|(at, ink)| band.column(at).is(ink, core))
}

/// A column of a line: a bit for each row of the font.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    ink: u128,
    /// Pixels that are neither ink nor ground.
    other: u128,
}

impl Column {
    /// Returns whether the column has exactly this ink in the `core` rows, and at least it in the
    /// others.
    fn is(self, ink: u128, core: u128) -> bool {
        (self.ink | self.other) & core == ink & core && ink & !self.ink == 0
    }
}

/// The rows of a frame in which a line may be, in font pixels. What is outside of the frame counts
/// as ground.
struct Band<'a> {
    frame: &'a Frame,
    scale: usize,
    rows: usize,
    /// Position of column 0 and row 0 on the frame.
    left: isize,
    top: isize,
    ink: u32,
    ground: u32,
    /// Number of the first column on the frame.
    first: isize,
    known: RefCell<Vec<Option<Column>>>,
    /// First and last examined column.
    ends: Cell<(isize, isize)>,
}

impl<'a> Band<'a> {
    fn new(
        frame: &'a Frame,
        (scale, rows): (usize, usize),
        (left, top): (isize, isize),
        Glyph { ink, ground, .. }: Glyph,
    ) -> Self {
        let first = -left.div_euclid(scale as isize);
        let known = RefCell::new(vec![None; frame.width() / scale + 1]);
        let ends = Cell::new((0, 0));
        Self { frame, scale, rows, left, top, ink, ground, first, known, ends }
    }

    fn column(&self, at: isize) -> Column {
        let (start, end) = self.ends.get();
        self.ends.set((start.min(at), end.max(at)));
        let mut known = self.known.borrow_mut();
        let place = usize::try_from(at - self.first).ok().and_then(|place| known.get_mut(place));
        let Some(place) = place else { return Column::default() };
        *place.get_or_insert_with(|| self.look(at))
    }

    fn look(&self, at: isize) -> Column {
        let mut column = Column::default();
        let Some(x) = self.inside(self.left + at * self.scale as isize, self.frame.width()) else {
            return column;
        };
        for row in 0..self.rows {
            let top = self.top + (row * self.scale) as isize;
            let Some(y) = self.inside(top, self.frame.height()) else { continue };
            let start = y * self.frame.width() + x;
            let pixel = self.frame.pixels()[start];
            let is_even = self.scale == 1
                || (0..self.scale).all(|line| {
                    let line = &self.frame.pixels()[start + line * self.frame.width()..];
                    line[..self.scale].iter().all(|other| *other == pixel)
                });
            if !is_even || (pixel != self.ink && pixel != self.ground) {
                column.other |= 1 << row;
            } else if pixel == self.ink {
                column.ink |= 1 << row;
            }
        }
        column
    }

    /// Returns the place of a font pixel that is completely on the frame.
    fn inside(&self, place: isize, size: usize) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        (place + self.scale <= size).then_some(place)
    }

    /// Returns the columns of the frame's pixels that were examined.
    fn looked_at(&self) -> Range<usize> {
        let (start, end) = self.ends.get();
        let place = |at: isize| {
            let x = self.left + at * self.scale as isize;
            x.clamp(0, self.frame.width() as isize) as usize
        };
        place(start)..place(end + 1)
    }
}
