//! Chains of frames: records a chain while its trace runs, and finds where it differs from the
//! expected chain.
//!
//! A frame that matches is recorded as a hash only. Of the first frame that differs, the picture
//! and the one before it are stored.

use core::error::Error;
use core::fmt;
use std::path::Path;

use hal_mock::replay::ChainFrame;
use ili9341_model::Frame;
use reading::golden::{chain::Chain, chain::ChainError, chain::ChainFormat, chain::Link};
use trace::counted;
use virtual_time::{Instant, spoken};

/// Endings of the names of the pictures that the first differing frame leaves among the artifacts.
pub(crate) const KINDS: [&str; 3] = ["before", "actual", "diff"];

/// Number of frames that are searched for a frame that came too early or too late.
const LOOK_AHEAD: usize = 100;

/// The first frame that differs from the expected one.
pub struct DifferingFrame {
    /// Index of the frame in the chain, from 0.
    number: usize,
    /// Time at which the frame was complete, or settled.
    pub at: Instant,
    /// Picture that the LCD showed before the frame.
    pub before: Frame,
    /// Picture that the LCD showed.
    pub actual: Frame,
    /// Last input to the board before the frame.
    after: String,
}

/// One chain, recorded while its trace runs.
pub struct ChainRecord {
    /// The chain in the file. A read error is reported at the end of the chain.
    pub expected: Result<Chain, Box<dyn Error + Send + Sync>>,
    pub exists: bool,
    /// Frames that the LCD showed, in the format of the file.
    pub seen: Chain,
    /// The same frames in the current format, if the file has an older one.
    in_current_format: Option<Chain>,
    pub(crate) differing: Option<DifferingFrame>,
}

impl ChainRecord {
    /// Begins the record of the chain whose file is at `path`.
    pub fn begin(path: &Path) -> Self {
        let expected = Chain::load(path).map_err(Into::into);
        let format = expected.as_ref().map_or(ChainFormat::default(), |chain: &Chain| chain.format);
        Self {
            expected,
            exists: path.exists(),
            seen: Chain { format, links: Vec::new() },
            in_current_format: (format != ChainFormat::default()).then(Chain::default),
            differing: None,
        }
    }

    /// Returns whether the file is a Git LFS pointer.
    pub fn is_lfs_pointer(&self) -> bool {
        let error = self.expected.as_ref().err().and_then(|error| error.downcast_ref());
        matches!(error, Some(ChainError::LfsPointer { .. }))
    }

    pub fn add(&mut self, seen: &ChainFrame<'_>) {
        let number = self.seen.links.len();
        let link = Link { hash: self.seen.format.hash_of(&seen.link, seen.frame), ..seen.link };
        self.seen.links.push(link);
        if let Some(renewed) = &mut self.in_current_format {
            renewed.links.push(seen.link);
        }
        if self.differing.is_some() {
            return;
        }
        let expected = self.expected.as_ref().ok().and_then(|chain| chain.links.get(number));
        if expected.is_none_or(|expected| expected.hash != link.hash) {
            self.differing = Some(DifferingFrame {
                number,
                at: seen.link.at,
                before: seen.before.clone(),
                actual: seen.frame.clone(),
                after: seen.after.to_owned(),
            });
        }
    }

    /// Returns the frames that the LCD showed, in the format in which they are written.
    pub fn as_written(&self) -> &Chain {
        self.in_current_format.as_ref().unwrap_or(&self.seen)
    }

    /// Returns whether the file has an older format than the one that is written.
    pub fn has_older_format(&self) -> bool {
        self.in_current_format.is_some()
    }

