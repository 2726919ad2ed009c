//! The places at which a program breaks a rule of the chip, as lines of the report.
//!
//! The rules and their conditions are the chip's (`docs/chip-rules.md`); the program names the
//! source lines.

use std::io::{self, Write};

use rp2040_emulator::backtrace::Names;
use rp2040_emulator::chip::Chip;

/// Maximum number of places that are listed.
const LISTED: usize = 12;

/// Writes a line for each place, and how many are not listed.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(out: &mut dyn Write, chip: &Chip, names: &dyn Names) -> io::Result<()> {
    let findings = chip.findings();
    for finding in findings.iter().take(LISTED) {
        writeln!(out, "  {}", finding.describe(names))?;
    }
    if findings.len() > LISTED {
        let more = findings.len() - LISTED;
        writeln!(out, "  … and {more} more places that break a rule of the chip")?;
    }
    Ok(())
}

/// Returns the number of places that fail a strict run.
pub fn errors(chip: &Chip) -> usize {
    chip.findings().iter().filter(|finding| finding.is_error()).count()
}
