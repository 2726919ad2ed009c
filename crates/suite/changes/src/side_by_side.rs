//! Compares one trace on several boards: the first difference, each board's picture at that time,
//! and the differences of their times.
//!
//! The first board is the reference. This module judges nothing: a failure on one board is a
//! difference like any other.

use std::path::Path;

use ili9341_model::{Frame, Region};
use reading::{golden::chain::FrameHash, text::Reader};
use virtual_time::{Instant, Nanos};

use crate::align::{Fingerprint, Step, align};
use crate::compare::{DifferenceCache, compare};
use crate::observation::{Observation, Pictures};

/// Gap between two frames of a picture in pixels, and its colour.
const GAP: usize = 8;
const GAP_COLOUR: u32 = 0x0080_8080;
/// Greatest delay of the same frame on another board that does not count as a difference.
const TIME_TOLERANCE: Nanos = Nanos::from_millis(50);
/// Shortest time over which a clock is compared.
const DRIFT_MIN: Nanos = Nanos::from_secs(1);

/// Comparison of several boards in one trace.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Number of settled frames on each board.
    pub frames: Vec<usize>,
    /// First failed expectation on each board.
    pub failed: Vec<Option<String>>,
    /// The first difference of any board from the first one.
    pub first: Option<FirstDifference>,
    /// Differences in time from the first board, for each board but the first.
    pub measured: Vec<Measured>,
}

/// The first difference of a board from the first one.
#[derive(Clone, Debug)]
pub struct FirstDifference {
    /// Index of the board, from 1.
    pub board: usize,
    /// Time of the difference, on the board on which it is earlier.
    pub at: Instant,
    /// Line of the last input before the difference; 0 if it is unknown.
    pub line: u32,
    /// Description of the difference.
    pub what: String,
    /// Last settled frame of each board up to that time.
    pub pictures: Vec<Frame>,
}

/// Distribution of time differences in nanoseconds. Positive means later than on the first board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Smallest difference.
    pub least: i64,
    /// Median.
    pub middle: i64,
    /// Greatest difference.
    pub most: i64,
    /// Number of differences.
    pub count: usize,
}

/// Drift of a board's clock against the first board's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Drift in parts per million; negative is faster than the first board.
    pub ppm: f64,
    /// Uncertainty in parts per million from the times of single frames: a frame may be late
    /// because more was drawn before it.
    pub error_ppm: f64,
    /// Time over which the drift was measured.
    pub over: Nanos,
}

/// Time differences of a board from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Differences of settled frames that both boards show.
    pub frames: Option<Spread>,
    /// Differences of console lines that both boards write. They include debouncing and everything
    /// that the firmware does before it answers a press.
    pub console: Option<Spread>,
    /// Drift of the clock, between settled frames without an input in between.
    pub drift: Option<Drift>,
}

impl Spread {
    fn of(mut apart: Vec<i64>) -> Option<Self> {
        apart.sort_unstable();
        let (least, most) = (*apart.first()?, *apart.last()?);
        Some(Self { least, middle: apart[apart.len() / 2], most, count: apart.len() })
    }
}

/// Compares the first of the observations of the trace at `path` with each of the others. An
/// unsettled frame at the end is left out: an animation is at a different position on each board.
pub fn side_by_side(path: &Path, mut boards: Vec<Observation>, reader: &Reader) -> SideBySide {
    for board in &mut boards {
        board.frames.pop_if(|frame| !frame.settled);
    }
    let boards = &boards[..];
    let known = DifferenceCache::default();
    let others = || boards.iter().enumerate().skip(1);
    let first = boards.first().and_then(|one| {
        let found = others().filter_map(|(board, other)| {
            let (at, line, what) = first_difference(path, [one, other], reader, &known)?;
            Some(FirstDifference { board, at, line, what, pictures: Vec::new() })
        });
        found.min_by_key(|found| found.at)
    });
    let first = first.map(|first| FirstDifference {
        pictures: boards.iter().map(|board| shown(board, first.at)).collect(),
        ..first
    });
    let measured = boards
        .first()
        .map_or_else(Vec::new, |one| others().map(|(_, other)| measure([one, other])).collect());
    SideBySide {
        frames: boards.iter().map(|board| board.frames.len()).collect(),
        failed: boards.iter().map(|board| board.failed.clone()).collect(),
        first,
        measured,
    }
}

