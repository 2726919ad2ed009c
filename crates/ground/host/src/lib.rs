//! The host: the computer that nudge runs on, with its files, clock, threads, programs and heap.
//!
//! | module | subject |
//! |---|---|
//! | [`input_files`] | opens the files that a user names: regular files only |
//! | [`output_files`] | writes files: whole or not at all, never over a file of another kind |
//! | [`sandbox`] | a folder that no name leads out of |
//! | [`clock`] | the wall clock, and virtual time that keeps step with it |
//! | [`jobs`] | threads, as many as the memory permits |
//! | [`interrupt`] | the flag that Ctrl-C sets |
//! | [`child`] | other programs, with limits for their time and output |
//! | [`panic_text`], [`caught`] | the message of a panic; firmware that may panic |
//! | [`own_program()`] | the file of the program that runs |
//! | [`exit`] | how a run ends, as an exit code |
//! | [`heap`] | allocations, counted |
//! | [`memory`] | the memory that this process takes |
//!
//! It knows no board, no trace and no command line.

#[cfg(not(target_family = "wasm"))]
pub mod child;
pub mod clock;
pub mod exit;
pub mod heap;
pub mod input_files;
pub mod interrupt;
pub mod jobs;
pub mod memory;
pub mod output_files;
mod own_program;
mod panic;
pub mod sandbox;

pub use exit::Exit;
pub use interrupt::Interrupt;
pub use own_program::own_program;
pub use panic::{Panic, PanicPlace, caught, panic_is_contained, panic_text};
