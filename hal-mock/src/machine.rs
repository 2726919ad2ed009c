//! A board with firmware on it: what the replayer, the window and the tests drive.
//!
//! The trait knows no firmware; `simulator` has the machines that bring one. Time is the
//! board's own ([`VirtualBoard::now`]); a machine never reads another clock.

use core::fmt;

use crate::{Nanos, VirtualBoard};

/// Firmware running on a [`VirtualBoard`].
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
    fn step(&mut self, limit: Nanos) -> Result<(), MachineError>;

    /// What the firmware has taken from a heap since the first power-on. A machine that cannot
    /// tell says so: nobody is to take its silence for a promise.
    fn heap(&self) -> Heap {
        Heap::Unknown("it does not watch its firmware's memory".into())
    }

    /// Steps until the clock stands at `until` or, by one step's overshoot, behind it.
    ///
    /// # Errors
    /// The first that a step returns.
    fn run_until(&mut self, until: Nanos) -> Result<(), MachineError> {
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

/// Why a machine cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineError {
    /// When.
    pub at: Nanos,
    /// What happened, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for MachineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at {}: {}", self.at, self.message)
    }
}

impl core::error::Error for MachineError {}
