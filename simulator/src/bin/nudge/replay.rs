//! `nudge replay`: the command line's side of the runner.

use std::io::{self, IsTerminal, Write};

use hal_mock::trace::Trace;
use simulator::boards::Maker;
use simulator::runner::{self, Exit, Options};

use crate::boards;
use crate::cli::ReplayArgs;

pub fn replay(args: ReplayArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let maker = match Maker::of(&args.board) {
        Ok(maker) => maker,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    // https://no-color.org: set to anything but nothing.
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let options = Options {
        filter: args.filter,
        until: args.until,
        allow_violations: args.allow_violations,
        bless: args.bless,
        artifacts: args.artifacts,
        contact_sheet: args.contact_sheet,
        quiet: args.quiet,
        colour: io::stdout().is_terminal() && !no_colour,
        jobs: args.jobs,
    };
    let build = |trace: &Trace| maker.build(trace, None);
    runner::run(&args.paths, &options, &build, &boards::reader(), out, err)
}
