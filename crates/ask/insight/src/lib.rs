//! What an application tells the tools about its firmware.
//!
//! The tools press buttons, and read the LCD and the console of any firmware. Some of their answers
//! need more: the meaning of a console line, for instance. An application whose firmware is to get
//! these answers implements [`Insight`], which has one part for each kind of answer; the LCD board's
//! own firmware does in `firmware-insight`. A tool takes the part that it needs, and works without
//! one.
//!
//! | module | part | for |
//! |---|---|---|
//! | `console` | the meaning of console lines | `tidy` |
//!
//! This crate knows no firmware and no tool.

mod console;

pub use console::{ConsoleComments, ConsoleWords};

/// All that an application tells the tools about its firmware.
pub trait Insight: ConsoleWords + Sync {}

impl<T: ConsoleWords + Sync> Insight for T {}
