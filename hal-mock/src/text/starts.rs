//! Which glyphs of which fonts may begin at a pixel: a table by how far its colour goes on to the right and downwards,
//! so that a candidate is asked about once and not by each font.

use super::font::{Anchor, Candidate, Font};

/// Runs of this length and above, in panel pixels, stand together in the table.
const LONG: usize = 48;

/// A font, and a place in its cell where a glyph's first ink pixel stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub font: usize,
    pub anchor: Anchor,
}

/// The places where glyphs of a set of fonts begin.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// By the run to the right, then by that downwards.
    table: Vec<Vec<Start>>,
    /// Whether a glyph begins with so long a run to the right.
    rights: [bool; LONG + 1],
    /// The widest and the highest cell, in panel pixels: longer runs are like these.
    longest: (usize, usize),
}

impl Starts {
    pub(super) fn of(fonts: &[Font]) -> Self {
        let widest = fonts.iter().map(Font::cell_width).max().unwrap_or_default();
        let highest = fonts.iter().map(Font::cell_height).max().unwrap_or_default();
        let mut rights = [false; LONG + 1];
        let mut table = vec![Vec::new(); (LONG + 1) * (LONG + 1)];
        for (number, font) in fonts.iter().enumerate() {
            for &anchor in font.anchors() {
                let fit_right = fitting(widest, |run| font.fits_right(anchor, run));
                let downs = fitting(highest, |run| font.fits_down(anchor, run));
                for right in fit_right {
                    rights[right] = true;
                    for down in &downs {
                        table[right * (LONG + 1) + down].push(Start { font: number, anchor });
                    }
                }
            }
        }
        Self { table, rights, longest: (widest, highest) }
    }

    /// How far a colour that goes on has to be followed, to the right and downwards.
    pub(super) fn longest(&self) -> (usize, usize) {
        self.longest
    }

    /// Whether a glyph may begin with an ink pixel whose colour goes on so far to the right.
    pub(super) fn begins(&self, right: usize) -> bool {
        self.rights[right.min(LONG)]
    }

    /// The places where a glyph may begin whose first ink pixel is the candidate: a glyph that does begins at one of them.
    pub(super) fn at(&self, candidate: Candidate) -> &[Start] {
        &self.table[candidate.right.min(LONG) * (LONG + 1) + candidate.down.min(LONG)]
    }
}

/// The runs up to the `longest` that fit, those above [`LONG`] as [`LONG`].
fn fitting(longest: usize, fits: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut runs: Vec<usize> =
        (1..=longest).filter(|run| fits(*run)).map(|run| run.min(LONG)).collect();
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use embedded_graphics::mono_font::ascii;

    use super::*;

    #[test]
    fn the_table_says_what_each_font_says() {
        let fonts = [(&ascii::FONT_6X10, 1), (&ascii::FONT_9X15, 2), (&ascii::FONT_10X20, 6)];
        let fonts = fonts.map(|(font, scale)| Font::from_mono("", font, scale, "AHijz,-08|M"));
        let starts = Starts::of(&fonts);
        let (widest, highest) = starts.longest();
        assert_eq!((widest, highest), (60, 120));
        let places = |starts: &mut dyn Iterator<Item = Start>| {
            let mut places: Vec<_> = starts.map(|start| (start.font, start.anchor)).collect();
            places.sort_unstable();
            places
        };
        for (right, down) in
            (1..=widest).flat_map(|right| (1..=highest).map(move |down| (right, down)))
        {
            let found =
                places(&mut starts.at(Candidate { x: 0, y: 0, right, down }).iter().copied());
            let all = fonts.iter().enumerate().flat_map(|(font, of)| {
                of.anchors().iter().map(move |anchor| (of, Start { font, anchor: *anchor }))
            });
            let expected = places(
                &mut all
                    .filter(|(font, start)| {
                        font.fits_right(start.anchor, right) && font.fits_down(start.anchor, down)
                    })
                    .map(|(_, start)| start),
            );
            assert!(starts.begins(right) || expected.is_empty(), "{right} {down}");
            if right < LONG && down < LONG {
                assert_eq!(found, expected, "{right} {down}");
            } else {
                let missing = expected.iter().find(|place| !found.contains(place));
                assert_eq!(missing, None, "{right} {down}");
            }
        }
    }
}
