//! The states of the parts that the face draws, from an update of the session.

use std::sync::Arc;

use hal_mock::board::Position;
use live::{ControlReading, PartReadings};
use trace::{ControlKind, LedState, Share};

use crate::face::{PartState, PartStates};

/// Returns the states of the parts.
pub(super) fn states_of(readings: &PartReadings) -> PartStates {
    let mut states = PartStates::default();
    for (name, lights) in &readings.leds {
        states.set(name, light(lights));
    }
    for ControlReading { control, position, .. } in &readings.controls {
        let state = match *position {
            Position::Edges(edges) => PartState::Edges(edges),
            Position::Switch(on) => PartState::On(on),
            Position::Axes(x, y) if control.kind() == ControlKind::Joystick => {
                PartState::Tilted(thousandths(x), thousandths(y))
            }
            Position::Axes(x, _) => PartState::Turned(thousandths(x)),
            // The display is the part that a finger touches.
            Position::Touch(_) => continue,
        };
        states.set(control.name(), state);
    }
    for (name, frame) in &readings.displays {
        states.set(name, PartState::Shows(Arc::clone(frame)));
    }
    states
}

/// Returns the state of an LED of one colour, of an RGB LED, or of a chain.
fn light(lights: &[LedState]) -> PartState {
    if let [LedState::Level(share)] = lights {
        return PartState::Dimmed(thousandths(*share));
    }
    let colours = lights.iter().map(|light| match *light {
        LedState::Colour([red, green, blue, white]) => {
            let [red, green, blue] = [red, green, blue].map(|part| part.saturating_add(white));
            u32::from_be_bytes([0, red, green, blue])
        }
        LedState::Level(share) if share == Share::ZERO => 0,
        LedState::Level(_) => 0x00FF_FFFF,
    });
    PartState::Lit(colours.collect())
}

fn thousandths(share: Share) -> u16 {
    share.ten_thousandths() / 10
}

#[cfg(test)]
mod tests {
    use ili9341_model::Frame;
    use trace::{Control, Controls};

    use super::*;

    #[test]
    fn each_reading_has_a_state_of_its_kind() {
        let half = Share::from_percent(50);
        let red = LedState::Colour([255, 0, 0, 0]);
        let white = LedState::Colour([0, 0, 250, 20]);
        let controls = Controls::new([
            (ControlKind::Encoder, "DIAL"),
            (ControlKind::Switch, "MODE"),
            (ControlKind::Potentiometer, "LEVEL"),
            (ControlKind::Joystick, "STICK"),
        ]);
        let positions = [
            Position::Edges(-4),
            Position::Switch(true),
            Position::Axes(half, Share::ZERO),
            Position::Axes(Share::WHOLE, half),
        ];
        let frame = Arc::new(Frame::filled(2, 1, 0x00FF_0000));
        let reading = |(control, position): (&Control, Position)| ControlReading {
            control: *control,
            position,
            rest: position,
        };
        let readings = PartReadings {
            leds: vec![
                ("STATUS", vec![LedState::Level(half)]),
                ("MOOD", vec![red]),
                ("STRIP", vec![white, red]),
            ],
            controls: controls.unwrap().all().iter().zip(positions).map(reading).collect(),
            displays: vec![("TOP", Arc::clone(&frame))],
        };
        let states = states_of(&readings);
        for (name, state) in [
            ("STATUS", PartState::Dimmed(500)),
            ("MOOD", PartState::Lit(vec![0xFF_0000])),
            ("STRIP", PartState::Lit(vec![0x14_14FF, 0xFF_0000])),
            ("DIAL", PartState::Edges(-4)),
            ("MODE", PartState::On(true)),
            ("LEVEL", PartState::Turned(500)),
            ("STICK", PartState::Tilted(1_000, 500)),
            ("TOP", PartState::Shows(Arc::clone(&frame))),
            ("OTHER", PartState::Unknown),
        ] {
            assert_eq!(*states.of(name), state, "{name}");
        }
    }
}
