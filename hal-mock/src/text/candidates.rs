//! Where on a frame text can begin. It knows no font.

use core::ops::Range;

use super::around::Candidate;
use crate::Frame;
use crate::lcd::{TILE, Tiles};

/// Pixels that are asked together whether any of them is a candidate.
const CHUNK: usize = TILE;

/// Hands over the pixels that differ from their left and their upper neighbour (the frame's edge counts
/// as a difference) and lie in one of `tiles`, or anywhere: wherever text begins, there is one. How far a colour goes on is
/// counted up to the `longest` runs, to the right and downwards.
pub(super) fn candidates(
    frame: &Frame,
    tiles: Option<&Tiles>,
    longest: (usize, usize),
    mut push: impl FnMut(Candidate),
) {
    let (width, height) = (frame.width(), frame.height());
    let mut push = |x: usize, y: usize| push(candidate(frame, longest, x, y));
    let Some(tiles) = tiles else {
        (0..height).for_each(|y| look(frame, y, 0..width, &mut push));
        return;
    };
    for (row, columns) in tiles.runs() {
        let columns = columns.start * TILE..(columns.end * TILE).min(width);
        for y in row * TILE..((row + 1) * TILE).min(height) {
            look(frame, y, columns.clone(), &mut push);
        }
    }
}

/// How far the colour of a pixel goes on.
fn candidate(frame: &Frame, longest: (usize, usize), x: usize, y: usize) -> Candidate {
    let (pixels, width) = (frame.pixels(), frame.width());
    let at = y * width + x;
    let this = pixels[at];
    let row = &pixels[at..][..longest.0.min(width - x)];
    let right = row.iter().position(|other| *other != this).unwrap_or(row.len());
    let mut down = 1.min(longest.1);
    while down < longest.1 && pixels.get(at + down * width) == Some(&this) {
        down += 1;
    }
    Candidate { x, y, right, down }
}

/// Looks for candidates in some columns of a row.
fn look(frame: &Frame, y: usize, columns: Range<usize>, push: &mut impl FnMut(usize, usize)) {
    let (pixels, width) = (frame.pixels(), frame.width());
    let row = y * width;
    let differs = |x: usize| {
        let at = row + x;
        (x == 0 || pixels[at - 1] != pixels[at]) && (y == 0 || pixels[at - width] != pixels[at])
    };
    let (mut x, end) = (columns.start, columns.end);
    if y == 0 || x == 0 {
        // At the edges; behind the first column of a row everything has two neighbours.
        let edge = if y == 0 { end } else { end.min(1) };
        (x..edge).filter(|x| differs(*x)).for_each(|x| push(x, y));
        x = edge.max(x);
    }
    if x >= end {
        return;
    }
    let at = row + x;
    let chunks = |from: usize| pixels[from..from + end - x].as_chunks::<CHUNK>().0.iter();
    let neighbours = chunks(at).zip(chunks(at - 1)).zip(chunks(at - width));
    for ((this, left), above) in neighbours {
        // Most of a picture is flat: a chunk without any candidate costs a few comparisons.
        let is_candidate = |at: usize| (this[at] != left[at]) & (this[at] != above[at]);
        if (0..CHUNK).fold(false, |any, at| any | is_candidate(at)) {
            (0..CHUNK).filter(|at| is_candidate(*at)).for_each(|at| push(x + at, y));
        }
        x += CHUNK;
    }
    (x..end).filter(|x| differs(*x)).for_each(|x| push(x, y));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Random;

    const LONGEST: (usize, usize) = (9, 7);

    /// What [`candidates`] says it finds, pixel by pixel.
    fn expected(frame: &Frame, tiles: &Tiles) -> Vec<[usize; 4]> {
        let (width, height) = (frame.width(), frame.height());
        let run = |mut along: Box<dyn Iterator<Item = (usize, usize)>>, of: Option<u32>| {
            along.position(|(x, y)| frame.pixel(x, y) != of)
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut found = Vec::new();
        for (x, y) in places.filter(|(x, y)| tiles.holds(*x, *y)) {
            let this = frame.pixel(x, y);
            let same = |column: Option<usize>, row: Option<usize>| {
                column.zip(row).is_some_and(|(x, y)| frame.pixel(x, y) == this)
            };
            if same(x.checked_sub(1), Some(y)) || same(Some(x), y.checked_sub(1)) {
                continue;
            }
            let right = run(Box::new((x..width).map(move |x| (x, y))), this).unwrap_or(width - x);
            let down = run(Box::new((y..height).map(move |y| (x, y))), this).unwrap_or(height - y);
            found.push([x, y, right.min(LONGEST.0), down.min(LONGEST.1)]);
        }
        found
    }

    fn found(frame: &Frame, tiles: Option<&Tiles>) -> Vec<[usize; 4]> {
        let mut places = Vec::new();
        candidates(frame, tiles, LONGEST, |found| {
            places.push([found.x, found.y, found.right, found.down]);
        });
        places.sort_unstable_by_key(|[x, y, ..]| (*y, *x));
        places
    }

    proptest! {
        #[test]
        fn a_candidate_differs_from_its_left_and_its_upper_neighbour(
            width in 1..70_usize, height in 1..24_usize, dots in 0..12_usize, seed: u64,
        ) {
            let mut frame = Frame::filled(width, height, 0);
            let blank = frame.clone();
            let mut random = Random::new(seed);
            for _ in 0..dots {
                let at = random.below((width * height) as u64) as usize;
                frame.pixels_mut()[at] = random.below(3) as u32;
            }
            let all = Tiles::all(width, height).unwrap();
            prop_assert_eq!(found(&frame, None), expected(&frame, &all));
            let changed = Tiles::changed(&blank, &frame).unwrap();
            prop_assert_eq!(found(&frame, Some(&changed)), expected(&frame, &changed));
        }
    }
}
