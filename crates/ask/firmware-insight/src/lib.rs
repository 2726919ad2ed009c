//! What the LCD board's firmware tells the tools about itself: the game, its words and its screens.
//!
//! [`LcdBoard`] is this application's [`Insight`](insight::Insight). The command passes it to the
//! tools, which do not know this crate.
//!
//! | module | subject | for |
//! |---|---|---|
//! | `comments` | comments made of console lines | `tidy` |
//! | `machine` | the machine `native` with its views | `why` |
//! | [`rules`] | settings and invariants of random sessions | `fuzz` |
//! | `view` | the elements of a view | `why` |

mod comments;
mod machine;
pub mod rules;
mod view;

pub use view::{element_name, page_name};

use hal_mock::setup::SetupError;
use insight::{ConsoleComments, ConsoleWords, Interior, Invariants, OpenMachine, SessionRules};
use reading::text::Reader;
use trace::{Button, Buttons, HeaderEntry, Trace};
use virtual_time::Random;

use crate::comments::GameComments;
use crate::machine::OpenNative;
use crate::rules::GameInvariants;

/// The LCD board's firmware.
#[derive(Clone, Copy, Debug, Default)]
pub struct LcdBoard;

impl ConsoleWords for LcdBoard {
    fn comments(&self) -> Box<dyn ConsoleComments> {
        Box::new(GameComments::default())
    }
}

impl Interior for LcdBoard {
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn OpenMachine>, SetupError> {
        Ok(Box::new(OpenNative::new(trace, flash)?))
    }

    /// Lines that begin with `position` (docs/console.md).
    fn is_position(&self, line: &str) -> bool {
        line.starts_with("position ")
    }
}

impl SessionRules for LcdBoard {
    fn has_buttons(&self, buttons: &Buttons) -> bool {
        *buttons == Buttons::lcd_board()
    }

    fn header(&self, random: &mut Random) -> Vec<HeaderEntry> {
        rules::header(random)
    }

    fn answered_button(&self) -> Option<Button> {
        Some(Button::Reset)
    }

    fn invariants<'a>(&self, reader: &'a Reader) -> Box<dyn Invariants + 'a> {
        Box::new(GameInvariants::new(reader))
    }
}
