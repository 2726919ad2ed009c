//! `monitor …`: commands for which GDB has no protocol of its own.

use std::io;

use gdbstub::outputln;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd};
use hal_mock::Nanos;
use hal_mock::trace::spoken;

use super::target::Debugged;

const HELP: &str = "monitor time    the virtual time, and both cores' instructions and cycles
monitor report  faults, and what was touched that is not modelled";

impl MonitorCmd for Debugged<'_> {
    fn handle_monitor_cmd(&mut self, command: &[u8], mut out: ConsoleOutput<'_>) -> io::Result<()> {
        match command.trim_ascii() {
            b"time" => self.time(&mut out),
            b"report" => self.report(&mut out),
            b"help" | b"" => outputln!(out, "{HELP}"),
            other => {
                let other = String::from_utf8_lossy(other);
                outputln!(out, "there is no `monitor {other}`; there are\n{HELP}");
            }
        }
        Ok(())
    }
}

impl Debugged<'_> {
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
            [0, 1].into_iter().filter_map(|core| chip.fault_report(core, self.names)).collect();
        for fault in &faults {
            outputln!(out, "{fault}");
        }
        for report in chip.not_modelled() {
            outputln!(out, "{report} in {}", self.names.describe(report.access.pc));
        }
        if faults.is_empty() && chip.not_modelled().is_empty() {
            outputln!(out, "no fault, and nothing was touched that is not modelled");
        }
    }
}
