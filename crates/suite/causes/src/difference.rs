//! Describes the differences between two frames: which text moved, changed or changed its colour,
//! and which part of the picture is different.
//!
//! Text that the [`Reader`] finds comes first. The pixels that it does not explain are split into
//! regions, each of which was moved, recoloured or replaced. This module does not know times or
//! traces.

use std::fmt;

use ili9341_model::{Frame, Region};
use reading::{
    golden::chain::FrameHash,
    text::{Reader, TextLine},
};

/// Greatest movement of a region that is detected, in pixels. Longer movements are detected for
/// text only.
const MOVE_MAX: i32 = 12;
/// Number of elements in a frame from which an equal movement or recolouring becomes one
/// difference.
const SHARED: usize = 3;
/// Number of differences above which a frame counts as another screen.
const DIFFERENCES_MAX: usize = 10;
/// Movements that are tried for a text that is partly hidden in its new place.
const NEAR_WAYS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2)];
/// Greatest gap between differing pixels of one region: columns and rows.
const GAP: (usize, usize) = (16, 4);
/// Maximum number of colours in a recoloured region.
const COLOURS_MAX: usize = 16;

/// An element of a frame that differs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    Text(String),
    /// The pixels in a region.
    Picture(Region),
    /// Several texts or pictures.
    Several,
}

/// A kind of difference. Equal values are the same change, wherever they occur.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The element is in another place.
    Moved {
        thing: Thing,
        /// Movement to the right, in columns.
        right: i32,
        /// Movement down, in rows.
        down: i32,
    },
    /// The element has other colours, `0x00RRGGBB`.
    Recoloured {
        thing: Thing,
        /// Changed colours: before and after.
        colours: Vec<(u32, u32)>,
    },
    /// A text was replaced by another in the same place.
    Text { before: String, after: String },
    /// A text was added.
    TextNew(String),
    /// A text was removed.
    TextGone(String),
    /// The picture in this region is different.
    Picture {
        region: Region,
        /// Hash of the pixels before.
        before: FrameHash,
        /// Hash of the pixels after.
        after: FrameHash,
    },
    /// A difference large enough to count as another screen.
    Screen { before: String, after: String },
    /// A settled frame was added.
    FrameNew {
        /// Hash of the frame's pixels.
        hash: FrameHash,
        /// Text on the frame.
        shows: String,
    },
    /// A settled frame was removed.
    FrameGone {
        /// Hash of the frame's pixels.
        hash: FrameHash,
        /// Text on the frame.
        shows: String,
    },
}

/// One difference between two frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub what: What,
    /// Smallest region that contains the difference before and after.
    pub region: Region,
}

/// Returns the differences between two frames of one size; empty only if the frames are equal.
pub fn differences(before: &Frame, after: &Frame, reader: &Reader) -> Vec<Difference> {
    let mut mask = Mask::of(before, after);
    if mask.is_empty() {
        return Vec::new();
    }
    let (read_before, read_after) = (reader.read(before), reader.read(after));
    let pieces = |lines: &[TextLine]| lines.iter().flat_map(TextLine::pieces).collect::<Vec<_>>();
    let lines = [pieces(&read_before.lines), pieces(&read_after.lines)];
    let mut found = texts([before, after], [&lines[0], &lines[1]], &mut mask);
    let ways = ways_of(&found);
    for region in mask.regions() {
        let known = ways.iter().find(|way| is_shifted(region, region, before, after, **way));
        found.push(match known {
            Some((right, down)) => {
                let (right, down) = (*right, *down);
                Difference {
                    what: What::Moved { thing: Thing::Picture(region), right, down },
                    region,
                }
            }
            None => region_of(region, before, after, &lines[0], &lines[1]),
        });
    }
    if found.is_empty() {
        // A text that is read in the same place in two colours, of which the reader sees only one.
        let region = Mask::of(before, after).bounds();
        found.push(picture(region, before, after));
    }
    let mut found = shared(found);
    if found.len() > DIFFERENCES_MAX {
        let region = found.iter().map(|one| one.region).reduce(union).unwrap_or(Region::PANEL);
        let what = What::Screen {
            before: headline(&read_before.to_string()),
            after: headline(&read_after.to_string()),
        };
        found = vec![Difference { what, region }];
    }
    found
}

