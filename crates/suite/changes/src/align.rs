//! Matches the frames of two replays with each other.
//!
//! Equal frames are matched as lines of text are (Myers' algorithm, of the crate `similar`). The
//! frames between two matches are paired by their similarity, in order, so that an inserted or
//! removed frame does not make all following frames differ.
//!
//! This module does not know times or traces; it knows a picture only as a [`Fingerprint`].

use std::collections::HashSet;

use ili9341_model::Frame;
use reading::golden::chain::FrameHash;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A pairing of frames, as indexes into the two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Both sequences have the frame.
    Same(usize, usize),
    /// The frame of the first sequence became the frame of the second.
    Changed(usize, usize),
    /// Only the first sequence has the frame.
    Gone(usize),
    /// Only the second sequence has the frame.
    New(usize),
}

/// Side of the squares by which frames are compared, in pixels.
const SQUARE: usize = 16;
/// Cost of a square with another shape. A square of the same shape in other colours costs one.
const OTHER_SHAPE_COST: u32 = 4;
/// Greatest distance between the positions of two paired frames in a block, beyond the difference
/// of its lengths.
const SLACK: usize = 16;
/// Maximum number of pairs that are tried in a block. A larger block is paired in order.
const PAIRS_MAX: usize = 2_000_000;

/// Fingerprint of a frame: for each square, the hashes of its pixels and of its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(Vec<(u16, u16)>);

impl Fingerprint {
    pub fn of(frame: &Frame) -> Self {
        let (width, height) = (frame.width(), frame.height());
        let mut squares = Vec::new();
        for top in (0..height).step_by(SQUARE) {
            for left in (0..width).step_by(SQUARE) {
                let (mut colours, mut shape) = (0xCBF2_9CE4_8422_2325_u64, 0_u64);
                for y in top..(top + SQUARE).min(height) {
                    let row =
                        &frame.pixels()[y * width + left..y * width + (left + SQUARE).min(width)];
                    for (x, pixel) in row.iter().enumerate() {
                        colours = mixed(colours, u64::from(*pixel));
                        let edge = x > 0 && row[x - 1] != *pixel;
                        shape = mixed(shape, u64::from(edge));
                    }
                }
                squares.push(((colours >> 48) as u16, (shape >> 48) as u16));
            }
        }
        Self(squares)
    }

    /// Returns the difference between two frames, in thousandths.
    fn distance(&self, other: &Self) -> u32 {
        let differs = |(one, other): (&(u16, u16), &(u16, u16))| match (one, other) {
            (one, other) if one == other => 0,
            (one, other) if one.1 == other.1 => 1,
            _ => OTHER_SHAPE_COST,
        };
        let sum: u32 = self.0.iter().zip(&other.0).map(differs).sum();
        sum * 1_000 / (OTHER_SHAPE_COST * self.0.len().max(1) as u32)
    }
}

fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
}

/// Cost of a frame without a partner. It is high enough that two frames are paired rather than left
/// alone, unless leaving them alone pairs more similar ones.
const UNPAIRED_COST: u32 = 510;

/// Returns the pairings of the two sequences. `looks` returns the fingerprints of sequence 0 or 1;
/// it is called only if something differs.
pub fn align(
    before: &[FrameHash],
    after: &[FrameHash],
    looks: impl Fn(usize) -> Vec<Fingerprint>,
) -> Vec<Step> {
    if before == after {
        return (0..before.len()).map(|index| Step::Same(index, index)).collect();
    }
    let mut known: Option<[Vec<Fingerprint>; 2]> = None;
    let mut steps = Vec::new();
    let (mut old, mut new) = (0, 0);
    let end = (before.len(), after.len());
    for (next_old, next_new) in matches(before, after).into_iter().chain([end]) {
        match (next_old - old, next_new - new) {
            (count, other) if count == other && count <= 1 => {
                steps.extend((0..count).map(|index| Step::Changed(old + index, new + index)));
            }
            (0, _) => steps.extend((new..next_new).map(Step::New)),
            (_, 0) => steps.extend((old..next_old).map(Step::Gone)),
            _ => {
                let looks = known.get_or_insert_with(|| [looks(0), looks(1)]);
                let (one, other) = (&looks[0][old..next_old], &looks[1][new..next_new]);
                pair(one, other, (old, new), &mut steps);
            }
        }
        if (next_old, next_new) != end {
            steps.push(Step::Same(next_old, next_new));
        }
        (old, new) = (next_old + 1, next_new + 1);
    }
    steps
}

