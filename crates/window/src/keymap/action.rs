//! What keys do.

use hal_mock::Button;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyAction {
    /// Presses a button of the board while it is held.
    Press(Button),
    /// Stops virtual time, or lets it run on.
    Pause,
    /// Runs until the next complete frame, then pauses.
    SingleFrame,
    /// Takes the board's power away for a moment.
    PowerCycle,
    /// Turns the sound off, or on again.
    Mute,
    /// Presses the two buttons that take back a move.
    Undo,
    /// Presses the two buttons that ask for a move.
    Help,
}

impl KeyAction {
    /// How many there are.
    pub const COUNT: usize = Button::COUNT + 6;

    /// All of them: the buttons in pin order, then the controls.
    pub fn all() -> impl Iterator<Item = Self> {
        let controls =
            [Self::Pause, Self::SingleFrame, Self::PowerCycle, Self::Mute, Self::Undo, Self::Help];
        Button::ALL.into_iter().map(Self::Press).chain(controls)
    }

    /// The name in a key map: `B1`…`T6`, `RESET`, `PAUSE`, `FRAME`, `POWER`, `MUTE`,
    /// `UNDO`, `HELP`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Press(button) => button.name(),
            Self::Pause => "PAUSE",
            Self::SingleFrame => "FRAME",
            Self::PowerCycle => "POWER",
            Self::Mute => "MUTE",
            Self::Undo => "UNDO",
            Self::Help => "HELP",
        }
    }

    /// The action of that name, case ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Press(button) => button.index(),
            Self::Pause => Button::COUNT,
            Self::SingleFrame => Button::COUNT + 1,
            Self::PowerCycle => Button::COUNT + 2,
            Self::Mute => Button::COUNT + 3,
            Self::Undo => Button::COUNT + 4,
            Self::Help => Button::COUNT + 5,
        }
    }
}
