//! The atlas: every screen of a firmware that can be reached by presses, the shortest presses to
//! each, the transitions between screens, and flaws in their appearance.
//!
//! [`explore()`] presses one button after another, breadth first, on copies of machines in the
//! states that earlier presses led to. A [`World`] returns what the LCD shows after a press.
//! [`Factory`] is the world of a factory-new board whose application tells its screens
//! ([`insight::Screens`]). [`Atlas::draw`] renders each screen again and records its picture, its
//! texts, and its flaws on panels of any size ([`appearance`]). `trace_screens`
//! finds the screens that occur in traces, [`page()`] writes all of it as one HTML page.
//!
//! | file | subject | does not know |
//! |---|---|---|
//! | `step` | the trace that a series of presses forms | screens |
//! | `watched` | a machine whose screens are recorded while it runs | what is explored |
//! | `walker` | presses paths, reusing the common beginning with the previous path | the search |
//! | `factory` | what a board shows after presses | the search |
//! | `described` | the presses to try on a described board, and its pictures after them | the search |
//! | `explore` | the search | the firmware |
//! | `ways` | paths back to a home screen, among those found | the firmware |
//! | `appearance` | text that is covered, too small or too faint | presses |
//! | `trace_screens` | which trace shows which screen | the search |
//! | `drawn` | the complete atlas | HTML |
//! | `page` | the HTML page | how anything was found |
//!
//! This crate knows no firmware. No clock influences the result: budgets count screens and virtual time.

pub mod appearance;
mod described;
mod drawn;
mod explore;
mod factory;
mod page;
mod step;
#[cfg(test)]
mod tests;
mod trace_screens;
mod walker;
mod watched;
mod ways;

pub use described::{Described, DescribedWalker, Illustrated, PACE};
pub use drawn::{Atlas, Flaw, Portrait};
pub use explore::{Budget, End, Found, FoundScreen, Progress, Visit, World, explore};
pub use factory::{Factory, Shown};
pub use page::page;
pub use step::{STEP, trace_to};
pub use trace_screens::{TraceScreens, screens_of_traces};
pub use walker::Walker;
pub use ways::without_way_back;
