//! What a failed line shows, as far as it belongs to the failure: two failures of a line are the same
//! if their evidence is. The table is in [`same`](super::same).

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

/// Two times of a frame, or two lengths, are the same if they differ by no more than this part. A chip does not take
/// the same number of cycles for a frame if its timer interrupts it elsewhere.
const FRAME_TIME_PART: u64 = 100;

/// What a failed line shows, apart from the line itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The text on the LCD, or what the flash holds, line by line.
    Texts(Vec<String>),
    /// The pixels that differ from the golden, and what they show.
    Pixels(FrameHash),
    /// The frame and the golden have these sizes.
    Sizes(Mismatch),
    /// The golden, or the file of the chain, is missing or cannot be read.
    UnusableGolden,
    /// The first frame of a chain that differs.
    Chain {
        /// From 1.
        number: usize,
        /// What the LCD showed, if it showed one more.
        actual: Option<FrameHash>,
        /// What was expected, if there was to be one.
        expected: Option<FrameHash>,
    },
    /// The tones that were heard, in hertz.
    Tones(Vec<u32>),
    /// How long a text stood, or a tone sounded.
    Lasted(Nanos),
    /// The last console line, if there was one; of a line that was not to come, that line.
    ConsoleLine(Option<String>),
    /// Bytes on the LCD's bus.
    Bytes(u64),
    /// The time of the longest frame; `None` without a frame.
    FrameTime(Option<Nanos>),
    /// The first rule of the LCD's datasheet that was broken.
    Rule(Option<Rule>),
    /// What is known of the heap, with all numbers zero.
    Heap(Heap),
    /// The button that is down.
    Button(Button),
    /// Nothing but the line.
    Line,
    /// The sentence of the failure.
    Sentence(String),
}

impl Evidence {
    /// What `failure` shows.
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
            FailureCause::ToneHeard { heard, .. } => {
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
            FailureCause::Backlight { .. } | FailureCause::FlashUnread => Self::Line,
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

    /// Whether both show the same.
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
