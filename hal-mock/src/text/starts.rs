//! Which glyphs of which fonts may begin at a pixel: a table by how far its colour goes on to the right and downwards,
//! so that a candidate is asked about once and not by each font.

use super::around::{Around, Candidate};
use super::font::{Anchor, FirstRows, Font};

/// Runs of this length and above, in panel pixels, stand together in the table.
const LONG: usize = 48;

/// A font, and a place in its cell where a glyph's first ink pixel stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub font: usize,
    pub anchor: Anchor,
    /// What the pixel's neighbours have to be: facts of [`Around`].
    pub needs: u8,
    pub first_rows: FirstRows,
}

impl Start {
    /// Whether nothing that surrounds a candidate excludes it.
    #[inline]
    pub(super) fn may_be(&self, around: &Around) -> bool {
        around.has(self.needs) && self.first_rows.may_be(around)
    }
}

/// The places where glyphs of a set of fonts begin.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// By the run to the right, then by that downwards.
    table: Vec<Vec<Start>>,
    /// The facts that all of each need; all facts and more if there are none.
    needs: Vec<u8>,
    /// The widest and the highest cell, in panel pixels: longer runs are like these.
    longest: (usize, usize),
}

impl Starts {
    pub(super) fn of(fonts: &[Font]) -> Self {
        let widest = fonts.iter().map(Font::cell_width).max().unwrap_or_default();
        let highest = fonts.iter().map(Font::cell_height).max().unwrap_or_default();
        let mut table = vec![Vec::new(); (LONG + 1) * (LONG + 1)];
        for (number, font) in fonts.iter().enumerate() {
            for &anchor in font.anchors() {
                let fit_right = fitting(widest, |run| font.fits_right(anchor, run));
                let downs = fitting(highest, |run| font.fits_down(anchor, run));
                let first_rows = font.first_rows(anchor);
                for (right, down) in
                    fit_right.iter().flat_map(|right| downs.iter().map(move |down| (*right, *down)))
                {
                    // Of a long run it is not known whether it ends within the cell.
                    let needs = font.needs(anchor, (known(right), known(down)));
                    table[right * (LONG + 1) + down].push(Start {
                        font: number,
                        anchor,
                        needs,
                        first_rows,
                    });
                }
            }
        }
        let needs =
            |starts: &Vec<Start>| starts.iter().fold(u8::MAX, |all, start| all & start.needs);
        let needs = table.iter().map(needs).collect();
        Self { table, needs, longest: (widest, highest) }
    }

    /// How far a colour that goes on has to be followed, to the right and downwards.
    pub(super) fn longest(&self) -> (usize, usize) {
        self.longest
    }

    /// The places where a glyph may begin whose first ink pixel is the candidate: a glyph that does begins at one of them.
    pub(super) fn at(&self, candidate: Candidate) -> &[Start] {
        &self.table[place(candidate)]
    }

    /// Facts of [`Around`] without which there is no such place.
    pub(super) fn needs(&self, candidate: Candidate) -> u8 {
        self.needs[place(candidate)]
    }
}

/// Where a candidate stands in the table.
fn place(candidate: Candidate) -> usize {
    candidate.right.min(LONG) * (LONG + 1) + candidate.down.min(LONG)
}

/// How far a run goes on at most that stands in the table as so long.
fn known(run: usize) -> usize {
    if run < LONG { run } else { usize::MAX }
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
                of.anchors().iter().map(move |anchor| {
                    (
                        of,
                        Start { font, anchor: *anchor, needs: 0, first_rows: FirstRows::default() },
                    )
                })
            });
            let expected = places(
                &mut all
                    .filter(|(font, start)| {
                        font.fits_right(start.anchor, right) && font.fits_down(start.anchor, down)
                    })
                    .map(|(_, start)| start),
            );
            if right < LONG && down < LONG {
                assert_eq!(found, expected, "{right} {down}");
            } else {
                let missing = expected.iter().find(|place| !found.contains(place));
                assert_eq!(missing, None, "{right} {down}");
            }
        }
    }
}
