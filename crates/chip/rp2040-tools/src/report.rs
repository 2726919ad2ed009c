//! The report of a run, as text.

use std::io::{self, Write};
use std::time::Duration;

use rp2040_emulator::backtrace::Names;
use rp2040_emulator::chip::Chip;
use virtual_time::{Instant, spoken};

use crate::Program;
use crate::findings;
use crate::run::RunEnd;
use crate::stack::StackUse;

const GPIOS: u32 = 30;

/// Maximum number of accesses to unmodelled registers that are listed.
const LISTED: usize = 12;

/// Writes the reason why the run ended, the instructions, times and stack, and the accesses to
/// unmodelled registers.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(
    out: &mut dyn Write,
    end: RunEnd,
    chip: &Chip,
    names: &dyn Names,
    wall: Duration,
    stack: Option<StackUse>,
) -> io::Result<()> {
    writeln!(out, "nudge: {}", reason(end, chip, names))?;
    let now = Instant(chip.now_ns());
    writeln!(out, "  virtual time  {}", spoken(now.since_start()))?;
    for number in [0, 1] {
        let core = chip.core(number);
        if core.instructions() > 0 {
            let asleep = core.slept() as f64 * 100.0 / core.cycles().max(1) as f64;
            writeln!(
                out,
                "  core {number}        {} instructions in {} cycles, {}",
                core.instructions(),
                core.cycles(),
                if core.slept() == 0 {
                    "never asleep".into()
                } else {
                    format!("{asleep:.1} % asleep")
                }
            )?;
        }
    }
    let ratio = now.as_secs_f64() / wall.as_secs_f64().max(1e-9);
    writeln!(out, "  wall time     {:.3} s, {ratio:.2} times real time", wall.as_secs_f64())?;
    match stack {
        Some(StackUse { bytes, room, lowest }) => {
            writeln!(out, "  stack         {bytes} of {room} bytes, down to 0x{lowest:08x}")?;
        }
        None => writeln!(out, "  stack         unknown: the file does not say where it is")?,
    }
    if let Some(fault) = chip.fault().filter(|_| !matches!(end, RunEnd::Fault(_))) {
        let place = names.describe(fault.pc);
        writeln!(out, "  a HardFault on core {} at {place}: {}", fault.core, fault.kind)?;
    }
    write_notes(out, chip, names)
}

/// Writes the faults that the program survived, the rules of the chip that it broke, the accesses to unmodelled registers, and the
/// registers that were polled in vain.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_notes(out: &mut dyn Write, chip: &Chip, names: &dyn Names) -> io::Result<()> {
    for note in chip.fault_notes(names) {
        writeln!(out, "  {note}")?;
    }
    findings::write(out, chip, names)?;
    let reports = chip.not_modelled();
    for report in reports.iter().take(LISTED) {
        writeln!(out, "  {report}, in {}", names.describe(report.access.pc))?;
    }
    for polled in chip.polled().iter().take(LISTED) {
        writeln!(out, "  {polled} in {}", names.describe(polled.access.pc))?;
    }
    let inputs = chip.inputs_polled_in_vain();
    if inputs != 0 {
        let pins = (0..GPIOS).filter(|pin| inputs >> pin & 1 != 0);
        let pins: Vec<String> = pins.map(|pin| format!("GP{pin}")).collect();
        writeln!(
            out,
            "  the inputs are {}: a button, TE of a display or an interrupt of a sensor is often \
             there (--pins moves them)",
            pins.join(", ")
        )?;
    }
    if reports.len() > LISTED {
        writeln!(out, "  … and {} more that are not modelled", reports.len() - LISTED)?;
    }
    Ok(())
}

/// Writes the reason why addresses in `program` have no source lines, if its debugging information
/// is invalid.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_damage(out: &mut dyn Write, program: &Program) -> io::Result<()> {
    match program.debug_information_error() {
        Some(error) => {
            writeln!(
                out,
                "  no source lines: the program's debugging information cannot be read: {error}"
            )
        }
        None => Ok(()),
    }
}

/// Returns the reason why the run ended, as a sentence without a full stop.
pub fn reason(end: RunEnd, chip: &Chip, names: &dyn Names) -> String {
    let place = |core: u8| names.describe(chip.core(core.into()).pc());
    match end {
        RunEnd::Time if chip.is_dormant() => {
            format!("its time is over; the chip is dormant, core 0 is at {}", place(0))
        }
        RunEnd::Time => format!("its time is over; core 0 is at {}", place(0)),
        RunEnd::Enough => format!("its output has the text; core 0 is at {}", place(0)),
        RunEnd::Interrupted => format!("interrupted; core 0 is at {}", place(0)),
        RunEnd::Breakpoint(core, number) => {
            format!("core {core} stopped at BKPT #{number} at {}", place(core))
        }
        RunEnd::Fault(core) => chip
            .fault_report(core.into(), names)
            .unwrap_or_else(|| format!("core {core} has locked up at {}", place(core))),
        RunEnd::RomCall(core, name) => {
            format!("core {core} called {name} of the ROM, which is not modelled")
        }
        RunEnd::ClockStopped => format!(
            "the source of the system clock was switched off, and nothing resuscitates it; core 0 is \
             at {}",
            place(0)
        ),
    }
}

#[cfg(test)]
#[path = "../../../board/boards/src/pico/scripted.rs"]
#[expect(dead_code, reason = "a script of pins needs a part of the file")]
mod scripted;

#[cfg(test)]
mod tests {
    use rp2040_emulator::program::FLASH_SIZE;

    use super::scripted::{ENABLE, POLLING, function, program_then};
    use super::*;

    #[test]
    fn inputs_that_are_polled_in_vain_are_named_with_what_is_often_there() {
        // GP8 is an input, GP9 an output, GP10 has no function. IO_BANK0 leaves its reset first
        // (RP2040 datasheet, 2.14.3: RESETS, bit 5, at the alias that clears bits).
        const RELEASE: (u32, u32) = (0x4000_F000, 1 << 5);
        let script = [RELEASE, function(8, 5), function(9, 5), (ENABLE, 1 << 9)];
        let program = program_then(&script, &POLLING);
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(program.image()).unwrap();
        chip.power_on().unwrap();
        let mut notes = |ns| {
            chip.run(ns);
            let mut out = Vec::new();
            write_notes(&mut out, &chip, &program).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(notes(1_000_000), "", "it may be about to read something else");
        let text = notes(3_000_000_000);
        assert!(text.contains("core 0 polled SIO.GPIO_IN"), "{text}");
        let inputs = "the inputs are GP8: a button, TE of a display or an interrupt of a sensor is \
                      often there (--pins moves them)\n";
        assert!(text.ends_with(inputs), "{text}");
    }
}
