//! The judge of a mutant: replays all of `tests/traces` on `native`, on all cores, and stops at
//! the first trace that fails.
//!
//! It links only what a replay needs, because `make mutants` builds it again for each mutant. It is
//! not a test of its own (`test = false`): `tests/tests/traces` replays the same traces.
//! docs/testing.md explains its use.

use std::env;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use firmware_board::native;
use hal_mock::setup::SetupError;
use host::{Exit, heap::HEAP_METER};
use reading::text::Reader;
use runner::ReplayOptions;
use trace::Trace;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/traces");

fn main() -> ExitCode {
    // `cargo test -p firmware-board --test judge -- TEXT` replays all traces whose path contains the text.
    let filter = env::args().nth(1);
    let fail_fast = filter.is_none();
    let options = ReplayOptions { quiet: true, filter, fail_fast, ..ReplayOptions::default() };
    let build = |trace: &Trace| -> Result<_, SetupError> {
        native::build_metered(trace, None, Some(HEAP_METER))
    };
    let reader = Reader::new(native::fonts());
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let exit = runner::run(&[PathBuf::from(TRACES)], &options, &build, &reader, &mut out, &mut err);
    match exit {
        Ok(exit) => exit,
        Err(error) => {
            let _ = writeln!(err, "judge: {error}");
            Exit::Usage
        }
    }
    .into()
}
