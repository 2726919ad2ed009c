//! States of the parts that are no buttons: LEDs, switches, knobs, further displays.

use std::collections::BTreeMap;
use std::sync::Arc;

use ili9341_model::Frame;

/// State of a part, as the face draws it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PartState {
    /// The state is unknown: the part is drawn inactive.
    #[default]
    Unknown,
    /// Colour of the light of each LED, `0x00RRGGBB`; 0 is off.
    Lit(Vec<u32>),
    /// Position of a switch.
    On(bool),
    /// Brightness of an LED of one colour, in thousandths.
    Dimmed(u16),
    /// Number of edges of a knob, clockwise from the beginning.
    Edges(i64),
    /// Position of a slider, in thousandths of its range.
    Turned(u16),
    /// Position of a joystick from the left and from the bottom, in thousandths of its range.
    Tilted(u16, u16),
    /// Frame of a display.
    Shows(Arc<Frame>),
}

/// States of the parts by their names. The state of a part without an entry is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartStates(BTreeMap<String, PartState>);

impl PartStates {
    /// Sets the state of the part with that name.
    pub fn set(&mut self, name: &str, state: PartState) {
        self.0.insert(name.to_owned(), state);
    }

    /// Returns the state of the part with that name.
    pub fn of(&self, name: &str) -> &PartState {
        self.0.get(name).unwrap_or(&PartState::Unknown)
    }
}
