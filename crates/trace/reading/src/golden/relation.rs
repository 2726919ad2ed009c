//! The [`Relation`] between a frame and a golden that differ, if one transformation makes the
//! golden of the frame: a mirrored, turned or shifted picture, exchanged or inverted colours. These
//! are the usual results of a wrong MADCTL, inversion, byte order, or offset.
//!
//! A relation is exact: it holds for every pixel, by the rules of the comparison.

use core::fmt;
use std::collections::HashMap;

use super::{Rules, size};
use ili9341_model::frame::{Frame, Region};

/// Maximum shift in each direction: the rows of an ST7789's memory that a square panel does not
/// show.
const SHIFT_MAX: usize = 80;
/// Size of the part of the golden that is searched in the frame to find a shift.
const ANCHOR: (usize, usize) = (8, 4);
/// Maximum number of places of that part that are examined.
const PLACES_MAX: usize = 8;
/// Number of colours that a region must have, so that exchanged colours mean something. A whole
/// panel needs two.
const COLOURS_OF_A_PART: usize = 3;

/// A transformation that makes a frame of its golden. At least one of both fields is not `Same`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    pub placement: Placement,
    pub colours: Colours,
}

/// The place of each pixel of the golden in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    Same,
    /// Left and right are exchanged.
    Mirrored,
    /// Top and bottom are exchanged.
    Flipped,
    /// Turned by 180 degrees.
    UpsideDown,
    /// Turned by 90 degrees clockwise.
    Clockwise,
    /// Turned by 90 degrees counterclockwise.
    Counterclockwise,
    /// Columns and rows are exchanged.
    Transposed,
    /// Columns and rows are exchanged, and both are mirrored.
    Transversed,
    /// Moved by columns to the right and rows down. The rest of the frame is not compared.
    Shifted {
        columns: i16,
        rows: i16,
    },
}

/// The colour of each pixel of the golden in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    Same,
    /// Red and blue are exchanged.
    Exchanged,
    Inverted,
    ExchangedAndInverted,
    /// The bytes of each pixel of 16 bits are exchanged.
    BytesExchanged,
}

const PLACEMENTS: [Placement; 8] = [
    Placement::Same,
    Placement::Mirrored,
    Placement::Flipped,
    Placement::UpsideDown,
    Placement::Clockwise,
    Placement::Counterclockwise,
    Placement::Transposed,
    Placement::Transversed,
];
const COLOURS: [Colours; 5] = [
    Colours::Same,
    Colours::Exchanged,
    Colours::Inverted,
    Colours::ExchangedAndInverted,
    Colours::BytesExchanged,
];

/// Returns the relation of `region` of `actual`, a whole panel, to its golden `expected`, from
/// which it differs.
pub fn relation(
    actual: &Frame,
    expected: &Frame,
    region: Region,
    rules: &Rules,
) -> Option<Relation> {
    let is_whole = region == actual.whole();
    if !has_colours(expected, if is_whole { 2 } else { COLOURS_OF_A_PART }) {
        return None;
    }
    let compared = Compared { actual: &actual.part(region), expected, region, rules };
    // A region of a mirrored picture is not the mirrored region.
    let placements = if is_whole { &PLACEMENTS[..] } else { &PLACEMENTS[..1] };
    let single = |relation: &Relation| {
        (relation.placement == Placement::Same) != (relation.colours == Colours::Same)
    };
    let pairs = placements
        .iter()
        .flat_map(|&placement| COLOURS.iter().map(move |&colours| Relation { placement, colours }));
    let pairs = pairs.skip(1);
    let found = pairs.clone().filter(single).find(|relation| compared.holds(*relation));
    let found = found
        .or_else(|| pairs.filter(|pair| !single(pair)).find(|relation| compared.holds(*relation)));
    found.or_else(|| if is_whole { compared.shift() } else { None })
}

/// Returns whether the frame has at least `count` colours.
fn has_colours(frame: &Frame, count: usize) -> bool {
    let mut found: Vec<u32> = Vec::with_capacity(count);
    frame.pixels().iter().any(|pixel| {
        if !found.contains(pixel) {
            found.push(*pixel);
        }
        found.len() >= count
    })
}