/// Returns the first words on a screen.
pub fn headline(text: &str) -> String {
    const LETTERS: usize = 40;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Returns the differences that text explains, and clears their pixels in the mask.
fn texts(
    frames: [&Frame; 2],
    [before, after]: [&[TextLine]; 2],
    mask: &mut Mask,
) -> Vec<Difference> {
    let place = |line: &TextLine| (line.x, line.y, line.font);
    let same =
        |one: &TextLine, other: &TextLine| one.text == other.text && place(one) == place(other);
    let alone = |of: &[TextLine], others: &[TextLine]| -> Vec<TextLine> {
        of.iter().filter(|line| !others.iter().any(|other| same(line, other))).cloned().collect()
    };
    let (gone, mut come) = (alone(before, after), alone(after, before));
    let mut found = Vec::new();
    let mut explain = |mask: &mut Mask, what: What, areas: &[Region]| {
        let region = areas.iter().copied().reduce(union);
        areas.iter().for_each(|area| mask.clear(*area));
        found.extend(region.map(|region| Difference { what, region }));
    };
    // Equal text in another place, the nearest first.
    let mut left = Vec::new();
    for line in gone {
        let distance = |other: &TextLine| line.x.abs_diff(other.x) + line.y.abs_diff(other.y);
        let is_it = |other: &TextLine| other.text == line.text && other.font == line.font;
        let nearest = come.iter().enumerate().filter(|(_, other)| is_it(other));
        match nearest.min_by_key(|(_, other)| distance(other)).map(|(index, _)| index) {
            Some(index) => {
                let other = come.remove(index);
                let moved = |from: usize, to: usize| to as i32 - from as i32;
                let what = What::Moved {
                    thing: Thing::Text(line.text.clone()),
                    right: moved(line.x, other.x),
                    down: moved(line.y, other.y),
                };
                explain(mask, what, &[line.area(), other.area()]);
            }
            None => left.push(line),
        }
    }
    // Equal text in another place, of which a part is hidden there: the reader does not find it.
    let mut others = Vec::new();
    let mut ways = ways_of(&found);
    ways.extend(NEAR_WAYS);
    for line in left {
        let area = line.area();
        let is_it = |way: &&(i32, i32)| is_shifted(area, area, frames[0], frames[1], **way);
        let Some((right, down)) = ways.iter().find(is_it).copied() else {
            others.push(line);
            continue;
        };
        let region = shifted(area, (right, down));
        come.retain(|other| !(other.font == line.font && other.area().meets(region)));
        [area, region].into_iter().for_each(|area| mask.clear(area));
        let what = What::Moved { thing: Thing::Text(line.text), right, down };
        found.push(Difference { what, region: union(area, region) });
    }
    let mut explain = |mask: &mut Mask, what: What, areas: &[Region]| {
        let region = areas.iter().copied().reduce(union);
        areas.iter().for_each(|area| mask.clear(*area));
        found.extend(region.map(|region| Difference { what, region }));
    };
    // Other text in the same place.
    for line in others {
        let at = come.iter().position(|other| other.area().meets(line.area()));
        match at.map(|index| come.remove(index)) {
            Some(other) => {
                let areas = [line.area(), other.area()];
                explain(mask, What::Text { before: line.text, after: other.text }, &areas);
            }
            None => explain(mask, What::TextGone(line.text.clone()), &[line.area()]),
        }
    }
    for line in come {
        explain(mask, What::TextNew(line.text.clone()), &[line.area()]);
    }
    found
}

/// Returns the movements among these differences, each once.
fn ways_of(found: &[Difference]) -> Vec<(i32, i32)> {
    let mut ways = Vec::new();
    for one in found {
        if let What::Moved { right, down, .. } = one.what
            && !ways.contains(&(right, down))
        {
            ways.push((right, down));
        }
    }
    ways
}

/// Returns whether the pixels of `from` are shifted by a way, as far as they are in `seen` then. Of a
/// flat area nothing is known.
fn is_shifted(from: Region, seen: Region, before: &Frame, after: &Frame, way: (i32, i32)) -> bool {
    let (left, top) = from.corner();
    let ink = before.pixel(left, top);
    let (mut is_flat, mut count) = (true, 0);
    for y in top..top + usize::from(from.height) {
        for x in left..left + usize::from(from.width) {
            let to = (x as i32 + way.0, y as i32 + way.1);
            let (Ok(to_x), Ok(to_y)) = (usize::try_from(to.0), usize::try_from(to.1)) else {
                continue;
            };
            if !seen.contains(to_x, to_y) {
                continue;
            }
            let was = before.pixel(x, y);
            if was != after.pixel(to_x, to_y) {
                return false;
            }
            is_flat &= was == ink;
            count += 1;
        }
    }
    !is_flat && count * 2 > usize::from(from.width) * usize::from(from.height)
}

fn shifted(region: Region, (right, down): (i32, i32)) -> Region {
    let side = |from: u16, by: i32| u16::try_from(i32::from(from) + by).unwrap_or(0);
    Region { x: side(region.x, right), y: side(region.y, down), ..region }
}

/// Returns the difference in `region`, which no text explains.
fn region_of(
    region: Region,
    before: &Frame,
    after: &Frame,
    read_before: &[TextLine],
    read_after: &[TextLine],
) -> Difference {
    let thing = || {
        let mut lines =
            read_after.iter().chain(read_before).filter(|line| line.area().meets(region));
        match lines.next() {
            Some(line) if lines.all(|other| other.text == line.text) => {
                Thing::Text(line.text.clone())
            }
            _ => Thing::Picture(region),
        }
    };
    if let Some((right, down)) = movement(region, before, after) {
        return Difference { what: What::Moved { thing: thing(), right, down }, region };
    }
    match recoloured(region, before, after) {
        Some(colours) => Difference { what: What::Recoloured { thing: thing(), colours }, region },
        None => picture(region, before, after),
    }
}

fn picture(region: Region, before: &Frame, after: &Frame) -> Difference {
    let hash = |frame: &Frame| FrameHash::of(&frame.part(region));
    let what = What::Picture { region, before: hash(before), after: hash(after) };
    Difference { what, region }
}

/// Returns the distance by which the content of `region` has moved, if nothing else changed.
///
/// The region is the smallest that contains all differences. Content that moved to the right
/// therefore leaves columns at the left of the region and reaches its right edge.
fn movement(region: Region, before: &Frame, after: &Frame) -> Option<(i32, i32)> {
    let (width, height) = (i32::from(region.width), i32::from(region.height));
    let (before, after) = (before.part(region), after.part(region));
    let mut ways: Vec<(i32, i32)> = (-MOVE_MAX..=MOVE_MAX)
        .flat_map(|right| (-MOVE_MAX..=MOVE_MAX).map(move |down| (right, down)))
        .filter(|(right, down)| (*right, *down) != (0, 0))
        .filter(|(right, down)| right.abs() < width && down.abs() < height)
        .collect();
    ways.sort_by_key(|(right, down)| (right.abs() + down.abs(), *right, *down));
    ways.into_iter().find(|way| is_moved(&before, &after, *way))
}

fn is_moved(before: &Frame, after: &Frame, (right, down): (i32, i32)) -> bool {
    let (width, height) = (before.width() as i32, before.height() as i32);
    let pixel = |of: &Frame, x: i32, y: i32| of.pixels()[(y * width + x) as usize];
    let inside = |x: i32, y: i32| (0..width).contains(&x) && (0..height).contains(&y);
    let mut ground = None;
    let mut is_flat = true;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (from_x, from_y) = (x - right, y - down);
        if inside(from_x, from_y) {
            let is = pixel(after, x, y);
            if is != pixel(before, from_x, from_y) {
                return false;
            }
            is_flat &= is == pixel(after, right.max(0), down.max(0));
        } else if *ground.get_or_insert(pixel(after, x, y)) != pixel(after, x, y) {
            // The area that the content left shows the background, so it must have a single colour.
            return false;
        }
        let (to_x, to_y) = (x + right, y + down);
        if !inside(to_x, to_y) && *ground.get_or_insert(pixel(before, x, y)) != pixel(before, x, y)
        {
            return false;
        }
    }
    // A flat overlap proves nothing, unless the moved content is itself flat and differs from the
    // background.
    !is_flat || ground != Some(pixel(after, right.max(0), down.max(0)))
}