/// Returns the indexes of equal frames, in order.
fn matches(before: &[FrameHash], after: &[FrameHash]) -> Vec<(usize, usize)> {
    // Frames that only one side has match nothing and would make the search slow.
    let common = |of: &[FrameHash], other: &[FrameHash]| -> Vec<(usize, FrameHash)> {
        let other: HashSet<FrameHash> = other.iter().copied().collect();
        of.iter().copied().enumerate().filter(|(_, hash)| other.contains(hash)).collect()
    };
    let (one, other) = (common(before, after), common(after, before));
    let hashes =
        |of: &[(usize, FrameHash)]| -> Vec<u64> { of.iter().map(|(_, hash)| hash.0).collect() };
    let found = capture_diff_slices(Algorithm::Myers, &hashes(&one), &hashes(&other));
    let equal = found.into_iter().filter_map(|found| match found {
        DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
        _ => None,
    });
    equal
        .flat_map(|(old, new, length)| (0..length).map(move |index| (old + index, new + index)))
        .map(|(old, new)| (one[old].0, other[new].0))
        .collect()
}

/// Pairs the frames between two matches so that the sum of the distances is smallest.
fn pair(before: &[Fingerprint], after: &[Fingerprint], at: (usize, usize), steps: &mut Vec<Step>) {
    let (rows, columns) = (before.len(), after.len());
    let slack = rows.abs_diff(columns) + SLACK;
    // Row `i` has the columns `i - slack ..= i + slack`.
    let width = 2 * slack + 1;
    if (rows + 1).saturating_mul(width) > PAIRS_MAX {
        let both = rows.min(columns);
        steps.extend((0..both).map(|index| Step::Changed(at.0 + index, at.1 + index)));
        steps.extend((both..rows).map(|index| Step::Gone(at.0 + index)));
        steps.extend((both..columns).map(|index| Step::New(at.1 + index)));
        return;
    }
    let place = |row: usize, column: usize| -> Option<usize> {
        let offset = (column + slack).checked_sub(row)?;
        (offset < width && column <= columns).then_some(row * width + offset)
    };
    let mut cost = vec![u32::MAX; (rows + 1) * width];
    let known = |cost: &[u32], row: Option<usize>, column: Option<usize>| -> u32 {
        let place = row.zip(column).and_then(|(row, column)| place(row, column));
        place.map_or(u32::MAX, |place| cost[place])
    };
    let distance = |row: usize, column: usize| before[row].distance(&after[column]);
    for row in 0..=rows {
        for column in row.saturating_sub(slack)..=(row + slack).min(columns) {
            let Some(here) = place(row, column) else { continue };
            if row == 0 && column == 0 {
                cost[here] = 0;
                continue;
            }
            let (up, left) = (row.checked_sub(1), column.checked_sub(1));
            let mut best = known(&cost, up, Some(column)).saturating_add(UNPAIRED_COST);
            best = best.min(known(&cost, Some(row), left).saturating_add(UNPAIRED_COST));
            if let Some((up, left)) = up.zip(left) {
                let paired = known(&cost, Some(up), Some(left));
                best = best.min(paired.saturating_add(distance(up, left)));
            }
            cost[here] = best;
        }
    }
    let (mut row, mut column) = (rows, columns);
    let mut found = Vec::new();
    while row > 0 || column > 0 {
        let here = known(&cost, Some(row), Some(column));
        let (up, left) = (row.checked_sub(1), column.checked_sub(1));
        let paired = up.zip(left).filter(|(up, left)| {
            known(&cost, Some(*up), Some(*left)).saturating_add(distance(*up, *left)) == here
        });
        if let Some((up, left)) = paired {
            found.push(Step::Changed(at.0 + up, at.1 + left));
            (row, column) = (up, left);
        } else if let Some(up) = up.filter(|up| {
            known(&cost, Some(*up), Some(column)).saturating_add(UNPAIRED_COST) == here
        }) {
            found.push(Step::Gone(at.0 + up));
            row = up;
        } else if let Some(left) = left {
            found.push(Step::New(at.1 + left));
            column = left;
        } else {
            break;
        }
    }
    steps.extend(found.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Draws a frame with bars for `number` and a mark that is the same on all frames.
    fn frame(number: u32, ink: u32, moved: usize) -> Frame {
        let mut frame = Frame::filled(320, 240, 0x0010_2030);
        for bit in 0..32 {
            let (x, y) = ((bit % 8) * 40, (bit / 8) * 60);
            let lit = number.wrapping_mul(0x9E37_79B9) >> bit & 1 == 1;
            for (dx, dy) in
                (0..24).flat_map(|dx| (0..if lit { 30 } else { 5 }).map(move |dy| (dx, dy)))
            {
                frame.pixels_mut()[(y + dy) * 320 + x + dx] = ink;
            }
        }
        for dy in 0..4 {
            frame.pixels_mut()[(50 + dy) * 320 + 4 + moved] = ink;
        }
        frame
    }

    fn steps(before: &[Frame], after: &[Frame]) -> Vec<Step> {
        let sides = [before, after];
        let hashes = sides.map(|side| side.iter().map(FrameHash::of).collect::<Vec<_>>());
        align(&hashes[0], &hashes[1], |side| sides[side].iter().map(Fingerprint::of).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn inserted_and_removed_frames_are_found(
            numbers in proptest::collection::vec(0_u32..1_000, 1..10),
            at in 0_usize..10,
            change in 0..3,
            gone in any::<bool>(),
        ) {
            let mut numbers = numbers;
            numbers.dedup();
            let (ink, moved) = [(0x00FF_FFFF, 0), (0x00FF_0000, 0), (0x00FF_FFFF, 1)][change as usize];
            let before: Vec<Frame> = numbers.iter().map(|number| frame(*number, 0x00FF_FFFF, 0)).collect();
            let mut after: Vec<Frame> = numbers.iter().map(|number| frame(*number, ink, moved)).collect();
            let at = at % numbers.len();
            after.insert(at, frame(5_000, ink, moved));
            let expected = (0..numbers.len()).flat_map(|index| {
                let shifted = index + usize::from(index >= at);
                let extra = (index == at).then_some(if gone { Step::Gone(at) } else { Step::New(at) });
                let pair = if gone { (shifted, index) } else { (index, shifted) };
                let step = if change == 0 { Step::Same(pair.0, pair.1) } else { Step::Changed(pair.0, pair.1) };
                extra.into_iter().chain([step])
            });
            let expected: Vec<Step> = expected.collect();
            let found = if gone { steps(&after, &before) } else { steps(&before, &after) };
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn every_frame_is_named_once_and_in_order(
            before in proptest::collection::vec(0_u32..5, 0..30),
            after in proptest::collection::vec(0_u32..5, 0..60),
        ) {
            let sides = [&before, &after].map(|side| {
                side.iter().map(|number| FrameHash(u64::from(*number))).collect::<Vec<_>>()
            });
            let look = |number: &u32| Fingerprint(vec![(*number as u16, 0)]);
            let looks = |side: usize| [&before, &after][side].iter().map(look).collect();
            let steps = align(&sides[0], &sides[1], looks);
            let (mut old, mut new) = (Vec::new(), Vec::new());
            for step in steps {
                match step {
                    Step::Same(one, other) | Step::Changed(one, other) => {
                        if matches!(step, Step::Same(..)) {
                            prop_assert_eq!(sides[0][one], sides[1][other]);
                        }
                        old.push(one);
                        new.push(other);
                    }
                    Step::Gone(one) => old.push(one),
                    Step::New(other) => new.push(other),
                }
            }
            prop_assert_eq!(old, (0..before.len()).collect::<Vec<_>>());
            prop_assert_eq!(new, (0..after.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_block_that_is_too_large_is_paired_in_order() {
        let hashes =
            |from: u64, count: u64| (from..from + count).map(FrameHash).collect::<Vec<_>>();
        let (before, after) = (hashes(0, 700), hashes(1_000_000, 2_500));
        let looks =
            |side: usize| vec![Fingerprint(vec![(0, 0)]); [before.len(), after.len()][side]];
        let steps = align(&before, &after, looks);
        let expected =
            (0..700).map(|index| Step::Changed(index, index)).chain((700..2_500).map(Step::New));
        assert_eq!(steps, expected.collect::<Vec<_>>());
    }
}
