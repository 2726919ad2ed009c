//! A board of which any time can be visited: forward, back, and with other inputs from there.
//!
//! The first replay of a trace logs the board's inputs and their times ([`Recording`]). A
//! [`Session`] gives the same inputs to a fresh machine and so reaches any time again, equal to
//! the replay to the nanosecond. If the machine can be copied, it stores copies and runs from the
//! last one before. A branch has the inputs before a time, and then its own presses. It can be
//! saved as a trace, and compared with another.
//!
//! Every board under way is an [`ObservedMachine`], whether a view, a program or a trace drives it:
//! it logs and copies while it runs, and an earlier time of it is visited, or continued from, in
//! the same way. A [`DrivenBoard`] executes the actions of a program on it, as lines of a trace.
//!
//! Inside: `observed` is a board under way, `driven` one that a program drives, `input` defines
//! inputs, `logged` logs them, `recording` is the first replay of a trace, `goldens` and `files`
//! have what a replay compares with, `run` runs a machine, `copies` stores copies, `history` and
//! `frames` are the outputs, `setup` builds machines, `session` joins them, `steps` finds the next
//! frame or transaction, `save`, `compare`, `digest` and `expect` answer questions about a session.
//!
//! It knows no firmware: machines come from a [`Maker`], text from a `Reader`. It opens no file:
//! those of a trace come from [`Files`]. It knows no wall clock and no page.

mod compare;
mod copies;
mod digest;
mod driven;
mod expect;
mod files;
mod frames;
mod goldens;
mod history;
mod input;
mod logged;
mod observed;
mod recording;
mod run;
mod save;
mod session;
mod setup;
mod steps;
#[cfg(test)]
mod tests;
mod typed;

pub use compare::{Comparison, compare};
pub use copies::{COPIED_EVERY, COPIES_MAX, Copies};
pub use digest::{Digest, digest};
pub use driven::{DrivenBoard, ExecutedLine, NotExecuted, Record, StopReason};
pub use expect::{ExpectError, Inserted, Wanted, expect};
pub use files::Files;
pub use frames::FrameSeen;
pub use history::{Contact, History, PowerChange};
pub use input::{Fingers, MachineInput, TimedInput, actions_of, finger_of};
pub use observed::{NoPast, ObservedMachine, may_be_starting};
pub use recording::{LineRun, LineVerdict, Opened, Recording, open};
pub use run::Broken;
pub use session::{Session, SessionError, State, Unit};
pub use setup::{Maker, Setup};
pub use typed::TypedLine;