/// A part of a panel and its golden.
struct Compared<'a> {
    actual: &'a Frame,
    expected: &'a Frame,
    region: Region,
    rules: &'a Rules,
}

impl Compared<'_> {
    fn holds(&self, relation: Relation) -> bool {
        let (width, height) = size(self.actual);
        let is_turned = matches!(
            relation.placement,
            Placement::Clockwise
                | Placement::Counterclockwise
                | Placement::Transposed
                | Placement::Transversed
        );
        let wanted = if is_turned { (height, width) } else { (width, height) };
        if size(self.expected) != wanted {
            return false;
        }
        let (left, top) = self.region.corner();
        let mut off = 0;
        for (y, row) in self.actual.pixels().chunks(width.max(1)).enumerate() {
            for (x, is) in row.iter().enumerate() {
                let Some((from_x, from_y)) = relation.placement.source((x, y), (width, height))
                else {
                    continue;
                };
                let should = self.expected.pixel(from_x, from_y).unwrap_or_default();
                if self.differs(relation.colours, (left + x, top + y), *is, should) {
                    off += 1;
                    if off > self.rules.pixels_off {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn differs(&self, colours: Colours, (x, y): (usize, usize), is: u32, should: u32) -> bool {
        let should = match colours {
            Colours::Same => should,
            Colours::Exchanged => exchanged(should),
            Colours::Inverted => should ^ 0x00FF_FFFF,
            Colours::ExchangedAndInverted => exchanged(should) ^ 0x00FF_FFFF,
            // The expansion of 16 bits to 24 is the panel's: only the 16 bits are compared.
            Colours::BytesExchanged if rgb565(is) == rgb565(should).swap_bytes() => is,
            Colours::BytesExchanged => return true,
        };
        self.rules.differs(x, y, is, should)
    }

    /// Finds a shift: the place in the frame of a part that the golden has once.
    fn shift(&self) -> Option<Relation> {
        if size(self.actual) != size(self.expected) {
            return None;
        }
        let (width, height) = size(self.expected);
        let (across, down) = (width / 2, height / 2);
        let distance =
            |(x, y): (usize, usize)| (x + ANCHOR.0 / 2).abs_diff(across) + y.abs_diff(down);
        let mut places: HashMap<u64, ((usize, usize), usize)> = HashMap::new();
        for (place, hash) in parts(self.expected) {
            places.entry(hash).or_insert((place, 0)).1 += 1;
        }
        let once = places.into_iter().filter(|(_, (_, count))| *count == 1);
        let (anchor, (from, _)) = once.min_by_key(|(_, (place, _))| (distance(*place), *place))?;
        let found = parts(self.actual).filter(|(_, hash)| *hash == anchor).take(PLACES_MAX);
        let shifts = found.filter_map(|((x, y), _)| {
            let by = |to: usize, from: usize| {
                let is_near = to.abs_diff(from) <= SHIFT_MAX;
                is_near.then(|| i16::try_from(to as i64 - from as i64).ok()).flatten()
            };
            let (columns, rows) = (by(x, from.0)?, by(y, from.1)?);
            let overlap = (width - usize::from(columns.unsigned_abs()))
                * (height - usize::from(rows.unsigned_abs()));
            let is_shifted = (columns, rows) != (0, 0) && 2 * overlap >= width * height;
            is_shifted.then_some(Relation {
                placement: Placement::Shifted { columns, rows },
                colours: Colours::Same,
            })
        });
        shifts.into_iter().find(|relation| self.holds(*relation))
    }
}

/// Returns the places of all parts of a frame with the size [`ANCHOR`], with a hash of each.
fn parts(frame: &Frame) -> impl Iterator<Item = ((usize, usize), u64)> + '_ {
    let (width, height) = size(frame);
    let columns = (width + 1).saturating_sub(ANCHOR.0);
    let rows = (height + 1).saturating_sub(ANCHOR.1);
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y))).map(move |(x, y)| {
        let lines = (y..y + ANCHOR.1).map(|y| &frame.pixels()[y * width + x..][..ANCHOR.0]);
        // FNV-1a on words.
        let hash = lines.flatten().fold(0xCBF2_9CE4_8422_2325_u64, |hash, pixel| {
            (hash ^ u64::from(*pixel)).wrapping_mul(0x0100_0000_01B3)
        });
        ((x, y), hash)
    })
}

