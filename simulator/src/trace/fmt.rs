//! `nudge trace fmt`: formats traces, and writes those that change.

use std::io::{self, Write};
use std::path::Path;

use host::{
    Exit,
    output_files::{Output, OutputError},
};
use runner::{OpenError, find_sources, format_trace};

use super::arguments::FmtArgs;

/// Reasons why a file is not formatted.
#[derive(Debug, thiserror::Error)]
enum FmtError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("nudge: {0}")]
    Output(#[from] OutputError),
}

pub fn fmt(args: &FmtArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let found = match find_sources(&args.paths) {
        Ok(found) => found,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut exit = Exit::Passed;
    for path in found {
        match lay_out(&path, args.board.as_deref(), args.check) {
            Ok(false) => {}
            Ok(true) if args.check => {
                writeln!(out, "{}: not laid out; `nudge trace fmt` does it", path.display())?;
                exit = exit.max(Exit::Failed);
            }
            Ok(true) => writeln!(out, "laid out {}", path.display())?,
            Err(error) => {
                writeln!(err, "{error}")?;
                exit = Exit::Usage;
            }
        }
    }
    Ok(exit)
}

/// Formats a file; returns whether it changes. With `check` it is not written.
fn lay_out(path: &Path, board: Option<&Path>, check: bool) -> Result<bool, FmtError> {
    let formatted = format_trace(path, board)?;
    let changes = formatted.before != formatted.after.as_bytes();
    if changes && !check {
        Output::trace(path).replace(true).write(formatted.after.as_bytes())?;
    }
    Ok(changes)
}
