//! `monitor …`: commands for which GDB has no protocol of its own.

use std::io;
use std::sync::Arc;

use gdbstub::outputln;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd};
use virtual_time::{Nanos, spoken};

use super::target::Debugged;
use crate::host::Host;

const HELP: &str = "monitor time    the virtual time, and both cores' instructions and cycles
monitor report  faults, what was touched that is not modelled, and registers polled in vain
monitor reset   resets the chip, which stays stopped before its first instruction; also as
                reset halt and reset init
monitor halt    nothing: a program that answers is stopped";

impl<H: Host + ?Sized> MonitorCmd for Debugged<'_, H> {
    fn handle_monitor_cmd(&mut self, command: &[u8], mut out: ConsoleOutput<'_>) -> io::Result<()> {
        match command.trim_ascii() {
            b"time" => self.time(&mut out),
            b"report" => self.report(&mut out),
            b"reset" | b"reset halt" | b"reset init" | b"reset run" => self.reset(&mut out),
            // Probes stop the cores here, but GDB sends this command only while they are stopped.
            b"halt" => {}
            b"help" | b"" => outputln!(out, "{HELP}"),
            other => {
                let other = String::from_utf8_lossy(other);
                outputln!(out, "there is no `monitor {other}`; there are\n{HELP}");
            }
        }
        Ok(())
    }
}

impl<H: Host + ?Sized> Debugged<'_, H> {
    /// Resets the chip. GDB does not notice: it reads the registers again only after the program
    /// has run, or on the command `maintenance flush register-cache`.
    fn reset(&mut self, out: &mut ConsoleOutput<'_>) {
        if self.timeline.is_lent() {
            outputln!(out, "this board is reset in its session: RESET, or its power off and on");
            return;
        }
        let program = Arc::clone(&self.program);
        let mut result = Ok(());
        self.timeline.change(|chip| result = program.restart(chip));
        self.timeline.begin_turns();
        self.stopped = 0;
        match result {
            Ok(()) => {
                let pc = self.timeline.chip().core(0).pc();
                outputln!(out, "the chip is reset; core 0 is at 0x{pc:08x}");
            }
            Err(error) => outputln!(out, "the chip is reset, but {error}"),
        }
    }

    fn time(&self, out: &mut ConsoleOutput<'_>) {
        let chip = self.timeline.chip();
        outputln!(out, "virtual time {}", spoken(Nanos(chip.now_ns())));
        for number in [0, 1] {
            let core = chip.core(number);
            let (instructions, cycles) = (core.instructions(), core.cycles());
            outputln!(out, "core {number}: {instructions} instructions in {cycles} cycles");
        }
    }

    fn report(&self, out: &mut ConsoleOutput<'_>) {
        let chip = self.timeline.chip();
        let faults: Vec<_> =
            [0, 1].into_iter().filter_map(|core| chip.fault_report(core, &*self.program)).collect();
        for fault in &faults {
            outputln!(out, "{fault}");
        }
        for report in chip.not_modelled() {
            outputln!(out, "{report}, in {}", self.program.describe(report.access.pc));
        }
        for polled in chip.polled() {
            outputln!(out, "{polled} in {}", self.program.describe(polled.access.pc));
        }
        let notes = chip.not_modelled().len() + chip.polled().len();
        if faults.is_empty() && notes == 0 {
            outputln!(out, "no fault, and nothing was touched that is not modelled");
        }
    }
}