    /// Returns the first difference from `expected`; `None` if the chains are equal.
    pub fn difference(&self, expected: &Chain) -> Option<ChainDifference> {
        let (expected, seen) = (&expected.links, &self.seen.links);
        if let Some(DifferingFrame { number, after, .. }) = &self.differing {
            let (number, after, actual) = (*number, after.clone(), seen[*number]);
            return Some(match expected.get(number) {
                Some(link) => ChainDifference::Other {
                    number: number + 1,
                    of: expected.len(),
                    actual,
                    after,
                    expected: *link,
                    shift: Shift::find(&expected[number..], &seen[number..]),
                },
                None => {
                    ChainDifference::Extra { number: number + 1, of: expected.len(), actual, after }
                }
            });
        }
        let missing = expected.get(seen.len())?;
        Some(ChainDifference::Missing {
            number: seen.len() + 1,
            of: expected.len(),
            expected: *missing,
        })
    }
}

/// The first difference between a chain and the expected one. Its text is a clause for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainDifference {
    /// A frame differs from the expected one.
    Other {
        /// Number of the frame, from 1.
        number: usize,
        /// Number of frames in the expected chain.
        of: usize,
        /// Frame that the LCD showed.
        actual: Link,
        /// Last input to the board before the frame.
        after: String,
        /// Frame that was expected.
        expected: Link,
        /// Shift of the following frames against the expected chain.
        shift: Shift,
    },
    /// A frame comes after the last expected one.
    Extra {
        /// Number of the frame, from 1.
        number: usize,
        /// Number of frames in the expected chain.
        of: usize,
        /// Frame that the LCD showed.
        actual: Link,
        /// Last input to the board before the frame.
        after: String,
    },
    /// An expected frame did not come.
    Missing {
        /// Number of the frame, from 1.
        number: usize,
        /// Number of frames in the expected chain.
        of: usize,
        /// Frame that was expected.
        expected: Link,
    },
}

impl fmt::Display for ChainDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other { number, of, actual, after, expected, shift } => {
                let at = spoken(actual.at.since_start());
                write!(out, "frame {number} of {of} is another: at {at}, after {after}, ")?;
                write!(out, "the LCD changed {}", actual.change())?;
                // What both have in common is written once.
                match (actual.change() == expected.change(), actual.at == expected.at) {
                    (true, true) => out.write_str(" as expected, but to another picture")?,
                    (true, false) => {
                        let at = spoken(expected.at.since_start());
                        write!(out, ", which was expected at {at}, but to another picture")?;
                    }
                    (false, true) => write!(out, "; expected were {}", expected.change())?,
                    (false, false) => {
                        let at = spoken(expected.at.since_start());
                        write!(out, "; expected were {} at {at}", expected.change())?;
                    }
                }
                write!(out, "{shift}")
            }
            Self::Extra { number, of, actual, after } => write!(
                out,
                "frame {number} is one too many: at {}, after {after}, the LCD changed {}; the \
                 chain has {of} frames",
                spoken(actual.at.since_start()),
                actual.change()
            ),
            Self::Missing { number, of, expected } => write!(
                out,
                "frame {number} of {of} did not come: expected was one at {} that changes {}",
                spoken(expected.at.since_start()),
                expected.change()
            ),
        }
    }
}

/// Shift between a chain and the expected one: frames that were left out or that are new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Neither can be determined.
    Unknown,
    /// Number of expected frames that were left out.
    LeftOut(usize),
    /// Number of new frames.
    New(usize),
}

