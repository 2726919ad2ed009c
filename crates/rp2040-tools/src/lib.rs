//! `nudge emulate`: any program for the RP2040 on a bare chip, without the LCD board around it.
//!
//! [`Program`] reads the file and makes a chip with it; [`run`] lets it go on until it ends or
//! until its time is over; [`report`] sums up. Who watches is an [`Observer`]: [`trace`],
//! [`profile`] and [`coverage`] each are one. Without observers the chip runs at its full speed; with
//! them it goes step by step, and comes to the same end. What is around the chip is an
//! [`Outside`]: it takes what the chip sends, and gives it what comes over a [`line`].
//!
//! Nothing here reads a clock or opens a file but [`Program::load`] and [`pty`]: outputs are
//! `Write`s of the caller, and wall time is an argument of the report.

use std::io;

use hal_mock::Nanos;
use rp2040_emulator::chip::{Chip, Halt, Step, Turns};

pub mod coverage;
pub mod flame_graph;
pub mod gdb;
pub mod line;
pub mod pins;
pub mod profile;
pub mod program;
pub mod pty;
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

/// What is around the chip. It is asked after every [`SLICE`], and when it asked for it.
pub trait Outside {
    /// Takes what the chip has sent since the last call.
    ///
    /// # Errors
    /// It cannot be written; the run ends.
    fn take(&mut self, chip: &mut Chip) -> io::Result<()>;

    /// A byte that has come in whole by now, and the number of its UART. Asked until there is none.
    fn give(&mut self, _: &Chip) -> Option<(usize, u8)> {
        None
    }

    /// When the next byte will have come in, if one is on its way.
    fn next(&self) -> Option<Nanos> {
        None
    }

    /// The chip has come to `now`. This is the place to wait for the wall clock, or to end the run.
    ///
    /// # Errors
    /// What comes in cannot be read; the run ends.
    fn wait(&mut self, _now: Nanos) -> io::Result<Wish> {
        Ok(Wish::GoOn)
    }
}

/// What the outside wants of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That it goes on.
    GoOn,
    /// That it ends here.
    End,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time is over.
    Time,
    /// The outside wanted no more.
    Interrupted,
    /// This core stands on BKPT with this number.
    Breakpoint(u8, u8),
    /// This core has taken a HardFault or has locked up.
    Fault(u8),
    /// This core has called this function of the ROM, which is not modelled.
    RomCall(u8, &'static str),
}

/// Lets `chip` go on until `until` or its end.
///
/// # Errors
/// Those of the observers and of `outside`.
pub fn run(
    chip: &mut Chip,
    until: Nanos,
    observers: &mut [&mut dyn Observer],
    outside: &mut dyn Outside,
) -> io::Result<End> {
    loop {
        while let Some((uart, byte)) = outside.give(chip) {
            chip.send(uart, byte);
        }
        let slice = Nanos(chip.now_ns()) + SLICE;
        let slice = slice.min(until).min(outside.next().unwrap_or(Nanos::MAX));
        let halt = if observers.is_empty() {
            chip.run(slice.0)
        } else {
            observed(chip, slice, observers)?
        };
        outside.take(chip)?;
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
        if outside.wait(Nanos(chip.now_ns()))? == Wish::End {
            return Ok(End::Interrupted);
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
