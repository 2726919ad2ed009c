//! How a replay gets a machine for a trace, and why there may be none.
//!
//! It knows no firmware and no board; the crate `boards` builds machines and returns these types.

use core::fmt;

use crate::machine::Machine;
use crate::trace::{Place, Trace};

/// Why no machine can be built for a trace: a setting that does not exist, a value out of
/// its range, a board that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// Where in the trace's header; `None` if the cause is not in the header.
    pub place: Option<Place>,
    /// The fact, the limit and the next step, as a sentence without a full stop.
    pub message: String,
}

impl SetupError {
    /// One whose cause is not in the header.
    pub fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    /// One of the header.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), message: message.into() }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{place}: ")?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for SetupError {}

/// Builds a fresh machine (its clock at 0, its power off) for a trace, whose header says
/// what the board's flash holds. It is called on the thread that then runs the machine.
pub type MachineFactory<'a> = &'a (dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync);