/// Returns the colours that changed in `region`, if they map one to one and nothing else changed.
fn recoloured(region: Region, before: &Frame, after: &Frame) -> Option<Vec<(u32, u32)>> {
    let (before, after) = (before.part(region), after.part(region));
    let mut colours: Vec<(u32, u32)> = Vec::new();
    for (was, is) in before.pixels().iter().copied().zip(after.pixels().iter().copied()) {
        if colours.contains(&(was, is)) {
            continue;
        }
        let is_one_to_one = colours.iter().all(|(from, to)| *from != was && *to != is);
        if !is_one_to_one || colours.len() >= COLOURS_MAX {
            return None;
        }
        colours.push((was, is));
    }
    colours.retain(|(was, is)| was != is);
    colours.sort_unstable();
    Some(colours)
}

/// Combines equal differences of several elements into one.
fn shared(found: Vec<Difference>) -> Vec<Difference> {
    let kind = |what: &What| match what {
        What::Moved { right, down, .. } => {
            Some(What::Moved { thing: Thing::Several, right: *right, down: *down })
        }
        What::Recoloured { colours, .. } => {
            Some(What::Recoloured { thing: Thing::Several, colours: colours.clone() })
        }
        _ => None,
    };
    let mut kept: Vec<Difference> = Vec::new();
    let kinds: Vec<Option<What>> = found.iter().map(|one| kind(&one.what)).collect();
    for (one, of) in found.into_iter().zip(&kinds) {
        let count = kinds.iter().filter(|other| of.is_some() && *other == of).count();
        let what = match of {
            Some(of) if count >= SHARED => of.clone(),
            _ => one.what,
        };
        match kept.iter_mut().find(|kept| kept.what == what) {
            Some(kept) => kept.region = union(kept.region, one.region),
            None => kept.push(Difference { what, region: one.region }),
        }
    }
    kept
}

