//! What a change of the firmware alters: two boards replay the same traces, and what differs is named,
//! grouped and counted. And which commit brought a failure.
//!
//! `nudge replay --against` and `nudge trace observe` without their command lines:
//! - [`observation`] records one replay: settled frames, console lines, notes, bytes. [`stream`] writes and
//!   reads such records, so that another `nudge` can be one of the two [`sides`];
//! - [`align`] finds which frames of two records belong together; [`difference`] names what differs in a
//!   pair; [`compare`] compares one trace, [`suite`] many; [`summary`] is what is known at the end;
//! - [`side_by_side`] compares one trace on any number of boards, and measures how far their times are apart;
//! - [`reports`] word it for the terminal, as Markdown and as a page.
//!
//! [`bisect`] is `nudge bisect`: builds of other commits in a work tree of their own.
//!
//! Goldens are not compared: the other board is what is expected. Memory does not grow with the number
//! of traces, apart from a line for each that differs.
//!
//! **Invariant:** it knows no firmware, no font and no board, as `runner`.

pub mod align;
pub mod bisect;
pub mod compare;
pub mod difference;
pub mod observation;
pub mod reports;
pub mod side_by_side;
pub mod sides;
pub mod stream;
pub mod suite;
pub mod summary;
