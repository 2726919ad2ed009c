//! Which physical key presses which button of the board.
//!
//! Keys are positions, not letters: a [`Key`] is a usage of the USB HID keyboard page,
//! which is also SDL's scancode, so the bottom row stays the bottom row on AZERTY and
//! QWERTZ. Key maps for people are text files; `docs/keymap.md` describes them, and
//! [`Keymap::parse`] reads them. This module knows no SDL and no window.

use core::fmt;

use hal_mock::Button;
use hal_mock::trace::did_you_mean;

/// A key by its place on the keyboard: a usage ID of the USB HID keyboard page (HID Usage
/// Tables, section 10), named after what a US keyboard has there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u16);

/// The usage ID of each name. The names are SDL's scancode names.
const NAMED_KEYS: &[(u16, &str)] = &[
    (4, "A"),
    (5, "B"),
    (6, "C"),
    (7, "D"),
    (8, "E"),
    (9, "F"),
    (10, "G"),
    (11, "H"),
    (12, "I"),
    (13, "J"),
    (14, "K"),
    (15, "L"),
    (16, "M"),
    (17, "N"),
    (18, "O"),
    (19, "P"),
    (20, "Q"),
    (21, "R"),
    (22, "S"),
    (23, "T"),
    (24, "U"),
    (25, "V"),
    (26, "W"),
    (27, "X"),
    (28, "Y"),
    (29, "Z"),
    (30, "1"),
    (31, "2"),
    (32, "3"),
    (33, "4"),
    (34, "5"),
    (35, "6"),
    (36, "7"),
    (37, "8"),
    (38, "9"),
    (39, "0"),
    (40, "Return"),
    (41, "Escape"),
    (42, "Backspace"),
    (43, "Tab"),
    (44, "Space"),
    (45, "-"),
    (46, "="),
    (47, "["),
    (48, "]"),
    (49, "\\"),
    (50, "#"),
    (51, ";"),
    (52, "'"),
    (53, "`"),
    (54, ","),
    (55, "."),
    (56, "/"),
    (57, "CapsLock"),
    (58, "F1"),
    (59, "F2"),
    (60, "F3"),
    (61, "F4"),
    (62, "F5"),
    (63, "F6"),
    (64, "F7"),
    (65, "F8"),
    (66, "F9"),
    (67, "F10"),
    (68, "F11"),
    (69, "F12"),
    (70, "PrintScreen"),
    (71, "ScrollLock"),
    (72, "Pause"),
    (73, "Insert"),
    (74, "Home"),
    (75, "PageUp"),
    (76, "Delete"),
    (77, "End"),
    (78, "PageDown"),
    (79, "Right"),
    (80, "Left"),
    (81, "Down"),
    (82, "Up"),
    (83, "Numlock"),
    (84, "Keypad /"),
    (85, "Keypad *"),
    (86, "Keypad -"),
    (87, "Keypad +"),
    (88, "Keypad Enter"),
    (89, "Keypad 1"),
    (90, "Keypad 2"),
    (91, "Keypad 3"),
    (92, "Keypad 4"),
    (93, "Keypad 5"),
    (94, "Keypad 6"),
    (95, "Keypad 7"),
    (96, "Keypad 8"),
    (97, "Keypad 9"),
    (98, "Keypad 0"),
    (99, "Keypad ."),
    (101, "Application"),
    (103, "Keypad ="),
    (104, "F13"),
    (105, "F14"),
    (106, "F15"),
    (107, "F16"),
    (108, "F17"),
    (109, "F18"),
    (110, "F19"),
    (111, "F20"),
    (112, "F21"),
    (113, "F22"),
    (114, "F23"),
    (115, "F24"),
    (224, "Left Ctrl"),
    (225, "Left Shift"),
    (226, "Left Alt"),
    (227, "Left GUI"),
    (228, "Right Ctrl"),
    (229, "Right Shift"),
    (230, "Right Alt"),
    (231, "Right GUI"),
];

