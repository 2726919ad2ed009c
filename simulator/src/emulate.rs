//! `nudge emulate`: any program for the RP2040 on a bare chip, without the LCD board around it.
//!
//! [`Program`] reads the file and makes a chip with it; [`run`] lets it go on until it ends or
//! until its time is over; [`report`] sums up. Who watches is an [`Observer`]: [`trace`],
//! [`profile`] and [`coverage`] each are one. Without observers the chip runs at its full speed; with
//! them it goes step by step, and comes to the same end.
//!
//! Nothing here reads a clock or opens a file but [`Program::load`]: outputs are `Write`s of the
//! caller, and wall time is an argument of the report.

use std::io;

use hal_mock::Nanos;
use rp2040_emulator::chip::{Chip, Halt, Step, Turns};

pub mod coverage;
pub mod flame_graph;
pub mod gdb;
pub mod pins;
pub mod profile;
pub mod program;
pub mod report;
pub mod stack;
pub mod trace;

pub use program::{Program, ProgramError};

/// How long a program may run if its caller does not say.
pub const DEFAULT_LIMIT: Nanos = Nanos::from_secs(10);

/// How often the chip's outputs are collected, and faults looked for.
pub const SLICE: Nanos = Nanos::from_millis(1);

/// Looks at every step of the chip.
pub trait Observer {
    /// The chip has just taken this step.
    ///
    /// # Errors
    /// What the observer writes cannot be written; the run ends.
    fn step(&mut self, chip: &Chip, step: &Step) -> io::Result<()>;
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time is over.
    Time,
    /// This core stands on BKPT with this number.
    Breakpoint(u8, u8),
    /// This core has taken a HardFault or has locked up.
    Fault(u8),
    /// This core has called this function of the ROM, which is not modelled.
    RomCall(u8, &'static str),
}

/// Lets `chip` go on until `until` or its end. After every [`SLICE`], `outside` takes what the
/// chip has sent.
///
/// # Errors
/// Those of the observers and of `outside`.
pub fn run(
    chip: &mut Chip,
    until: Nanos,
    observers: &mut [&mut dyn Observer],
    outside: &mut dyn FnMut(&mut Chip) -> io::Result<()>,
) -> io::Result<End> {
    loop {
        let slice = Nanos(chip.now_ns()) + SLICE;
        let slice = slice.min(until);
        let halt = if observers.is_empty() {
            chip.run(slice.0)
        } else {
            observed(chip, slice, observers)?
        };
        outside(chip)?;
        // A handler of the fault may stand on BKPT: the fault is what went wrong.
        if let Some(core) = [0, 1].into_iter().find(|core| chip.core(*core).fault().is_some()) {
            return Ok(End::Fault(core as u8));
        }
        match halt {
            Halt::Time if slice >= until => return Ok(End::Time),
            Halt::Time => {}
            Halt::Breakpoint(core, number) => return Ok(End::Breakpoint(core, number)),
            Halt::Lockup(core) => return Ok(End::Fault(core)),
            Halt::RomCall(core, name) => return Ok(End::RomCall(core, name)),
        }
    }
}

fn observed(
    chip: &mut Chip,
    until: Nanos,
    observers: &mut [&mut dyn Observer],
) -> io::Result<Halt> {
    let mut turns = Turns::default();
    loop {
        match chip.step(&mut turns, until.0) {
            Ok(step) => {
                for observer in &mut *observers {
                    observer.step(chip, &step)?;
                }
            }
            Err(halt) => return Ok(halt),
        }
    }
}