impl Shift {
    /// Returns the shift between the rests of two chains whose first frames differ.
    fn find(expected: &[Link], seen: &[Link]) -> Self {
        let find = |one: &[Link], in_other: &[Link]| {
            let first = one.first()?.hash;
            in_other.iter().take(LOOK_AHEAD).position(|link| link.hash == first)
        };
        match (find(seen, expected), find(expected, seen)) {
            (Some(skipped), _) => Self::LeftOut(skipped),
            (None, Some(early)) => Self::New(early),
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for Shift {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = |count: usize| counted(count, "frame");
        match *self {
            Self::Unknown => Ok(()),
            Self::LeftOut(count) => write!(
                out,
                "; it is what comes {} later: what lies between was left out",
                frames(count)
            ),
            Self::New(count) => write!(
                out,
                "; the expected one comes {} later: what lies between is new",
                frames(count)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use ili9341_model::frame::Region;
    use reading::golden::chain::FrameHash;

    use super::*;

    fn link(hash: u64) -> Link {
        let region = Region { x: 1, y: 2, width: 3, height: 4 };
        Link { at: Instant::from_millis(hash * 10), hash: FrameHash(hash), changed: 7, region }
    }

    /// Checks the text of the difference between two chains of frames with these hashes.
    #[track_caller]
    fn check(expected: &[u64], seen: &[u64], text: Option<&str>) {
        let chain =
            |hashes: &[u64]| Chain::from(hashes.iter().copied().map(link).collect::<Vec<_>>());
        let mut record = ChainRecord {
            expected: Ok(chain(expected)),
            exists: true,
            seen: Chain::default(),
            in_current_format: None,
            differing: None,
        };
        let frame = Frame::filled(1, 1, 0);
        for hash in seen {
            let link = link(*hash);
            record.add(&ChainFrame {
                link,
                frame: &frame,
                before: &frame,
                after: "tap of B3 in line 9",
            });
        }
        let difference = record.difference(&chain(expected)).map(|found| found.to_string());
        assert_eq!(difference.as_deref(), text);
    }

    #[test]
    fn the_first_frame_that_differs_is_named() {
        check(&[1, 2, 3], &[1, 2, 3], None);
        check(
            &[1, 2, 3],
            &[1, 9, 3],
            Some(
                "frame 2 of 3 is another: at 90 ms, after tap of B3 in line 9, the LCD changed 7 \
                 pixels in 1,2,3,4, which was expected at 20 ms, but to another picture",
            ),
        );
        check(
            &[1],
            &[1, 2],
            Some(
                "frame 2 is one too many: at 20 ms, after tap of B3 in line 9, the LCD changed 7 \
                 pixels in 1,2,3,4; the chain has 1 frames",
            ),
        );
        check(
            &[1, 2],
            &[1],
            Some(
                "frame 2 of 2 did not come: expected was one at 20 ms that changes 7 pixels in \
                 1,2,3,4",
            ),
        );
    }

    #[test]
    fn a_change_that_both_frames_have_is_written_once() {
        let other = |actual: Link, expected: Link| {
            let after = "tap of B3 in line 9".to_owned();
            let shift = Shift::Unknown;
            ChainDifference::Other { number: 2, of: 3, actual, after, expected, shift }.to_string()
        };
        let before = "frame 2 of 3 is another: at 20 ms, after tap of B3 in line 9, the LCD changed 7 pixels in ";
        let less = |link: Link| Link { changed: 5, ..link };
        for (expected, rest) in [
            (Link { hash: FrameHash(5), ..link(2) }, "1,2,3,4 as expected, but to another picture"),
            (link(4), "1,2,3,4, which was expected at 40 ms, but to another picture"),
            (less(link(2)), "1,2,3,4; expected were 5 pixels in 1,2,3,4"),
            (less(link(4)), "1,2,3,4; expected were 5 pixels in 1,2,3,4 at 40 ms"),
        ] {
            assert_eq!(other(link(2), expected), format!("{before}{rest}"));
        }
    }

    #[test]
    fn left_out_frames_and_new_frames_are_distinguished() {
        let prefix = |number: u64, at: u64| {
            format!(
                "frame 2 of 3 is another: at {at} ms, after tap of B3 in line 9, the LCD changed 7 \
                 pixels in 1,2,3,4, which was expected at {number} ms, but to another picture; "
            )
        };
        let left_out = "it is what comes 1 frame later: what lies between was left out";
        check(&[1, 2, 3], &[1, 3], Some(&(prefix(20, 30) + left_out)));
        let new = "the expected one comes 2 frames later: what lies between is new";
        check(&[1, 2, 3], &[1, 8, 9, 2, 3], Some(&(prefix(20, 80) + new)));
    }
}
