//! A logic analyser's capture as a second observer of a replay: the bursts on the LCD's wires that
//! the replay reports (on a real board, its probe) are compared with those of the capture.
//!
//! [`LcdListener`] collects the bytes of a replay, `stream` those of a capture, and `align` finds
//! which byte of the capture is which of the replay, by their values, and relates the two clocks.
//! `compare` then compares burst by burst: bytes, DC, and the times of the first and the last byte.
//!
//! The capture may begin before the replay, as the analyser records the board's setup, and end
//! after it; it may also begin late or end early. The module knows no probe.

mod align;
mod stream;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use hal_mock::VirtualBoard;
use virtual_time::{Instant, Nanos};

use crate::error::{FormatError, ObserverError};
use crate::spi::Place;
use crate::wiring::Wiring;
use align::{Clocks, clocks, place_of};
use stream::{Byte, Reported, Stream};

/// Largest number of bytes of a replay or a capture: 100 whole screens.
const BYTES_MAX: usize = 1 << 24;

/// Collects the bytes that a replay reports.
pub struct LcdListener(Rc<RefCell<Reported>>);

impl LcdListener {
    /// Collects the bytes on the LCD's wires of `board` from now on.
    pub fn attach(board: &VirtualBoard) -> Self {
        let reported = Rc::new(RefCell::new(Reported::default()));
        board.set_listener(reported.clone());
        Self(reported)
    }

    /// Compares the bytes that were collected up to now with the capture at `path`.
    ///
    /// # Errors
    /// If the capture cannot be read, lacks a wire, has no byte of the replay, or if there are too
    /// many bytes.
    pub fn compare(
        &self,
        board: &VirtualBoard,
        path: &Path,
        wiring: &Wiring,
        tolerance: Nanos,
    ) -> Result<Observation, FormatError> {
        board.notify_listeners();
        let capture = stream::read(path, wiring)?;
        let refuse = |error| FormatError::of(&path.display().to_string(), error);
        compare(&self.0.borrow().stream, &capture, tolerance).map_err(refuse)
    }
}

/// The result of a comparison. Times of the replay are those of its trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Number of bursts and of bytes that agree, up to the difference if there is one.
    pub bursts: usize,
    pub bytes: usize,
    /// Time in the capture, in nanoseconds, of the trace's 0; it may be before the capture's begin.
    pub offset_ns: i128,
    /// Speed of the capture's clock relative to the replay's, in millionths; positive if it is
    /// faster.
    pub drift_ppm: f64,
    /// Largest distance of two times that agree.
    pub furthest: Nanos,
    /// Bytes of the replay before the capture begins and after it ends.
    pub unseen: [usize; 2],
    /// The first difference.
    pub difference: Option<BurstDifference>,
}

/// The first burst in which replay and capture differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurstDifference {
    /// Number of the burst in the replay, from 1.
    pub burst: usize,
    pub kind: BurstDifferenceKind,
}

/// A difference of a burst, with the replay's view first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BurstDifferenceKind {
    /// A byte differs in its value or in DC.
    Byte {
        /// Index in the burst, from 1, and the number of its bytes.
        index: usize,
        length: usize,
        views: [String; 2],
        times: [Instant; 2],
    },
    /// The first or the last byte comes at another time.
    Time {
        /// Whether it is the last byte.
        last: bool,
        view: String,
        times: [Instant; 2],
        /// Distance after the conversion of the clocks.
        apart: Nanos,
    },
    /// The capture has more bytes between two of the replay's, or the other way round; a byte
    /// differs from there on, and the rest agrees again with `by` bytes left out.
    Missing {
        /// Whether the replay lacks them; otherwise the capture does.
        in_replay: bool,
        by: usize,
        views: [String; 2],
        times: [Instant; 2],
    },
}

