//! What the chip reports about its program: faults that it survived, and rules that it broke.

use rp2040_emulator::backtrace::Names;
use rp2040_emulator::chip::{Chip, Finding};

/// Identifiers of the chip's rules that the program may break.
pub(super) type Permitted = [&'static str];

/// Returns sentences that fail no replay.
pub(super) fn notes(chip: &Chip, names: &dyn Names, permitted: &Permitted) -> Vec<String> {
    let mut notes = chip.fault_notes(names);
    let findings = chip.findings().iter().filter(|finding| !fails(finding, permitted));
    notes.extend(findings.map(|finding| {
        let remark = if finding.is_error() { "; the board file permits it" } else { "" };
        finding.describe(names) + remark
    }));
    notes
}

/// Returns a sentence for each place at which the program does what a chip would not do.
pub(super) fn findings(chip: &Chip, names: &dyn Names, permitted: &Permitted) -> Vec<String> {
    let findings = chip.findings().iter().filter(|finding| fails(finding, permitted));
    findings.map(|finding| finding.describe(names)).collect()
}

fn fails(finding: &Finding, permitted: &Permitted) -> bool {
    finding.is_error() && !permitted.contains(&finding.rule.id())
}

#[cfg(test)]
mod tests {
    use board_file::rule_names::{CHIP_RULES, DISPLAY_RULES};
    use rp2040_emulator::chip::{Rule, Severity};

    /// A rule that is missing in the list could not be permitted.
    #[test]
    fn board_files_know_all_rules_that_fail_a_replay() {
        let chip = Rule::ALL.iter().filter(|rule| rule.severity() == Severity::Error);
        assert_eq!(CHIP_RULES, chip.map(|rule| rule.id()).collect::<Vec<_>>());
        let displays = panel_tables::Rule::ALL.iter().filter(|rule| !rule.is_note());
        assert_eq!(DISPLAY_RULES, displays.map(|rule| rule.name()).collect::<Vec<_>>());
    }
}
