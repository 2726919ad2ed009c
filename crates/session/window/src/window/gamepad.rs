//! Maps the buttons of gamepads to those of the board. The left hand has the left columns, the
//! right hand the right ones.

use sdl2::GameControllerSubsystem;
use sdl2::controller::{Button as Pad, GameController};
use trace::Button;

use live::keymap::{Control, KeyAction};

/// Maximum number of gamepads.
const GAMEPADS_MAX: usize = 8;

/// The connected gamepads.
#[derive(Default)]
pub(super) struct Gamepads {
    /// `None` if SDL has no gamepads.
    subsystem: Option<GameControllerSubsystem>,
    opened: Vec<GameController>,
}

impl Gamepads {
    /// Opens the connected gamepads, and listens for others.
    pub(super) fn new(sdl: &sdl2::Sdl) -> Self {
        Self { subsystem: sdl.game_controller().ok(), opened: Vec::new() }
    }

    /// Opens the gamepad with the device index `index`. If it cannot be opened, its buttons are
    /// ignored.
    pub(super) fn open(&mut self, index: u32) {
        if self.opened.len() < GAMEPADS_MAX
            && let Some(Ok(pad)) = self.subsystem.as_ref().map(|subsystem| subsystem.open(index))
        {
            self.opened.push(pad);
        }
    }

    /// Closes the gamepad with the instance ID `instance`.
    pub(super) fn close(&mut self, instance: u32) {
        self.opened.retain(|pad| pad.instance_id() != instance);
    }
}

/// Returns the action of a gamepad's button.
pub(super) fn action(pad: Pad) -> Option<KeyAction> {
    let button = match pad {
        Pad::DPadLeft => Button::B1,
        Pad::DPadDown => Button::B2,
        Pad::DPadRight => Button::B3,
        Pad::X => Button::B4,
        Pad::A => Button::B5,
        Pad::B => Button::B6,
        Pad::LeftShoulder => Button::T1,
        Pad::DPadUp => Button::T2,
        Pad::LeftStick => Button::T3,
        Pad::RightStick => Button::T4,
        Pad::Y => Button::T5,
        Pad::RightShoulder => Button::T6,
        Pad::Start => Button::Reset,
        Pad::Back => return Some(KeyAction::Control(Control::Pause)),
        _ => return None,
    };
    Some(KeyAction::Press(button))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_of_the_board_is_on_a_gamepad_once() {
        let pads = (0..21).filter_map(|at| {
            let name = [
                "a",
                "b",
                "x",
                "y",
                "back",
                "guide",
                "start",
                "leftstick",
                "rightstick",
                "leftshoulder",
                "rightshoulder",
                "dpup",
                "dpdown",
                "dpleft",
                "dpright",
            ];
            name.get(at).and_then(|name| Pad::from_string(name))
        });
        let mut found: Vec<_> = pads.filter_map(action).collect();
        for button in Button::ALL {
            let before = found.len();
            found.retain(|action| *action != KeyAction::Press(button));
            assert_eq!(before - found.len(), 1, "{button}");
        }
        assert_eq!(found, [KeyAction::Control(Control::Pause)]);
    }
}
