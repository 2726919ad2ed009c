//! Runs the chip until the program ends or the time limit is reached.

use std::io;

use rp2040_emulator::chip::{Chip, Halt, Turns};
use virtual_time::{Instant, Nanos};

use crate::host::{Host, HostRequest, SLICE};
use crate::observer::Observer;
use crate::semihosting::SEMIHOSTING;

/// Virtual time after which a run ends unless the user sets another limit.
pub const DEFAULT_LIMIT: Nanos = Nanos::from_secs(10);

/// Reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The time limit is reached.
    Time,
    /// The host ended the run.
    Interrupted,
    /// The host ended the run, because it has what it waited for.
    Enough,
    /// This core has stopped at a BKPT with this number.
    Breakpoint(u8, u8),
    /// This core has taken a HardFault or has locked up.
    Fault(u8),
    /// This core has called this function of the ROM, which is not modelled.
    RomCall(u8, &'static str),
    /// The source of the system clock has stopped.
    ClockStopped,
}

/// Time without output after which the handler of a HardFault counts as finished.
const HANDLER_SILENCE: Nanos = Nanos::from_millis(20);

/// Maximum time for the handler of a HardFault.
const HANDLER_LIMIT: Nanos = Nanos::from_secs(2);

/// Runs `chip` until the virtual time `until` or the end of the program. If the program ends or the
/// user interrupts it, the bytes left in the UARTs are still sent.
///
/// # Errors
/// The errors of the observers and of `host`.
/// Those of the observers and of `host`.
pub fn run(
    chip: &mut Chip,
    until: Instant,
    observers: &mut [&mut dyn Observer],
    host: &mut dyn Host,
) -> io::Result<RunEnd> {
    let end = run_to_end(chip, until, observers, host)?;
    if !matches!(end, RunEnd::Time | RunEnd::Enough) {
        chip.drain_uart(0);
        chip.drain_uart(1);
        host.take(chip)?;
    }
    Ok(end)
}

/// State of a running HardFault handler, which may still print.
#[derive(Clone, Copy, Debug)]
struct Handler {
    since: Instant,
    sent: Instant,
}

impl Handler {
    /// Returns whether the handler has finished its output at `now`.
    fn is_done(&mut self, chip: &Chip, now: Instant) -> bool {
        if chip.is_sending(0) || chip.is_sending(1) {
            self.sent = now;
        }
        now >= self.sent.saturating_add(HANDLER_SILENCE)
            || now >= self.since.saturating_add(HANDLER_LIMIT)
    }
}

fn run_to_end(
    chip: &mut Chip,
    until: Instant,
    observers: &mut [&mut dyn Observer],
    host: &mut dyn Host,
) -> io::Result<RunEnd> {
    let mut handler: Option<Handler> = None;
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
        // The fault counts as the cause even if its handler ends the program in another way. A
        // reset ends the fault.
        if let Some(core) = [0, 1].into_iter().find(|core| chip.core(*core).fault().is_some()) {
            let now = Instant(chip.now_ns());
            let handler = handler.get_or_insert(Handler { since: now, sent: now });
            if halt != Halt::Time || slice >= until || handler.is_done(chip, now) {
                return Ok(RunEnd::Fault(core as u8));
            }
        } else {
            handler = None;
        }
        match halt {
            Halt::Time if slice >= until => return Ok(RunEnd::Time),
            Halt::Time => {}
            Halt::Breakpoint(core, number) => {
                if number != SEMIHOSTING || !host.semihosting(chip, core)? {
                    return Ok(RunEnd::Breakpoint(core, number));
                }
                let core = chip.core_mut(core.into());
                core.set_register(15, core.pc().wrapping_add(2));
            }
            Halt::Lockup(core) => return Ok(RunEnd::Fault(core)),
            Halt::RomCall(core, name) => return Ok(RunEnd::RomCall(core, name)),
            Halt::ClockStopped => return Ok(RunEnd::ClockStopped),
        }
        match host.wait(Instant(chip.now_ns()))? {
            HostRequest::Continue => {}
            HostRequest::End => return Ok(RunEnd::Interrupted),
            HostRequest::Enough => return Ok(RunEnd::Enough),
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
