//! A board with firmware on it: what the replayer, the window and the tests drive.
//!
//! The trait knows no firmware; `simulator` has the machines that bring one. Time is the
//! board's own ([`VirtualBoard::now`]); a machine never reads another clock.

mod wrapper;

use std::error::Error;
use std::sync::Arc;

use thiserror::Error;

use crate::VirtualBoard;
use virtual_time::Instant;
pub use wrapper::{Call, MachineWrapper};

/// Firmware running on a [`VirtualBoard`].
///
/// A machine around another one is a [`MachineWrapper`], which forwards each method.
pub trait Machine {
    /// The board that the firmware runs on.
    fn board(&self) -> &VirtualBoard;

    /// Turns the board on, if it is off, and boots the firmware.
    ///
    /// # Errors
    /// If the firmware cannot be booted.
    fn power_on(&mut self) -> Result<(), MachineError>;

    /// Turns the board off; the firmware forgets everything but the flash.
    fn power_off(&mut self);

    /// Runs the firmware once, at its next event (a wake-up or a pin edge), or moves the
    /// clock to `limit`, whichever comes first. A step may overshoot `limit` by its bus
    /// time: at most 4 ms, longer only inside the LCD's initialisation or a flash erase.
    ///
    /// # Errors
    /// If the firmware cannot go on.
    fn step(&mut self, limit: Instant) -> Result<(), MachineError>;

    /// What the firmware has taken from a heap since the first power-on. [`Heap::Unknown`] if the
    /// machine cannot tell; it must not be treated as zero.
    fn heap(&self) -> Heap;

    /// Another machine in the same state, on a board of its own: it goes on exactly as this one
    /// would. `None` if the machine cannot be copied; then another one that is given the same inputs
    /// reaches the same state.
    ///
    fn fork(&self) -> Option<Box<dyn Machine>>;

    /// Steps until the clock stands at `until` or, by one step's overshoot, behind it. The only
    /// method with a body: it is built on the others, so that a machine around another gets it
    /// right without forwarding it.
    ///
    /// # Errors
    /// The first that a step returns.
    fn run_until(&mut self, until: Instant) -> Result<(), MachineError> {
        while self.board().now() < until {
            self.step(until)?;
        }
        Ok(())
    }
}

/// What a machine knows of its firmware's heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heap {
    /// The program has no allocator in it.
    Absent,
    /// It has been used so often.
    Used {
        /// Pieces of memory that were taken, whether they were given back or not.
        allocations: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// The program has an allocator; whether it uses it cannot be seen.
    Present {
        /// The allocator's function.
        symbol: String,
    },
    /// The machine cannot tell: why, as a sentence without a full stop, whose subject is the
    /// board.
    Unknown(String),
}

impl Heap {
    /// Of a machine that does not watch its firmware's memory.
    pub fn unwatched() -> Self {
        Self::Unknown("it does not watch its firmware's memory".into())
    }
}

/// Why a machine cannot go on, and when. The cause keeps its type: [`MachineError::is`] and
/// `source` find it.
#[derive(Clone, Debug, Error)]
#[error("at {at}: {cause}")]
pub struct MachineError {
    /// When.
    pub at: Instant,
    #[source]
    cause: Arc<dyn Error + Send + Sync>,
}

impl MachineError {
    /// An error at `at`. The text of `cause` is a sentence without a full stop; a `String` or `&str`
    /// is a cause too.
    pub fn new(at: Instant, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { at, cause: cause.into().into() }
    }

    /// What happened, as a sentence without a full stop.
    pub fn message(&self) -> String {
        self.cause.to_string()
    }

    /// Whether the cause is an `E`.
    pub fn is<E: Error + 'static>(&self) -> bool {
        self.cause.is::<E>()
    }
}

/// Equal in time and text; two causes of different types with the same text are equal.
impl PartialEq for MachineError {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.message() == other.message()
    }
}

impl Eq for MachineError {}
