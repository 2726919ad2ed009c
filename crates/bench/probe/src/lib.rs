//! A real board behind a probe, a second Pico on its wires, as a machine that replays traces.
//!
//! [`link`] is a line to a probe, [`session`] a session over it, [`machine`] the board as a machine that replays
//! traces; [`error`] says why it cannot go on, [`doctor`] which wire is likely wrong; [`bring_up`] starts a board, looks at it and sets it up over its console. [`software`] is a probe in software around any machine, with a virtual clock, and
//! [`disturbed`] a line that loses, doubles and changes what is on it: both are for tests of the host's side.
//!
//! It knows the virtual board and no firmware, and opens no port.

pub mod bring_up;
pub mod disturbed;
pub mod doctor;
pub mod error;
pub mod link;
pub mod machine;
mod restarts;
pub mod session;
pub mod software;

pub use error::ProbeError;
pub use link::{Cut, Link};
pub use machine::{LEAD, ProbeMachine};
pub use session::{Identity, Levels, Session};
