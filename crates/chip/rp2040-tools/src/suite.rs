//! The combined coverage of several runs of one program: lcov's file, a small set of runs with the
//! same coverage, and the lines that no run reaches.
//!
//! A count is a number of runs, not of executions.

use std::io::{self, Write};

use crate::lines::{CodeLine, Reached, SourceFile, SourceLines};

/// The goals of a program's source, and the goals that each run has reached.
#[derive(Clone, Debug, Default)]
pub struct SuiteCoverage {
    lines: SourceLines,
    runs: Vec<(String, Reached)>,
}

/// A run that was chosen, in the order of [`SuiteCoverage::rank`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// Number of goals that the run reaches and no earlier run does.
    pub adds: usize,
    /// Number of goals that the run and the earlier ones reach.
    pub sum: usize,
}

/// Coverage of a file.
#[derive(Clone, Debug)]
pub struct FileCoverage<'a> {
    pub file: &'a SourceFile,
    /// Lines that no run has reached.
    pub unreached: Vec<&'a CodeLine>,
    /// Reached lines with a branch that went only one way.
    pub one_way: Vec<&'a CodeLine>,
}

impl SuiteCoverage {
    /// Creates the coverage of no runs.
    pub fn new(lines: SourceLines) -> Self {
        Self { lines, runs: Vec::new() }
    }

    pub fn add(&mut self, name: String, reached: Reached) {
        self.runs.push((name, reached));
    }

    /// Returns the lines of the program.
    pub fn lines(&self) -> &SourceLines {
        &self.lines
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Returns the goals that all runs together reach.
    pub fn reached(&self) -> Reached {
        let mut sum = Reached::default();
        self.runs.iter().for_each(|(_, reached)| sum.add(reached));
        sum
    }

    /// Returns a set of runs that together reach every goal that all runs reach. Each step adds the
    /// run that adds most goals, and the first of several equal ones. The set is small, but not
    /// always the smallest possible.
    pub fn rank(&self) -> Vec<Ranked<'_>> {
        let mut sum = Reached::default();
        let mut ranked: Vec<Ranked<'_>> = Vec::new();
        loop {
            // `max_by_key` returns the last of equal elements, so the order is reversed to get the
            // first.
            let adds =
                self.runs.iter().map(|(name, reached)| (reached.beyond(&sum), name, reached));
            let best = adds.rev().max_by_key(|(adds, ..)| *adds).filter(|(adds, ..)| *adds > 0);
            let Some((adds, name, reached)) = best else { return ranked };
            sum.add(reached);
            ranked.push(Ranked { name, adds, sum: sum.count() });
        }
    }

    /// Returns the coverage of each file.
    pub fn files(&self) -> Vec<FileCoverage<'_>> {
        let reached = self.reached();
        let both = |line: &CodeLine| {
            (0..line.branches.len()).all(|nth| {
                let ways = line.ways(nth).map(|goal| reached.has(goal));
                ways[0] == ways[1]
            })
        };
        let mut files = Vec::new();
        for file in &self.lines.files {
            let (seen, unreached): (Vec<_>, Vec<_>) =
                file.lines.iter().partition(|line| reached.has(line.goal));
            let one_way = seen.into_iter().filter(|line| !both(line)).collect();
            files.push(FileCoverage { file, unreached, one_way });
        }
        files
    }

    /// Writes lcov's tracefile (geninfo(1)): counts of lines and of the ways of branches. Branch 0
    /// of a pair is not taken, branch 1 is.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_lcov(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |goal| self.runs.iter().filter(|(_, reached)| reached.has(goal)).count();
        writeln!(out, "TN:")?;
        for SourceFile { name, lines } in &self.lines.files {
            writeln!(out, "SF:{name}")?;
            let (mut ways, mut ways_hit, mut lines_hit) = (0, 0, 0);
            for line in lines {
                let executed = count(line.goal) > 0;
                for nth in 0..line.branches.len() {
                    for (way, goal) in line.ways(nth).into_iter().enumerate() {
                        let taken = count(goal);
                        ways += 1;
                        ways_hit += usize::from(taken > 0);
                        write!(out, "BRDA:{},{nth},{way},", line.number)?;
                        match executed {
                            true => writeln!(out, "{taken}")?,
                            false => writeln!(out, "-")?,
                        }
                    }
                }
            }
            writeln!(out, "BRF:{ways}\nBRH:{ways_hit}")?;
            for line in lines {
                let runs = count(line.goal);
                lines_hit += usize::from(runs > 0);
                writeln!(out, "DA:{},{runs}", line.number)?;
            }
            writeln!(out, "LF:{}\nLH:{lines_hit}\nend_of_record", lines.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns coverage with these goals: a.rs:3 is 0, its branch 1 and 2; a.rs:5 is 3; b.rs:1 is
    /// 4.
    fn suite(runs: &[(&str, &[usize])]) -> SuiteCoverage {
        let lines = SourceLines::made(&[("a.rs", &[(3, 1), (5, 0)]), ("b.rs", &[(1, 0)])]);
        let mut suite = SuiteCoverage::new(lines);
        for (name, goals) in runs {
            suite.add((*name).to_owned(), Reached::made(goals));
        }
        suite
    }

    #[test]
    fn ranking_chooses_the_runs_that_add_most() {
        let suite =
            suite(&[("small", &[0]), ("most", &[0, 1, 3]), ("same", &[0, 1, 3]), ("other", &[4])]);
        let ranked = suite.rank();
        let expected = [("most", 3, 3), ("other", 1, 4)];
        assert_eq!(ranked, expected.map(|(name, adds, sum)| Ranked { name, adds, sum }));
    }

    #[test]
    fn two_runs_can_cover_both_ways_of_a_branch() {
        let one_way = suite(&[("a", &[0, 1])]);
        let files = one_way.files();
        let numbers =
            |lines: &[&CodeLine]| lines.iter().map(|line| line.number).collect::<Vec<_>>();
        assert_eq!((numbers(&files[0].unreached), numbers(&files[0].one_way)), (vec![5], vec![3]));
        assert_eq!(numbers(&files[1].unreached), [1]);
        let both = suite(&[("a", &[0, 1]), ("b", &[0, 2])]);
        assert!(both.files()[0].one_way.is_empty());
    }

    #[test]
    fn lcov_gets_counts_of_runs() {
        let suite = suite(&[("a", &[0, 1, 3]), ("b", &[0, 1])]);
        let mut out = Vec::new();
        suite.write_lcov(&mut out).unwrap();
        let expected = "TN:\nSF:a.rs\nBRDA:3,0,0,2\nBRDA:3,0,1,0\nBRF:2\nBRH:1\nDA:3,2\nDA:5,1\nLF:2\n\
                        LH:2\nend_of_record\nSF:b.rs\nBRF:0\nBRH:0\nDA:1,0\nLF:1\nLH:0\nend_of_record\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
