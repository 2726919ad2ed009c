//! Building the machine for a replay, and the errors of that.
//!
//! The module knows no firmware and no board; the crate `boards` builds machines and returns these
//! types.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

use crate::machine::{ErrorKind, Machine};
use trace::{Place, Trace};

/// The reason why no machine can be built for a trace: an unknown setting, a value out of range, a
/// board that is not connected.
///
/// The cause keeps the type that it had in the crate that builds the machine; see
/// [`SetupError::cause`]. `Display` prints the first error; [`SetupError::each`] returns all of
/// them.
#[derive(Clone, Debug)]
pub struct SetupError {
    /// Place in the trace's header; `None` if the cause is not in the header.
    pub place: Option<Place>,
    /// Part that failed: a header that is wrong counts as the firmware's.
    pub kind: ErrorKind,
    cause: Arc<dyn Error + Send + Sync>,
    /// Further errors.
    others: Arc<[SetupError]>,
}

impl SetupError {
    /// Creates an error whose cause is not in the header. The text of the cause has the fact, the
    /// limit and the next step, without a full stop.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            place: None,
            kind: ErrorKind::Firmware,
            cause: cause.into().into(),
            others: Arc::default(),
        }
    }

    /// Creates an error of the header, at `place`.
    pub fn at(place: Place, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { place: Some(place), ..Self::new(cause) }
    }

    /// Creates an error of the bench that a real board is on; see [`new`](Self::new).
    pub fn of_bench(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: ErrorKind::Bench, ..Self::new(cause) }
    }

    /// Returns this error with the `others` added.
    #[must_use]
    pub fn with(self, others: impl Iterator<Item = Self>) -> Self {
        Self { others: others.collect(), ..self }
    }

    /// Returns this error, then the others.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        core::iter::once(self).chain(self.others.iter())
    }

    /// Returns the message without the place in the header.
    pub fn message(&self) -> String {
        self.cause.to_string()
    }

    /// Returns the cause, if it is an `E`.
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
        // This error's message contains the message of the cause.
        self.cause.source()
    }
}

/// Builds a fresh machine (its clock at 0, its power off) for a trace, whose header defines the
/// contents of the board's flash. Called on the thread that then runs the machine.
pub type MachineFactory<'a> = &'a (dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync);