impl Key {
    /// The key of that name, case ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = NAMED_KEYS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|(usage, _)| Self(*usage))
    }

    /// The key of that usage ID, which is SDL's scancode; `None` for one without a name here.
    pub fn from_usage(usage: u16) -> Option<Self> {
        NAMED_KEYS.iter().any(|(known, _)| *known == usage).then_some(Self(usage))
    }

    /// The usage ID.
    pub fn usage(self) -> u16 {
        self.0
    }

    /// The name: what a US keyboard has printed there.
    pub fn name(self) -> &'static str {
        let found = NAMED_KEYS.iter().find(|(usage, _)| *usage == self.0);
        found.map_or("", |(_, name)| name)
    }

    /// Every key that has a name.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMED_KEYS.iter().map(|(usage, _)| Self(*usage))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

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
}

impl KeyAction {
    /// How many there are.
    pub const COUNT: usize = Button::COUNT + 4;

    /// All of them: the buttons in pin order, then the controls.
    pub fn all() -> impl Iterator<Item = Self> {
        let controls = [Self::Pause, Self::SingleFrame, Self::PowerCycle, Self::Mute];
        Button::ALL.into_iter().map(Self::Press).chain(controls)
    }

    /// The name in a key map: `B1`…`T6`, `RESET`, `PAUSE`, `FRAME`, `POWER`, `MUTE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Press(button) => button.name(),
            Self::Pause => "PAUSE",
            Self::SingleFrame => "FRAME",
            Self::PowerCycle => "POWER",
            Self::Mute => "MUTE",
        }
    }

    /// The action of that name, case ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    fn index(self) -> usize {
        match self {
            Self::Press(button) => button.index(),
            Self::Pause => Button::COUNT,
            Self::SingleFrame => Button::COUNT + 1,
            Self::PowerCycle => Button::COUNT + 2,
            Self::Mute => Button::COUNT + 3,
        }
    }
}

/// A key for every action; no key does two things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: [Key; KeyAction::COUNT],
}

/// The documented default (`docs/keymap.md`): the two letter rows are the two rows of cups.
impl Default for Keymap {
    fn default() -> Self {
        const NAMES: [&str; KeyAction::COUNT] = [
            "Z", "X", "C", "V", "B", "N", "Q", "W", "E", "R", "T", "Y", "Space", "P", ".", "F5",
            "M",
        ];
        // Every name above is in the table; a test says so. A (4) stands in for one that is not.
        Self { keys: NAMES.map(|name| Key::from_name(name).unwrap_or(Key(4))) }
    }
}

/// What is wrong in a key map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeymapError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The fact and the next step.
    pub message: String,
}

/// `board.keys:3:6: unknown key …`
impl fmt::Display for KeymapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for KeymapError {}

/// The largest key map, in bytes: each action once, with room for comments.
pub const FILE_BYTES_MAX: usize = 64 << 10;

impl Keymap {
    /// What `key` does.
    pub fn action(&self, key: Key) -> Option<KeyAction> {
        KeyAction::all().find(|action| self.keys[action.index()] == key)
    }

    /// The key for `action`.
    pub fn key(&self, action: KeyAction) -> Key {
        self.keys[action.index()]
    }

    /// Reads a key map: a line `NAME = KEY` for each of the thirteen buttons, and for those
    /// controls (`PAUSE`, `FRAME`, `POWER`, `MUTE`) whose default does not suit; `#` begins a
    /// comment. `file` is the name for errors.
    ///
    /// # Errors
    /// The first line that is wrong, with file, line and column; a button without a key; a
    /// key for two actions.
    pub fn parse(file: &str, text: &str) -> Result<Self, KeymapError> {
        let fail = |line: usize, column: usize, message: String| KeymapError {
            file: file.to_owned(),
            line,
            column,
            message,
        };
        if text.len() > FILE_BYTES_MAX {
            let sizes = format!("{} bytes; the largest has {FILE_BYTES_MAX}", text.len());
            return Err(fail(1, 1, format!("this is no key map: it has {sizes}")));
        }
        let mut given: [Option<(Key, usize)>; KeyAction::COUNT] = [None; KeyAction::COUNT];
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let Some(entry) = Entry::read(line).map_err(|(at, why)| fail(number, at, why))? else {
                continue;
            };
            let Entry { action, key, name_column, key_column } = entry;
            if let Some((_, before)) = given[action.index()] {
                let name = action.name();
                let message = format!("{name} has a key already, in line {before}; keep one");
                return Err(fail(number, name_column, message));
            }
            let taken = KeyAction::all()
                .find(|other| given[other.index()].is_some_and(|(other_key, _)| other_key == key));
            if let Some(other) = taken {
                let other = other.name();
                let message = format!("the key {key} is {other}'s already; a key does one thing");
                return Err(fail(number, key_column, message));
            }
            given[action.index()] = Some((key, number));
        }

