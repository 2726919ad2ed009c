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

/// How a run treats a HardFault or a lockup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFault {
    /// Ends it, unless the handler returns, or the watchdog counts and may reset the chip.
    #[default]
    Judge,
    /// Ends it at every fault.
    Stop,
    /// Never ends it.
    Continue,
}

/// Runs `chip` until the virtual time `until` or the end of the program. If the program ends or the
/// user interrupts it, the bytes left in the UARTs are still sent.
///
/// # Errors
/// Those of the observers and of `host`.
pub fn run(
    chip: &mut Chip,
    until: Instant,
    on_fault: OnFault,
    observers: &mut [&mut dyn Observer],
    host: &mut dyn Host,
) -> io::Result<RunEnd> {
    chip.set_lockup_halts(on_fault != OnFault::Continue);
    let end = run_to_end(chip, until, on_fault, observers, host)?;
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
    on_fault: OnFault,
    observers: &mut [&mut dyn Observer],
    host: &mut dyn Host,
) -> io::Result<RunEnd> {
    let mut handler: Option<Handler> = None;
    // BKPT at which core 0 has ended, while core 1 still runs.
    let mut ended = None;
    loop {
        while let Some((uart, byte)) = host.give(chip) {
            chip.send(uart, byte);
        }
        let slice = Instant(chip.now_ns()).saturating_add(SLICE);
        let slice = slice.min(until).min(host.next().unwrap_or(Instant::NEVER));
        let halt = if observers.iter().any(|observer| observer.needs_steps()) {
            observed(chip, slice, observers)?
        } else {
            chip.run(slice.0)
        };
        observers.iter_mut().for_each(|observer| observer.after_slice(chip));
        host.take(chip)?;
        let end = match halt {
            Halt::Time => (slice >= until).then_some(RunEnd::Time),
            Halt::Breakpoint(core, number) => {
                let answered = number == SEMIHOSTING && host.semihosting(chip, core)?;
                if answered {
                    let core = chip.core_mut(core.into());
                    core.set_register(15, core.pc().wrapping_add(2));
                }
                if core == 0 && chip.core_1_is_active() && host.goes_on_without_core_0(chip, number)
                {
                    chip.stop_core(0);
                    ended = Some(RunEnd::Breakpoint(core, number));
                    None
                } else {
                    (!answered).then_some(RunEnd::Breakpoint(core, number))
                }
            }
            Halt::Lockup(core) => Some(RunEnd::Fault(core)),
            Halt::RomCall(core, name) => Some(RunEnd::RomCall(core, name)),
            Halt::ClockStopped => Some(RunEnd::ClockStopped),
        };
        // A reset starts core 0 again.
        ended = ended.filter(|_| chip.is_halted(0));
        let end = end.or(ended.filter(|_| !chip.core_1_is_active()));
        let now = Instant(chip.now_ns());
        // The fault counts as the cause even if its handler ends the program in another way. A
        // reset ends the fault.
        if let Some(core) = fault(chip, on_fault) {
            let handler = handler.get_or_insert(Handler { since: now, sent: now });
            let waits = on_fault == OnFault::Judge && chip.awaits_watchdog();
            let is_over = !waits && handler.is_done(chip, now);
            if end.is_some() || is_over || on_fault == OnFault::Stop && chip.fault().is_none() {
                return Ok(RunEnd::Fault(core));
            }
        } else {
            handler = None;
        }
        if let Some(end) = end {
            return Ok(end);
        }
        match host.wait(Instant(chip.now_ns()))? {
            HostRequest::Continue => {}
            HostRequest::End => return Ok(RunEnd::Interrupted),
            HostRequest::Enough => return Ok(RunEnd::Enough),
        }
    }
}

/// Returns the core with the fault that may end the run.
fn fault(chip: &Chip, on_fault: OnFault) -> Option<u8> {
    let core = match on_fault {
        OnFault::Judge => chip.faulted_core(),
        OnFault::Stop => chip.faulted_core().or_else(|| {
            let (_, faults) = chip.survived_faults().next()?;
            Some(faults.first.core.into())
        }),
        OnFault::Continue => None,
    };
    core.map(|core| core as u8)
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
