//! What the LCD board's firmware tells the tools about itself: the game, its words and its screens.
//!
//! [`LcdBoard`] is this application's [`Insight`](insight::Insight). The command passes it to the
//! tools, which do not know this crate.
//!
//! | module | subject | for |
//! |---|---|---|
//! | `comments` | comments made of console lines | `tidy` |

mod comments;

use insight::{ConsoleComments, ConsoleWords};

use crate::comments::GameComments;

/// The LCD board's firmware.
#[derive(Clone, Copy, Debug, Default)]
pub struct LcdBoard;

impl ConsoleWords for LcdBoard {
    fn comments(&self) -> Box<dyn ConsoleComments> {
        Box::new(GameComments::default())
    }
}
