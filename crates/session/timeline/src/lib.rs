//! A replay whose every moment can be visited: forward, back, and on another way from there.
//!
//! The first replay of a trace notes what was done to the board, and when ([`Recording`]). A
//! [`Session`] does the same to a fresh machine and so reaches any moment again, equal to the
//! replay to the nanosecond; of a machine that can be copied it keeps copies and runs from the
//! last one before. A branch has what was done before a moment, and then its own presses. It can be
//! saved as a trace, and compared with another.
//!
//! What another program does to a machine can be visited in the same way: [`ObservedMachine`] notes and copies while the
//! machine runs.
//!
//! Inside: `input` is what was done, `logged` writes it down, `recording` is the first replay, `observed` a machine that another program drives, `goldens` and `files` what it
//! compares with, `run` a machine on its way, `copies` those that are kept, `history` and `frames` what was
//! heard and seen, `setup` builds machines, `session` joins them, `steps` finds the next frame or
//! transaction, `save`, `compare`, `digest` and `expect` are what can be asked of one.
//!
//! It knows no firmware: machines come from a [`Maker`], text from a `Reader`. It opens no file: those
//! of a trace come from [`Files`]. It knows no wall clock and no page.

mod compare;
mod copies;
mod digest;
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
pub use copies::{Copies, Fork};
pub use digest::{Digest, digest};
pub use expect::{ExpectError, Inserted, Wanted, expect};
pub use files::Files;
pub use frames::FrameSeen;
pub use history::{Contact, History, PowerChange};
pub use input::{MachineInput, TimedInput};
pub use observed::ObservedMachine;
pub use recording::{LineRun, LineVerdict, Opened, Recording, open};
pub use run::Broken;
pub use session::{Session, SessionError, State, Unit};
pub use setup::{Maker, Setup};
pub use typed::TypedLine;
