//! Reads a frame that differs little from a previous one: only glyphs near changed pixels are
//! searched for, all others are copied from the previous reading.
//!
//! Whether a glyph is found in a cell depends only on the pixels of the cell, the column to its
//! left and the row above it (`font`, `edges`). Therefore a cell that, with this margin, touches no
//! changed tile contains the same glyph as before. A run of glyphs is unchanged if none of the
//! cells that were examined for it, nor a pixel around them, is in a changed tile (`runs`). The
//! decision which runs are text is made again for every frame.

use super::ScreenText;
use super::edges::{Edges, Picture};
use super::font::Glyph;
use super::reader::Reader;
use super::runs::Run;
use ili9341_model::{Frame, Tiles};

/// The glyphs of each font on a frame, and its text.
///
/// Valid only for the reader that made it: another reader would copy glyphs of fonts that it does
/// not have.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Glyphs by searched font, in row order of their cells, without duplicates.
    glyphs: Vec<Vec<Glyph>>,
    /// Runs by font, in row order of their first glyphs.
    runs: Vec<Vec<Run>>,
    screen: ScreenText,
    /// Edges of the frame; `None` for a frame of one colour, which may have any size.
    edges: Option<Edges>,
}

impl Reading {
    /// Returns all text on the frame, as [`Reader::read`] does.
    pub fn screen(&self) -> &ScreenText {
        &self.screen
    }
}

impl Reader {
    /// Returns the reading of a frame of one colour.
    pub fn read_blank(&self) -> Reading {
        let fonts = self.fonts().len();
        Reading {
            glyphs: vec![Vec::new(); self.searched().count()],
            runs: vec![Vec::new(); fonts],
            screen: ScreenText::default(),
            edges: None,
        }
    }

    /// Reads the text on `frame`, which has the size of the frame of `before` (a reading of this
    /// reader) and differs from it at most in the `changed` tiles. Only those are read. The result
    /// is that of [`read`](Self::read).
    pub fn read_again(&self, before: Reading, frame: &Frame, changed: &Tiles) -> Reading {
        if changed.is_empty() {
            return before;
        }
        let (width, height) = (frame.width(), frame.height());
        let mut edges = before.edges.unwrap_or_else(|| Edges::blank(width, height));
        edges.update(frame, changed);
        let picture = Picture { frame, edges: &edges };
        let mut glyphs = self.glyphs(picture, Some(changed));
        for ((font, now), then) in self.searched().zip(&mut glyphs).zip(before.glyphs) {
            let stays = |glyph: &Glyph| !font.has_changed(changed, glyph.x, glyph.y);
            now.reserve(then.len());
            now.extend(then.into_iter().filter(stays));
            Glyph::put_in_order(now);
        }
        let runs = self.runs(picture, &glyphs, Some((before.runs, changed)));
        let screen = self.text(frame, &runs);
        Reading { glyphs, runs, screen, edges: Some(edges) }
    }
}

#[cfg(test)]
mod tests {
    use embedded_graphics::mono_font::MonoFont;
    use proptest::prelude::*;

    use super::super::font::{Anchor, Font};
    use super::super::tests::{FONTS, GROUND, Panel, reader};
    use super::*;
    use virtual_time::Random;

    /// A change of a panel between two readings.
    #[derive(Clone, Debug)]
    enum Change {
        Text {
            font: usize,
            x: i32,
            y: i32,
            text: String,
        },
        /// Fills a rectangle with pixels of a few random colours.
        Noise {
            x: usize,
            y: usize,
            width: usize,
            height: usize,
            seed: u64,
        },
        /// Moves a rectangle by some pixels; text in it does not end at its edge.
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
        fn reading_again_gives_the_result_of_a_complete_reading(
            first in proptest::collection::vec(change(), 0..12),
            later in proptest::collection::vec(proptest::collection::vec(change(), 0..4), 1..6),
        ) {
            let reader = reader();
            let mut panel = Panel::new(GROUND);
            first.iter().for_each(|change| draw(&mut panel, change));
            let mut before = Panel::new(GROUND).frame;
            let mut reading = reader.read_blank();
            prop_assert_eq!(reading.screen(), &reader.read(&before));
            for changes in std::iter::once(&Vec::new()).chain(&later) {
                changes.iter().for_each(|change| draw(&mut panel, change));
                let changed = Tiles::changed(&before, &panel.frame).unwrap();
                reading = reader.read_again(reading, &panel.frame, &changed);
                prop_assert_eq!(reading.screen(), &reader.read(&panel.frame));
                before.clone_from(&panel.frame);
            }
        }
    }

