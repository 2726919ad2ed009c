//! `nudge trace shrink`: the smallest trace that still fails in the same way.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use hal_mock::trace::Trace;
use simulator::boards::Maker;
use simulator::fuzz::Judge;
use simulator::runner::Exit;
use simulator::shrink;

use super::arguments::ShrinkArgs;
use super::fuzz::{is_same, load, silently};
use crate::boards;

pub fn shrink(args: &ShrinkArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match silently(|| carry_out(args, out)) {
        Ok(()) => Ok(Exit::Passed),
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            Ok(Exit::Usage)
        }
    }
}

fn carry_out(args: &ShrinkArgs, out: &mut dyn Write) -> Result<(), String> {
    let file = args.trace.display();
    let output = args.output.clone().unwrap_or_else(|| args.trace.with_extension("small.trace"));
    if output.exists() && !args.force {
        return Err(format!("{} is there already; `--force` overwrites it", output.display()));
    }
    let trace = load(&args.trace)?;
    let maker = Maker::of(&args.board).map_err(|error| error.to_string())?;
    let reader = boards::reader();
    let build = |trace: &Trace| maker.build(trace, None);
    let goldens: PathBuf = args.trace.with_extension("");
    let judge = Judge { boards: &build, reader: &reader, goldens: Some(&goldens) };
    let judged = judge.judge(&trace).map_err(|error| format!("{file}:{error}"))?;
    let Some(finding) = judged else {
        return Err(format!(
            "{file} does not fail on {}: there is nothing to shrink (chains of frames are not \
             compared here)",
            args.board
        ));
    };
    let shrunk =
        shrink::shrink(&trace, args.runs, &mut |candidate| is_same(&judge, candidate, &finding));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&output)
        .and_then(|mut file| file.write_all(shrunk.trace.to_string().as_bytes()));
    written.map_err(|error| format!("{}: cannot be written: {error}", output.display()))?;
    let told = writeln!(
        out,
        "{finding}\n{}: {} lines of {}, after {} replays{}",
        output.display(),
        shrunk.trace.lines.len(),
        trace.lines.len(),
        shrunk.runs,
        if shrunk.minimal { "" } else { "; more of them may make it smaller (`--runs`)" }
    );
    told.map_err(|error| format!("the output cannot be written: {error}"))
}
