//! The command `nudge` and the libraries behind it, from outside. One program, because linking one
//! for each file takes longer than most of the tests; what needs other programs, or belongs to one
//! verb with files of its own, is beside it.

#[path = "../command/mod.rs"]
mod command;

#[cfg(unix)]
mod action;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod ctrl_c;
mod film;
mod flash_cli;
mod fuzz;
mod fuzz_cli;
mod goldens;
mod notices;
mod observe;
mod overwriting;
mod perfetto;
mod record;
mod runner;
mod runner_ci;
#[cfg(unix)]
mod runner_hostile;
mod runner_lfs;
mod runner_reports;
mod shrink;
mod shrink_keeps;
#[cfg(unix)]
mod trace_files;
mod why;
