//! The parts that the steps of a scenario name, on the board that runs its trace.

use std::collections::BTreeMap;

use trace::{BoardParts, Button, Control, Led};

use crate::signal::Signal;
use crate::wiring::Wiring;

/// The parts of a board that was imported from a diagram.
#[derive(Clone, Copy, Debug)]
pub struct DiagramParts<'a> {
    pub parts: &'a BoardParts,
    /// Names on the board of the diagram's parts (`btn1`), and of pins of them: push buttons
    /// (`enc1:SW`), and the pins by which LEDs are driven (`led1:A`).
    pub names: &'a BTreeMap<String, String>,
}

/// The parts that a scenario can name.
#[derive(Clone, Copy, Debug)]
pub(super) enum KnownParts<'a> {
    /// The buttons of the LCD board, by a map.
    Mapped(&'a Wiring),
    OfDiagram(DiagramParts<'a>),
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Button(Button),
    Control(Control),
    Led(Led),
}

impl KnownParts<'_> {
    /// Returns the part with this id in the diagram.
    pub(super) fn find(self, id: &str) -> Option<Part> {
        match self {
            Self::Mapped(wiring) => match wiring.signal(id) {
                Some(Signal::Button(button)) => Some(Part::Button(button)),
                _ => None,
            },
            Self::OfDiagram(DiagramParts { parts, names }) => {
                let name = names.get(id)?;
                let button = parts.buttons.named(name).map(Part::Button);
                let control = || parts.controls.named(name).map(Part::Control);
                let led = || parts.leds.named(name).map(Part::Led);
                button.or_else(control).or_else(led)
            }
        }
    }

    /// Returns the button of a part: the part itself, or the push button of an encoder or joystick.
    pub(super) fn button(self, id: &str) -> Option<Button> {
        let found = [String::new(), ":SW".to_owned(), ":SEL".to_owned()].into_iter();
        let mut buttons = found.filter_map(|pin| match self.find(&format!("{id}{pin}")) {
            Some(Part::Button(button)) => Some(button),
            _ => None,
        });
        buttons.next()
    }
}
