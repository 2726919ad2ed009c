//! The traits by which an application describes its firmware to the tools.
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
//! | `interior`, `view` | machines whose views and considerations can be read | `why`, `atlas` |
//! | `rules` | settings and invariants of random sessions | `fuzz` |
//! | `screens`, `step` | the screens, and the presses to try on them | `atlas` |
//!
//! This crate knows no firmware and no tool.

mod console;
mod interior;
mod rules;
mod screens;
mod step;
mod view;

pub use console::{ConsoleComments, ConsoleWords};
pub use interior::{Consideration, Considered, Interior, OpenMachine};
pub use rules::{BrokenInvariant, Invariants, ObservedReplay, SessionRules};
pub use screens::{Circumstances, Fault, Screen, Screens};
pub use step::Step;
pub use view::{DrawnElement, View, Views};

/// All that an application tells the tools about its firmware.
pub trait Insight: ConsoleWords + Screens + SessionRules {}

impl<T: ConsoleWords + Screens + SessionRules> Insight for T {}
