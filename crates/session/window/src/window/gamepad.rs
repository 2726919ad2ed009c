//! Maps the buttons of gamepads to those of the board. On the LCD board the left hand has the left
//! columns, the right hand the right ones. On another board a button has the place of its name on a
//! gamepad, and the others follow in the order of the board.

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

/// Buttons of a gamepad, in the order in which they are given to the board's buttons that have no
/// name of a gamepad, and the names of the buttons that they are.
const NAMES: [(Pad, &[&str]); 12] = [
    (Pad::A, &["A", "OK", "ENTER", "FIRE"]),
    (Pad::B, &["B", "BACK", "CANCEL"]),
    (Pad::X, &["X"]),
    (Pad::Y, &["Y"]),
    (Pad::LeftShoulder, &["L", "L1"]),
    (Pad::RightShoulder, &["R", "R1"]),
    (Pad::Start, &["START", "MENU", "RESET"]),
    (Pad::LeftStick, &["SELECT"]),
    (Pad::DPadUp, &["UP"]),
    (Pad::DPadDown, &["DOWN"]),
    (Pad::DPadLeft, &["LEFT"]),
    (Pad::DPadRight, &["RIGHT"]),
];

/// The buttons of a gamepad that press a button of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PadMap(Vec<(Pad, Button)>);

impl PadMap {
    /// Returns the map of a board with these buttons.
    pub(super) fn of(buttons: &[Button]) -> Self {
        if buttons.iter().map(|button| button.name()).eq(Button::LCD_BOARD.map(Button::name)) {
            return Self(LCD_BOARD.into());
        }
        let pad_named = |button: &Button| {
            let is_it = |name: &&str| name.eq_ignore_ascii_case(button.name());
            NAMES.into_iter().find(|(_, names)| names.iter().any(&is_it))
        };
        let mut map: Vec<(Pad, Button)> = Vec::new();
        let mut others = Vec::new();
        for button in buttons {
            match pad_named(button) {
                Some((pad, _)) if map.iter().all(|(taken, _)| *taken != pad) => {
                    map.push((pad, *button));
                }
                _ => others.push(*button),
            }
        }
        for button in others {
            let mut pads = NAMES.into_iter().map(|(pad, _)| pad);
            let Some(pad) = pads.find(|pad| map.iter().all(|(taken, _)| taken != pad)) else {
                break;
            };
            map.push((pad, button));
        }
        Self(map)
    }

    /// Returns the action of a gamepad's button.
    pub(super) fn action(&self, pad: Pad) -> Option<KeyAction> {
        if pad == Pad::Back {
            return Some(KeyAction::Control(Control::Pause));
        }
        let (_, button) = self.0.iter().find(|(own, _)| *own == pad)?;
        Some(KeyAction::Press(*button))
    }
}

const LCD_BOARD: [(Pad, Button); Button::LCD_BOARD.len()] = [
    (Pad::DPadLeft, Button::B1),
    (Pad::DPadDown, Button::B2),
    (Pad::DPadRight, Button::B3),
    (Pad::X, Button::B4),
    (Pad::A, Button::B5),
    (Pad::B, Button::B6),
    (Pad::LeftShoulder, Button::T1),
    (Pad::DPadUp, Button::T2),
    (Pad::LeftStick, Button::T3),
    (Pad::RightStick, Button::T4),
    (Pad::Y, Button::T5),
    (Pad::RightShoulder, Button::T6),
    (Pad::Start, Button::Reset),
];

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
        let map = PadMap::of(&Button::LCD_BOARD);
        let mut found: Vec<_> = pads.filter_map(|pad| map.action(pad)).collect();
        for button in Button::LCD_BOARD {
            let before = found.len();
            found.retain(|action| *action != KeyAction::Press(button));
            assert_eq!(before - found.len(), 1, "{button}");
        }
        assert_eq!(found, [KeyAction::Control(Control::Pause)]);
    }

    #[test]
    fn a_button_of_another_board_has_the_place_of_its_name() {
        let buttons = trace::Buttons::new(["JUMP", "UP", "b", "SPIN", "left"]).unwrap();
        let map = PadMap::of(buttons.all());
        let name = |pad| match map.action(pad) {
            Some(KeyAction::Press(button)) => button.name(),
            _ => "",
        };
        let pads = [Pad::A, Pad::B, Pad::X, Pad::DPadUp, Pad::DPadLeft, Pad::DPadRight];
        assert_eq!(pads.map(name), ["JUMP", "b", "SPIN", "UP", "left", ""]);
        // More buttons than a gamepad has.
        let names: Vec<String> = (0..13).map(|at| format!("K{at}")).collect();
        let buttons = trace::Buttons::new(names.iter().map(String::as_str)).unwrap();
        assert_eq!(PadMap::of(buttons.all()).0.len(), NAMES.len());
    }
}
