//! `--coverage`: the number of executions of each source line, in lcov's format.
//!
//! Lines come from the ELF's debugging information. The count of a line is that of its most
//! executed instruction. Code without debugging information is left out.

use std::io::{self, Write};

use escape::terminal::plain;
use rp2040_emulator::chip::{Chip, Step, StepEvent};
use rp2040_emulator::cpu::StepOutcome;

use crate::Program;
use crate::lines::{CodeLine, LinesError, SourceLines};
use crate::observer::Observer;

/// Counts executions by address.
#[derive(Debug)]
pub struct Counter {
    lines: SourceLines,
    /// Pieces of the program, each with its first address and one count per halfword.
    segments: Vec<(u32, Vec<u64>)>,
}

impl Counter {
    /// Creates a counter for the code of `program`. Code that the program copies to the RAM is not
    /// counted.
    ///
    /// # Errors
    /// If the program's lines are not known.
    pub fn new(program: &Program) -> Result<Self, LinesError> {
        let counts = |length: u32| vec![0; length.div_ceil(2) as usize];
        let segments = program.segments().map(|(first, length)| (first, counts(length)));
        Ok(Self { lines: SourceLines::of(program)?, segments: segments.collect() })
    }

    /// Returns the number of executions of the instruction at `address`.
    pub fn count(&self, address: u32) -> u64 {
        self.segments
            .iter()
            .find_map(|(first, counts)| counts.get((address.wrapping_sub(*first) / 2) as usize))
            .copied()
            .unwrap_or_default()
    }

    /// Writes the counts of all lines.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "TN:")?;
        for file in &self.lines.files {
            writeln!(out, "SF:{}", plain(&file.name))?;
            let mut hit = 0;
            for line in &file.lines {
                let count = self.most_executed(line);
                hit += usize::from(count > 0);
                writeln!(out, "DA:{},{count}", line.number)?;
            }
            writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len())?;
        }
        Ok(())
    }

    /// Returns the number of executions of the most executed instruction of `line`.
    fn most_executed(&self, line: &CodeLine) -> u64 {
        let addresses = line.code().iter().flat_map(|range| range.clone().step_by(2));
        addresses.map(|address| self.count(address)).max().unwrap_or_default()
    }
}

impl Observer for Counter {
    fn step(&mut self, _: &Chip, step: &Step) -> io::Result<()> {
        if step.happened == StepEvent::Core(StepOutcome::Instruction) {
            for (first, counts) in &mut self.segments {
                if let Some(count) = counts.get_mut((step.pc.wrapping_sub(*first) / 2) as usize) {
                    *count += 1;
                    break;
                }
            }
        }
        Ok(())
    }
}
