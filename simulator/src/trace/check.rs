//! `nudge trace check`: each trace parsed, and a board built after its header.

use std::io::{self, Write};

use boards::native;
use runner::{CheckOptions, Exit};

use super::arguments::CheckArgs;
use crate::environment::github;

pub fn check(args: CheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let options = CheckOptions { junit: args.junit, force: args.force, github: github() };
    runner::check(&args.paths, &options, &|trace| native::build(trace, None), out, err)
}