        let last = text.lines().count().max(1);
        let missing: Vec<&str> = KeyAction::all()
            .filter(|action| {
                matches!(action, KeyAction::Press(_)) && given[action.index()].is_none()
            })
            .map(KeyAction::name)
            .collect();
        if !missing.is_empty() {
            let verb = if missing.len() == 1 { "has" } else { "have" };
            let names = missing.join(", ");
            return Err(fail(
                last,
                1,
                format!("{names} {verb} no key; a key map names all 13 buttons"),
            ));
        }
        let mut map = Self::default();
        for action in KeyAction::all() {
            let default = map.keys[action.index()];
            match given[action.index()] {
                Some((key, _)) => map.keys[action.index()] = key,
                None => {
                    let user = KeyAction::all()
                        .filter_map(|other| given[other.index()].map(|at| (other, at)))
                        .find(|(_, (key, _))| *key == default);
                    if let Some((other, (key, line))) = user {
                        let (name, other) = (action.name(), other.name());
                        let message = format!(
                            "{other} takes the key {key}, which is {name}'s unless the map \
                             names another; add a line `{name} = …`"
                        );
                        return Err(fail(line, 1, message));
                    }
                }
            }
        }
        Ok(map)
    }
}

/// A key map file that can be read back: all lines, controls included.
impl fmt::Display for Keymap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for action in KeyAction::all() {
            writeln!(out, "{} = {}", action.name(), self.key(action))?;
        }
        Ok(())
    }
}

/// One line `NAME = KEY`.
struct Entry {
    action: KeyAction,
    key: Key,
    name_column: usize,
    key_column: usize,
}

impl Entry {
    /// `None` for an empty line or a comment; an error has its column.
    fn read(line: &str) -> Result<Option<Self>, (usize, String)> {
        let start = line.trim_start();
        if start.is_empty() || start.starts_with('#') {
            return Ok(None);
        }
        let column_of = |rest: &str| line[..line.len() - rest.len()].chars().count() + 1;
        let name_column = column_of(start);
        let Some((name, rest)) = start.split_once('=') else {
            let message = "this line has no `=`; a key map has lines like `B1 = Z`";
            return Err((name_column, message.to_owned()));
        };
        let name = name.trim_end();
        let Some(action) = KeyAction::from_name(name) else {
            let names: Vec<&str> = KeyAction::all().map(KeyAction::name).collect();
            let near = did_you_mean(name, &names);
            let message = format!(
                "unknown button `{}`; there are B1 to B6, T1 to T6, RESET, PAUSE, FRAME, POWER \
                 and MUTE{near}",
                shortened(name)
            );
            return Err((name_column, message));
        };
        let rest = rest.trim_start();
        let key_column = column_of(rest);
        let written = without_comment(rest).trim_end();
        if written.is_empty() {
            return Err((key_column, format!("{} has no key behind its `=`", action.name())));
        }
        let Some(key) = Key::from_name(written) else {
            let names: Vec<&str> = NAMED_KEYS.iter().map(|(_, name)| *name).collect();
            let near = did_you_mean(written, &names);
            let message = format!(
                "unknown key `{}`; docs/keymap.md lists the names{near}",
                shortened(written)
            );
            return Err((key_column, message));
        };
        Ok(Some(Self { action, key, name_column, key_column }))
    }
}

/// Cuts a comment off: `#` behind a blank. A `#` right behind the `=` is the key `#`.
fn without_comment(value: &str) -> &str {
    let mut blank_before = false;
    for (at, letter) in value.char_indices() {
        if letter == '#' && blank_before {
            return &value[..at];
        }
        blank_before = letter.is_whitespace();
    }
    value
}

