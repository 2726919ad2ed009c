//! Every trace of `tests/traces` passes on the program that `make firmware` has built, goldens and
//! budgets included: the flashed file behaves as the one that was compiled for the desktop.
//!
//! It needs the feature `pico-test`, because the program has to be there.

use std::path::PathBuf;
use std::sync::Arc;

use hal_mock::text::Reader;
use hal_mock::trace::Trace;
use simulator::pico::{self, Program};
use simulator::runner::{self, Exit};
use simulator::{native, setup::SetupError};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");

#[test]
fn every_trace_passes_on_the_flashed_program() {
    let program = Arc::new(Program::built().unwrap_or_else(|error| panic!("{error}")));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options = runner::Options { quiet: true, ..runner::Options::default() };
    let build = |trace: &Trace| -> Result<_, SetupError> { pico::build(&program, trace, None) };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&[PathBuf::from(FOLDER)], &options, &build, &reader, &mut out, &mut err)
        .unwrap();
    let said = [out, err].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(exit, Exit::Passed, "{said}");
}
