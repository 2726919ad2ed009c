//! Actions of keys.

use std::borrow::Cow;

use trace::{Button, Control as BoardControl};

use super::control_move::ControlMove;

/// Action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyAction {
    /// Presses a button of the board while it is held.
    Press(Button),
    /// Moves an encoder, a switch, a joystick or a potentiometer of the board.
    Move(BoardControl, ControlMove),
    /// Does something to the session or to the window.
    Control(Control),
}

/// Action of a key other than a press of a button of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Pauses virtual time, or resumes it.
    Pause,
    /// Runs until the next complete frame, then pauses.
    SingleFrame,
    /// Switches the board's power off briefly.
    PowerCycle,
    /// Mutes the sound, or unmutes it.
    Mute,
    /// Makes the sound louder.
    Louder,
    /// Makes the sound quieter.
    Quieter,
    /// Presses the two buttons that undo a move.
    Undo,
    /// Presses the two buttons that request a hint for a move.
    Help,
    /// Holds RESET down, or releases it.
    HoldReset,
    /// Shows the actions of all keys.
    Keys,
    /// Gives an action another key.
    Remap,
    /// Shows the panel without the board, or shows the board again.
    Bare,
    /// Shows the console's pane, or hides it.
    Console,
    /// Begins to type on the board's console.
    Type,
    /// Switches between dark and light surroundings.
    Theme,
    /// Saves what the LCD shows as a PNG file.
    Picture,
    /// Saves the last seconds as a GIF file.
    Film,
    /// Copies the LCD's text.
    Text,
    /// Opens the session in the studio's page.
    Studio,
    /// Shows the result of the last build: its errors, or both firmwares side by side.
    Change,
    /// Switches full screen on or off.
    FullScreen,
    /// Goes back in time.
    Back,
    /// Goes forward again.
    Forward,
    /// Goes back to the press before.
    PreviousPress,
    /// Goes forward to the next press.
    NextPress,
    /// Returns to the present.
    Now,
    /// Shows the list of branches.
    Branches,
    /// Shows the list of recent sessions.
    Recent,
    /// Increases the speed of virtual time.
    Faster,
    /// Decreases the speed of virtual time.
    Slower,
    /// Runs virtual time several times as fast while it is held.
    FastForward,
}

/// A control, its name in a key map, the name of its default key, and a description.
type Row = (Control, &'static str, &'static str, &'static str);

/// All controls, in the order of the list that F1 shows.
const CONTROLS: [Row; 31] = [
    (Control::Keys, "KEYS", "F1", "this list"),
    (Control::Bare, "BARE", "F2", "the bare panel, at a whole-number scale"),
    (Control::Console, "CONSOLE", "F3", "console, tone, contacts, bytes of a frame"),
    (Control::Type, "TYPE", "I", "type on the console; Escape ends it"),
    (Control::Theme, "THEME", "F4", "light or dark"),
    (Control::PowerCycle, "POWER", "F5", "power off and on; revives stopped firmware"),
    (Control::Picture, "PICTURE", "F6", "save the LCD as PNG"),
    (Control::Film, "FILM", "F7", "save the last 10 s as GIF"),
    (Control::Text, "TEXT", "F8", "copy the LCD's text"),
    (Control::Studio, "STUDIO", "F9", "open this session in the studio"),
    (Control::Change, "CHANGE", "D", "the last crash, or old and new firmware"),
    (Control::Remap, "REMAP", "F10", "give a button or an action another key"),
    (Control::FullScreen, "FULLSCREEN", "F11", "full screen"),
    (Control::Pause, "PAUSE", "P", "pause, or go on; in the past, play it"),
    (Control::SingleFrame, "FRAME", ".", "to the next frame"),
    (Control::Back, "BACK", "Left", "back in time; with Shift frame by frame"),
    (Control::Forward, "FORWARD", "Right", "forward again; with Shift frame by frame"),
    (Control::PreviousPress, "PREVIOUS", "PageUp", "back to the press before"),
    (Control::NextPress, "NEXT", "PageDown", "forward to the next press"),
    (Control::Branches, "BRANCHES", "L", "list of branches, to go back to one"),
    (Control::Recent, "RECENT", "O", "list of recent sessions, to open one"),
    (Control::Now, "NOW", "End", "return to the present"),
    (Control::Faster, "FASTER", "Up", "faster, up to 100 times"),
    (Control::Slower, "SLOWER", "Down", "slower, down to 1/100"),
    (Control::FastForward, "FASTFORWARD", "F", "10 times as fast while it is held"),
    (Control::Mute, "MUTE", "M", "sound off, or on"),
    (Control::Louder, "LOUDER", "=", "louder"),
    (Control::Quieter, "QUIETER", "-", "quieter"),
    (Control::Undo, "UNDO", "U", "take back a move (RESET and T6)"),
    (Control::Help, "HELP", "H", "ask for a move (RESET and T5)"),
    (Control::HoldReset, "HOLDRESET", "K", "hold RESET down, or release it"),
];

impl Control {
    /// Returns all controls, in the order of the list that F1 shows.
    pub fn all() -> impl Iterator<Item = Self> {
        CONTROLS.iter().map(|(control, ..)| *control)
    }

    /// Returns a description in a few words.
    pub fn what(self) -> &'static str {
        self.row().3
    }

    /// Returns whether the control needs the firmware of the LCD board: it presses RESET, alone or
    /// with another button.
    pub fn needs_reset(self) -> bool {
        matches!(self, Self::Undo | Self::Help | Self::HoldReset)
    }

    fn index(self) -> usize {
        CONTROLS.iter().position(|(control, ..)| *control == self).unwrap_or(0)
    }

    fn row(self) -> &'static Row {
        &CONTROLS[self.index()]
    }
}

impl KeyAction {
    /// Returns all actions of the LCD board: the buttons in pin order, then the controls.
    pub fn all() -> impl Iterator<Item = Self> {
        Button::LCD_BOARD.into_iter().map(Self::Press).chain(Control::all().map(Self::Control))
    }

    /// Returns the name in a key map: `B1`…`T6` and `RESET` for buttons, `DIAL.CW` or `MODE` for
    /// movements of a board's controls, `PAUSE`, `FRAME`, `POWER`… for controls of the window.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Press(button) => button.name().into(),
            Self::Move(control, by) => match by.suffix() {
                "" => control.name().into(),
                suffix => format!("{}{suffix}", control.name()).into(),
            },
            Self::Control(control) => control.row().1.into(),
        }
    }

    /// Returns the name of the default key; that of a button is the first that the LCD board's file
    /// suggests. Empty if it suggests none.
    pub(super) fn default_key(self) -> &'static str {
        match self {
            Self::Press(button) => {
                let mut buttons = board_file::lcd_board().button.iter();
                let described = buttons.find(|described| described.name.text == button.name());
                described.and_then(|described| described.keys.first()).map_or("", |key| key.name)
            }
            Self::Move(..) => "",
            Self::Control(control) => control.row().2,
        }
    }
}
