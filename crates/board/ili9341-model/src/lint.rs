//! The linter: the record of violations of the table's rules.
//!
//! A violation breaks a rule of the datasheet. A note is something that the datasheet advises
//! against or leaves open, and that drivers commonly do. A rule that the table does not have is not
//! checked. The module knows no firmware.

use core::fmt;

use panel_tables::{Rule, Table};
use virtual_time::Instant;

/// Maximum number of stored violations, and of stored notes; later ones are only counted.
pub const VIOLATIONS_MAX: usize = 1000;
/// Maximum number of stored bytes of a violation.
pub(super) const VIOLATION_BYTES_MAX: usize = 17;

/// A violation or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Time at which the byte began, or the line moved.
    pub at: Instant,
    /// Bytes that show the violation, command first, at most 17.
    pub bytes: Vec<u8>,
    /// Violated rule.
    pub rule: Rule,
    /// Controller whose rule it is.
    pub table: &'static Table,
}

impl Violation {
    /// Returns the section of the controller's datasheet.
    pub fn section(&self) -> &'static str {
        self.table.rule(self.rule).map_or("-", |text| &text.section)
    }

    /// Returns the requirement of the controller's datasheet as a sentence.
    pub fn requirement(&self) -> &'static str {
        self.table.rule(self.rule).map_or(self.rule.name(), |text| &text.text)
    }
}

/// Writes `12.5ms: 2A 00 00 01 40: columns end at 239, … (ILI9341 8.2.20)`.
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:", self.at)?;
        for byte in &self.bytes {
            write!(out, " {byte:02X}")?;
        }
        let colon = if self.bytes.is_empty() { "" } else { ":" };
        write!(out, "{colon} {} ({} {})", self.requirement(), self.table.title, self.section())
    }
}

/// The record of all violations and notes.
#[derive(Clone)]
pub(super) struct Log {
    table: &'static Table,
    pub(super) violations: Vec<Violation>,
    pub(super) notes: Vec<Violation>,
    pub(super) violations_dropped: u64,
    pub(super) notes_dropped: u64,
    /// A bit for each rule that has been recorded, and for each that the table does not have.
    recorded: u64,
    /// Whether recording is off: the controller does not receive what the host sends.
    pub(super) muted: bool,
    /// A bit for each rule whose violations are recorded as notes.
    pub(super) permitted: u64,
}

impl Log {
    pub(super) fn new(table: &'static Table) -> Self {
        Self {
            table,
            violations: Vec::new(),
            notes: Vec::new(),
            violations_dropped: 0,
            notes_dropped: 0,
            recorded: !table.rule_bits,
            muted: false,
            permitted: 0,
        }
    }

    pub(super) fn record(&mut self, at: Instant, rule: Rule, bytes: &[u8]) {
        if self.muted || !self.table.has(rule) {
            return;
        }
        let (kept, dropped) = if rule.is_note() || self.permitted & rule.bit() != 0 {
            (&mut self.notes, &mut self.notes_dropped)
        } else {
            (&mut self.violations, &mut self.violations_dropped)
        };
        if kept.len() < VIOLATIONS_MAX {
            let bytes = bytes[..bytes.len().min(VIOLATION_BYTES_MAX)].to_vec();
            kept.push(Violation { at, bytes, rule, table: self.table });
            self.recorded |= rule.bit();
        } else {
            *dropped += 1;
        }
    }

    /// Records a note once only.
    #[inline]
    pub(super) fn note_once(&mut self, at: Instant, rule: Rule, bytes: &[u8]) {
        if self.lacks(rule) {
            self.record(at, rule, bytes);
        }
    }

    /// Returns whether the rule has not been recorded.
    #[inline]
    pub(super) fn lacks(&self, rule: Rule) -> bool {
        self.recorded & rule.bit() == 0
    }
}

/// Times until which commands must wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// Wait before any command.
    pub(super) command: (Instant, Rule),
    /// Wait before SLPOUT.
    pub(super) sleep_out: (Instant, Rule),
    /// Wait before SLPIN.
    pub(super) sleep_in: (Instant, Rule),
    /// Time at which all waits are over.
    pub(super) over: Instant,
}

impl Default for Waits {
    fn default() -> Self {
        let over = Instant::START;
        Self {
            command: (over, Rule::ResetDelay),
            sleep_out: (over, Rule::ResetSleepOutDelay),
            sleep_in: (over, Rule::SleepInAfterSleepOut),
            over,
        }
    }
}

impl Waits {
    /// Sets the wait of a rule before any command; a longer one that is running remains.
    pub(super) fn before_command(&mut self, at: Instant, rule: Rule, table: &Table) {
        self.over = self.over.max(set(&mut self.command, at, rule, table));
    }

    pub(super) fn before_sleep_out(&mut self, at: Instant, rule: Rule, table: &Table) {
        self.over = self.over.max(set(&mut self.sleep_out, at, rule, table));
    }

    pub(super) fn before_sleep_in(&mut self, at: Instant, rule: Rule, table: &Table) {
        self.over = self.over.max(set(&mut self.sleep_in, at, rule, table));
    }
}

/// Replaces a wait by that of `rule` from `at` on, unless it ends later. Returns its end.
fn set(wait: &mut (Instant, Rule), at: Instant, rule: Rule, table: &Table) -> Instant {
    let until = at.saturating_add(table.limit(rule));
    if until >= wait.0 {
        *wait = (until, rule);
    }
    wait.0
}
