//! The keys of the records.

/// The key under which a record lies; a number once given is never given another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Settings = 0,
    Scores = 1,
}

impl Key {
    /// How many there are.
    pub(super) const COUNT: u32 = 2;

    /// Its bit in a set of keys.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}
