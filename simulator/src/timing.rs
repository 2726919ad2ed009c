//! `nudge trace timing` and `nudge replay --timing`: traces on `native` and on another board, with
//! both times.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boards::Board;
use boards::BoardFactory;
use hal_mock::replay::{Options, Verdict};
use hal_mock::trace;
use runner::interrupt::Interrupt;
use runner::timing::{Timing, compare};
use runner::{Exit, find};

use crate::board_factory::{board_factory, native};
use crate::cli::TraceTimingArgs;
use crate::text_reader;

pub fn timing(
    args: &TraceTimingArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    tables(&args.paths, None, &args.board, &Interrupt::default(), out, err)
}

/// A table for each trace that `paths` and `filter` leave.
pub fn tables(
    paths: &[PathBuf],
    filter: Option<&str>,
    board: &Board,
    interrupt: &Interrupt,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let prepared = board_factory(board)
        .map_err(|error| error.to_string())
        .and_then(|maker| Ok((maker, find(paths, filter).map_err(|error| error.to_string())?)));
    let (maker, found) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut exit = Exit::Passed;
    for found in found {
        let compared = compared(&found.path, &maker, interrupt);
        if interrupt.is_set() {
            writeln!(err, "nudge: interrupted")?;
            return Ok(Exit::Interrupted);
        }
        match compared {
            Ok(timing) => {
                writeln!(out, "{}", found.path.display())?;
                timing.write([Board::Native.name(), &board.to_string()], out)?;
                exit = timing.outcomes.iter().fold(exit, |exit, outcome| {
                    exit.max(match outcome.verdict {
                        Verdict::Passed => Exit::Passed,
                        Verdict::LimitReached { .. } => Exit::LimitReached,
                        Verdict::Failed(_) | Verdict::Broken(_) => Exit::Failed,
                    })
                });
            }
            Err(message) => {
                writeln!(err, "{message}")?;
                exit = Exit::Usage;
            }
        }
    }
    Ok(exit)
}

fn compared(path: &Path, maker: &BoardFactory, interrupt: &Interrupt) -> Result<Timing, String> {
    let trace = trace::load(path).map_err(|error| error.to_string())?;
    let build = |maker: &BoardFactory| {
        let machine = maker.build(&trace, None).map_err(|error| match error.place {
            Some(_) => format!("{}:{error}", path.display()),
            None => error.to_string(),
        });
        machine.map(|machine| interrupt.guard(machine))
    };
    let (mut native, mut other) = (build(&native())?, build(maker)?);
    let options = Options::default();
    Ok(compare(&trace, [&mut *native, &mut *other], &text_reader::reader(), &options))
}
