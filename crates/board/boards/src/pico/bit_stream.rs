//! The bits that an LCD samples from its wires, and the bytes made of them.
//!
//! A panel samples MOSI at the rising edge of SCK while it is selected, and D/CX with the last bit
//! of a byte (ILI9341 datasheet, 7.1.8). So the SPI modes 0 and 3 are the ones that it understands.
//! [`Edges`] finds the samples among the levels of the pins; [`ShiftRegister`] makes words of them.
//! This module knows levels and times, not their source.

/// Largest difference between the end of a word and the start of the next one, in nanoseconds, that
/// is the result of rounding.
const ROUNDING_NS: u64 = 8;

/// A word that the LCD has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Received {
    /// Start of the first bit, in nanoseconds: one period of SCK before its sample. The period is
    /// the average of the word's periods.
    pub(super) start_ns: u64,
    /// Time of the last sample, in nanoseconds.
    pub(super) end_ns: u64,
    pub(super) word: u16,
}

/// The bits of the current word.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftRegister {
    word: u16,
    count: u8,
    first_ns: u64,
    /// Time of the last bit of the last word.
    end_ns: u64,
}

impl ShiftRegister {
    /// Drops an incomplete word, as a rising chip select does.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Returns whether no bit of the current word has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends a bit that is sampled at `ns`. Returns the word of `size` bits that it completes.
    pub(super) fn push(&mut self, ns: u64, bit: bool, size: u8) -> Option<Received> {
        if self.count == 0 {
            (self.word, self.first_ns) = (0, ns);
        }
        self.word = self.word << 1 | u16::from(bit);
        self.count += 1;
        if self.count < size {
            return None;
        }
        self.count = 0;
        let periods = u64::from(size.saturating_sub(1)).max(1);
        let lasted = (ns - self.first_ns) * u64::from(size) / periods;
        let start = ns.saturating_sub(lasted);
        let before = std::mem::replace(&mut self.end_ns, ns);
        // Words that follow without a pause are contiguous, and none begins within another.
        let start_ns = if start < before + ROUNDING_NS { before } else { start };
        Some(Received { start_ns, end_ns: ns, word: self.word })
    }
}

/// The pins of the wires at which edges are found, as masks. A mask of zero is no wire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    pub(super) sck: u32,
    pub(super) mosi: u32,
    pub(super) chip_select: u32,
}

impl Edges {
    /// Returns the bit that the LCD samples when the pins change from the levels `before` to
    /// `after`, if it samples one. A level that changes together with SCK changes too late.
    pub(super) fn sample(self, before: u32, after: u32) -> Option<bool> {
        let rises = !before & after & self.sck != 0;
        let selected = (before | after) & self.chip_select == 0;
        (rises && selected).then_some(before & self.mosi != 0)
    }

    /// Returns whether the LCD is deselected at these levels.
    pub(super) fn is_deselected(self, levels: u32) -> bool {
        levels & self.chip_select != 0
    }
}
