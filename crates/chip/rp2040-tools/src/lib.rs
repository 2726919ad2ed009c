//! `nudge emulate`: any program for the RP2040 on a bare chip, without the LCD board around it.
//!
//! [`Program`] reads the file and boots a chip with it. [`run()`] runs it until it ends or reaches
//! its limit. [`report`] summarises the run. An [`Observer`] follows it: [`trace`] sees every step,
//! [`profile`] takes what the chip has recorded. [`coverage`] reads the chip's counts, [`lines`] and
//! [`suite`] compute the coverage of many runs from its records. The chip runs at full speed, and
//! step by step only for a trace, with the same result. The [`Host`] is everything around the chip: it takes
//! the chip's outputs and supplies its inputs, for example over a [`mod@line`].
//!
//! [`quiz`] asks the chip questions, and compares its answers with those of another one.
//!
//! No module here reads a clock, and only [`pty`] opens a file: outputs are `Write`s of the caller,
//! and wall time is an argument of the report.

pub mod analog;
pub mod bus_log;
pub mod coverage;
pub mod defmt_log;
pub mod embedded_test;
pub mod ending;
pub mod findings;
pub mod flame_graph;
pub mod gdb;
pub mod host;
pub mod line;
pub mod lines;
pub mod observer;
pub mod pins;
pub mod profile;
pub mod pty;
pub mod quiz;
pub mod report;
pub mod rtt;
pub mod run;
pub mod semihosting;
pub mod stack;
pub mod stimuli;
pub mod suite;
pub mod touched;
pub mod trace;

pub use host::{Host, HostRequest};
pub use observer::Observer;
pub use rp2040_emulator::program::{Program, ProgramError};
pub use run::{DEFAULT_LIMIT, OnFault, RunEnd, run};
