//! How a replay gets a machine for a trace, and why there may be none.
//!
//! It knows no firmware and no board; the crate `boards` builds machines and returns these types.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

use crate::machine::Machine;
use trace::{Place, Trace};

/// Why no machine can be built for a trace: a setting that does not exist, a value out of
/// its range, a board that is not there.
///
/// The cause keeps the type that it had in the crate that builds the machine; see
/// [`SetupError::cause`]. `Display` is the first error; [`SetupError::each`] has them all.
#[derive(Clone, Debug)]
pub struct SetupError {
    /// Where in the trace's header; `None` if the cause is not in the header.
    pub place: Option<Place>,
    cause: Arc<dyn Error + Send + Sync>,
    /// What else is wrong.
    others: Arc<[SetupError]>,
}

impl SetupError {
    /// One whose cause is not in the header. The cause is worded as the fact, the limit and the
    /// next step, without a full stop.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { place: None, cause: cause.into().into(), others: Arc::default() }
    }

    /// One of the header, at `place`.
    pub fn at(place: Place, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { place: Some(place), cause: cause.into().into(), others: Arc::default() }
    }

    /// The same, with what else is wrong.
    #[must_use]
    pub fn with(self, others: impl Iterator<Item = Self>) -> Self {
        Self { others: others.collect(), ..self }
    }

    /// This error, then what else is wrong.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        core::iter::once(self).chain(self.others.iter())
    }

    /// The sentence without the place in the header.
    pub fn message(&self) -> String {
        self.cause.to_string()
    }

    /// The cause, if it is an `E`.
    pub fn cause<E: Error + 'static>(&self) -> Option<&E> {
        self.cause.downcast_ref()
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{place}: ")?;
        }
        write!(out, "{}", self.cause)
    }
}

impl Error for SetupError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The sentence of the cause is in this one's.
        self.cause.source()
    }
}

/// Builds a fresh machine (its clock at 0, its power off) for a trace, whose header says
/// what the board's flash holds. It is called on the thread that then runs the machine.
pub type MachineFactory<'a> = &'a (dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync);
