//! Runs the examples of a table and its power sequence with the model.
//!
//! The host is a patient one: it keeps all waits that the table has, sends 1 byte in 4 µs or more
//! slowly, and waits only where an example says so.

use core::fmt;

use panel_tables::{Example, Family, Rule, Step, Table};
use virtual_time::{Instant, Nanos};

use super::Ili9341;

/// Minimum time of a byte.
const BYTE: Nanos = Nanos::from_micros(4);
/// Time between the commands of the power sequence, longer than every wait of a datasheet.
const PATIENCE: Nanos = Nanos::from_millis(500);
/// Length of the reset pulse before the power sequence.
const PULSE: Nanos = Nanos::from_millis(20);

/// The first difference between an example and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// A register has other arguments; none if it has not been written.
    Register { name: String, expected: Vec<u8>, found: Option<Vec<u8>> },
    /// A pixel has another colour; none if it is outside the panel.
    Pixel { place: (u16, u16), expected: u32, found: Option<u32> },
    /// Other rules were violated.
    Rules { expected: Vec<Rule>, found: Vec<Rule> },
    /// The power sequence violates a rule.
    PowerSequence(Rule),
    /// The display is dark after the power sequence.
    Dark,
}

/// Runs an example.
///
/// # Errors
/// Returns the first difference.
pub fn run_example(table: &'static Table, example: &Example) -> Result<(), Mismatch> {
    let mut host = Host::new(table);
    if example.is_ready {
        host.power_sequence();
    }
    let before = host.records();
    for step in &example.steps {
        match step {
            Step::Send(code, bytes) => host.send(*code, bytes),
            Step::Data(bytes) => host.write(true, bytes),
            Step::Wait(span) => host.wait(*span),
            Step::Reset(span) => host.reset(*span),
        }
    }
    let found = host.rules_since(before);
    if found != example.rules {
        return Err(Mismatch::Rules { expected: example.rules.clone(), found });
    }
    let panel = host.lcd.panel();
    for (name, expected) in &example.registers {
        let registers = panel.registers.iter().filter(|register| register.name == name);
        let values: Vec<_> = registers.map(|register| &register.value).collect();
        if !values.contains(&expected) {
            let (name, expected) = (name.clone(), expected.clone());
            let found = values.first().map(|value| value.to_vec());
            return Err(Mismatch::Register { name, expected, found });
        }
    }
    let picture = host.lcd.picture();
    for &(x, y, expected) in &example.pixels {
        let found = picture.pixel(x.into(), y.into());
        if found != Some(expected) {
            return Err(Mismatch::Pixel { place: (x, y), expected, found });
        }
    }
    Ok(())
}

/// Runs the power sequence: it must violate no rule, and the display must be on after it.
///
/// # Errors
/// Returns the first violation.
pub fn check_power_sequence(table: &'static Table) -> Result<(), Mismatch> {
    let mut host = Host::new(table);
    host.power_sequence();
    if let Some(violation) = host.lcd.violations().first() {
        return Err(Mismatch::PowerSequence(violation.rule));
    }
    let is_lit = host.lcd.is_display_on() && !host.lcd.is_asleep();
    if is_lit { Ok(()) } else { Err(Mismatch::Dark) }
}

/// A host with one controller on its bus.
struct Host {
    lcd: Ili9341,
    now: Instant,
    byte: Nanos,
}

impl Host {
    /// Creates a host with a controller whose power has just been turned on.
    fn new(table: &'static Table) -> Self {
        let mut lcd = Ili9341::with_module(1, table, table.module);
        lcd.set_power(Instant::START, true);
        let byte = BYTE.max(Nanos(table.limit(Rule::Clock).0.saturating_mul(9)));
        Self { lcd, now: Instant::START, byte }
    }

    fn wait(&mut self, span: Nanos) {
        self.now = self.now.saturating_add(span);
    }

    fn reset(&mut self, span: Nanos) {
        self.lcd.set_reset(self.now, false);
        self.wait(span);
        self.lcd.set_reset(self.now, true);
    }

    fn power_sequence(&mut self) {
        self.wait(PATIENCE);
        self.reset(PULSE);
        for command in self.lcd.table().power.sequence.iter() {
            self.wait(PATIENCE);
            if let Some((code, arguments)) = command.split_first() {
                self.send(*code, arguments);
            }
        }
        self.wait(PATIENCE);
    }

    fn send(&mut self, code: u8, bytes: &[u8]) {
        self.write(false, &[code]);
        self.write(self.lcd.table().family == Family::Dcs, bytes);
    }

    fn write(&mut self, dc_high: bool, bytes: &[u8]) {
        self.lcd.set_dc(self.now, dc_high);
        let span = Nanos(self.byte.0.saturating_mul(bytes.len() as u64));
        let end = self.now.saturating_add(span);
        self.lcd.write(self.now, end, bytes);
        self.now = end;
    }

    /// Returns the numbers of violations and of notes so far.
    fn records(&self) -> (usize, usize) {
        (self.lcd.violations().len(), self.lcd.notes().len())
    }

    /// Returns the rules that were violated after the first `violations` and `notes`, by time.
    fn rules_since(&self, (violations, notes): (usize, usize)) -> Vec<Rule> {
        let violations = &self.lcd.violations()[violations..];
        let mut all: Vec<_> = violations.iter().chain(&self.lcd.notes()[notes..]).collect();
        all.sort_by_key(|violation| violation.at);
        all.into_iter().map(|violation| violation.rule).collect()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register { name, expected, found } => {
                write!(out, "{name} is ")?;
                match found {
                    Some(found) => write!(out, "{}", Hex(found))?,
                    None => out.write_str("not set")?,
                }
                write!(out, "; expected {}", Hex(expected))
            }
            Self::Pixel { place: (x, y), expected, found } => {
                write!(out, "the pixel at {x},{y} is ")?;
                match found {
                    Some(found) => write!(out, "#{found:06X}")?,
                    None => out.write_str("outside the panel")?,
                }
                write!(out, "; expected #{expected:06X}")
            }
            Self::Rules { expected, found } => {
                write!(out, "violated: {}; expected {}", Names(found), Names(expected))
            }
            Self::PowerSequence(rule) => {
                write!(out, "the power sequence violates {}", rule.name())
            }
            Self::Dark => out.write_str("the display is off or asleep after the power sequence"),
        }
    }
}

/// Bytes in hexadecimal, separated by spaces.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(out, "{space}{byte:02X}")?;
        }
        Ok(())
    }
}

/// Names of rules, separated by commas.
struct Names<'a>(&'a [Rule]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("no rule");
        }
        let names: Vec<_> = self.0.iter().map(|rule| rule.name()).collect();
        out.write_str(&names.join(", "))
    }
}
