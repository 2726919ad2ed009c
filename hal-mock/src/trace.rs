//! The trace: a text file that says what is done to the board and what must be seen.
//!
//! [`parse`], [`parse_bytes`] and [`load`] read one, `Display` of [`Trace`] writes one,
//! [`Recorder`] appends one event by event while a session runs. The reference for
//! people is `docs/trace-format.md`; its examples are parsed by this room's tests.
//!
//! ```
//! let text = "trace 1\nseed 7\n\n0ms power on\n250ms tap B3\n+1s expect text \"FREE TURN\"\n";
//! let trace = hal_mock::trace::parse("win.trace", text).unwrap();
//! assert_eq!(trace.get("seed").unwrap().value, "7");
//! assert_eq!(trace.lines.len(), 3);
//! ```
//!
//! Inside: `document`, `place`, `action`, `fault`, `frame_check` and `budget` are the data, `limits`
//! and `name` its bounds. `token` cuts a line, `number` reads times and frequencies, `parse` and the
//! files in it read verbs, `sequence` decides which line may follow which by the `moment` of each,
//! `error` is what can be wrong, `nearest` finds the word that was meant. `write` and `record` go the
//! other way, `spoken` words times and sizes, `tidy` makes a trace of a recording, `torn` saves what is whole of
//! an interrupted one.
//!
//! It does not know what a header key means (they are key–value pairs), what a game is,
//! or how a trace is carried out: that is [`crate::replay`].

mod action;
mod budget;
mod document;
mod error;
mod fault;
mod frame_check;
mod limits;
mod moment;
mod name;
mod nearest;
mod number;
mod parse;
mod place;
mod record;
mod sequence;
mod spoken;
pub mod tidy;
mod token;
mod torn;
mod write;

#[cfg(test)]
mod doc_tests;
#[cfg(test)]
mod error_tests;
#[cfg(test)]
mod expect_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod property_tests;

pub use action::Action;
pub use budget::Comparison;
pub use document::{HeaderEntry, Line, Trace, When};
pub use error::{
    AmountError, FrameCheckError, LoadError, ParseError, ParseErrorKind, SequenceError, TimeError,
};
pub use fault::{BoardFault, LONGEST_BOUNCE, RAREST_FLIP};
pub use frame_check::FrameCheck;
pub use limits::{FILE_BYTES_MAX, LATEST, LINE_BYTES_MAX, LINES_MAX, TAP_HOLD, VERSION};
pub use moment::Moment;
pub use name::{NAME_CHARS_MAX, is_name};
pub use nearest::{did_you_mean, nearest};
pub use number::{parse_moment, parse_time};
pub use parse::{load, parse, parse_bytes};
pub use place::Place;
pub use record::Recorder;
pub use spoken::{bytes_spoken, spoken};
pub use torn::whole_lines;
