//! What surrounds a pixel where a glyph may begin: found once, it excludes nearly all places in the cells of fonts at which
//! the pixel might stand.
//!
//! It excludes nothing that a glyph is: what is left is read pixel by pixel.

use crate::Frame;

/// Pixels to either side whose colour is known.
pub(super) const REACH: usize = 16;

/// A pixel where a glyph may begin, and how far its colour goes on, in panel pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub x: usize,
    pub y: usize,
    /// To the right, itself included.
    pub right: usize,
    /// Downwards, itself included.
    pub down: usize,
}

/// The neighbours of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    facts: u8,
    /// The candidate's row of pixels and the one below it. `None` at the ends of the frame's pixels.
    rows: [Option<Row>; 2],
}

/// A bit for each pixel of a row from [`REACH`] to the left of the candidate on.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Whether it has the candidate's colour.
    ink: u64,
    /// Whether it has another one than that and that above the candidate.
    others: u64,
}

impl Around {
    /// The pixel to the left has the colour of the one above.
    pub(super) const LEFT_AS_ABOVE: u8 = 1;
    /// What follows the candidate's colour to the right has the colour of the pixel above.
    pub(super) const RIGHT_AS_ABOVE: u8 = 1 << 1;
    /// The same downwards.
    pub(super) const BELOW_AS_ABOVE: u8 = 1 << 2;
    /// What follows to the right has the colour of the pixel to the left.
    pub(super) const RIGHT_AS_LEFT: u8 = 1 << 3;
    /// The same downwards.
    pub(super) const BELOW_AS_LEFT: u8 = 1 << 4;

    /// `None` if not all these facts are true.
    pub(super) fn with(needs: u8, frame: &Frame, candidate: Candidate) -> Option<Self> {
        let (pixels, width) = (frame.pixels(), frame.width());
        let at = candidate.y * width + candidate.x;
        // Beyond an edge of the frame is some other pixel, or none: no cell with the candidate reaches there.
        let pixel = |at: Option<usize>| at.and_then(|at| pixels.get(at)).copied();
        let (left, above) = (pixel(at.checked_sub(1)), pixel(at.checked_sub(width)));
        let right = pixel(Some(at + candidate.right));
        let below = pixel(Some(at + candidate.down * width));
        let facts = [
            (left == above, Self::LEFT_AS_ABOVE),
            (right == above, Self::RIGHT_AS_ABOVE),
            (below == above, Self::BELOW_AS_ABOVE),
            (right == left, Self::RIGHT_AS_LEFT),
            (below == left, Self::BELOW_AS_LEFT),
        ];
        let facts = facts.into_iter().fold(0, |all, (is, fact)| all | if is { fact } else { 0 });
        if facts & needs != needs {
            return None;
        }
        let row = |middle: usize| -> Option<Row> {
            let row: &[u32; 2 * REACH] = pixels.get(middle.checked_sub(REACH)?..)?.first_chunk()?;
            let [ink, others] = bits(row, pixels[at], above?);
            Some(Row { ink, others })
        };
        Some(Self { facts, rows: [row(at), row(at + width)] })
    }

    /// Whether all these facts are true.
    pub(super) fn has(&self, facts: u8) -> bool {
        self.facts & facts == facts
    }

    /// The ink of the candidate's row (`below` 0) of a cell that begins `column` pixels to the left of it, or of the row below
    /// (1), and what is neither ink nor the colour above the candidate; a bit for each of the pixels of `cell`, which are
    /// at most [`REACH`].
    #[inline]
    pub(super) fn row(&self, below: usize, column: usize, cell: u64) -> Option<(u64, u64)> {
        self.rows[below].map(|Row { ink, others }| {
            let shift = REACH - column;
            (ink >> shift & cell, others >> shift & cell)
        })
    }
}

/// A bit for each pixel that is ink, and for each that is neither ink nor ground.
#[inline]
pub(super) fn bits<const N: usize>(row: &[u32; N], ink: u32, ground: u32) -> [u64; 2] {
    let mut found = [0_u32; 2];
    for (place, pixel) in row.iter().enumerate() {
        found[0] |= u32::from(*pixel == ink) << place;
        found[1] |= u32::from(*pixel == ground) << place;
    }
    [found[0].into(), (!(found[0] | found[1])).into()]
}