    /// Returns all glyphs on the frame, as the reader finds them.
    fn glyphs(reader: &Reader, frame: &Frame) -> Vec<Vec<Glyph>> {
        reader.glyphs(Picture { frame, edges: &Edges::of(frame) }, None)
    }

    /// Returns all glyphs on the frame, found pixel by pixel: no surroundings exclude a glyph.
    fn all_glyphs(reader: &Reader, frame: &Frame) -> Vec<Vec<Glyph>> {
        let width = frame.width();
        let is_corner = |at: &usize| {
            let (pixels, at) = (frame.pixels(), *at);
            (at % width == 0 || pixels[at - 1] != pixels[at])
                && (at < width || pixels[at - width] != pixels[at])
        };
        let corners: Vec<usize> = (0..frame.pixels().len()).filter(is_corner).collect();
        let found = reader.fonts().iter().map(|font| {
            let mut glyphs = Vec::new();
            for place in corners.iter().map(|at| (at % width, at / width)) {
                let at = |anchor: &Anchor| font.glyph_by_pixels(frame, *anchor, place);
                glyphs.extend(font.anchors().iter().filter_map(at));
            }
            Glyph::put_in_order(&mut glyphs);
            glyphs
        });
        found.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_surroundings_exclude_a_glyph(
            changes in proptest::collection::vec(change(), 0..24),
            scale in 1..3_u32,
        ) {
            let (reader, mut panel) = (reader_at(scale), panel_at(scale));
            changes.iter().for_each(|change| draw(&mut panel, change));
            prop_assert_eq!(glyphs(&reader, &panel.frame), all_glyphs(&reader, &panel.frame));
        }
    }

    fn reader_at(scale: u32) -> Reader {
        let letters: String = (' '..='~').collect();
        let font = |(name, font): &(&str, &'static MonoFont<'_>)| {
            Font::from_mono(name, font, scale, &letters)
        };
        Reader::new(FONTS.iter().map(font).collect())
    }

    fn panel_at(scale: u32) -> Panel {
        let mut panel = Panel::new(GROUND);
        panel.scale = scale as usize;
        panel
    }

    #[test]
    fn adjacent_pixels_exclude_no_glyph() {
        for scale in [1, 2] {
            let (reader, side) = (reader_at(scale), scale as usize);
            for letter in '!'..='~' {
                let mut panel = panel_at(scale);
                panel.text(FONTS[0].1, 20, 20, &letter.to_string());
                let width = panel.frame.width();
                for away in 0..60 {
                    let pixels = panel.frame.pixels_mut();
                    pixels[(20 * side + away) * width + 20 * side - 1] = 0x00FF_0000;
                    pixels[(20 * side - 1) * width + 20 * side + away] = 0x0000_FF00;
                }
                let found = glyphs(&reader, &panel.frame);
                assert_eq!(found, all_glyphs(&reader, &panel.frame), "{letter}");
                assert!(found[0].iter().any(|glyph| glyph.x == 20 * side), "{letter}");
            }
        }
    }

    #[test]
    fn long_strokes_that_continue_in_the_next_cell_are_read() {
        let reader = reader_at(6);
        let mut panel = panel_at(6);
        panel.text(FONTS[3].1, 2, 2, "A___");
        assert_eq!(glyphs(&reader, &panel.frame), all_glyphs(&reader, &panel.frame));
        assert_eq!(reader.read(&panel.frame).to_string(), "A___");
    }