/// Returns the smallest region that contains both.
pub fn union(one: Region, other: Region) -> Region {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let end = |from: u16, length: u16| from.saturating_add(length);
    let right = end(one.x, one.width).max(end(other.x, other.width));
    let bottom = end(one.y, one.height).max(end(other.y, other.height));
    Region { x, y, width: right - x, height: bottom - y }
}

/// Mask of the pixels that differ.
struct Mask {
    width: usize,
    height: usize,
    differs: Vec<bool>,
}

impl Mask {
    fn of(before: &Frame, after: &Frame) -> Self {
        let differs = before.pixels().iter().zip(after.pixels()).map(|(was, is)| was != is);
        Self { width: before.width(), height: before.height(), differs: differs.collect() }
    }

    fn is_empty(&self) -> bool {
        !self.differs.contains(&true)
    }

    fn clear(&mut self, region: Region) {
        let (left, top) = region.corner();
        let right = (left + usize::from(region.width)).min(self.width);
        let bottom = (top + usize::from(region.height)).min(self.height);
        for y in top..bottom {
            if left < right {
                self.differs[y * self.width + left..y * self.width + right].fill(false);
            }
        }
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.differs.iter().enumerate().filter(|(_, differs)| **differs);
        places.map(|(at, _)| (at % self.width, at / self.width))
    }

    fn bounds(&self) -> Region {
        self.places().map(pixel).reduce(union).unwrap_or(Region::PANEL)
    }

    /// Returns the regions of adjacent differing pixels, from the top left.
    fn regions(&self) -> Vec<Region> {
        // Marks the squares that contain differing pixels, and joins squares that are less than a
        // gap apart.
        let (columns, rows) = (self.width.div_ceil(GAP.0 / 2), self.height.div_ceil(GAP.1 / 2));
        let mut bounds: Vec<Option<Region>> = vec![None; columns * rows];
        for (x, y) in self.places() {
            let square = &mut bounds[y / (GAP.1 / 2) * columns + x / (GAP.0 / 2)];
            *square = Some(square.map_or(pixel((x, y)), |region| union(region, pixel((x, y)))));
        }
        let mut found = Vec::new();
        for start in 0..bounds.len() {
            let Some(mut region) = bounds[start].take() else { continue };
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                let (column, row) = (at % columns, at / columns);
                for y in row.saturating_sub(2)..=(row + 2).min(rows - 1) {
                    for x in column.saturating_sub(2)..=(column + 2).min(columns - 1) {
                        if let Some(part) = bounds[y * columns + x].take() {
                            region = union(region, part);
                            open.push(y * columns + x);
                        }
                    }
                }
            }
            found.push(region);
        }
        found
    }
}

