//! Compares two versions of the firmware: two boards replay the same traces, and the differences
//! are named, grouped and counted. Also finds the commit that introduced a failure.
//!
//! `nudge replay --against` and `nudge trace observe` without their command lines:
//! - [`observation`] records one replay: settled frames, console lines, notes, bytes. [`stream`]
//!   writes and reads such records, so that another `nudge` can be one of the two [`sides`];
//! - [`align`] finds which frames of two records belong together; the crate `causes` names
//!   the difference of a pair and its cause; [`compare`] compares one trace, [`suite`] many; [`summary`] contains the
//!   result;
//! - [`side_by_side`] compares one trace on any number of boards, and measures the differences of
//!   their times;
//! - [`reports`] formats the result for the terminal, as Markdown and as a page.
//!
//! [`bisect`] is `nudge bisect`: builds of other commits in a separate work tree.
//!
//! Goldens are not compared: the other board is the reference. Memory does not grow with the number
//! of traces, apart from a line for each trace that differs.
//!
//! **Invariant:** like `runner`, this crate does not know firmware, fonts or boards.

pub mod align;
pub mod bisect;
pub mod compare;
pub mod observation;
pub mod reports;
pub mod side_by_side;
pub mod sides;
pub mod stream;
pub mod suite;
pub mod summary;
