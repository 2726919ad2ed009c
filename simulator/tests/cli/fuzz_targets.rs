//! The targets of `fuzz/`, fed by proptest on the stable compiler: the same checks, without
//! coverage guidance. `PROPTEST_CASES=100000 cargo test --test cli fuzz_targets` runs longer.

use std::fs;
use std::path::Path;

use firmware_board::{header, native};
use fuzz::targets;
use proptest::collection::vec;
use proptest::prelude::*;
use trace::Trace;

/// Feeds the target `trace`. Settings may be refused.
fn trace(input: &[u8]) {
    targets::trace(input, |trace| drop(header::board(trace, None)));
}

/// Feeds the target `step` with a factory-new board.
fn step(input: &[u8]) {
    let mut machine = native::build(&Trace::default(), None).unwrap();
    targets::step(input, machine.as_mut());
}

/// Generates garbled words of a grammar: almost correct input reaches more code than noise.
fn almost(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => proptest::sample::select(words).prop_map(|word| word.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..8),
    ];
    vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

const TRACE: &[&str] = &[
    "trace 1\n",
    "game ",
    "wari\n",
    "seed 7\n",
    "flash x\n",
    "0ms ",
    "+1s ",
    "9223372036s ",
    "power on\n",
    "power off\n",
    "tap B3\n",
    "tap T6 for 0ms\n",
    "press B1\n",
    "release B1\n",
    "fault ",
    "stuck B3\n",
    "bounce B3 8ms\n",
    "spi flip 1/9\n",
    "uart lose 1/9\n",
    "uart garble\n",
    "noise stuck\n",
    "type bytes \"\\x15\\n\"\n",
    "type \"\"\n",
    "power cut\n",
    "flash cut after 37 bytes\n",
    "flash stuck\n",
    "none ",
    "spi\n",
    "expect ",
    "text \"a\"\n",
    "frame x in 0,0,9,9\n",
    "frames y\n",
    "bus < 4kB within 1s\n",
    "console \"\\\"\"\n",
    "settle within 1s\n",
    "end\n",
    "#",
    " ",
    "\n",
];

const FORMATS: &[&str] = &[
    "\0",
    "\u{1}",
    "\u{2}",
    "\u{3}",
    "\u{4}",
    "$timescale 1 ns $end\n",
    "$var wire 1 ! B1 $end\n",
    "$scope module nudge $end\n",
    "$upscope $end\n",
    "$enddefinitions $end\n",
    "$dumpvars\n",
    "$end\n",
    "#0\n",
    "#99999999999999999999\n",
    "0!\n",
    "1!\n",
    "x!\n",
    "b101 !\n",
    "Time [s],B1,T1\n",
    "0.000000000,1,0\n",
    "-1,0,1\n",
    "1e400,1,1\n",
    "\"",
    "; ",
    "name: x\n",
    "version: 1\n",
    "steps:\n",
    "  - delay: 100ms\n",
    "  - set-control:\n",
    "      part-id: btn1\n",
    "      control: pressed\n",
    "      value: 1\n",
    "  - wait-serial: 'x'\n",
    "&a [*a]\n",
    "- ",
    "{",
    "}",
    "\n",
];

proptest! {
    #[test]
    fn any_trace_is_read_or_refused(input in prop_oneof![almost(TRACE), vec(any::<u8>(), 0..400)]) {
        trace(&input);
    }

    #[test]
    fn any_capture_and_scenario_is_read_or_refused(
        input in prop_oneof![almost(FORMATS), vec(any::<u8>(), 0..400)],
        kind in any::<u8>(),
    ) {
        targets::formats(&[&[kind][..], &input].concat());
    }
}

proptest! {
    // A session is about ten seconds of the board's time.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_firmware_survives_any_presses(input in vec(any::<u8>(), 0..160)) {
        step(&input);
    }
}

/// Reads the inputs with which cargo-fuzz begins.
#[test]
fn every_input_of_the_corpus_is_accepted() {
    for (target, feed) in
        [("trace", trace as fn(&[u8])), ("formats", targets::formats), ("step", step)]
    {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
        let inputs: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
        assert!(inputs.len() >= 10, "{target} has {} inputs", inputs.len());
        for input in inputs {
            println!("cargo +nightly fuzz run {target} {}", input.path().display());
            feed(&fs::read(input.path()).unwrap());
        }
    }
}
