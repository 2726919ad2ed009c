//! Reads a frame that differs little from one that has been read: glyphs are looked for only where
//! pixels have changed, all others are taken over.
//!
//! Whether a glyph is found in a cell depends on the pixels of the cell and on those one column left
//! of it and one row above it, and on nothing else (`font`, `candidates`). So a cell that meets no
//! changed tile, margin included, holds the glyph that it held. Lines are joined and judged anew.

use super::ScreenText;
use super::font::{Font, Glyph};
use super::reader::Reader;
use super::tiles::Tiles;
use crate::Frame;

/// A frame, the glyphs of each font on it, and its text.
///
/// It belongs to the reader that made it: another one would take over glyphs of fonts that it does not
/// have.
#[derive(Clone, Debug)]
pub struct Reading {
    frame: Frame,
    /// By font, in row order of their cells, none twice.
    glyphs: Vec<Vec<Glyph>>,
    screen: ScreenText,
}

impl Reading {
    /// All the text on its frame, as [`Reader::read`] reads it.
    pub fn screen(&self) -> &ScreenText {
        &self.screen
    }
}

impl Reader {
    /// The text on `frame`. `before` is what this reader has read last: of a frame of the same size only
    /// what has changed is read. The result is the same as that of [`read`](Self::read) in any case.
    pub fn read_again(&self, before: Option<Reading>, frame: Frame) -> Reading {
        let changed = before.as_ref().and_then(|before| Tiles::changed(&before.frame, &frame));
        let (Some(before), Some(changed)) = (before, changed) else {
            let glyphs = self.glyphs(&frame, &Tiles::all(&frame), None);
            let screen = self.lines(&frame, &glyphs);
            return Reading { frame, glyphs, screen };
        };
        if changed.is_empty() {
            return before;
        }
        let fonts = self.fonts();
        let widest = fonts.iter().map(Font::cell_width).max().unwrap_or_default();
        let highest = fonts.iter().map(Font::cell_height).max().unwrap_or_default();
        // The first ink pixel of a cell that meets a change is at most a cell away from it.
        let near = changed.grown(widest, highest);
        let mut glyphs = self.glyphs(&frame, &near, Some(&changed));
        for ((font, now), then) in fonts.iter().zip(&mut glyphs).zip(before.glyphs) {
            let stays = |glyph: &Glyph| !font.has_changed(&changed, glyph.x, glyph.y);
            now.extend(then.into_iter().filter(stays));
            Glyph::put_in_order(now);
        }
        let screen = self.lines(&frame, &glyphs);
        Reading { frame, glyphs, screen }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{FONTS, GROUND, Panel, reader};
    use super::*;
    use crate::random::Random;

    /// What is done to a panel between two readings.
    #[derive(Clone, Debug)]
    enum Change {
        Text {
            font: usize,
            x: i32,
            y: i32,
            text: String,
        },
        /// Pixels of a rectangle, in one of a few colours each.
        Noise {
            x: usize,
            y: usize,
            width: usize,
            height: usize,
            seed: u64,
        },
        /// A rectangle moves by some pixels; text in it does not stop at its edge.
        Moved {
            y: usize,
            height: usize,
            by: usize,
        },
        Fill {
            x: usize,
            y: usize,
            width: usize,
            height: usize,
        },
        Pixel {
            at: usize,
        },
    }

    fn change() -> impl Strategy<Value = Change> {
        let place = (0..320_usize, 0..240_usize, 1..60_usize, 1..40_usize);
        prop_oneof![
            4 => (0..FONTS.len(), -8..320_i32, -8..240_i32, "[ -~]{1,12}")
                .prop_map(|(font, x, y, text)| Change::Text { font, x, y, text }),
            1 => (place.clone(), any::<u64>()).prop_map(|((x, y, width, height), seed)| {
                Change::Noise { x, y, width, height, seed }
            }),
            1 => (0..240_usize, 1..40_usize, 1..20_usize)
                .prop_map(|(y, height, by)| Change::Moved { y, height, by }),
            1 => place.prop_map(|(x, y, width, height)| Change::Fill { x, y, width, height }),
            3 => (0..320 * 240_usize).prop_map(|at| Change::Pixel { at }),
        ]
    }

    fn draw(panel: &mut Panel, change: &Change) {
        let colours = panel.colours();
        let width = panel.frame.width();
        let each = |x: usize, y: usize, columns: usize, rows: usize| {
            (y..(y + rows).min(240))
                .flat_map(move |y| (x..(x + columns).min(320)).map(move |x| (x, y)))
        };
        match *change {
            Change::Text { font, x, y, ref text } => panel.text(FONTS[font].1, x, y, text),
            Change::Noise { x, y, width: columns, height, seed } => {
                let mut random = Random::new(seed);
                for (x, y) in each(x, y, columns, height) {
                    panel.frame.pixels_mut()[y * width + x] = colours[random.below(2) as usize];
                }
            }
            Change::Moved { y, height, by } => {
                for row in y..(y + height).min(240) {
                    panel.frame.pixels_mut()[row * width..(row + 1) * width].rotate_right(by);
                }
            }
            Change::Fill { x, y, width: columns, height } => {
                for (x, y) in each(x, y, columns, height) {
                    panel.frame.pixels_mut()[y * width + x] = colours[0];
                }
            }
            Change::Pixel { at } => {
                let other = colours[usize::from(panel.frame.pixels()[at] == colours[0])];
                panel.frame.pixels_mut()[at] = other;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_read_again_is_what_a_whole_reading_reads(
            first in proptest::collection::vec(change(), 0..12),
            later in proptest::collection::vec(proptest::collection::vec(change(), 0..4), 1..6),
        ) {
            let reader = reader();
            let mut panel = Panel::new(GROUND);
            first.iter().for_each(|change| draw(&mut panel, change));
            let mut reading = reader.read_again(None, panel.frame.clone());
            prop_assert_eq!(reading.screen(), &reader.read(&panel.frame));
            for changes in &later {
                changes.iter().for_each(|change| draw(&mut panel, change));
                reading = reader.read_again(Some(reading), panel.frame.clone());
                prop_assert_eq!(reading.screen(), &reader.read(&panel.frame));
            }
        }
    }

    #[test]
    fn a_frame_of_another_size_is_read_whole() {
        let reader = reader();
        let mut panel = Panel::new(GROUND);
        panel.text(FONTS[0].1, 10, 10, "a text");
        let small = reader.read_again(None, Frame::filled(64, 32, 7));
        assert!(small.screen().lines.is_empty());
        let reading = reader.read_again(Some(small), panel.frame.clone());
        assert_eq!(reading.screen().to_string(), "a text");
        let small = reader.read_again(Some(reading), Frame::filled(0, 0, 7));
        assert!(small.screen().lines.is_empty());
    }
}
