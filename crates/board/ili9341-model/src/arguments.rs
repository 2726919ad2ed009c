//! The command that is being received, and its first arguments. The module does not know their
//! meaning.

use panel_tables::Effect;

use super::lint::VIOLATION_BYTES_MAX;

/// The command that is being received: its code and its first arguments.
#[derive(Clone)]
pub(super) struct Arguments {
    /// Effect of the command.
    pub(super) effect: Effect,
    /// Code, followed by arguments.
    bytes: [u8; VIOLATION_BYTES_MAX],
    /// Number of arguments received, stored or not.
    pub(super) count: usize,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { effect: Effect::Nothing, bytes: [0; VIOLATION_BYTES_MAX], count: 0 }
    }
}

impl Arguments {
    pub(super) fn begin(&mut self, code: u8, effect: Effect) {
        self.effect = effect;
        self.bytes = [0; VIOLATION_BYTES_MAX];
        self.bytes[0] = code;
        self.count = 0;
    }

    /// Stores all arguments at once; none may have been received before.
    pub(super) fn set<const COUNT: usize>(&mut self, arguments: [u8; COUNT]) {
        const { assert!(COUNT < VIOLATION_BYTES_MAX) };
        self.count = COUNT;
        self.bytes[1..=COUNT].copy_from_slice(&arguments);
    }

    pub(super) fn push(&mut self, argument: u8) {
        self.count += 1;
        if let Some(place) = self.bytes.get_mut(self.count) {
            *place = argument;
        }
    }

    pub(super) fn code(&self) -> u8 {
        self.bytes[0]
    }

    /// Returns the code and the stored arguments.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..(self.count + 1).min(VIOLATION_BYTES_MAX)]
    }

    pub(super) fn byte(&self, index: usize) -> u8 {
        self.bytes[index + 1]
    }

    /// Returns two bytes as a word, the upper byte first.
    pub(super) fn word(&self, index: usize) -> u16 {
        u16::from_be_bytes([self.byte(2 * index), self.byte(2 * index + 1)])
    }

    pub(super) fn pair(&self) -> (u16, u16) {
        (self.word(0), self.word(1))
    }
}
