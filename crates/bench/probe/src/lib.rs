//! A real board on a probe, a second Pico on its wires, as a machine that replays traces.
//!
//! [`link`] is the byte stream to a probe, [`session`] a session over it, [`machine`] the board as
//! a machine that replays traces. [`error`] lists the failures, [`doctor`] infers which wire is
//! likely faulty, and [`bring_up`] starts a board, checks its wires and sets it up over its
//! console. [`swd`] is the board's debug port. [`software`] is a probe in software around any
//! machine, with a virtual clock, and [`disturbed`] a link that loses, doubles and changes bytes:
//! both are for tests of the host's side.
//!
//! The crate knows the virtual board and no firmware, and opens no port.

pub mod bring_up;
pub mod disturbed;
pub mod doctor;
pub mod error;
pub mod link;
pub mod machine;
mod restarts;
pub mod session;
pub mod software;
pub mod swd;

pub use error::ProbeError;
pub use link::{Cut, Link};
pub use machine::{LEAD, ProbeMachine};
pub use session::{BadBurst, Identity, Levels, Session};
