//! The keys of the records.

/// Key of a record; the numbers are never given another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Settings = 0,
    Scores = 1,
}

impl Key {
    /// Number of keys.
    pub(super) const COUNT: u32 = 2;

    pub(super) const ALL: [Self; Self::COUNT as usize] = [Self::Settings, Self::Scores];

    /// Returns the key with this number.
    pub(super) fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}