/// No longer than a person reads in an error.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default_file() -> String {
        Keymap::default().to_string()
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = Keymap::parse("my.keys", text).unwrap_err().to_string();
        assert_eq!(error, expected);
    }

    #[test]
    fn the_default_has_the_two_letter_rows_and_space() {
        let map = Keymap::default();
        let names = |actions: &[Button]| -> String {
            actions.iter().map(|button| map.key(KeyAction::Press(*button)).name()).collect()
        };
        assert_eq!(names(&Button::ALL[..6]), "ZXCVBN");
        assert_eq!(names(&Button::ALL[6..12]), "QWERTY");
        assert_eq!(map.key(KeyAction::Press(Button::Reset)).name(), "Space");
        let controls =
            [KeyAction::Pause, KeyAction::SingleFrame, KeyAction::PowerCycle, KeyAction::Mute];
        assert_eq!(controls.map(|action| map.key(action).name()), ["P", ".", "F5", "M"]);
        for action in KeyAction::all() {
            assert_eq!(map.action(map.key(action)), Some(action), "{}", action.name());
        }
    }

    #[test]
    fn a_written_map_reads_back() {
        assert_eq!(Keymap::parse("my.keys", &default_file()), Ok(Keymap::default()));
    }

    #[test]
    fn case_comments_and_the_key_number_sign_are_read() {
        let text = default_file().replace("B1 = Z", "  b1=#  # the key left of Return");
        let map = Keymap::parse("my.keys", &format!("# mine\n\n{text}")).unwrap();
        assert_eq!(map.key(KeyAction::Press(Button::B1)).name(), "#");
        let text = default_file().replace("B1 = Z", "B1 = keypad 1\r");
        let map = Keymap::parse("my.keys", &text).unwrap();
        assert_eq!(map.key(KeyAction::Press(Button::B1)).name(), "Keypad 1");
    }

    #[test]
    fn controls_keep_their_keys_unless_named() {
        let text = default_file().replace("PAUSE = P\n", "");
        assert_eq!(Keymap::parse("my.keys", &text), Ok(Keymap::default()));
    }

    #[test]
    fn an_unknown_key_or_button_names_the_nearest() {
        check_error(
            "B1 = Z\nB2 = Spcae\n",
            "my.keys:2:6: unknown key `Spcae`; docs/keymap.md lists the names; \
             did you mean `Space`?",
        );
        check_error(
            "  RESTE = A",
            "my.keys:1:3: unknown button `RESTE`; there are B1 to B6, T1 to T6, RESET, PAUSE, \
             FRAME, POWER and MUTE; did you mean `RESET`?",
        );
    }

    #[test]
    fn a_line_without_sense_says_what_a_line_looks_like() {
        check_error("B1 Z", "my.keys:1:1: this line has no `=`; a key map has lines like `B1 = Z`");
        check_error("B1 =   ", "my.keys:1:8: B1 has no key behind its `=`");
    }

    #[test]
    fn a_button_or_key_that_stands_twice_is_an_error() {
        check_error("B1 = Z\nB1 = X", "my.keys:2:1: B1 has a key already, in line 1; keep one");
        check_error(
            "B1 = Z\nT1 = z",
            "my.keys:2:6: the key Z is B1's already; a key does one thing",
        );
    }

    #[test]
    fn a_button_without_a_key_is_an_error() {
        let text = default_file().replace("T6 = Y\n", "");
        check_error(&text, "my.keys:16:1: T6 has no key; a key map names all 13 buttons");
        let text = text.replace("B1 = Z\n", "");
        check_error(&text, "my.keys:15:1: B1, T6 have no key; a key map names all 13 buttons");
    }

    #[test]
    fn a_button_on_the_default_key_of_a_control_asks_for_another() {
        let text = default_file().replace("PAUSE = P\n", "").replace("B1 = Z", "B1 = P");
        check_error(
            &text,
            "my.keys:1:1: B1 takes the key P, which is PAUSE's unless the map names another; \
             add a line `PAUSE = …`",
        );
    }

    #[test]
    fn a_file_too_large_for_a_key_map_is_refused() {
        let error = Keymap::parse("big", &"#".repeat(FILE_BYTES_MAX + 1)).unwrap_err();
        assert!(error.to_string().starts_with("big:1:1: this is no key map"), "{error}");
    }

    #[test]
    fn the_example_in_the_documentation_is_a_key_map() {
        let documentation = include_str!("../../../docs/keymap.md");
        let example = documentation.split("```\n").nth(1).unwrap();
        let map = Keymap::parse("docs/keymap.md", example).unwrap();
        assert_eq!(map.key(KeyAction::Press(Button::T6)).name(), "Keypad -");
        assert_eq!(map.key(KeyAction::Pause).name(), "Pause");
    }
}
