//! Words that a PIO shifts out, as the caller gets them.

use super::pin_change::PinChange;
use crate::chip::peripherals::pio::{WordBit, Words};
use crate::chip::time::Time;

/// Changes that a PIO makes while it shifts words out, each in the same way and independent of the
/// words' bits.
#[derive(Clone, Debug)]
pub struct PinWords {
    words: Words,
    /// Levels of the pins that do not change, and of all pins before.
    others: u32,
    before: u32,
    time: Time,
}

/// A change within a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordChange {
    /// Tick of the machine's clock, for [`PinWords::ns`].
    pub tick: u32,
    /// Pins with these levels from then on, without the data pin.
    pub pins: u32,
    pub levels: u32,
    /// The new bit on the data pin, if it is written.
    pub data: Option<WordData>,
}

/// A bit on the data pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordData {
    /// This bit of the word, 0 to 31.
    Bit(u8),
    /// This bit of the word, inverted.
    Inverted(u8),
    /// The same level in each word.
    Level(bool),
}

impl PinWords {
    pub(super) fn new(words: Words, before: u32, time: Time) -> Self {
        Self { others: before & !words.path.pins(), words, before, time }
    }

    /// Returns the words, at least one.
    pub fn words(&self) -> &[u32] {
        &self.words.words
    }

    /// Returns the mask of the data pin.
    pub fn data(&self) -> u32 {
        self.words.path.data
    }

    /// Returns the pins that may change, as a mask.
    pub fn pins(&self) -> u32 {
        self.words.path.pins()
    }

    /// Returns the levels of all pins before the first change.
    pub fn before(&self) -> u32 {
        self.before
    }

    /// Returns the levels of all pins after the last change.
    pub fn after(&self) -> u32 {
        self.others | self.words.last_levels()[2] & self.pins()
    }

    /// Returns the changes within each word, of which some may be none.
    pub fn word_changes(&self) -> impl Iterator<Item = WordChange> {
        self.words.path.edges.iter().map(|edge| WordChange {
            tick: edge.tick,
            pins: edge.sides,
            levels: edge.levels,
            data: edge.data.map(|bit| match bit {
                WordBit::OfWord { bit, inverted: false } => WordData::Bit(bit),
                WordBit::OfWord { bit, inverted: true } => WordData::Inverted(bit),
                bit => WordData::Level(bit.of(0)),
            }),
        })
    }

    /// Returns the nanosecond from which on the levels of a tick are on the pins, in the path of a
    /// word by its number.
    #[inline]
    pub fn ns(&self, word: usize, tick: u32) -> u64 {
        self.time.ns(self.words.cycle(word, tick))
    }

    /// Returns the nanosecond of the first change.
    pub fn start_ns(&self) -> u64 {
        self.ns(0, self.words.path.edges.first().map_or(0, |edge| edge.tick))
    }

    /// Returns the nanosecond of the last change.
    pub fn end_ns(&self) -> u64 {
        let last = self.words().len().saturating_sub(1);
        self.ns(last, self.words.path.edges.last().map_or(0, |edge| edge.tick))
    }

    /// Returns the changes, of which some may be none.
    pub fn changes(&self) -> impl Iterator<Item = PinChange> {
        self.words.edges().map(|(cycle, levels)| PinChange {
            ns: self.time.ns(cycle),
            levels: self.others | levels & self.pins(),
        })
    }
}
