//! `nudge replay --coverage`, `--profile` and `--flamegraph`: measures which parts of the flashed
//! program the traces execute, and their cost.

use std::io::{self, Write};

use boards::BoardFactory;
use host::{
    Exit,
    output_files::{Output, OutputError, OutputFile},
};
use rp2040_tools::flame_graph;
use runner::observe::ReplayStart;
use thiserror::Error;

use crate::board_factory::{CommonBoardError, common_board};
use crate::cli::ReplayArgs;
use crate::suite_probe::{ProbeError, SuiteProbes};

/// Reasons why the measurement cannot begin.
#[derive(Debug, Error)]
pub enum MeasureError {
    #[error(transparent)]
    Board(#[from] CommonBoardError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    File(#[from] OutputError),
}

/// The probes of a replay, and the output files.
pub struct SuiteMeasurement {
    pub probes: SuiteProbes,
    coverage: Option<OutputFile>,
    flame_graph: Option<OutputFile>,
    table: bool,
}

impl SuiteMeasurement {
    /// Opens the outputs that the command line requests; returns `None` if there are none.
    ///
    /// # Errors
    /// If the board runs no program, if the program has no line tables, or if a file cannot be
    /// written.
    pub fn open(args: &ReplayArgs, boards: &BoardFactory) -> Result<Option<Self>, MeasureError> {
        let profiles = args.profile || args.flamegraph.is_some();
        let option = match (&args.coverage, args.profile) {
            (Some(_), _) => "--coverage",
            (None, true) => "--profile",
            (None, false) if profiles => "--flamegraph",
            (None, false) => return Ok(None),
        };
        let covers = args.coverage.is_some();
        let boards = common_board(boards, &args.paths, args.filter.as_deref())?;
        let probes = SuiteProbes::new(&boards, option, covers, profiles)?;
        let file = |path| Output::new(path).replace(args.force).create();
        Ok(Some(Self {
            probes,
            coverage: args.coverage.as_deref().map(file).transpose()?,
            flame_graph: args.flamegraph.as_deref().map(file).transpose()?,
            table: args.profile,
        }))
    }

    /// Notifies the probes that a replay begins.
    pub fn begin(&self, start: &ReplayStart<'_>) {
        self.probes.begin(start);
    }

    /// Writes the files and the table after the replays.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
        let Self { probes, coverage, flame_graph, table } = self;
        if let Some(mut file) = coverage {
            let suite = match probes.coverage() {
                Ok(suite) => suite,
                Err(error) => {
                    writeln!(err, "nudge: {error}")?;
                    return Ok(Exit::Usage);
                }
            };
            suite.write_lcov(&mut file)?;
            let path = file.path().display().to_string();
            if let Err(error) = file.commit() {
                writeln!(err, "nudge: {error}")?;
                return Ok(Exit::Usage);
            }
            let lines: usize = suite.lines().files.iter().map(|file| file.lines.len()).sum();
            let missed: usize = suite.files().iter().map(|file| file.unreached.len()).sum();
            let (reached, traces) = (lines - missed, suite.runs());
            writeln!(out, "wrote {path}: {traces} traces reach {reached} of {lines} lines")?;
        }
        if let Some(mut file) = flame_graph {
            let profile = probes.profile();
            let svg = file.path().extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
            if svg {
                flame_graph::write(&mut file, &profile)?;
            } else {
                profile.write_folded(&mut file)?;
            }
            let path = file.path().display().to_string();
            if let Err(error) = file.commit() {
                writeln!(err, "nudge: {error}")?;
                return Ok(Exit::Usage);
            }
            writeln!(out, "wrote {path}")?;
        }
        if table {
            probes.profile().write_table(out)?;
        }
        Ok(Exit::Passed)
    }
}
