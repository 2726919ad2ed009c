//! Keys by their position on the keyboard.

use core::fmt;

use board_file::key_names::KEY_NAMES;

/// A key by its place on the keyboard: a usage ID of the USB HID keyboard page (HID Usage Tables,
/// section 10), named after the key at that place of a US keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u16);

impl Key {
    /// Key A, usage ID 4.
    pub(super) const A: Self = Self(4);

    /// Returns the key named `name`, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = KEY_NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|(usage, _)| Self(*usage))
    }

    /// Returns the key with the usage ID `usage`, which is also SDL's scancode; `None` if it has
    /// no name here.
    pub fn from_usage(usage: u16) -> Option<Self> {
        KEY_NAMES.iter().any(|(known, _)| *known == usage).then_some(Self(usage))
    }

    /// Returns the usage ID.
    pub fn usage(self) -> u16 {
        self.0
    }

    /// Returns the name: the label of the key on a US keyboard.
    pub fn name(self) -> &'static str {
        let found = KEY_NAMES.iter().find(|(usage, _)| *usage == self.0);
        found.map_or("", |(_, name)| name)
    }

    /// Returns all keys that have a name.
    pub fn all() -> impl Iterator<Item = Self> {
        KEY_NAMES.iter().map(|(usage, _)| Self(*usage))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}
