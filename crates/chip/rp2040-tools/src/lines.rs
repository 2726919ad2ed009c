//! The source lines of a program that have instructions, and the conditional branches in them.
//!
//! Lines come from the ELF's debugging information (DWARF line tables), instructions and branches
//! from its code. A *goal* is something that a run may reach: a line, or one of the two ways of a
//! branch. [`SourceLines::reached`] returns the goals that an [`Execution`] has reached. This
//! module opens no file.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use rp2040_emulator::memory::execution::Execution;
use rp2040_emulator::program::{DebugInformationError, source_file};
use thiserror::Error;

use crate::Program;

/// Reason why the lines of a program are not known.
#[derive(Debug, Error)]
pub enum LinesError {
    /// The file has no line tables, or none for its code.
    #[error(
        "the program has no debugging information, so its lines are not known; build it with `debug = \"line-tables-only\"`"
    )]
    None,
    /// The debugging information is invalid.
    #[error("the program's debugging information cannot be read: {0}")]
    Broken(#[from] DebugInformationError),
}

/// Source lines with instructions, by file.
#[derive(Clone, Debug, Default)]
pub struct SourceLines {
    /// Files by name; each has at least one line.
    pub files: Vec<SourceFile>,
    goals: usize,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name of the file, as the compiler has written it.
    pub name: String,
    /// Lines by number.
    pub lines: Vec<CodeLine>,
}

/// A line with instructions.
#[derive(Clone, Debug)]
pub struct CodeLine {
    /// Number of the line, from 1.
    pub number: u32,
    /// Goal of reaching the line. It is followed by two goals per branch: to the next instruction,
    /// and elsewhere.
    pub goal: usize,
    /// Addresses of the line's conditional branches.
    pub branches: Vec<u32>,
    code: Vec<Range<u32>>,
}

impl CodeLine {
    /// Returns the addresses of the line's instructions, in several ranges if the compiler has
    /// moved some.
    pub fn code(&self) -> &[Range<u32>] {
        &self.code
    }

    /// Returns the goals of branch `nth` of the line: not taken, and taken.
    pub fn ways(&self, nth: usize) -> [usize; 2] {
        [self.goal + 1 + 2 * nth, self.goal + 2 + 2 * nth]
    }
}

/// Set of reached goals, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached(Vec<u64>);

impl Reached {
    /// Returns whether this goal was reached.
    pub fn has(&self, goal: usize) -> bool {
        self.0.get(goal / 64).is_some_and(|word| word >> (goal % 64) & 1 != 0)
    }

    /// Returns the number of reached goals.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the number of reached goals that `other` does not contain.
    pub fn beyond(&self, other: &Self) -> usize {
        let word = |at: usize| other.0.get(at).copied().unwrap_or_default();
        self.0.iter().enumerate().map(|(at, own)| (own & !word(at)).count_ones() as usize).sum()
    }

    /// Adds the goals of `other`.
    pub fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn set(&mut self, goal: usize) {
        if self.0.len() <= goal / 64 {
            self.0.resize(goal / 64 + 1, 0);
        }
        self.0[goal / 64] |= 1 << (goal % 64);
    }
}

/// Addresses and branches of a line, while they are collected.
type Collected = (Vec<Range<u32>>, Vec<u32>);

impl SourceLines {
    /// Returns the lines of `program`, at least one.
    ///
    /// # Errors
    /// If there are none, or the debugging information cannot be read.
    pub fn of(program: &Program) -> Result<Self, LinesError> {
        let context = program.debug_information()?;
        let mut names: HashMap<String, String> = HashMap::new();
        let mut files: BTreeMap<String, BTreeMap<u32, Collected>> = BTreeMap::new();
        for code in program.code() {
            let first = u64::from(code.address);
            let end = first + code.bytes.len() as u64;
            let branches: Vec<u32> = code
                .instructions()
                .filter(|(_, halfword)| is_conditional(*halfword))
                .map(|(address, _)| address)
                .collect();
            let rows = context.find_location_range(first, end);
            for (address, length, location) in rows.map_err(DebugInformationError::Broken)? {
                let (Some(file), Some(line @ 1..)) = (location.file, location.line) else {
                    continue;
                };
                // A row of the table may extend into the code before or after.
                let (begin, behind) = (address.max(first), address.saturating_add(length).min(end));
                if begin >= behind {
                    continue;
                }
                let range = begin as u32..behind as u32;
                if !names.contains_key(file) {
                    let unit = context.find_dwarf_and_unit(begin).skip_all_loads();
                    let compiled_in = unit.and_then(|unit| unit.comp_dir);
                    let compiled_in = compiled_in.map(|folder| folder.to_string_lossy());
                    names.insert(file.to_owned(), source_file(file, compiled_in.as_deref()));
                }
                let lines = files.entry(names[file].clone()).or_default();
                let (code, within) = lines.entry(line).or_default();
                let from = branches.partition_point(|branch| *branch < range.start);
                within.extend(branches[from..].iter().take_while(|branch| **branch < range.end));
                code.push(range);
            }
        }
        if files.is_empty() { Err(LinesError::None) } else { Ok(Self::numbered(files)) }
    }

    /// Numbers the goals of the lines.
    fn numbered(files: BTreeMap<String, BTreeMap<u32, Collected>>) -> Self {
        let mut goals = 0;
        let mut line = |(number, (code, branches)): (u32, Collected)| {
            let goal = goals;
            goals += 1 + 2 * branches.len();
            CodeLine { number, goal, branches, code }
        };
        let files = files.into_iter().map(|(name, lines)| {
            let lines = lines.into_iter().map(&mut line).collect();
            SourceFile { name, lines }
        });
        let files = files.collect();
        Self { files, goals }
    }

    /// Returns the number of goals.
    pub fn goals(&self) -> usize {
        self.goals
    }

    /// Returns the goals that a run with this `execution` has reached.
    pub fn reached(&self, execution: &Execution) -> Reached {
        let mut reached = Reached(vec![0; self.goals.div_ceil(64)]);
        for line in self.files.iter().flat_map(|file| &file.lines) {
            let mut addresses = line.code.iter().flat_map(|range| range.clone().step_by(2));
            if addresses.any(|address| execution.at(address).any()) {
                reached.set(line.goal);
            }
            for (nth, branch) in line.branches.iter().enumerate() {
                let [on, elsewhere] = line.ways(nth);
                let departures = execution.at(*branch);
                if departures.on {
                    reached.set(on);
                }
                if departures.elsewhere {
                    reached.set(elsewhere);
                }
            }
        }
        reached
    }
}

/// Returns whether the instruction is B with a condition (ARMv6-M Architecture Reference Manual,
/// A5.2.6).
fn is_conditional(halfword: u16) -> bool {
    halfword >> 12 == 0xD && halfword >> 8 & 0xF < 0xE
}

#[cfg(test)]
impl SourceLines {
    /// Creates files with these lines, each given by its number and its number of branches.
    pub(crate) fn made(files: &[(&str, &[(u32, usize)])]) -> Self {
        let line = |(number, branches): &(u32, usize)| (*number, (vec![], vec![0; *branches]));
        let file = |(name, lines): &(&str, &[(u32, usize)])| {
            ((*name).to_owned(), lines.iter().map(line).collect())
        };
        Self::numbered(files.iter().map(file).collect())
    }
}

#[cfg(test)]
impl Reached {
    /// Creates a set of these goals.
    pub(crate) fn made(goals: &[usize]) -> Self {
        let mut reached = Self::default();
        goals.iter().for_each(|goal| reached.set(*goal));
        reached
    }
}
