//! `nudge trace tidy`: makes a maintainable trace of a recording.

use std::io::{self, Write};
use std::path::Path;

use boards::BoardFactory;
use host::Exit;
use insight::ConsoleWords;
use runner::open_recording;
use trace::Trace;

use super::arguments::TidyArgs;
use super::wires::move_board;
use crate::board_factory::{board_factory, insight};
use crate::text_reader;

pub fn tidy(args: &TidyArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let refuse = |err: &mut dyn Write, message: String| {
        writeln!(err, "nudge: {message}")?;
        Ok(Exit::Usage)
    };
    let factory = match board_factory(&args.board) {
        Ok(factory) => factory,
        Err(error) => return refuse(err, error.to_string()),
    };
    let to = TidyOutput { path: &args.output, force: args.force, expect: args.expect };
    tidy_file(&args.recording, to, &factory, out, err)
}

/// The output of a tidied recording.
#[derive(Clone, Copy)]
pub struct TidyOutput<'a> {
    pub path: &'a Path,
    /// Whether files that exist are replaced.
    pub force: bool,
    /// Whether the trace expects the screens of the recording.
    pub expect: bool,
}

/// Tidies `recording` into `output`, with the goldens beside it, and prints the result.
pub fn tidy_file(
    recording: &Path,
    output: TidyOutput<'_>,
    factory: &BoardFactory,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let (mut trace, torn) = match open_recording(recording) {
        Ok(opened) => opened,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let TidyOutput { path: output, force, expect } = output;
    move_board(&mut trace, output);
    let build = |trace: &Trace| factory.build(trace, None);
    let words = insight(factory, &trace).map(|insight| insight as &dyn ConsoleWords);
    let reader = text_reader::reader();
    match tidy::tidy(&trace, output, force, expect, &build, words, &reader) {
        Ok(summary) => {
            if let Some(torn) = torn {
                writeln!(out, "note: the last line is torn and left out: `{torn}`")?;
            }
            for note in &summary.notes {
                writeln!(out, "note: {note}")?;
            }
            writeln!(out, "wrote {}: {summary}", output.display())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {}: {error}", recording.display())?;
            Ok(if error.is_of_board() { Exit::Failed } else { Exit::Usage })
        }
    }
}