/// Compares a replay with a capture.
fn compare(
    reported: &Stream,
    capture: &Stream,
    tolerance: Nanos,
) -> Result<Observation, ObserverError> {
    for stream in [reported, capture] {
        if stream.bytes.len() > BYTES_MAX {
            return Err(ObserverError::TooLong { max: BYTES_MAX });
        }
    }
    let place = place_of(&reported.bytes, &capture.bytes).ok_or(ObserverError::NothingAligns)?;
    // Number of bytes of the two before the first common one.
    let (skipped, begin) = (place.min(0).unsigned_abs(), place.max(0) as usize);
    let common = (reported.bytes.len() - skipped).min(capture.bytes.len() - begin);
    let ours = &reported.bytes[skipped..skipped + common];
    let theirs = &capture.bytes[begin..begin + common];
    let equal = ours.iter().zip(theirs).take_while(|(one, other)| one.is_same(other)).count();
    let bursts = reported.bursts_within(skipped, common);
    let pairs: Vec<[u64; 2]> = bursts
        .iter()
        .take_while(|burst| burst.end <= skipped + equal)
        .map(|burst| [burst.begin, burst.end - 1].map(|index| index - skipped))
        .flat_map(|ends| ends.map(|index| [ours[index].at, theirs[index].at]))
        .collect();
    let clocks = clocks(&pairs);
    let mut seen = Observation {
        bursts: 0,
        bytes: 0,
        offset_ns: clocks.capture_of(0),
        drift_ppm: clocks.drift_ppm(),
        furthest: Nanos::ZERO,
        unseen: [skipped, reported.bytes.len() - skipped - common],
        difference: None,
    };
    for burst in bursts {
        let range = burst.begin - skipped..burst.end - skipped;
        let kind = if range.end > equal {
            let index = equal.max(range.start);
            Some(first_other_byte([reported, capture], [skipped, begin], index, &range))
        } else {
            time_apart([ours, theirs], &range, clocks, tolerance, &mut seen.furthest, || {
                reported.place(skipped + range.start).to_string()
            })
        };
        if let Some(kind) = kind {
            seen.difference = Some(BurstDifference { burst: burst.number, kind });
            break;
        }
        seen.bursts += 1;
        seen.bytes += range.len();
    }
    Ok(seen)
}

/// Describes the byte at `index` after the first common one, in which the streams differ.
fn first_other_byte(
    streams: [&Stream; 2],
    begins: [usize; 2],
    index: usize,
    range: &std::ops::Range<usize>,
) -> BurstDifferenceKind {
    let at = begins.map(|begin| begin + index);
    let views = [0, 1].map(|side| streams[side].place(at[side]).to_string());
    let times = [0, 1].map(|side| Instant(streams[side].bytes[at[side]].at));
    let rest = [0, 1].map(|side| &streams[side].bytes[at[side]..]);
    if let Some((in_replay, by)) = align::resumes(rest) {
        return BurstDifferenceKind::Missing { in_replay, by, views, times };
    }
    let (index, length) = (index - range.start + 1, range.len());
    BurstDifferenceKind::Byte { index, length, views, times }
}

/// Returns the difference if the first or the last byte of a burst comes at another time.
fn time_apart(
    [ours, theirs]: [&[Byte]; 2],
    range: &std::ops::Range<usize>,
    clocks: Clocks,
    tolerance: Nanos,
    furthest: &mut Nanos,
    view: impl Fn() -> String,
) -> Option<BurstDifferenceKind> {
    for (index, last) in [(range.start, false), (range.end - 1, true)] {
        let times = [ours[index].at, theirs[index].at];
        let apart = (i128::from(times[1]) - clocks.capture_of(times[0])).unsigned_abs();
        let apart = Nanos(u64::try_from(apart).unwrap_or(u64::MAX));
        if apart > tolerance {
            let times = times.map(Instant);
            return Some(BurstDifferenceKind::Time { last, view: view(), times, apart });
        }
        *furthest = (*furthest).max(apart);
    }
    None
}

impl fmt::Display for BurstDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "burst {} ", self.burst)?;
        match &self.kind {
            BurstDifferenceKind::Byte { index, length, views: [ours, theirs], times } => write!(
                out,
                "differs in byte {index} of {length}: {ours} at {} of the trace, and {theirs} at {} of the capture",
                times[0], times[1]
            ),
            BurstDifferenceKind::Time { last, view, times, apart } => write!(
                out,
                "{} at another time: {} of the trace, and {} of the capture, {apart} apart; it begins with {view}",
                if *last { "ends" } else { "begins" },
                times[0],
                times[1]
            ),
            BurstDifferenceKind::Missing { in_replay, by, views: [ours, theirs], times } => write!(
                out,
                "differs: the {} lacks {by} {}; {ours} at {} of the trace, and {theirs} at {} of the capture",
                if *in_replay { "replay" } else { "capture" },
                if *by == 1 { "byte" } else { "bytes" },
                times[0],
                times[1]
            ),
        }
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 removes the sign of a rounded -0.
        let offset_us = (self.offset_ns as f64 / 1e3).round() + 0.0;
        write!(
            out,
            "{} bursts with {} bytes agree within {}; the trace begins at {:.6} s of the capture, whose clock is {:.1} ppm {}",
            self.bursts,
            self.bytes,
            self.furthest,
            offset_us / 1e6,
            self.drift_ppm.abs(),
            if self.drift_ppm < 0.0 { "slower" } else { "faster" }
        )?;
        match self.unseen {
            [0, 0] => Ok(()),
            [before, after] => {
                write!(
                    out,
                    "; {before} bytes before its begin and {after} after its end are not in it"
                )
            }
        }
    }
}

/// Describes a byte in the stream of commands, with the level of DC.
struct Described(Place, bool);

impl fmt::Display for Described {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (DC {})", self.0, if self.1 { "high" } else { "low" })
    }
}

#[cfg(test)]
mod tests;
