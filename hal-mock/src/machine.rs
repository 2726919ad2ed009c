//! A board with firmware on it, driven by the replayer, the window and the tests.
//!
//! The trait knows no firmware; `simulator` has the machines that bring one. Time is the
//! board's own ([`VirtualBoard::now`]); a machine never reads another clock.

mod wrapper;

use std::error::Error;
use std::sync::Arc;

use thiserror::Error;

use crate::{Crash, VirtualBoard};
use virtual_time::Instant;
pub use wrapper::{Call, MachineWrapper};

/// Firmware running on a [`VirtualBoard`].
///
/// A machine around another one is a [`MachineWrapper`], which forwards each method.
pub trait Machine {
    /// Returns the board that the firmware runs on.
    fn board(&self) -> &VirtualBoard;

    /// Turns the board on, if it is off, and boots the firmware.
    ///
    /// # Errors
    /// If the firmware cannot be booted.
    fn power_on(&mut self) -> Result<(), MachineError>;

    /// Turns the board off; only the flash is retained.
    fn power_off(&mut self);

    /// Runs the firmware once, at its next event (a wake-up or a pin edge), or moves the
    /// clock to `limit`, whichever comes first. A step may overshoot `limit` by its bus
    /// time: at most 4 ms, longer only inside the LCD's initialisation or a flash erase.
    ///
    /// # Errors
    /// If the firmware cannot continue.
    fn step(&mut self, limit: Instant) -> Result<(), MachineError>;

    /// Returns the firmware's heap use since the first power-on. [`Heap::Unknown`] if the machine
    /// cannot determine it; `Unknown` must not be treated as zero.
    fn heap(&self) -> Heap;

    /// Returns another machine in the same state, on a board of its own, which continues exactly as
    /// this one would. `None` if the machine cannot be copied; then another machine that gets the
    /// same inputs reaches the same state.
    ///
    fn fork(&self) -> Option<Box<dyn Machine>>;

    /// Returns a sentence about the program that may explain a failure, such as an input that it polls
    /// and the board does not have. A wrapper forwards it.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Returns notes on the program that fail no replay, such as a fault whose handler returned. A
    /// wrapper forwards it.
    fn notes(&self) -> Vec<String> {
        vec![]
    }

    /// Returns the rules of the machine's chip that the program breaks: what it does without harm on
    /// this machine, and a chip would not do. Each is a sentence without a full stop. A wrapper
    /// forwards it.
    fn findings(&self) -> Vec<String> {
        vec![]
    }

    /// Brings the flash of [`board`](Self::board) up to date, if the firmware's flash is elsewhere:
    /// on a real board. Time may pass. A wrapper forwards it.
    ///
    /// # Errors
    /// If the flash cannot be read. The machine can continue.
    fn read_flash(&mut self) -> Result<(), MachineError> {
        Ok(())
    }

    /// Steps until the clock is at `until` or, by one step's overshoot, later. It is built on the
    /// other methods, so that a wrapper gets the right behaviour without forwarding it.
    ///
    /// # Errors
    /// The first error that a step returns.
    fn run_until(&mut self, until: Instant) -> Result<(), MachineError> {
        while self.board().now() < until {
            self.step(until)?;
        }
        Ok(())
    }
}

/// Heap use of a machine's firmware, as far as the machine can determine it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heap {
    /// The program has no allocator in it.
    Absent,
    /// The allocator was used.
    Used {
        /// Number of allocations, including those that were freed.
        allocations: u64,
        /// Total size of the allocations in bytes.
        bytes: u64,
    },
    /// The program has an allocator; the machine cannot observe whether it is used.
    Present {
        /// Name of the allocator's function.
        symbol: String,
    },
    /// The machine cannot determine the heap use. The reason is a sentence without a full stop,
    /// whose subject is the board.
    Unknown(String),
}

impl Heap {
    /// Returns the heap use of a machine that does not observe its firmware's memory.
    pub fn unwatched() -> Self {
        Self::Unknown("it does not watch its firmware's memory".into())
    }
}

/// The part of a machine that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The firmware, or the board that it runs on.
    Firmware,
    /// The bench that a real board is on: a cable, the probe, its computer. The error says nothing
    /// about the firmware.
    Bench,
}

/// The reason why a machine cannot continue, with the time. The cause keeps its type:
/// [`MachineError::is`] and `source` find it.
#[derive(Clone, Debug, Error)]
#[error("at {at}: {cause}")]
pub struct MachineError {
    /// Time of the error.
    pub at: Instant,
    /// Part of the machine that failed.
    pub kind: ErrorKind,
    #[source]
    cause: Arc<dyn Error + Send + Sync>,
}

impl MachineError {
    /// Creates an error at `at`. The text of `cause` is a sentence without a full stop; a `String`
    /// or `&str` is also a cause.
    pub fn new(at: Instant, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { at, kind: ErrorKind::Firmware, cause: cause.into().into() }
    }

    /// Creates an error of the bench that a real board is on; see [`new`](Self::new).
    pub fn of_bench(at: Instant, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: ErrorKind::Bench, ..Self::new(at, cause) }
    }

    /// Returns the text of the cause, a sentence without a full stop.
    pub fn message(&self) -> String {
        self.cause.to_string()
    }

    /// Returns whether the cause is an `E`.
    pub fn is<E: Error + 'static>(&self) -> bool {
        self.cause.is::<E>()
    }

    /// Returns the crash of the firmware, if that is the cause.
    pub fn crash(&self) -> Option<&Crash> {
        self.cause.downcast_ref()
    }
}

/// Equal in time and text; two causes of different types with the same text are equal.
impl PartialEq for MachineError {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.message() == other.message()
    }
}

impl Eq for MachineError {}
