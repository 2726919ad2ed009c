//! `--coverage`: the number of executions of each source line, in lcov's format.
//!
//! Lines come from the ELF's debugging information. The count of a line is that of its most
//! executed instruction. Code without debugging information is left out, and so is code that the
//! program copies to the RAM. The chip counts by itself, at nearly full speed.

use std::io::{self, Write};

use escape::terminal::plain;
use rp2040_emulator::chip::Chip;

use crate::Program;
use crate::lines::{CodeLine, LinesError, SourceLines};

/// The lines of a program whose executions the chip counts.
#[derive(Debug)]
pub struct Counter {
    lines: SourceLines,
    /// Pieces of the program, each with its first address and its length.
    segments: Vec<(u32, u32)>,
}

impl Counter {
    /// Creates a counter for the code of `program`, and lets `chip` count.
    ///
    /// # Errors
    /// If the program's lines are not known.
    pub fn new(program: &Program, chip: &mut Chip) -> Result<Self, LinesError> {
        let lines = SourceLines::of(program)?;
        chip.memory_mut().count_executions();
        Ok(Self { lines, segments: program.segments().collect() })
    }

    /// Writes the counts that `chip` has made of all lines.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, chip: &Chip, out: &mut dyn Write) -> io::Result<()> {
        let executions = chip.memory().executions();
        let holds = |address: u32| {
            self.segments.iter().any(|(first, length)| address.wrapping_sub(*first) < *length)
        };
        let count = |address| if holds(address) { executions(address) } else { 0 };
        writeln!(out, "TN:")?;
        for file in &self.lines.files {
            writeln!(out, "SF:{}", plain(&file.name))?;
            let mut hit = 0;
            for line in &file.lines {
                let count = most_executed(line, count);
                hit += usize::from(count > 0);
                writeln!(out, "DA:{},{count}", line.number)?;
            }
            writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len())?;
        }
        Ok(())
    }
}

/// Returns the number of executions of the most executed instruction of `line`.
fn most_executed(line: &CodeLine, count: impl Fn(u32) -> u64) -> u64 {
    let addresses = line.code().iter().flat_map(|range| range.clone().step_by(2));
    addresses.map(count).max().unwrap_or_default()
}
