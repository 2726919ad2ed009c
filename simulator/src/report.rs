//! `nudge report merge`: merges the reports of the parts of a suite.

use std::io::{self, Write};

use host::Exit;
use runner::MergeOptions;

use crate::cli::MergeArgs;

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
