//! The screens of a firmware: which views are the same screen to a person, how they are drawn on any
//! panel, and the presses to try on them.

use core::fmt;

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;
use ili9341_model::Frame;
use reading::text::{Reader, ScreenText};
use trace::HeaderEntry;

use crate::interior::Interior;
use crate::step::Step;
use crate::view::View;

/// A screen: views that are the same to a person.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Screen {
    /// Name of the system whose words the screen uses; empty if there are none.
    pub system: &'static str,
    /// Kind of the screen: `menu File`, `question`.
    pub kind: String,
    /// Text from the LCD that distinguishes the screen from others of its kind.
    pub text: String,
}

impl fmt::Display for Screen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}): {}", self.kind, self.system, self.text)
    }
}

/// A fault of a part `E` of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault<E> {
    /// The part's text is longer than its area.
    Clipped {
        part: E,
        /// The whole line of text.
        text: String,
    },
    /// Some of the part is off the panel.
    OtherBoard(E),
    /// Two parts overlap.
    Overlap(E, E),
    /// Nothing is drawn on some pixels.
    Bare,
}

/// State that decides the effect of presses but is not on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Phase of the firmware's work. Each screen is tried in every phase.
    pub phase: String,
    /// Other circumstances. Each screen is tried in only a few of them.
    pub stored: String,
}

/// The screens of a firmware whose views are known. The methods get its own views only.
pub trait Screens: Interior {
    /// Returns the size of the LCD.
    fn panel(&self) -> Size;

    /// Returns the settings of a factory-new board as header entries, without the seed.
    fn new_board(&self) -> Vec<HeaderEntry>;

    /// Returns everything in `view` that [`screen`](Self::screen) uses: views with the same shape are
    /// the same screen. Returns `None` for a view that is not recorded as a screen.
    fn shape(&self, view: &dyn View) -> Option<String>;

    /// Returns the screen of `view`, whose text on the LCD is `text`.
    fn screen(&self, view: &dyn View, text: &ScreenText) -> Screen;

    /// Returns whether a path to this screen leads out of any other.
    fn is_home(&self, screen: &Screen) -> bool;

    /// Returns the steps to try on a screen.
    fn steps(&self, screen: &Screen) -> Vec<Step>;

    /// Returns long series of presses to try on a screen in that phase.
    fn games(&self, screen: &Screen, phase: &str) -> Vec<Vec<Step>>;

    /// Returns the circumstances after these lines of the console.
    fn circumstances(&self, console: &[String]) -> Circumstances;

    /// Draws `view` on a panel of `size`, as the firmware would without a driver. It may panic on a
    /// panel that is too small.
    fn drawn(&self, view: &dyn View, size: Size) -> Frame;

    /// Returns the faults in the parts of `view` on a panel of `size`, with the names of the parts. It
    /// may panic on a panel that is too small.
    fn faults(&self, view: &dyn View, size: Size, reader: &Reader) -> Vec<Fault<String>>;

    /// Returns the areas of words that need not be read at a glance on a panel of `size`, such as
    /// entries that cannot be chosen now.
    fn faint_areas(&self, view: &dyn View, size: Size) -> Vec<Rectangle>;
}
