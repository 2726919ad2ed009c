//! The relevant state of a failed line: two failures of a line are the same if their evidence is
//! the same. [`same`](super::same) has the table.

use hal_mock::{
    Heap,
    replay::{Failure, FailureCause, ToneFound},
};
use ili9341_model::Rule;
use reading::golden::{Mismatch, chain::FrameHash};
use runner::ChainDifference;
use trace::Button;
use virtual_time::Nanos;

use super::goldens::GoldenFault;

/// Two frame times or two lengths are the same if they differ by no more than this fraction
/// (1/100). A chip does not take the same number of cycles for a frame if its timer interrupts it
/// elsewhere.
const FRAME_TIME_PART: u64 = 100;

/// State that a failed line reports, apart from the line itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Text on the LCD or content of the flash, line by line.
    Texts(Vec<String>),
    /// Hash of the pixels that differ from the golden, as shown on the LCD.
    Pixels(FrameHash),
    /// Sizes of the frame and of the golden.
    Sizes(Mismatch),
    /// The golden, or the file of the chain, is missing or cannot be read.
    UnusableGolden,
    /// The first differing frame of a chain.
    Chain {
        /// Number of the frame, from 1.
        number: usize,
        /// Frame on the LCD, if there was one.
        actual: Option<FrameHash>,
        /// Expected frame, if there was one.
        expected: Option<FrameHash>,
    },
    /// Tones that sounded, in hertz.
    Tones(Vec<u32>),
    /// Time for which a text was shown or a tone sounded.
    Lasted(Nanos),
    /// Last console line, if there was one. For a line that must not come, that line.
    ConsoleLine(Option<String>),
    /// Number of bytes on the LCD's bus.
    Bytes(u64),
    /// Time of the longest frame; `None` without a frame.
    FrameTime(Option<Nanos>),
    /// First rule of the LCD's datasheet that was broken.
    Rule(Option<Rule>),
    /// Kind of knowledge about the heap, with all numbers zero.
    Heap(Heap),
    /// Button that is down.
    Button(Button),
    /// Nothing apart from the line.
    Line,
    /// Message of the failure.
    Sentence(String),
}

impl Evidence {
    /// Returns the evidence of `failure`.
    pub fn of(failure: &Failure) -> Self {
        match &failure.cause {
            FailureCause::TextMissing { .. }
            | FailureCause::TextShown { .. }
            | FailureCause::TextNeverShown { .. }
            | FailureCause::WaitedForText { .. }
            | FailureCause::NotSettled { .. } => {
                Self::Texts(failure.shown.clone().unwrap_or_default())
            }
            FailureCause::Golden(error) => match error.cause::<GoldenFault>() {
                Some(fault) => Self::of_golden(fault),
                None => Self::Sentence(failure.message()),
            },
            FailureCause::ToneMissing { heard, .. } => Self::Tones(heard.clone()),
            FailureCause::TextShownFor { lasted, .. } => Self::Lasted(*lasted),
            FailureCause::ToneLength { found: ToneFound::Nothing, .. } => Self::Tones(Vec::new()),
            FailureCause::ToneLength {
                found: ToneFound::Sounds(lasted) | ToneFound::Lasted(lasted),
                ..
            } => Self::Lasted(*lasted),
            FailureCause::UnexpectedTone { heard, .. } => {
                Self::Tones(heard.iter().map(|(hertz, _)| *hertz).collect())
            }
            FailureCause::ConsoleLineMissing { last, .. }
            | FailureCause::WaitedForConsole { last, .. } => {
                Self::ConsoleLine(last.last().cloned())
            }
            FailureCause::ConsoleLineShown { line, .. } => {
                Self::ConsoleLine(line.as_ref().map(|line| line.text.clone()))
            }
            FailureCause::FlashLineMissing { lines, .. } => Self::Texts(lines.clone()),
            FailureCause::FlashLineShown { line, .. } => Self::Texts(vec![line.clone()]),
            FailureCause::Backlight { .. }
            | FailureCause::FlashUnread
            | FailureCause::FlashUnreadable(_) => Self::Line,
            FailureCause::BusOverBudget { sent, .. } => Self::Bytes(*sent),
            FailureCause::NoFrame { .. } => Self::FrameTime(None),
            FailureCause::FrameTooLong { time, .. } => Self::FrameTime(Some(*time)),
            FailureCause::Violations { first, .. } => Self::Rule(first.map(|(_, rule)| rule)),
            FailureCause::Heap(Heap::Used { .. }) => {
                Self::Heap(Heap::Used { allocations: 0, bytes: 0 })
            }
            FailureCause::Heap(heap) => Self::Heap(heap.clone()),
            FailureCause::ButtonDown { button, .. } => Self::Button(*button),
            FailureCause::TimePassed { .. } | FailureCause::PowerOn { .. } => Self::Line,
            _ => Self::Sentence(failure.message()),
        }
    }

    fn of_golden(fault: &GoldenFault) -> Self {
        match fault {
            GoldenFault::Unreadable(_) | GoldenFault::UnreadableChain(_) => Self::UnusableGolden,
            GoldenFault::OtherSize(sizes) => Self::Sizes(*sizes),
            GoldenFault::Differs { pixels, .. } => Self::Pixels(*pixels),
            GoldenFault::ChainDiffers { difference, .. } => match **difference {
                ChainDifference::Other { number, actual, expected, .. } => {
                    let (actual, expected) = (Some(actual.hash), Some(expected.hash));
                    Self::Chain { number, actual, expected }
                }
                ChainDifference::Extra { number, actual, .. } => {
                    Self::Chain { number, actual: Some(actual.hash), expected: None }
                }
                ChainDifference::Missing { number, expected, .. } => {
                    Self::Chain { number, actual: None, expected: Some(expected.hash) }
                }
            },
        }
    }

    /// Returns whether both are the same evidence.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::FrameTime(Some(one)), Self::FrameTime(Some(two)))
            | (Self::Lasted(one), Self::Lasted(two)) => {
                one.0.abs_diff(two.0) <= one.0 / FRAME_TIME_PART
            }
            _ => self == other,
        }
    }
}