/// Returns the time of the first difference between two boards, the line of the input before it,
/// and its description.
fn first_difference(
    path: &Path,
    sides: [&Observation; 2],
    reader: &Reader,
    known: &DifferenceCache,
) -> Option<(Instant, u32, String)> {
    let change = compare(path, sides, reader, known, |_| false);
    let frame =
        change.kinds.first().map(|(what, _, example)| (example.at, example.line, what.to_string()));
    let tone = change.tones.map(|tones| {
        let [one, other] = tones.first.map(|hz| match hz {
            None => "nothing".to_owned(),
            Some(0) => "silence".to_owned(),
            Some(hz) => format!("{hz} Hz"),
        });
        (tones.at, 0, format!("the buzzer: {one} became {other}"))
    });
    let console = change.console.first().and_then(|_| {
        let lines = sides.map(|side| &side.console[..]);
        let same = lines[0].iter().zip(lines[1]).take_while(|(one, other)| one.text == other.text);
        let index = same.count();
        let both = lines.map(|lines| lines.get(index));
        let at = both.iter().flatten().map(|line| line.at).min()?;
        let [one, other] = both.map(|line| line.map_or_else(String::new, |line| line.text.clone()));
        Some((at, 0, format!("the console: “{one}” became “{other}”")))
    });
    let verdict = change.failed.map(|failed| {
        let [one, other] = failed.map(|why| why.unwrap_or_else(|| "passes".into()));
        (sides[0].ended_at.min(sides[1].ended_at), 0, format!("the verdict: {one} became {other}"))
    });
    [frame, tone, console, verdict].into_iter().flatten().min_by_key(|(at, ..)| *at)
}

/// Returns a board's last settled frame up to `at` plus [`TIME_TOLERANCE`].
fn shown(board: &Observation, at: Instant) -> Frame {
    let until = at.saturating_add(TIME_TOLERANCE);
    let upto = board.frames.partition_point(|frame| frame.at <= until);
    Pictures::new(&board.frames).at(upto.saturating_sub(1)).clone()
}

fn measure(sides: [&Observation; 2]) -> Measured {
    let hashes =
        sides.map(|side| side.frames.iter().map(|frame| frame.hash).collect::<Vec<FrameHash>>());
    let looks = |side: usize| {
        let mut pictures = Pictures::new(&sides[side].frames);
        (0..sides[side].frames.len()).map(|index| Fingerprint::of(pictures.at(index))).collect()
    };
    let steps = align(&hashes[0], &hashes[1], looks);
    let both = steps.iter().filter_map(|step| match step {
        Step::Same(one, other) => Some((*one, *other)),
        _ => None,
    });
    let both: Vec<(usize, usize)> = both.collect();
    let later = |one: Instant, other: Instant| other.0 as i64 - one.0 as i64;
    let frame =
        |(one, other): &(usize, usize)| later(sides[0].frames[*one].at, sides[1].frames[*other].at);
    let frames = Spread::of(both.iter().map(frame).collect());
    let lines = sides[0].console.iter().zip(&sides[1].console);
    let same = lines.take_while(|(one, other)| one.text == other.text);
    Measured {
        frames,
        console: Spread::of(same.map(|(one, other)| later(one.at, other.at)).collect()),
        drift: drift(sides, &both, frames),
    }
}

/// Returns the drift of the second board's clock against the first one's.
fn drift(
    sides: [&Observation; 2],
    both: &[(usize, usize)],
    frames: Option<Spread>,
) -> Option<Drift> {
    let (mut whole, mut longer) = (0_u64, 0_i64);
    for pair in both.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let follows = after.0 == before.0 + 1 && after.1 == before.1 + 1;
        let frame = |side: usize, at: usize| &sides[side].frames[at];
        let same_input = |side, at| frame(side, at).line == frame(side, at + 1).line;
        if !follows || !same_input(0, before.0) || !same_input(1, before.1) {
            continue;
        }
        let span = |side, from, to| frame(side, to).at.saturating_since(frame(side, from).at).0;
        let (one, other) = (span(0, before.0, after.0), span(1, before.1, after.1));
        whole += one;
        longer += other as i64 - one as i64;
    }
    let apart = frames.map_or(0, |frames| frames.most - frames.least);
    let ppm = |ns: i64| ns as f64 * 1e6 / whole as f64;
    (whole >= DRIFT_MIN.0).then(|| Drift {
        ppm: ppm(longer),
        error_ppm: ppm(apart),
        over: Nanos(whole),
    })
}

