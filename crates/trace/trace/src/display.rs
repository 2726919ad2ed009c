//! The displays of a board: their names and the panels that regions are on.
//!
//! Lines about a display name it with `on NAME`; without it they are about the first one.

use std::sync::Arc;

use ili9341_model::frame::Region;

use super::button::{ButtonsError, stored};
use super::error::PartError;

/// A display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Display {
    index: u8,
    name: &'static str,
    panel: Region,
}

impl Display {
    /// Returns the number of the display among those of its board, from 0.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the whole panel.
    pub const fn panel(self) -> Region {
        self.panel
    }
}

/// The displays of a board, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displays(Arc<[Display]>);

impl Displays {
    /// Maximum number of displays of a board: that of the parts of a board file.
    pub const MAX: usize = 200;

    /// Returns displays with these names and panels.
    ///
    /// # Errors
    /// If there are more than [`MAX`](Self::MAX), or more names than a process stores.
    pub fn new<'a>(
        parts: impl IntoIterator<Item = (&'a str, Region)>,
    ) -> Result<Self, ButtonsError> {
        let mut displays = Vec::new();
        for (name, panel) in parts {
            let index =
                u8::try_from(displays.len()).ok().filter(|index| usize::from(*index) < Self::MAX);
            let index = index.ok_or(ButtonsError::TooManyNames)?;
            displays.push(Display { index, name: stored(name)?, panel });
        }
        Ok(Self(displays.into()))
    }

    /// Returns the display of the LCD board.
    pub fn lcd_board() -> Self {
        Self(Arc::new([Display { index: 0, name: "LCD", panel: Region::PANEL }]))
    }

    /// Returns the displays in the order of their numbers.
    pub fn all(&self) -> &[Display] {
        &self.0
    }

    /// Returns the names in the order of the displays' numbers.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|display| display.name).collect()
    }

    /// Returns the display of exactly that name.
    ///
    /// # Errors
    /// [`PartError::UnknownDisplay`] with the most similar name, or all names.
    pub fn find(&self, name: &str) -> Result<Display, PartError> {
        self.named(name)
            .ok_or_else(|| PartError::UnknownDisplay { word: name.to_owned(), known: self.names() })
    }

    /// Returns the display of exactly that name, if there is one.
    pub fn named(&self, name: &str) -> Option<Display> {
        self.0.iter().copied().find(|display| display.name == name)
    }

    /// Adds a display that a line names, in place of the one with the same name or number.
    pub(super) fn learn(&mut self, display: Display) {
        if self.named(display.name) == Some(display) {
            return;
        }
        let is_other = |own: &&Display| own.name != display.name && own.index != display.index;
        self.0 = self.0.iter().filter(is_other).copied().chain([display]).collect();
    }
}

/// Returns the display of the LCD board.
impl Default for Displays {
    fn default() -> Self {
        Self::lcd_board()
    }
}
