//! Lets the chip run until its end or the end of its time.

use std::io;

use hal_mock::{Instant, Nanos};
use rp2040_emulator::chip::{Chip, Halt, Turns};

use crate::host::{Host, HostRequest, SLICE};
use crate::observer::Observer;

/// The virtual time after which a run ends unless the user sets another limit.
pub const DEFAULT_LIMIT: Nanos = Nanos::from_secs(10);

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The limit is reached.
    Time,
    /// The host ended it.
    Interrupted,
    /// This core has stopped at a BKPT with this number.
    Breakpoint(u8, u8),
    /// This core has taken a HardFault or has locked up.
    Fault(u8),
    /// This core has called this function of the ROM, which is not modelled.
    RomCall(u8, &'static str),
}

/// Runs `chip` until the virtual time `until` or the end of the program.
///
/// # Errors
/// Those of the observers and of `host`.
pub fn run(
    chip: &mut Chip,
    until: Instant,
    observers: &mut [&mut dyn Observer],
    host: &mut dyn Host,
) -> io::Result<RunEnd> {
    loop {
        while let Some((uart, byte)) = host.give(chip) {
            chip.send(uart, byte);
        }
        let slice = Instant(chip.now_ns()).saturating_add(SLICE);
        let slice = slice.min(until).min(host.next().unwrap_or(Instant::NEVER));
        let halt = if observers.is_empty() {
            chip.run(slice.0)
        } else {
            observed(chip, slice, observers)?
        };
        host.take(chip)?;
        // The fault's handler may have stopped at a BKPT: the fault is the cause.
        if let Some(core) = [0, 1].into_iter().find(|core| chip.core(*core).fault().is_some()) {
            return Ok(RunEnd::Fault(core as u8));
        }
        match halt {
            Halt::Time if slice >= until => return Ok(RunEnd::Time),
            Halt::Time => {}
            Halt::Breakpoint(core, number) => return Ok(RunEnd::Breakpoint(core, number)),
            Halt::Lockup(core) => return Ok(RunEnd::Fault(core)),
            Halt::RomCall(core, name) => return Ok(RunEnd::RomCall(core, name)),
        }
        if host.wait(Instant(chip.now_ns()))? == HostRequest::End {
            return Ok(RunEnd::Interrupted);
        }
    }
}

fn observed(
    chip: &mut Chip,
    until: Instant,
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
