//! Tests the command `nudge` and its libraries from outside. All tests are one program, because
//! linking one for each file takes longer than most of the tests, and because the cores stay busy
//! until the last test ends. Tests that need a browser or a display are separate programs.

#[path = "../command/mod.rs"]
mod command;
#[path = "../../../tests/src/part.rs"]
mod part;

/// Ends a test that takes 0.4 s of processor time or more, if it is in another part than this run of `make test`
/// executes; `make test-tools` and `make long` execute all of them.
macro_rules! sampled {
    () => {
        if crate::part::is_left_out() {
            return;
        }
    };
}

#[cfg(unix)]
mod action;
#[cfg(feature = "pico-test")]
mod adopt;
#[cfg(unix)]
mod against;
mod atlas;
mod atlas_walks;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bisect;
mod board_cli;
#[cfg(feature = "pico-test")]
mod broken_dwarf;
#[cfg(unix)]
mod ctrl_c;
mod described;
mod described_displays;
mod described_verbs;
mod documents;
mod emulate_cli;
#[cfg(target_os = "linux")]
mod emulate_programs;
mod export;
mod film;
mod flash_cli;
mod font;
mod formats;
#[cfg(feature = "sigrok-test")]
mod formats_sigrok;
mod fuzz;
mod fuzz_cli;
mod fuzz_targets;
mod goldens;
mod install;
mod known_failures;
#[cfg(all(feature = "lcov-test", feature = "on-target", feature = "pico-test"))]
mod lcov;
mod lsp;
mod notices;
mod observe;
#[cfg(unix)]
mod open;
mod overwriting;
mod panel;
mod perfetto;
#[cfg(feature = "pico-test")]
mod pico_crash;
#[cfg(feature = "pico-test")]
mod pico_traces;
mod quiz;
mod record;
mod replay_cache;
mod replay_observer;
mod report_history;
mod report_merge;
mod report_plays;
mod review;
mod runner;
mod runner_ci;
#[cfg(unix)]
mod runner_hostile;
mod runner_lfs;
mod runner_reports;
#[cfg(target_os = "linux")]
mod rust_of_debian;
#[cfg(unix)]
mod serve;
mod shrink;
mod shrink_keeps;
mod thoughts;
mod timing_cli;
#[cfg(unix)]
mod trace_files;
#[cfg(all(target_os = "linux", feature = "terminal"))]
mod tty;
mod two_at_once;
mod why;
mod wokwi;
