//! The command that is being received and its first arguments. It does not know what they mean.

use super::lint::BYTES_KEPT;

/// The command that is being received: its code and its first arguments.
#[derive(Clone, Default)]
pub(super) struct Arguments {
    /// Code, then arguments.
    bytes: [u8; BYTES_KEPT],
    /// Arguments that have come, kept or not.
    pub(super) count: usize,
}

impl Arguments {
    pub(super) fn begin(&mut self, code: u8) {
        self.bytes = [0; BYTES_KEPT];
        self.bytes[0] = code;
        self.count = 0;
    }

    /// Takes all of them, the first ones: none has come before.
    pub(super) fn set<const COUNT: usize>(&mut self, arguments: [u8; COUNT]) {
        const { assert!(COUNT < BYTES_KEPT) };
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

    /// The command and what has come of its arguments.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..(self.count + 1).min(BYTES_KEPT)]
    }

    pub(super) fn byte(&self, index: usize) -> u8 {
        self.bytes[index + 1]
    }

    /// Two bytes, the upper one first.
    pub(super) fn word(&self, index: usize) -> u16 {
        u16::from_be_bytes([self.byte(2 * index), self.byte(2 * index + 1)])
    }

    pub(super) fn pair(&self) -> (u16, u16) {
        (self.word(0), self.word(1))
    }
}
