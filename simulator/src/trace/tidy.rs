//! `nudge trace tidy`: a recording as a person would want to keep it.

use std::io::{self, Write};
use std::path::Path;

use analysis::tidy::{self, TidyError};
use boards::BoardFactory;
use hal_mock::trace;
use runner::Exit;

use super::arguments::TidyArgs;
use crate::board_factory::board_factory;
use crate::text_reader;

pub fn tidy(args: &TidyArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let refuse = |err: &mut dyn Write, message: String| {
        writeln!(err, "nudge: {message}")?;
        Ok(Exit::Usage)
    };
    if args.output.exists() && !args.force {
        let output = args.output.display();
        return refuse(err, format!("{output} is there already; `--force` overwrites it"));
    }
    let maker = match board_factory(&args.board) {
        Ok(maker) => maker,
        Err(error) => return refuse(err, error.to_string()),
    };
    keep(&args.recording, &args.output, args.expect, &maker, out, err)
}

/// Tidies `recording` into `output`, goldens beside it, and says so.
pub fn keep(
    recording: &Path,
    output: &Path,
    expect: bool,
    maker: &BoardFactory,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let kept = trace::load(recording).map_err(|error| TidyError::Question(error.to_string()));
    let kept = kept.and_then(|trace| {
        tidy::keep(&trace, output, expect, maker, &text_reader::reader()).map_err(|error| {
            match error {
                TidyError::Question(why) => {
                    TidyError::Question(format!("{}: {why}", recording.display()))
                }
                TidyError::Board(why) => {
                    TidyError::Board(format!("{}: {why}", recording.display()))
                }
            }
        })
    });
    match kept {
        Ok(kept) => {
            for note in &kept.notes {
                writeln!(out, "note: {note}")?;
            }
            writeln!(out, "wrote {}: {kept}", output.display())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(match error {
                TidyError::Question(_) => Exit::Usage,
                TidyError::Board(_) => Exit::Failed,
            })
        }
    }
}
