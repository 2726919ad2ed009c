//! `nudge trace check`: each trace parsed, and a board built after its header.

use std::io::{self, Write};

use boards::native;
use runner::{Exit, ReplayOptions};

use super::arguments::CheckArgs;
use crate::environment::github;

pub fn check(args: CheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let options = ReplayOptions {
        junit: args.junit,
        force: args.force,
        github: github(),
        ..ReplayOptions::default()
    };
    runner::check(&args.paths, &options, &|trace| native::build(trace, None), out, err)
}
