//! Reasons why a query has no answer, as data and as sentences.

use std::fmt;

use hal_mock::{MachineError, replay::Failure, setup::SetupError};
use ili9341_model::Region;
use trace::PartError;
use virtual_time::{Instant, spoken};

/// Reason why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The panel has no such pixel.
    #[error(
        "there is no pixel {x},{y}: the panel has {}x{}, 0,0 to {},{}",
        panel.width, panel.height, panel.width.saturating_sub(1), panel.height.saturating_sub(1)
    )]
    NoPixel {
        /// Column, from the left edge.
        x: usize,
        /// Row, from the top edge.
        y: usize,
        /// The whole panel.
        panel: Region,
    },
    /// The board has no such display.
    #[error("--display: {0}")]
    NoDisplay(#[from] PartError),
    /// No machine can be built for the trace.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The replay ends before the time of the query.
    #[error("the trace ends at {}, and --at {at} is behind that{stopped}", spoken(end.since_start()))]
    EndsBefore {
        /// Time at which the replay ended.
        end: Instant,
        /// Time of the query.
        at: Instant,
        /// Reason why the replay ended.
        stopped: Stopped,
    },
    /// The replay does not reach the end of the trace.
    #[error("the trace stops at {}{stopped}", spoken(end.since_start()))]
    Stops {
        /// Time at which the replay ended.
        end: Instant,
        /// Reason why the replay ended.
        stopped: Stopped,
    },
    /// The pixel shows no cell of the memory.
    #[error("the glass shows no memory at {x},{y}: partial mode is on")]
    NotShown {
        /// Column, from the left edge.
        x: usize,
        /// Row, from the top edge.
        y: usize,
    },
    /// The pixel was not written since power-on.
    #[error(
        "nothing has been written to the pixel {x},{y} by {}: {power}; ask for a later time",
        spoken(at.since_start())
    )]
    NotWritten {
        /// Column, from the left edge.
        x: usize,
        /// Row, from the top edge.
        y: usize,
        /// Time of the query.
        at: Instant,
        /// State of the power at that time.
        power: PowerThen,
    },
}

impl WhyError {
    /// Returns whether the query makes no sense for this trace, or no such board exists. Otherwise
    /// the query is valid and the pixel has no origin.
    pub fn is_wrong_question(&self) -> bool {
        match self {
            Self::NoPixel { .. }
            | Self::NoDisplay(_)
            | Self::Setup(_)
            | Self::EndsBefore { .. }
            | Self::Stops { .. } => true,
            Self::NotShown { .. } | Self::NotWritten { .. } => false,
        }
    }
}

/// Reason why a replay ended too early. `Display` continues a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The trace ended.
    AtEnd,
    /// Lines failed.
    Failed(Vec<Failure>),
    /// The firmware does not let time pass.
    ClockKept,
    /// The machine could not continue.
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

/// State of a board's power at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerThen {
    /// The power was off.
    Off,
    /// The power was on since this time.
    Since(Instant),
    /// The power had never been on.
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
