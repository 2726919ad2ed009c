//! `--coverage`: how often each line of the source was executed, in lcov's format.
//!
//! Lines come from the ELF's debugging information; a line's count is that of its most
//! executed instruction. Code without debugging information is left out.

use std::collections::BTreeMap;
use std::io::{self, Write};

use addr2line::Context;
use addr2line::gimli::{self, EndianSlice, LittleEndian};
use escape::terminal::plain;
use rp2040_emulator::chip::{Chip, Happened, Step};
use rp2040_emulator::cpu::StepOutcome;

use crate::Program;
use crate::observer::Observer;

/// Why the coverage could not be written.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// The output takes no more.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The ELF's debugging information is broken.
    #[error("the debugging information cannot be read: {0}")]
    DebugInformation(#[from] gimli::Error),
}

/// Counts executions by address.
#[derive(Debug)]
pub struct Counter {
    /// First address, and a count a halfword, of each piece of the program.
    segments: Vec<(u32, Vec<u64>)>,
}

impl Counter {
    /// A counter for the code of `program`. Code that the program copies to the RAM is not counted.
    pub fn new(program: &Program) -> Self {
        let counts = |length: u32| vec![0; length.div_ceil(2) as usize];
        let segments = program.segments().map(|(first, length)| (first, counts(length)));
        Self { segments: segments.collect() }
    }

    /// How often the instruction at `address` was executed.
    pub fn count(&self, address: u32) -> u64 {
        self.segments
            .iter()
            .find_map(|(first, counts)| counts.get((address.wrapping_sub(*first) / 2) as usize))
            .copied()
            .unwrap_or_default()
    }

    /// Writes the counts of all lines of `program`; false if it has no debugging information.
    ///
    /// # Errors
    /// `out` takes no more, or the debugging information cannot be read.
    pub fn write(&self, program: &Program, out: &mut dyn Write) -> Result<bool, CoverageError> {
        let lines = self.lines(program)?;
        writeln!(out, "TN:")?;
        for (file, lines) in &lines {
            writeln!(out, "SF:{}", plain(file))?;
            for (line, count) in lines {
                writeln!(out, "DA:{line},{count}")?;
            }
            let hit = lines.values().filter(|count| **count > 0).count();
            writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len())?;
        }
        Ok(!lines.is_empty())
    }

    /// The counts by file and line.
    fn lines(
        &self,
        program: &Program,
    ) -> Result<BTreeMap<String, BTreeMap<u32, u64>>, gimli::Error> {
        let section = |id: gimli::SectionId| {
            Ok::<_, gimli::Error>(EndianSlice::new(program.section(id.name()), LittleEndian))
        };
        let context = Context::from_dwarf(gimli::Dwarf::load(section)?)?;
        let mut files: BTreeMap<String, BTreeMap<u32, u64>> = BTreeMap::new();
        for (first, counts) in &self.segments {
            let end = u64::from(*first) + 2 * counts.len() as u64;
            for (address, length, location) in context.find_location_range((*first).into(), end)? {
                let (Some(file), Some(line @ 1..)) = (location.file, location.line) else {
                    continue;
                };
                let begin = (address.saturating_sub(u64::from(*first)) / 2) as usize;
                let behind = begin + length.div_ceil(2) as usize;
                let executed = counts.get(begin..behind.min(counts.len())).unwrap_or_default();
                let most = executed.iter().copied().max().unwrap_or_default();
                let count = files.entry(file.to_owned()).or_default().entry(line).or_default();
                *count = most.max(*count);
            }
        }
        Ok(files)
    }
}

impl Observer for Counter {
    fn step(&mut self, _: &Chip, step: &Step) -> io::Result<()> {
        if step.happened == Happened::Core(StepOutcome::Instruction) {
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
