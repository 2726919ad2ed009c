//! `nudge trace tidy`: a recording as a person would want to keep it.

use std::io::{self, Write};
use std::path::Path;

use analysis::tidy;
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
    let trace = match trace::load(recording) {
        Ok(trace) => trace,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    match tidy::keep(&trace, output, expect, maker, &text_reader::reader()) {
        Ok(kept) => {
            for note in &kept.notes {
                writeln!(out, "note: {note}")?;
            }
            writeln!(out, "wrote {}: {kept}", output.display())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {}: {error}", recording.display())?;
            Ok(if error.is_of_board() { Exit::Failed } else { Exit::Usage })
        }
    }
}
