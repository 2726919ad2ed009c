//! A stopwatch whose firmware is in C: `cargo run --package stopwatch-c -- run` opens its window.

use std::process::ExitCode;

fn main() -> ExitCode {
    nudge::main(nudge::board!("stopwatch.board.toml"), nudge_c::firmware!(stopwatch))
}
