//! `nudge trace observe`: writes the board's screens, output and sounds in traces as lines of JSON.
//! Another `nudge` compares them with its own observations (`nudge replay --against native=FILE`).

use std::io::{self, Write};

use changes::sides::{How, observed_here};
use changes::stream::{write_head, write_trace};
use host::Exit;
use trace::Trace;

use super::arguments::ObserveArgs;
use crate::board_factory::board_factory;
use crate::firmware::firmware_of_traces;
use crate::{ctrl_c, text_reader};

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
    let interrupt = ctrl_c::listen();
    let how = How { until: args.until, interrupt: interrupt.clone(), ..How::default() };
    let build = |trace: &Trace| boards.build(trace, None);
    let parts = boards.parts();
    let reader = text_reader::reader();
    let paths = traces.iter().map(|trace| trace.path.as_path());
    write_head(raw_out, &firmware_of_traces(&args.board, &boards, paths))?;
    let mut exit = Exit::Passed;
    for trace in traces {
        let observed = observed_here(&trace.path, parts.as_ref(), &build, &reader, &how);
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        if let Err(message) = &observed {
            writeln!(err, "nudge: {message}")?;
            exit = Exit::Usage;
        }
        write_trace(raw_out, &trace.path.display().to_string(), &observed)?;
    }
    Ok(exit)
}
