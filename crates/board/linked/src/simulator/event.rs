//! Buttons as keys, and a touch panel as a mouse.

use board_file::BoardFile;
use embedded_graphics::geometry::Point;
use embedded_hal::digital::InputPin as _;
use hal_mock::board::Position;

use super::keycode::{Keycode, MouseButton};
use crate::context;
use crate::pins::{Pins, contact::InputPin};

/// An input of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulatorEvent {
    /// The button with this key in the board file is pressed. A button does not repeat.
    KeyDown { keycode: Keycode, repeat: bool },
    /// The button with this key is released.
    KeyUp { keycode: Keycode, repeat: bool },
    /// A finger touches the panel; always the left button.
    MouseButtonDown { mouse_btn: MouseButton, point: Point },
    /// The finger leaves the panel, where it was last.
    MouseButtonUp { mouse_btn: MouseButton, point: Point },
    /// The finger moves on the panel.
    MouseMove { point: Point },
    /// The window is closed, which a firmware does not notice: does not occur.
    Quit,
}

/// The inputs of a board with their last states.
#[derive(Debug)]
pub(super) struct Inputs {
    buttons: Vec<Button>,
    touch: Option<Touch>,
}

#[derive(Debug)]
struct Button {
    pin: InputPin,
    is_active_low: bool,
    keycode: Keycode,
    is_down: bool,
}

/// A touch panel.
#[derive(Debug)]
struct Touch {
    control: usize,
    finger: Option<Point>,
}

impl Inputs {
    /// Returns the buttons that have a key in the board file, and the touch panel on `display`.
    pub(super) fn new(pins: &Pins, file: &BoardFile, display: usize) -> Self {
        let buttons = file.button.iter().filter_map(|part| {
            let keycode = part.keys.iter().find_map(|key| Keycode::named(key.name))?;
            let is_active_low = part.active == board_file::parts::Level::Low;
            Some(Button {
                pin: pins.button(&part.name.text),
                is_active_low,
                keycode,
                is_down: false,
            })
        });
        let touch = file.touch.iter().find(|part| file.touched_display(part) == Some(display));
        let touch = touch.map(|part| Touch { control: pins.control(part.name()), finger: None });
        Self { buttons: buttons.collect(), touch }
    }

    /// Reads the inputs, and returns what has changed.
    pub(super) fn changes(&mut self) -> Vec<SimulatorEvent> {
        let mut events = Vec::new();
        for button in &mut self.buttons {
            let Ok(is_low) = button.pin.is_low();
            let is_down = is_low == button.is_active_low;
            if is_down == button.is_down {
                continue;
            }
            button.is_down = is_down;
            let keycode = button.keycode;
            events.push(match is_down {
                true => SimulatorEvent::KeyDown { keycode, repeat: false },
                false => SimulatorEvent::KeyUp { keycode, repeat: false },
            });
        }
        if let Some(touch) = &mut self.touch {
            events.extend(touch.change());
        }
        events
    }
}

impl Touch {
    fn change(&mut self) -> Option<SimulatorEvent> {
        let position = context::terminals(|terminals, at| {
            terminals.move_controls(at);
            terminals.position(self.control)
        });
        let finger = match position {
            Some(Position::Touch(finger)) => finger.map(|at| Point::new(at.x.into(), at.y.into())),
            _ => None,
        };
        let mouse_btn = MouseButton::Left;
        match (std::mem::replace(&mut self.finger, finger), finger) {
            (None, Some(point)) => Some(SimulatorEvent::MouseButtonDown { mouse_btn, point }),
            (Some(point), None) => Some(SimulatorEvent::MouseButtonUp { mouse_btn, point }),
            (Some(before), Some(point)) if before != point => {
                Some(SimulatorEvent::MouseMove { point })
            }
            _ => None,
        }
    }
}
