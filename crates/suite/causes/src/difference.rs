//! Describes the differences between two frames: which text moved, changed or changed its colour,
//! and which part of the picture is different.
//!
//! Text that the [`Reader`] finds comes first. The pixels that it does not explain are split into
//! regions, each of which was moved, recoloured or replaced. `texts` has the former, `pixels` the
//! latter, `mask` the pixels that differ, `sentences` words both. This module does not know times
//! or traces.

mod mask;
mod pixels;
mod sentences;
mod texts;

use ili9341_model::{Frame, Region};
use reading::{
    golden::chain::FrameHash,
    text::{Reader, TextLine},
};

use mask::Mask;
use pixels::{is_shifted, picture, recoloured_everywhere, region_of};
pub(crate) use sentences::way;
use texts::{texts, ways_of};

/// Number of elements in a frame from which an equal movement or recolouring becomes one
/// difference.
const SHARED: usize = 3;
/// Number of differences above which a frame counts as another screen.
const DIFFERENCES_MAX: usize = 10;

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
    found.extend(recoloured_everywhere(before, after, &mut mask));
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
    fn a_colour_that_is_another_everywhere_hides_no_second_change() {
        let before = with(&[((10, 20), INK)]);
        let mut after = with(&[((10, 20), INK), ((200, 60), INK)]);
        for pixel in after.pixels_mut().iter_mut().filter(|pixel| **pixel == GROUND) {
            *pixel = 0x0040_5060;
        }
        assert_eq!(
            sentences(&before, &after),
            [
                "several things changed colour: #102030 became #405060",
                "the picture in 200,60,8,5 is another"
            ]
        );
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
