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

    /// Each.
    pub(super) const ALL: [Self; Self::COUNT as usize] = [Self::Settings, Self::Scores];

    /// The key with this number.
    pub(super) fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}
