//! `nudge trace observe`: writes the board's screens, output and sounds in traces as lines of JSON.
//! Another `nudge` compares them with its own observations (`nudge replay --against native=FILE`).

use std::io::{self, Write};
use std::path::PathBuf;

use changes::sides::How;
use host::Exit;

use super::arguments::ObserveArgs;
use crate::board_factory::board_factory;
use crate::ctrl_c;
use crate::firmware::firmware_of_traces;
use crate::session::OfBoards;

/// Writes the lines to `raw_out`: they are ASCII, and `changes::stream` escapes commands to logs.
pub fn observe(
    args: &ObserveArgs,
    raw_out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    let boards = match board_factory(&args.board) {
        Ok(boards) => boards,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let traces = match &args.paths[..] {
        [] => Ok(Vec::new()),
        paths => runner::find(paths, None),
    };
    let traces = match traces {
        Ok(traces) => traces,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let how = How { until: args.until, interrupt: ctrl_c::listen(), ..How::default() };
    let paths: Vec<PathBuf> = traces.into_iter().map(|trace| trace.path).collect();
    let name = firmware_of_traces(&args.board, &boards, paths.iter().map(PathBuf::as_path));
    firmware_process::observe(&OfBoards(boards), &name, &paths, &how, raw_out, err)
}
