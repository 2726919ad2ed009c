//! Keys by their position on the keyboard.

use core::fmt;

/// A key by its place on the keyboard: a usage ID of the USB HID keyboard page (HID Usage Tables,
/// section 10), named after the key at that place of a US keyboard.
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
    /// Key A, usage ID 4.
    pub(super) const A: Self = Self(4);

    /// Returns the key named `name`, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = NAMED_KEYS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|(usage, _)| Self(*usage))
    }

    /// Returns the key with the usage ID `usage`, which is also SDL's scancode; `None` if it has
    /// no name here.
    pub fn from_usage(usage: u16) -> Option<Self> {
        NAMED_KEYS.iter().any(|(known, _)| *known == usage).then_some(Self(usage))
    }

    /// Returns the usage ID.
    pub fn usage(self) -> u16 {
        self.0
    }

    /// Returns the name: the label of the key on a US keyboard.
    pub fn name(self) -> &'static str {
        let found = NAMED_KEYS.iter().find(|(usage, _)| *usage == self.0);
        found.map_or("", |(_, name)| name)
    }

    /// Returns all keys that have a name.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMED_KEYS.iter().map(|(usage, _)| Self(*usage))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}
