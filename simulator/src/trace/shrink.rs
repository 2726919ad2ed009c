//! `nudge trace shrink`: finds the smallest trace that still fails in the same way. Ctrl-C ends the
//! search, and the smallest trace found so far is written.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boards::{Board, BoardError};
use fuzz::{Finding, Judge, Original};
use host::{
    Exit,
    output_files::{Output, OutputError, goldens_of, inside},
};
use runner::{OpenError, open_trace_on, shrink};
use trace::{Action, Trace, counted};

use super::arguments::ShrinkArgs;
use super::refused::Refused;
use super::wires::move_board;
use crate::board_factory::{board_factory, board_of_trace, session_rules};
use crate::{ctrl_c, text_reader};

pub fn shrink(args: &ShrinkArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match carry_out(args, out) {
        Ok(()) => Ok(Exit::Passed),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// Errors of `nudge trace shrink`.
#[derive(Debug, thiserror::Error)]
enum ShrinkError {
    #[error(transparent)]
    File(#[from] OutputError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("{}: interrupted in its first replay; nothing is written", .0.display())]
    Interrupted(PathBuf),
    #[error("{} does not fail on {board}: there is nothing to shrink", trace.display())]
    DoesNotFail { trace: PathBuf, board: Board },
    #[error("{} does not pass on {board}, either: {finding}", trace.display())]
    DoesNotPass { trace: PathBuf, board: Board, finding: Box<Finding> },
    #[error("the output cannot be written: {0}")]
    Output(#[source] io::Error),
}

fn carry_out(args: &ShrinkArgs, out: &mut dyn Write) -> Result<(), ShrinkError> {
    let output = args.output.clone().unwrap_or_else(|| args.trace.with_extension("small.trace"));
    // Opened before the search, which may take minutes.
    let mut file = Output::trace(&output).replace(args.force).create()?;
    // The shrunk trace must not depend on the files that this one includes.
    let factory = board_factory(&args.board)?;
    let trace = open_trace_on(&args.trace, factory.parts().as_ref())?.expanded();
    let reader = text_reader::reader();
    let build = |trace: &Trace| factory.build(trace, None);
    let goldens = goldens_of(&args.trace)?;
    let interrupt = ctrl_c::listen();
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: session_rules(),
        goldens: Some(&goldens),
        interrupt: &interrupt,
    };
    let other = args.passes_on.as_ref().map(board_factory).transpose()?;
    let build_other = |trace: &Trace| other.as_ref().unwrap_or(&factory).build(trace, None);
    let passes = other.is_some().then_some(Judge { boards: &build_other, ..judge });
    let judged = judge.examine(&trace).map_err(|error| Refused::new(&args.trace, error))?;
    let Some(judged) = judged else {
        return Err(ShrinkError::Interrupted(args.trace.clone()));
    };
    let Some(original) = Original::new(judged) else {
        let (trace, board) = (args.trace.clone(), board_of_trace(&args.board, &trace));
        return Err(ShrinkError::DoesNotFail { trace, board });
    };
    let original = original.with(args.same.into());
    if let (Some(board), Some(other)) = (&args.passes_on, passes) {
        let judged = other.judge(&trace).map_err(|error| Refused::new(&args.trace, error))?;
        if let Some(finding) = judged {
            let (trace, board) = (args.trace.clone(), board_of_trace(board, &trace));
            let finding = Box::new(finding);
            return Err(ShrinkError::DoesNotPass { trace, board, finding });
        }
    }
    // Printed first, because the search may take minutes.
    let written = writeln!(out, "{}", original.finding());
    written.map_err(ShrinkError::Output)?;
    let shrunk = shrink::shrink(&trace, args.runs, &mut |candidate| {
        judge.fails_like(&original, candidate, passes.as_ref())
    });
    let mut small = shrunk.small.trace.clone();
    move_board(&mut small, &output);
    let small = &small;
    file.fill(small.to_string().as_bytes())?;
    file.commit()?;
    copy_goldens(small, &goldens, &goldens_of(&output)?, args.force)?;
    let written = writeln!(
        out,
        "{}: {} of {}, after {}{}",
        output.display(),
        counted(small.lines.len(), "line"),
        trace.lines.len(),
        counted(shrunk.runs, "replay"),
        if interrupt.is_set() {
            "; interrupted, it may become smaller"
        } else if shrunk.minimal {
            ""
        } else {
            "; more of them may make it smaller (`--runs`)"
        }
    );
    written.map_err(ShrinkError::Output)
}

/// Copies the golden frames and chains that the shrunk trace still names into the folder where it
/// expects them.
fn copy_goldens(trace: &Trace, from: &Path, to: &Path, force: bool) -> Result<(), ShrinkError> {
    let names = trace.lines.iter().filter_map(|line| match &line.action {
        Action::ExpectFrame(check) => Some(format!("{}.png", check.name)),
        Action::ExpectFrames { name, .. } => Some(format!("{name}.frames")),
        _ => None,
    });
    for name in names.collect::<BTreeSet<_>>() {
        // A missing golden may be the failure itself.
        let Ok(golden) = fs::read(inside(from, name.as_ref())?) else { continue };
        let copy = inside(to, name.as_ref())?;
        if fs::read(&copy).is_ok_and(|there| there == golden) {
            continue;
        }
        Output::golden(copy).replace(force).write(&golden)?;
    }
    Ok(())
}
