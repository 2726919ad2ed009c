//! `nudge trace rank`: finds the fewest traces that reach as much of the flashed program as all
//! traces do, and writes a page of the lines that none of them reaches.

mod page;

use std::io::{self, Write};

use boards::{Board, BoardError, BoardFactory};
use host::{
    Exit,
    output_files::{Output, OutputError, OutputFile},
};
use rp2040_tools::suite::SuiteCoverage;
use runner::{ReplayOptions, observe::ReplayStart, run_observed};
use trace::Trace;

use super::arguments::RankArgs;
use crate::board_factory::{CommonBoardError, board_factory, common_board, native};
use crate::firmware::{board_named, project};
use crate::suite_probe::{ProbeError, SuiteProbes};
use crate::{ctrl_c, text_reader};

/// Errors of `nudge trace rank`.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum RankError {
    Board(#[from] BoardError),
    Common(#[from] CommonBoardError),
    Probe(#[from] ProbeError),
    Page(#[from] OutputError),
    Written(#[from] io::Error),
}

/// Executes `nudge trace rank`. All text is written without control characters.
pub fn rank(args: &RankArgs, raw_out: &mut dyn Write, raw_err: &mut dyn Write) -> io::Result<Exit> {
    let begun = board_of(args).and_then(|(board, boards)| {
        let probes = SuiteProbes::new(&boards, "trace rank", true, false)?;
        let page = args.html.as_deref().map(|path| Output::new(path).replace(args.force).create());
        Ok((board, probes, page.transpose()?, boards.parts()))
    });
    let (board, probes, page, parts) = match begun {
        Ok(begun) => begun,
        Err(error) => return refused(raw_err, &error),
    };
    let project = project();
    let options = ReplayOptions {
        quiet: true,
        filter: args.filter.clone(),
        jobs: args.jobs,
        parts,
        interrupt: ctrl_c::listen(),
        board: board_named(&board, &project),
        project: Some(project),
        ..ReplayOptions::default()
    };
    let build = |trace: &Trace| probes.build(trace);
    let observers = |start: &ReplayStart<'_>| {
        probes.begin(start);
        Vec::new()
    };
    let reader = text_reader::reader();
    let exit = run_observed(&args.paths, &options, &build, &reader, &observers, raw_out, raw_err)?;
    if matches!(exit, Exit::Usage | Exit::Interrupted) {
        return Ok(exit);
    }
    let suite = match probes.coverage() {
        Ok(suite) => suite,
        Err(error) => return refused(raw_err, &error.into()),
    };
    let out = &mut escape::terminal::TextWriter::new(raw_out, crate::environment::on_github());
    write_ranking(out, &suite)?;
    match page.map(|file| write_page(file, &suite)).transpose() {
        Ok(None) => Ok(exit),
        Ok(Some(path)) => {
            writeln!(out, "wrote {path}")?;
            Ok(exit)
        }
        Err(error) => refused(raw_err, &error),
    }
}

/// Returns the board of the command line, or the one that the traces name, or `pico`.
fn board_of(args: &RankArgs) -> Result<(Board, BoardFactory), RankError> {
    let (board, boards) = match &args.board {
        Some(board) => (board.clone(), board_factory(board)?),
        None => (Board::Native, native()),
    };
    let boards = common_board(&boards, &args.paths, args.filter.as_deref())?;
    if args.board.is_none() && boards.program().is_none() {
        let board = Board::Pico(None);
        let boards = board_factory(&board)?;
        return Ok((board, boards));
    }
    Ok((board, boards))
}

fn refused(raw_err: &mut dyn Write, error: &RankError) -> io::Result<Exit> {
    let message = error.to_string();
    let message = escape::terminal::plain(&message);
    writeln!(raw_err, "nudge: {message}")?;
    Ok(Exit::Usage)
}

/// Writes the page, and returns its name.
fn write_page(mut file: OutputFile, suite: &SuiteCoverage) -> Result<String, RankError> {
    page::write(&mut file, suite)?;
    let path = file.path().display().to_string();
    file.commit()?;
    Ok(path)
}

/// Writes the traces, each with the lines that it adds, and the lines that none reaches.
fn write_ranking(out: &mut dyn Write, suite: &SuiteCoverage) -> io::Result<()> {
    let ranked = suite.rank();
    let goals = suite.lines().goals().max(1);
    writeln!(out, "{:>5}  {:>8}  {:>7}  trace", "rank", "adds", "sum")?;
    for (nth, chosen) in ranked.iter().enumerate() {
        let percent = chosen.sum as f64 * 100.0 / goals as f64;
        writeln!(out, "{:>5}  {:>8}  {percent:>6.2}%  {}", nth + 1, chosen.adds, chosen.name)?;
    }
    let files = suite.files();
    let lines: usize = files.iter().map(|file| file.file.lines.len()).sum();
    let missed: usize = files.iter().map(|file| file.unreached.len()).sum();
    writeln!(
        out,
        "{} of {} traces reach what all do: {} of {goals} lines and ways of branches; {missed} of {lines} \
         lines are reached by none",
        ranked.len(),
        suite.runs(),
        ranked.last().map_or(0, |last| last.sum),
    )
}
