//! Why there is no answer, as data and as sentences.

use std::fmt;

use boards::header::HeaderError;
use hal_mock::{MachineError, replay::Failure, setup::SetupError};
use ili9341_model::Region;
use virtual_time::{Instant, spoken};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The panel has no such pixel.
    #[error(
        "there is no pixel {x},{y}: the panel has {}x{}, 0,0 to {},{}",
        Region::PANEL.width, Region::PANEL.height, Region::PANEL.width - 1, Region::PANEL.height - 1
    )]
    NoPixel {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
    },
    /// There is no board for the trace.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// There is no machine for the trace.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The replay ends before the moment of the question.
    #[error("the trace ends at {}, and --at {at} is behind that{stopped}", spoken(end.since_start()))]
    EndsBefore {
        /// When the replay ended.
        end: Instant,
        /// The moment of the question.
        at: Instant,
        /// What ended it.
        stopped: Stopped,
    },
    /// The replay does not come to the end of the trace.
    #[error("the trace stops at {}{stopped}", spoken(end.since_start()))]
    Stops {
        /// When the replay ended.
        end: Instant,
        /// What ended it.
        stopped: Stopped,
    },
    /// No cell of the memory is shown at the pixel.
    #[error("the glass shows no memory at {x},{y}: partial mode is on")]
    NotShown {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
    },
    /// Nothing was written since power-on.
    #[error(
        "nothing has been written to the pixel {x},{y} by {}: {power}; ask for a later time",
        spoken(at.since_start())
    )]
    NotWritten {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
        /// The moment of the question.
        at: Instant,
        /// Whether the board had power then.
        power: PowerThen,
    },
}

impl WhyError {
    /// Whether the query makes no sense for this trace, or there is no such board; otherwise
    /// there is nothing to tell.
    pub fn is_wrong_question(&self) -> bool {
        match self {
            Self::NoPixel { .. }
            | Self::Header(_)
            | Self::Setup(_)
            | Self::EndsBefore { .. }
            | Self::Stops { .. } => true,
            Self::NotShown { .. } | Self::NotWritten { .. } => false,
        }
    }
}

/// What ended a replay too early. `Display` continues a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The trace was over.
    AtEnd,
    /// Lines failed.
    Failed(Vec<Failure>),
    /// The firmware lets no time pass.
    ClockKept,
    /// The machine could not go on.
    Broken(MachineError),
}

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtEnd => Ok(()),
            Self::Failed(failures) => {
                failures.iter().try_for_each(|failure| write!(out, ": {failure}"))
            }
            Self::ClockKept => out.write_str(": the firmware keeps the clock for itself"),
            Self::Broken(error) => write!(out, ": the firmware cannot go on: {error}"),
        }
    }
}

/// The power of a board at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerThen {
    /// It was off.
    Off,
    /// It was on since.
    Since(Instant),
    /// It was never on.
    Never,
}

impl fmt::Display for PowerThen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => out.write_str("the board has no power then"),
            Self::Since(since) => write!(out, "the power came at {}", spoken(since.since_start())),
            Self::Never => out.write_str("the power never came"),
        }
    }
}
