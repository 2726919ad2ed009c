//! The parts of a board that the lines of a trace name.

use ili9341_model::frame::Region;

use crate::button::Buttons;
use crate::control::Controls;
use crate::display::Displays;
use crate::led::Leds;

/// The parts of a board that the lines of a trace name: its buttons, controls, LEDs and displays,
/// and the panel that regions are on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardParts {
    pub buttons: Buttons,
    /// Encoders, switches, joysticks, potentiometers and touch panels.
    pub controls: Controls,
    pub leds: Leds,
    pub displays: Displays,
    /// The whole panel of the first display.
    pub panel: Region,
}

impl BoardParts {
    /// Returns the parts of the LCD board.
    pub fn lcd_board() -> Self {
        Self {
            buttons: Buttons::lcd_board(),
            controls: Controls::default(),
            leds: Leds::default(),
            displays: Displays::lcd_board(),
            panel: Region::PANEL,
        }
    }
}

/// Returns the parts of the LCD board.
impl Default for BoardParts {
    fn default() -> Self {
        Self::lcd_board()
    }
}