fn exchanged(rgb: u32) -> u32 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    u32::from_be_bytes([0, blue, green, red])
}

fn rgb565(rgb: u32) -> u16 {
    let [_, red, green, blue] = rgb.to_be_bytes().map(u16::from);
    (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
}

impl Placement {
    /// Returns the column and row of the golden that is at `(x, y)` of a frame of this size.
    fn source(
        self,
        (x, y): (usize, usize),
        (width, height): (usize, usize),
    ) -> Option<(usize, usize)> {
        let (right, bottom) = (width - 1 - x, height - 1 - y);
        Some(match self {
            Self::Same => (x, y),
            Self::Mirrored => (right, y),
            Self::Flipped => (x, bottom),
            Self::UpsideDown => (right, bottom),
            Self::Clockwise => (y, right),
            Self::Counterclockwise => (bottom, x),
            Self::Transposed => (y, x),
            Self::Transversed => (bottom, right),
            Self::Shifted { columns, rows } => {
                let back = |at: usize, by: i16, side: usize| {
                    at.checked_add_signed(-isize::from(by)).filter(|at| *at < side)
                };
                (back(x, columns, width)?, back(y, rows, height)?)
            }
        })
    }
}

/// Writes the fact and the question that follows from it, as the end of a sentence: `it is the
/// golden with red and blue exchanged: …`.
impl fmt::Display for Relation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (placement, causes) = match self.placement {
            Placement::Same => ("", None),
            Placement::Mirrored => (" mirrored left to right", Some(MIRROR)),
            Placement::Flipped => (" mirrored top to bottom", Some(MIRROR)),
            Placement::UpsideDown => (" turned by 180 degrees", Some(ROTATION)),
            Placement::Clockwise => (" turned by 90 degrees clockwise", Some(ROTATION)),
            Placement::Counterclockwise => {
                (" turned by 90 degrees counterclockwise", Some(ROTATION))
            }
            Placement::Transposed => (" with columns and rows exchanged", Some(ROTATION)),
            Placement::Transversed => {
                (" turned by 180 degrees with columns and rows exchanged", Some(ROTATION))
            }
            Placement::Shifted { columns, rows } => {
                let moved = |by: i16, forth: &'static str, back: &'static str| {
                    let way = if by > 0 { forth } else { back };
                    (by != 0).then(|| format!("{} {way}", by.unsigned_abs()))
                };
                let ways =
                    [moved(columns, "to the right", "to the left"), moved(rows, "down", "up")];
                let ways: Vec<String> = ways.into_iter().flatten().collect();
                return write!(
                    out,
                    "it is the golden shifted by {} pixels: is the `offset` of the display right?",
                    ways.join(" and ")
                );
            }
        };
        let (colours, cause) = match self.colours {
            Colours::Same => ("", None),
            Colours::Exchanged => (" with red and blue exchanged", Some(SUBPIXELS)),
            Colours::Inverted => (" with inverted colours", Some(INVERSION)),
            Colours::ExchangedAndInverted => {
                (" with red and blue exchanged and inverted colours", Some(SUBPIXELS))
            }
            Colours::BytesExchanged => (
                " with the two bytes of each pixel exchanged",
                Some("is the upper byte sent first?"),
            ),
        };
        let and = if placement.is_empty() || colours.is_empty() { "" } else { "," };
        write!(out, "it is the golden{placement}{and}{colours}")?;
        match causes.or(cause) {
            Some(question) => write!(out, ": {question}"),
            None => Ok(()),
        }
    }
}

const MIRROR: &str = "are MADCTL and the `mirror` of the display right?";
const ROTATION: &str = "are MADCTL and the `rotation` of the display right?";
const SUBPIXELS: &str = "are BGR of MADCTL and the `subpixels` of the display right?";
const INVERSION: &str = "is INVON or INVOFF right for the panel?";
