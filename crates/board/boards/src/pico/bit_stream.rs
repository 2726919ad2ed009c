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

    /// Returns the time of the first sample of the last word, in nanoseconds.
    #[inline]
    pub(super) fn first_sample_ns(&self) -> u64 {
        self.first_ns
    }

    /// Returns whether no bit of the current word has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of bits that a word of `size` bits lacks.
    #[inline]
    pub(super) fn room(&self, size: u8) -> u32 {
        u32::from(size.saturating_sub(self.count))
    }

    /// Appends a bit that is sampled at `ns`. Returns the word of `size` bits that it completes.
    pub(super) fn push(&mut self, ns: u64, bit: bool, size: u8) -> Option<Received> {
        self.push_all((ns, ns), u16::from(bit), 1, size)
    }

    /// Appends the lowest `count` bits of `bits`, the highest of them first, which are not more
    /// than a word of `size` bits [lacks](Self::room). The first and the last are sampled at these
    /// times. Returns the word that they complete.
    #[inline]
    pub(super) fn push_all(
        &mut self,
        (first_ns, ns): (u64, u64),
        bits: u16,
        count: u8,
        size: u8,
    ) -> Option<Received> {
        if self.count == 0 {
            (self.word, self.first_ns) = (0, first_ns);
        }
        self.word = self.word << count | bits;
        self.count += count;
        if self.count < size {
            return None;
        }
        self.count = 0;
        let sampled = ns - self.first_ns;
        // Divisions by a constant are several times faster, and a picture has millions of them.
        let lasted = match size {
            8 => sampled * 8 / 7,
            size => sampled * u64::from(size) / u64::from(size.saturating_sub(1)).max(1),
        };
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCK: u32 = 1 << 10;
    const MOSI: u32 = 1 << 3;
    const CS: u32 = 1 << 29;
    const EDGES: Edges = Edges { sck: SCK, mosi: MOSI, chip_select: CS };

    /// The levels of the pins, and what an LCD receives from their changes.
    struct Wire {
        levels: u32,
        ns: u64,
        register: ShiftRegister,
        received: Vec<Received>,
        size: u8,
    }

    impl Wire {
        /// Creates the wires with SCK at its idle level.
        fn new(idle: bool, size: u8) -> Self {
            let levels = CS | if idle { SCK } else { 0 };
            let register = ShiftRegister::default();
            Self { levels, ns: 1_000, register, received: Vec::new(), size }
        }

        /// Changes the levels of the pins of `mask` after `ns`.
        fn set(&mut self, ns: u64, mask: u32, high: bool) {
            self.ns += ns;
            let after = self.levels & !mask | if high { mask } else { 0 };
            if let Some(bit) = EDGES.sample(self.levels, after) {
                self.received.extend(self.register.push(self.ns, bit, self.size));
            }
            if EDGES.is_deselected(after) {
                self.register.clear();
            }
            self.levels = after;
        }

        /// Sends the highest `bits` bits of `word`, with `half` nanoseconds between edges, in mode
        /// 0 or, if SCK idles high, in mode 3.
        fn send(&mut self, word: u16, bits: u8, half: u64, idle: bool) {
            for bit in (0..self.size).rev().take(bits.into()) {
                if idle {
                    self.set(half, SCK, false);
                    self.set(0, MOSI, word >> bit & 1 != 0);
                    self.set(half, SCK, true);
                } else {
                    self.set(0, MOSI, word >> bit & 1 != 0);
                    self.set(half, SCK, true);
                    self.set(half, SCK, false);
                }
            }
        }

        fn words(&self) -> Vec<u16> {
            self.received.iter().map(|received| received.word).collect()
        }
    }

    proptest! {
        /// A word, the number of its bits that are sent before chip select rises, half a period of
        /// SCK, and whether chip select rises after it.
        #[test]
        fn sent_words_are_received(
            idle: bool,
            size in 8..=9_u8,
            words in prop::collection::vec((any::<u16>(), 1..20_u8, 1..300_u64, any::<bool>()), 0..40),
        ) {
            let mut wire = Wire::new(idle, size);
            wire.set(0, CS, false);
            let mut expected = Vec::new();
            let mut ends = Vec::new();
            for (word, bits, half, ends_selection) in words {
                let whole = bits >= size;
                let sent_at = wire.ns;
                wire.send(word, bits.min(size), half, idle);
                if whole {
                    expected.push(word & ((1 << size) - 1));
                    ends.push((sent_at, wire.ns, half));
                }
                if ends_selection || !whole {
                    wire.set(5, CS, true);
                    // A clock for another device on the same bus.
                    wire.send(!word, 3, half, idle);
                    wire.set(7, CS, false);
                }
            }
            prop_assert_eq!(wire.words(), expected);
            let mut before = 0;
            for (received, (start, end, half)) in wire.received.iter().zip(ends) {
                prop_assert!(received.start_ns >= before && received.end_ns > received.start_ns);
                prop_assert!(received.end_ns > start && received.end_ns <= end);
                let duration = 2 * half * u64::from(size);
                // Less if the estimated first period begins within the previous word.
                prop_assert!(received.end_ns - received.start_ns <= duration + ROUNDING_NS);
                before = received.end_ns;
            }
        }
    }

    #[test]
    fn words_without_a_pause_are_contiguous() {
        let mut wire = Wire::new(false, 8);
        wire.set(0, CS, false);
        for word in [0x2C, 0xF8, 0x1F] {
            wire.send(word, 8, 8, false);
        }
        let times: Vec<_> = wire.received.iter().map(|word| (word.start_ns, word.end_ns)).collect();
        assert_eq!(times, [(992, 1_120), (1_120, 1_248), (1_248, 1_376)]);
    }

    #[test]
    fn levels_that_change_with_the_clock_change_too_late() {
        assert_eq!(EDGES.sample(MOSI, SCK), Some(true));
        assert_eq!(EDGES.sample(0, SCK | MOSI), Some(false));
        assert_eq!(EDGES.sample(CS, SCK), None, "not selected before the edge");
        assert_eq!(EDGES.sample(0, SCK | CS), None, "not selected after it");
        assert_eq!(EDGES.sample(SCK, 0), None, "a falling edge");
    }
}