    #[test]
    fn a_run_is_joined_again_if_anything_changes_that_it_depends_on() {
        let reader = reader();
        let texts = |reading: &Reading| -> Vec<String> {
            reading.screen().lines.iter().map(|line| line.text.clone()).collect()
        };
        for (of, x, joined) in [
            (98, 128, vec!["AA   B"]),
            (98, 134, vec!["AA", "B"]),
            (98, 122, vec!["AA  B"]),
            (96, 90, vec!["BAA"]),
            (96, 84, vec!["B AA"]),
            (96, 72, vec!["B   AA"]),
            (96, 66, vec!["B", "AA"]),
        ] {
            let mut panel = Panel::new(GROUND);
            panel.text(FONTS[0].1, of, 20, "AA");
            let before = panel.frame.clone();
            let blank = Panel::new(GROUND).frame;
            let changed = Tiles::changed(&blank, &before).unwrap();
            let reading = reader.read_again(reader.read_blank(), &before, &changed);
            assert_eq!(texts(&reading), ["AA"]);
            panel.text(FONTS[0].1, x, 20, "B");
            let changed = Tiles::changed(&before, &panel.frame).unwrap();
            let reading = reader.read_again(reading, &panel.frame, &changed);
            assert_eq!(texts(&reading), joined, "{x}");
            // Change it back.
            let changed = Tiles::changed(&panel.frame, &before).unwrap();
            let reading = reader.read_again(reading, &before, &changed);
            assert_eq!(texts(&reading), ["AA"], "{x}");
        }
    }

    #[test]
    fn a_run_is_joined_again_with_a_glyph_that_is_found_only_by_its_position() {
        let reader = reader();
        let mut panel = Panel::new(GROUND);
        let mut reading = reader.read_blank();
        // The second underscore touches the first.
        for text in ["A_", "A__", "A_"] {
            let mut next = Panel::new(GROUND);
            next.text(FONTS[2].1, 98, 20, text);
            let changed = Tiles::changed(&panel.frame, &next.frame).unwrap();
            reading = reader.read_again(reading, &next.frame, &changed);
            assert_eq!(reading.screen().to_string(), text);
            panel = next;
        }
    }

    #[test]
    fn a_glyph_merges_as_soon_as_its_surroundings_change() {
        let reader = reader();
        let mut panel = Panel::new(GROUND);
        let mut before = panel.frame.clone();
        let mut reading = reader.read_blank();
        panel.text(FONTS[0].1, 96, 20, "Btm");
        let [ground, ink] = panel.colours();
        // The column is in another tile than the letters.
        for (beside, expected) in [(ground, "Btm"), (ink, "tm"), (ground, "Btm")] {
            (20..30).for_each(|y| panel.frame.pixels_mut()[y * 320 + 95] = beside);
            let changed = Tiles::changed(&before, &panel.frame).unwrap();
            reading = reader.read_again(reading, &panel.frame, &changed);
            assert_eq!(reading.screen().to_string(), expected);
            before.clone_from(&panel.frame);
        }
    }

    #[test]
    fn a_change_anywhere_in_a_cell_is_read() {
        let reader = reader_at(6);
        let mut panel = panel_at(6);
        panel.text(FONTS[3].1, 2, 2, "B");
        for (x, y) in [(12, 12), (71, 12), (12, 131), (71, 131), (40, 131), (71, 70)] {
            let mut before = panel.frame.clone();
            before.pixels_mut()[y * 320 + x] = 0x00FF_0000;
            let blank = Panel::new(GROUND).frame;
            let changed = Tiles::changed(&blank, &before).unwrap();
            let reading = reader.read_again(reader.read_blank(), &before, &changed);
            assert_eq!(reading.screen().lines, [], "{x},{y}");
            let changed = Tiles::changed(&before, &panel.frame).unwrap();
            assert_eq!(changed.count(), 1);
            let reading = reader.read_again(reading, &panel.frame, &changed);
            assert_eq!(reading.screen().to_string(), "B", "{x},{y}");
        }
    }
}
