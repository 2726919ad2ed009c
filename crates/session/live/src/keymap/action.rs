//! What keys do.

use trace::Button;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyAction {
    /// Presses a button of the board while it is held.
    Press(Button),
    /// Does something to the session or to the window.
    Control(Control),
}

/// What a key does that is no button of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
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
    /// Shows what every key does.
    Keys,
    /// Shows the panel without the board, or with it again.
    Bare,
    /// Shows the console's pane, or hides it.
    Console,
    /// Light surroundings, or dark ones.
    Theme,
    /// Saves what the LCD shows as a PNG file.
    Picture,
    /// Saves the last seconds as a GIF file.
    Film,
    /// Copies the LCD's text.
    Text,
    /// Opens the session in the studio's page.
    Studio,
    /// Shows what the last build has brought: its errors, or both firmwares side by side.
    Change,
    /// Fills the screen, or not.
    FullScreen,
    /// Goes back in time.
    Back,
    /// Goes forward again.
    Forward,
    /// Returns to the present.
    Now,
    /// Lets virtual time run faster.
    Faster,
    /// Lets virtual time run slower.
    Slower,
}

/// A control, its name in a key map, the name of its default key, and what it does.
type Row = (Control, &'static str, &'static str, &'static str);

/// All controls, in the order of the list that F1 shows.
const CONTROLS: [Row; 21] = [
    (Control::Keys, "KEYS", "F1", "this list"),
    (Control::Bare, "BARE", "F2", "the bare panel, at a whole-number scale"),
    (Control::Console, "CONSOLE", "F3", "console, tone, contacts, bytes of a frame"),
    (Control::Theme, "THEME", "F4", "light or dark"),
    (Control::PowerCycle, "POWER", "F5", "power off and on; revives stopped firmware"),
    (Control::Picture, "PICTURE", "F6", "save the LCD as PNG"),
    (Control::Film, "FILM", "F7", "save the last 10 s as GIF"),
    (Control::Text, "TEXT", "F8", "copy the LCD's text"),
    (Control::Studio, "STUDIO", "F9", "open this session in the studio"),
    (Control::Change, "CHANGE", "D", "old and new firmware (--watch)"),
    (Control::FullScreen, "FULLSCREEN", "F11", "full screen"),
    (Control::Pause, "PAUSE", "P", "pause, or go on"),
    (Control::SingleFrame, "FRAME", ".", "to the next frame"),
    (Control::Back, "BACK", "Left", "back in time; with Shift frame by frame"),
    (Control::Forward, "FORWARD", "Right", "forward again; with Shift frame by frame"),
    (Control::Now, "NOW", "End", "return to the present"),
    (Control::Faster, "FASTER", "Up", "faster, up to 100 times"),
    (Control::Slower, "SLOWER", "Down", "slower, down to 1/100"),
    (Control::Mute, "MUTE", "M", "sound off, or on"),
    (Control::Undo, "UNDO", "U", "take back a move (RESET and T6)"),
    (Control::Help, "HELP", "H", "ask for a move (RESET and T5)"),
];

impl Control {
    /// All of them, in the order of the list that F1 shows.
    pub fn all() -> impl Iterator<Item = Self> {
        CONTROLS.iter().map(|(control, ..)| *control)
    }

    /// What it does, in a few words.
    pub fn what(self) -> &'static str {
        self.row().3
    }

    fn index(self) -> usize {
        CONTROLS.iter().position(|(control, ..)| *control == self).unwrap_or(0)
    }

    fn row(self) -> &'static Row {
        &CONTROLS[self.index()]
    }
}

impl KeyAction {
    /// How many there are.
    pub const COUNT: usize = Button::COUNT + CONTROLS.len();

    /// All of them: the buttons in pin order, then the controls.
    pub fn all() -> impl Iterator<Item = Self> {
        Button::ALL.into_iter().map(Self::Press).chain(Control::all().map(Self::Control))
    }

    /// The name in a key map: `B1`…`T6`, `RESET`, and `PAUSE`, `FRAME`, `POWER`… of the controls.
    pub fn name(self) -> &'static str {
        match self {
            Self::Press(button) => button.name(),
            Self::Control(control) => control.row().1,
        }
    }

    /// The action of that name, case ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    /// The name of its default key.
    pub(super) fn default_key(self) -> &'static str {
        const BUTTONS: [&str; Button::COUNT] =
            ["Z", "X", "C", "V", "B", "N", "Q", "W", "E", "R", "T", "Y", "Space"];
        match self {
            Self::Press(button) => BUTTONS[button.index()],
            Self::Control(control) => control.row().2,
        }
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Press(button) => button.index(),
            Self::Control(control) => Button::COUNT + control.index(),
        }
    }
}
