//! The common part of the verbs for several traces.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use escape::terminal::plain;
use host::Exit;
use runner::{find, open_trace_on};
use trace::{BoardParts, Trace};

/// Loads every trace below `paths` and passes it to `look`, which returns an I/O error, or the
/// fault in the trace. After a faulty trace the exit code is that of wrong usage.
pub fn for_each(
    paths: &[PathBuf],
    out: &mut dyn Write,
    err: &mut dyn Write,
    look: impl Fn(&Path, &Trace, &mut dyn Write) -> io::Result<Result<(), Box<dyn Error>>>,
) -> io::Result<Exit> {
    for_each_on(paths, None, out, err, look)
}

/// Like [`for_each`], for a board with these parts; `None`: for the board that each header names.
pub fn for_each_on(
    paths: &[PathBuf],
    parts: Option<&BoardParts>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    look: impl Fn(&Path, &Trace, &mut dyn Write) -> io::Result<Result<(), Box<dyn Error>>>,
) -> io::Result<Exit> {
    let mut exit = Exit::Passed;
    let found = match find(paths, None) {
        Ok(found) => found,
        Err(error) => {
            writeln!(err, "nudge: {}", plain(&error.to_string()))?;
            return Ok(Exit::Usage);
        }
    };
    for found in found {
        let result = match open_trace_on(&found.path, parts) {
            Ok(trace) => look(&found.path, &trace, out)?,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            writeln!(err, "{}", plain(&error.to_string()))?;
            exit = Exit::Usage;
        }
    }
    Ok(exit)
}
