//! `nudge trace`: looks into traces, carries them from and to other formats, makes them better.
//! A file a verb; `arguments` is their part of the grammar.

pub mod arguments;
mod check;
mod compare;
mod convert;
mod fuzz;
mod info;
mod shrink;
pub mod tidy;
mod why;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hal_mock::trace::{self, Trace};
use runner::{Exit, find};

pub use check::check;
pub use compare::compare;
pub use convert::{convert, waveform_notes};
pub use fuzz::fuzz;
pub use info::{info, span};
pub use shrink::shrink;
pub use tidy::tidy;
pub use why::why;

/// Loads every trace below `paths` and gives it to `look`, which returns an I/O error, or a
/// sentence and the code for it if something is wrong with the trace.
fn for_each(
    paths: &[PathBuf],
    out: &mut dyn Write,
    err: &mut dyn Write,
    look: impl Fn(&Path, &Trace, &mut dyn Write) -> io::Result<Result<(), (Exit, String)>>,
) -> io::Result<Exit> {
    let mut exit = Exit::Passed;
    let found = match find(paths, None) {
        Ok(found) => found,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    for found in found {
        let result = match trace::load(&found.path) {
            Ok(trace) => look(&found.path, &trace, out)?,
            Err(error) => Err((Exit::Usage, error.to_string())),
        };
        if let Err((code, message)) = result {
            writeln!(err, "{message}")?;
            exit = exit.max(code);
        }
    }
    Ok(exit)
}
