//! `nudge trace check`: parses each trace, builds a board from its header, and reports the notices
//! that need no replay.

use std::io::{self, Write};

use firmware_board::native;
use host::Exit;
use runner::ReplayOptions;
use trace::Trace;

use super::arguments::CheckArgs;
use crate::environment::github;
use crate::text_reader;

pub fn check(args: CheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let options = ReplayOptions {
        strict: args.strict,
        junit: args.junit,
        force: args.force,
        github: github(),
        ..ReplayOptions::default()
    };
    let boards = |trace: &Trace| native::build(trace, None);
    runner::check(&args.paths, &options, &boards, &text_reader::reader(), out, err)
}
