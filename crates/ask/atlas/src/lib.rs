//! The atlas: every screen of the firmware that presses lead to, the shortest presses to each, how
//! screens lead to each other, and what is wrong with how they look.
//!
//! [`explore()`] presses one button after the other, breadth first, on copies of machines that have been
//! pressed to where they are; what a [`World`] shows after a press is what the LCD shows. [`Factory`] is the
//! world of a factory-new board. [`Atlas::draw`] looks at each screen once more: its picture, its texts, its
//! flaws on panels of any size ([`looks`]). [`witness`] finds the screens that traces see, [`page()`]
//! writes all of it as one HTML page.
//!
//! | file | subject | does not know |
//! |---|---|---|
//! | `step` | one press, and the trace that many of them are | screens |
//! | `screen` | which views are the same screen | presses |
//! | `watched` | a machine whose screens are noted while it runs | what is explored |
//! | `walker` | ways that are pressed, each from where it leaves the one before | the search |
//! | `factory` | the presses that are worth a try, and what a board shows after them | the search |
//! | `explore` | the search | the firmware |
//! | `ways` | ways back, in what was found | the firmware |
//! | `looks` | text that is clipped or covered, too small or too faint | presses |
//! | `witness` | which trace sees which screen | the search |
//! | `drawn` | all of it put together | HTML |
//! | `page` | the HTML page | how anything was found |
//!
//! No clock decides what is found: budgets count screens and virtual time.

mod drawn;
mod explore;
mod factory;
pub mod looks;
mod page;
mod screen;
mod step;
#[cfg(test)]
mod tests;
mod walker;
mod watched;
mod ways;
mod witness;

pub use drawn::{Atlas, Flaw, Portrait};
pub use explore::{Budget, End, Found, FoundScreen, Progress, Visit, World, explore};
pub use factory::Factory;
pub use page::page;
pub use screen::Screen;
pub use step::{STEP, Step, trace_to};
pub use walker::Walker;
pub use ways::without_way_back;
pub use witness::{Witnesses, witness};
