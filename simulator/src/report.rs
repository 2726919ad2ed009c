//! `nudge report`: `merge` joins the reports of the parts of a suite, `history` compares its runs.

use std::io::{self, Write};

use escape::terminal::plain;
use host::Exit;
use runner::MergeOptions;
use runner::history::History;

use crate::cli::{HistoryArgs, MergeArgs};

pub fn merge(args: MergeArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let MergeArgs { reports, junit, html, force } = args;
    let written = match runner::merge(&MergeOptions { reports, junit, html, force }) {
        Ok(written) => written,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let mut exit = Exit::Passed;
    for joined in written {
        writeln!(out, "wrote {}: {joined}", joined.path.display())?;
        exit = exit.max(joined.exit());
    }
    Ok(exit)
}

/// Prints what changed over the runs whose JUnit files are in a folder.
pub fn history(args: &HistoryArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match History::read(&args.folder) {
        Ok(history) => {
            history.lines().iter().try_for_each(|line| writeln!(out, "{}", plain(line)))?;
            Ok(if history.fails() { Exit::Failed } else { Exit::Passed })
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}
