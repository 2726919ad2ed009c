//! The trace: a text file with the inputs of the board and its expected outputs.
//!
//! [`parse()`], [`parse_bytes`], [`parse_with`] and [`parse_on`] read a trace, `Display` of [`Trace`] writes one,
//! [`format()`] aligns its columns, [`Recorder`] appends to one event by event during a session.
//! The crate opens no file: the caller reads included files through an [`IncludeSource`]. The
//! user's reference is `docs/trace-format.md`; the tests of this crate parse its examples.
//!
//! ```
//! let text = "trace 1\nseed 7\n\n0ms power on\n250ms tap B3\n+1s expect text \"FREE TURN\"\n";
//! let trace = trace::parse("win.trace", text).unwrap();
//! assert_eq!(trace.get("seed").unwrap().value, "7");
//! assert_eq!(trace.lines.len(), 3);
//! ```
//!
//! Inside: `document`, `place`, `button`, `button_set`, `control`, `led`, `share`, `display`, `board_parts`, `action`, `fault`, `frame_check`,
//! `text_check`, `screenshot` and `budget` are the
//! data, `limits` and `name` its bounds. `token` splits a line, `number` reads times and
//! frequencies, `parse` and the files in it read lines, `header_note` known failures and tags, `sequence` decides by the `moment` of each
//! line which may follow which, `reading` reads whole files and what they `include`, `error` has
//! all errors, `nearest` finds the word that was probably meant. `write`, `layout` and `record`
//! write traces, `quoted` puts a text in quotes, `spoken` words times and sizes, `tidy` makes a
//! trace from a recording, `torn` saves the intact part of an interrupted one.
//!
//! The module does not know the meaning of the other header keys (they are key–value pairs), what a game is,
//! or how a trace is executed: see `hal_mock::replay`.

mod action;
mod board_parts;
mod budget;
pub mod button;
mod button_set;
mod control;
mod display;
mod document;
mod error;
mod fault;
mod fault_limits;
mod frame_check;
pub mod frame_rules;
mod header_note;
mod include;
mod known_time;
mod layout;
mod led;
pub mod lfs;
mod limits;
mod name;
mod nearest;
mod number;
mod parse;
mod place;
mod quoted;
mod reading;
mod record;
mod screenshot;
mod sequence;
mod share;
mod spoken;
mod text_check;
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
mod include_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod part_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod typed_tests;

pub use action::Action;
pub use board_parts::BoardParts;
pub use budget::Comparison;
pub use button::{BUTTONS_MAX, Button, Buttons, ButtonsError};
pub use button_set::{ButtonMap, ButtonSet};
pub use control::{Control, ControlKind, Controls, Movement, Point, TouchArea};
pub use display::{Display, Displays};
pub use document::{BOARD_KEY, HeaderEntry, Line, Trace, When};
pub use error::{
    AmountError, BoardError, FrameCheckError, HeaderNoteError, IncludeError, IncludeReadError,
    ParseError, ParseErrorKind, ParseErrors, PartError, SequenceError, TimeError,
};
pub use fault::BoardFault;
pub use fault_limits::{LONGEST_BOUNCE, RAREST_FLIP};
pub use frame_check::FrameCheck;
pub use header_note::{Date, KnownFailure, TAGS_KEY, XFAIL_KEY, header_entry};
pub use include::{IncludeSource, NoIncludes};
pub use known_time::KnownTime;
pub use layout::{format, format_included};
pub use led::{Led, LedCheck, LedKind, LedLight, LedState, Leds};
pub use limits::{
    DRAG_LONGEST, DRAG_STEP, ERRORS_MAX, FILE_BYTES_MAX, INCLUDE_DEPTH_MAX, LATEST, LINE_BYTES_MAX,
    LINES_MAX, MIN_HOLD, RUN_MAX, SESSION_MAX, SHOWN_TOLERANCE, TAP_HOLD, TURN_DETENT,
    TURN_DETENT_MIN, TURN_LONGEST, TURN_MAX, VERSION,
};
pub use name::{NAME_CHARS_MAX, is_name};
pub use nearest::{did_you_mean, nearest};
pub use number::{parse_instant, parse_time};
pub use parse::parse_action;
pub use place::{IncludedPlace, LineName, Place};
pub use quoted::quoted;
pub use reading::{parse, parse_bytes, parse_on, parse_with, parse_written};
pub use record::Recorder;
pub use screenshot::Screenshot;
pub use share::Share;
pub use spoken::{bytes_spoken, counted};
pub use text_check::{RegionText, TextCheck};
pub use torn::whole_lines;
