//! The LCD board's firmware for the tools: the game, its words and its screens.
//!
//! [`LcdBoard`] is this application's [`Insight`](insight::Insight). The command passes it to the
//! tools, which do not know this crate.
//!
//! | module | subject | for |
//! |---|---|---|
//! | `comments` | comments made of console lines | `tidy` |
//! | `machine` | the machine `native` with its views | `why`, `atlas` |
//! | `appearance`, `presses`, `screen` | the screens, and the presses to try on them | `atlas` |
//! | [`rules`] | settings and invariants of random sessions | `fuzz` |
//! | `view` | the elements of a view | `why`, `atlas` |

mod appearance;
mod comments;
mod machine;
mod presses;
pub mod rules;
mod screen;
mod view;

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;
use firmware_core::lcd::PANEL;
use hal_mock::setup::SetupError;
use ili9341_model::Frame;
use insight::{
    Circumstances, ConsoleComments, ConsoleWords, Fault, Interior, Invariants, OpenMachine, Screen,
    Screens, SessionRules, Step, View,
};
use reading::text::{Reader, ScreenText};
use trace::{Button, Buttons, HeaderEntry, Trace};
use virtual_time::Random;

use crate::comments::GameComments;
use crate::machine::OpenNative;
use crate::rules::GameInvariants;
use crate::view::LcdView;

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

impl Screens for LcdBoard {
    fn panel(&self) -> Size {
        PANEL
    }

    fn new_board(&self) -> Vec<HeaderEntry> {
        vec![HeaderEntry::new("introduction", "on")]
    }

    fn shape(&self, view: &dyn View) -> Option<String> {
        screen::shape(LcdView::of(view)?)
    }

    fn screen(&self, view: &dyn View, text: &ScreenText) -> Screen {
        screen::screen(own(view), text)
    }

    fn is_home(&self, screen: &Screen) -> bool {
        screen.kind == screen::BOARD
    }

    fn steps(&self, screen: &Screen) -> Vec<Step> {
        presses::steps(screen)
    }

    fn games(&self, screen: &Screen, phase: &str) -> Vec<Vec<Step>> {
        presses::games(screen, phase)
    }

    fn circumstances(&self, console: &[String]) -> Circumstances {
        presses::circumstances(console)
    }

    fn drawn(&self, view: &dyn View, size: Size) -> Frame {
        appearance::drawn(own(view), size)
    }

    fn faults(&self, view: &dyn View, size: Size, reader: &Reader) -> Vec<Fault<String>> {
        let view = own(view);
        let faults = appearance::faults(view, size, reader).into_iter();
        faults.map(|fault| appearance::named(view, fault)).collect()
    }

    fn faint_areas(&self, view: &dyn View, size: Size) -> Vec<Rectangle> {
        appearance::faint_areas(own(view), size)
    }
}

/// Returns `view` as a view of this firmware; the dark LCD if it is that of another one.
fn own(view: &dyn View) -> &firmware_core::screen::View {
    LcdView::of(view).unwrap_or(&firmware_core::screen::View::Off)
}
