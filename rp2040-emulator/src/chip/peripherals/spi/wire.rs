//! The wires of an SPI controller: the words that were sent, and the queued answers.

use std::collections::VecDeque;

/// The capacity of the buffer of sent words: more than a picture of 320 by 240 pixels in bytes.
pub(super) const MAX_SENT: usize = 1 << 18;
/// The capacity of the queue of answers.
pub(super) const MAX_ANSWERS: usize = 1 << 12;

/// A frame that has left an SPI controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiWord {
    /// Nanoseconds since power-on: the beginning of its first bit.
    pub start_ns: u64,
    /// Nanoseconds since power-on: the end of its last bit.
    pub ns: u64,
    /// Its bits, the last one lowest.
    pub word: u16,
    /// The number of bits: 4 to 16.
    pub bits: u8,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Wire {
    sent: Vec<SpiWord>,
    dropped: u64,
    answers: VecDeque<u16>,
    pub(super) idle_high: bool,
}

impl Wire {
    pub(super) fn take_sent(&mut self) -> Vec<SpiWord> {
        std::mem::take(&mut self.sent)
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn answer(&mut self, word: u16) -> bool {
        let room = self.answers.len() < MAX_ANSWERS;
        if room {
            self.answers.push_back(word);
        }
        room
    }

    /// Completes a frame; returns the received word.
    pub(super) fn exchange(&mut self, word: SpiWord) -> u16 {
        if self.sent.len() < MAX_SENT {
            self.sent.push(word);
        } else {
            self.dropped += 1;
        }
        let idle = if self.idle_high { 0xFFFF } else { 0 };
        self.answers.pop_front().unwrap_or(idle) & (0xFFFF >> (16 - word.bits))
    }
}