/// Draws the frames in a row, with a gap between two.
pub fn picture(frames: &[Frame]) -> Frame {
    let (width, height) = (usize::from(Region::PANEL.width), usize::from(Region::PANEL.height));
    let whole = (frames.len() * (width + GAP)).saturating_sub(GAP).max(1);
    let mut picture = Frame::filled(whole, height, GAP_COLOUR);
    for (index, frame) in frames.iter().enumerate() {
        let left = index * (width + GAP);
        for row in 0..frame.height().min(height) {
            let columns = frame.width().min(width);
            let source = &frame.pixels()[row * frame.width()..][..columns];
            picture.pixels_mut()[row * whole + left..][..columns].copy_from_slice(source);
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use hal_mock::board::ConsoleLine;

    use super::*;
    use crate::observation::SettledFrame;

    /// Returns a board that shows `colours`, each settled at its millisecond after the input of its
    /// line, and that writes lines.
    fn board(colours: &[(u32, u64, u32)], lines: &[(&str, u64)]) -> Observation {
        let frame = |(colour, ms, line): &(u32, u64, u32)| {
            let patch = Frame::filled(320, 240, *colour);
            SettledFrame {
                at: Instant::from_millis(*ms),
                settled: true,
                hash: FrameHash::of(&patch),
                line: *line,
                bytes: 0,
                between: 0,
                between_hash: FrameHash::of(&patch),
                region: Region::PANEL,
                patch,
            }
        };
        let line = |(text, ms): &(&str, u64)| ConsoleLine {
            at: Instant::from_millis(*ms),
            text: (*text).to_owned(),
        };
        Observation {
            frames: colours.iter().map(frame).collect(),
            console: lines.iter().map(line).collect(),
            ended_at: Instant::from_secs(9),
            ..Observation::default()
        }
    }

    fn compared(boards: &[Observation]) -> SideBySide {
        side_by_side(Path::new("a.trace"), boards.to_vec(), &Reader::new(Vec::new()))
    }

    const SEEN: [(u32, u64, u32); 3] = [(1, 100, 0), (2, 1_000, 4), (3, 3_000, 4)];

    #[test]
    fn times_are_measured_without_any_difference() {
        let one = board(&SEEN, &[("boot", 50), ("move", 900)]);
        // The other board is 3 ms later, with a clock that is 100 ppm slow.
        let late = [(1, 103, 0), (2, 1_003, 4), (3, 3_003, 4)];
        let mut other = board(&late, &[("boot", 50), ("move", 905)]);
        other.frames[2].at = Instant(3_003_200_000);
        let found = compared(&[one.clone(), one, other]);
        assert!(found.first.is_none(), "{:?}", found.first);
        let same = Spread { least: 0, middle: 0, most: 0, count: 3 };
        assert_eq!(found.measured[0].frames, Some(same));
        let Drift { ppm, error_ppm, over } = found.measured[1].drift.unwrap();
        assert!((error_ppm - 100.0).abs() < 0.01, "{error_ppm}");
        assert!((ppm - 100.0).abs() < 0.01 && over == Nanos::from_secs(2), "{ppm} {over}");
        let console = Spread { least: 0, middle: 5_000_000, most: 5_000_000, count: 2 };
        assert_eq!(found.measured[1].console, Some(console));
        assert_eq!(found.measured[1].frames.map(|it| it.least), Some(3_000_000));
    }

    #[test]
    fn the_earliest_difference_has_the_pictures_of_all_boards() {
        let one = board(&SEEN, &[("boot", 50)]);
        let later = board(&[(1, 100, 0), (2, 1_000, 4), (9, 3_000, 4)], &[("boot", 50)]);
        let earlier = board(&[(1, 101, 0), (7, 990, 4), (3, 3_000, 4)], &[("boot", 50)]);
        let found = compared(&[one.clone(), later.clone(), earlier]);
        let first = found.first.unwrap();
        assert_eq!((first.board, first.line, first.at), (2, 4, Instant::from_millis(990)));
        let shown: Vec<u32> = first.pictures.iter().map(|frame| frame.pixels()[0]).collect();
        assert_eq!(shown, [2, 2, 7]);
        // A console line that differs before any frame.
        let talks = board(&SEEN, &[("crash", 40)]);
        let first = compared(&[one, later, talks]).first.unwrap();
        assert_eq!((first.board, first.at), (2, Instant::from_millis(40)));
        assert_eq!(first.what, "the console: “boot” became “crash”");
    }

    #[test]
    fn a_frame_that_is_moving_at_the_end_is_no_difference() {
        let one = board(&SEEN, &[("boot", 50)]);
        let mut other = board(&[SEEN[0], SEEN[1], SEEN[2], (8, 9_000, 4)], &[("boot", 50)]);
        assert!(compared(&[one.clone(), other.clone()]).first.is_some());
        other.frames[3].settled = false;
        assert!(compared(&[one, other]).first.is_none());
    }

    #[test]
    fn the_frames_are_drawn_side_by_side() {
        let frames = [1, 2, 3].map(|colour| Frame::filled(320, 240, colour));
        let picture = picture(&frames);
        assert_eq!((picture.width(), picture.height()), (3 * 320 + 2 * GAP, 240));
        let at = |x: usize| picture.pixels()[239 * picture.width() + x];
        assert_eq!(
            [at(0), at(319), at(320), at(328), at(656), at(975)],
            [1, 1, GAP_COLOUR, 2, 3, 3]
        );
    }
}
