//! What the chip reports about its program: faults that it survived, and rules that it broke.

use rp2040_emulator::backtrace::Names;
use rp2040_emulator::chip::Chip;

/// Returns sentences that fail no replay.
pub(super) fn notes(chip: &Chip, names: &dyn Names) -> Vec<String> {
    let mut notes = chip.fault_notes(names);
    notes.extend(described(chip, names, false));
    notes
}

/// Returns a sentence for each place at which the program does what a chip would not do.
pub(super) fn findings(chip: &Chip, names: &dyn Names) -> Vec<String> {
    described(chip, names, true).collect()
}

fn described<'a>(
    chip: &'a Chip,
    names: &'a dyn Names,
    errors: bool,
) -> impl Iterator<Item = String> + 'a {
    let findings = chip.findings().iter().filter(move |finding| finding.is_error() == errors);
    findings.map(|finding| finding.describe(names))
}