fn pixel((x, y): (usize, usize)) -> Region {
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region { x: side(x), y: side(y), width: 1, height: 1 }
}

/// Returns `1 px to the right and 2 px up`.
pub(crate) fn way(right: i32, down: i32) -> String {
    let part = |pixels: i32, forward: &str, back: &str| match pixels {
        0 => None,
        1.. => Some(format!("{pixels} px {forward}")),
        _ => Some(format!("{} px {back}", pixels.unsigned_abs())),
    };
    let across = part(right, "to the right", "to the left");
    let along = part(down, "down", "up");
    across.into_iter().chain(along).collect::<Vec<_>>().join(" and ")
}

impl fmt::Display for Thing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "the text “{text}”"),
            Self::Picture(region) => write!(out, "the picture in {region}"),
            Self::Several => out.write_str("several things"),
        }
    }
}

/// Prints `the text “Menu” moved 1 px to the right`: a sentence without a full stop.
impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved { thing, right, down } => {
                write!(out, "{thing} moved {}", way(*right, *down))
            }
            Self::Recoloured { thing, colours } => {
                write!(out, "{thing} changed colour: ")?;
                for (number, (was, is)) in colours.iter().enumerate() {
                    let comma = if number > 0 { ", " } else { "" };
                    write!(out, "{comma}#{was:06x} became #{is:06x}")?;
                }
                Ok(())
            }
            Self::Text { before, after } if before == after => {
                write!(out, "the text “{before}” is drawn in another size")
            }
            Self::Text { before, after } => write!(out, "the text “{before}” became “{after}”"),
            Self::TextNew(text) => write!(out, "the text “{text}” appeared"),
            Self::TextGone(text) => write!(out, "the text “{text}” disappeared"),
            Self::Picture { region, .. } => write!(out, "the picture in {region} is another"),
            Self::Screen { before, after } if before == after => {
                write!(out, "most of the screen “{before}” is another")
            }
            Self::Screen { before, after } => {
                write!(out, "another screen: “{before}” became “{after}”")
            }
            Self::FrameNew { shows, .. } => write!(out, "a settled frame is new: “{shows}”"),
            Self::FrameGone { shows, .. } => write!(out, "a settled frame is gone: “{shows}”"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INK: u32 = 0x00FF_FFFF;
    const GROUND: u32 = 0x0010_2030;

    /// Returns a reader without fonts, for which everything is a picture.
    fn blind() -> Reader {
        Reader::new(Vec::new())
    }

    /// Draws a shape that equals no shifted copy of itself.
    fn draw(frame: &mut Frame, (x, y): (usize, usize), ink: u32) {
        for (row, bits) in
            [0b1111_1111_u32, 0b1000_0001, 0b1011_0111, 0b1000_1001, 0b1111_1101].iter().enumerate()
        {
            for column in 0..8 {
                if bits >> column & 1 == 1 {
                    frame.pixels_mut()[(y + row) * 320 + x + column] = ink;
                }
            }
        }
    }

    fn with(shapes: &[((usize, usize), u32)]) -> Frame {
        let mut frame = Frame::filled(320, 240, GROUND);
        shapes.iter().for_each(|(place, ink)| draw(&mut frame, *place, *ink));
        frame
    }

    fn sentences(before: &Frame, after: &Frame) -> Vec<String> {
        let found = differences(before, after, &blind());
        found.iter().map(|difference| difference.what.to_string()).collect()
    }

    proptest! {
        #[test]
        fn a_planted_move_is_found_and_named(
            x in 20_usize..280, y in 20_usize..200, right in -12_i32..=12, down in -12_i32..=12,
        ) {
            prop_assume!((right, down) != (0, 0));
            let to = ((x as i32 + right) as usize, (y as i32 + down) as usize);
            // The unchanged shape is as far away as two separate elements of a screen.
            let rest = ((x + 160) % 300, (y + 120) % 220);
            let (before, after) = (with(&[((x, y), INK), (rest, INK)]), with(&[(to, INK), (rest, INK)]));
            let found = differences(&before, &after, &blind());
            let moved = found.iter().filter_map(|one| match &one.what {
                What::Moved { right, down, .. } => Some((*right, *down)),
                _ => None,
            });
            // A shape that moves further than its own width counts as removed here and added there.
            if right.abs() < 8 && down.abs() < 5 {
                prop_assert_eq!(moved.collect::<Vec<_>>(), [(right, down)]);
            } else {
                prop_assert!(!found.is_empty());
            }
        }

        #[test]
        fn a_planted_colour_is_found_and_named(x in 0_usize..300, y in 0_usize..230, ink in 0_u32..0x00FF_FFFF) {
            prop_assume!(ink != GROUND);
            let found = differences(&with(&[((x, y), INK)]), &with(&[((x, y), ink)]), &blind());
            let expected = What::Recoloured {
                thing: Thing::Picture(Region { x: x as u16, y: y as u16, width: 8, height: 5 }),
                colours: vec![(INK, ink)],
            };
            prop_assert_eq!(found.into_iter().map(|one| one.what).collect::<Vec<_>>(), [expected]);
        }

        #[test]
        fn every_differing_pixel_is_in_a_region(
            shapes in proptest::collection::vec((0_usize..310, 0_usize..235), 0..12),
            others in proptest::collection::vec((0_usize..310, 0_usize..235), 0..12),
        ) {
            let frame = |shapes: &[(usize, usize)]| {
                with(&shapes.iter().map(|place| (*place, INK)).collect::<Vec<_>>())
            };
            let (before, after) = (frame(&shapes), frame(&others));
            let found = differences(&before, &after, &blind());
            for (at, (was, is)) in before.pixels().iter().zip(after.pixels()).enumerate() {
                let inside = || found.iter().any(|one| one.region.contains(at % 320, at / 320));
                prop_assert!(was == is || inside(), "{} {}", at % 320, at / 320);
            }
        }
    }

    #[test]
    fn a_difference_of_many_elements_is_reported_once() {
        let places = [(10, 10), (200, 60), (30, 150), (250, 200)];
        let frame = |by: usize, ink: u32| with(&places.map(|(x, y)| ((x + by, y), ink)));
        assert_eq!(
            sentences(&frame(0, INK), &frame(1, INK)),
            ["several things moved 1 px to the right"]
        );
        assert_eq!(
            sentences(&frame(0, INK), &frame(0, 0x00FF_0000)),
            ["several things changed colour: #ffffff became #ff0000"]
        );
        let two = |by: usize| with(&[((10, 10 + by), INK), ((200, 60), INK)]);
        assert_eq!(sentences(&two(1), &two(0)), ["the picture in 10,10,8,6 moved 1 px up"]);
    }

    #[test]
    fn an_element_that_moves_with_another_may_be_cut_off() {
        // The second shape leaves the panel by its last row, on a ground that is not flat.
        let frame = |down: usize| {
            let mut frame = with(&[((10, 20 + down), INK), ((200, 60 + down), INK)]);
            draw(&mut frame, (100, 100 + down), INK);
            let edge = 104 * 320 + 100;
            frame.pixels_mut()[edge..edge + 8].fill(0x0033_0000);
            frame
        };
        let [before, after] = [frame(0), frame(1)];
        let region = Region { x: 100, y: 100, width: 8, height: 4 };
        assert!(is_shifted(region, region, &before, &after, (0, 1)));
        assert!(!is_shifted(region, region, &before, &after, (1, 0)));
        let flat = Region { x: 300, y: 200, width: 8, height: 4 };
        assert!(!is_shifted(flat, flat, &before, &after, (0, 1)));
    }

    #[test]
    fn many_changed_pictures_are_another_screen() {
        let none = with(&[]);
        assert_eq!(
            sentences(&none, &with(&[((10, 20), INK)])),
            ["the picture in 10,20,8,5 is another"]
        );
        let many: Vec<_> = (0..11).map(|nth| ((nth % 4 * 70 + 5, nth / 4 * 60 + 5), INK)).collect();
        assert_eq!(sentences(&none, &with(&many)), ["most of the screen “” is another"]);
        assert_eq!(sentences(&none, &none), [""; 0]);
    }
}
