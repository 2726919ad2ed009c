//! States of encoders, switches, joysticks and potentiometers: as text, and in the hand of the
//! mouse.

use hal_mock::board::Position;
use live::ControlReading;
use trace::{Control, ControlKind, Share};

/// A joystick or a touch panel that the mouse holds.
#[derive(Clone, Copy, Debug)]
pub struct HeldStick {
    pub control: Control,
    /// The cell in which the mouse was pressed.
    pub from: (u16, u16),
}

/// Returns the position of a control as text.
pub fn position_text(position: Position, kind: ControlKind) -> String {
    let percent = |share: Share| share.ten_thousandths() / 100;
    match position {
        Position::Edges(edges) => edges.to_string(),
        Position::Switch(on) => if on { "on" } else { "off" }.to_owned(),
        Position::Axes(x, y) if kind == ControlKind::Joystick => {
            format!("{},{}", percent(x), percent(y))
        }
        Position::Axes(x, _) => format!("{}%", percent(x)),
        Position::Touch(Some(at)) => at.to_string(),
        Position::Touch(None) => "-".to_owned(),
    }
}

/// Returns whether a control is drawn as active: a switch that is on, a joystick that is not at
/// rest.
pub fn is_active(reading: &ControlReading) -> bool {
    match reading.control.kind() {
        ControlKind::Switch => reading.position == Position::Switch(true),
        ControlKind::Joystick | ControlKind::Touch(_) => reading.position != reading.rest,
        ControlKind::Encoder | ControlKind::Potentiometer => false,
    }
}
