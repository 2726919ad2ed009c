//! `nudge emulate`: any program for the RP2040 on a bare chip, without the LCD board around it.
//!
//! [`Program`] reads the file and makes a chip with it; [`run()`] lets it go on until it ends or
//! until its time is over; [`report`] sums up. An [`Observer`] sees every step: [`trace`],
//! [`profile`] and [`coverage`] each are one. Without observers the chip runs at its full speed; with
//! them it goes step by step, and comes to the same end. The [`Host`] is what surrounds the chip:
//! it takes what the chip sends, and gives it what comes over a [`line`].
//!
//! Nothing here reads a clock or opens a file but [`pty`]: outputs are
//! `Write`s of the caller, and wall time is an argument of the report.

pub mod coverage;
pub mod flame_graph;
pub mod gdb;
pub mod host;
pub mod line;
pub mod observer;
pub mod pins;
pub mod profile;
pub mod pty;
pub mod report;
pub mod run;
pub mod stack;
pub mod trace;

pub use host::{Host, HostRequest};
pub use observer::Observer;
pub use rp2040_emulator::program::{Program, ProgramError};
pub use run::{DEFAULT_LIMIT, RunEnd, run};
