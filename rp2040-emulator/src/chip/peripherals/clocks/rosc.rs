//! The ring oscillator (datasheet section 2.17). It is always enabled and stable, at its nominal
//! frequency.

use super::{DORMANT_VALUE_DORMANT, DORMANT_VALUE_WAKE};

// Registers: RP2040 datasheet 2.17.8. The others, FREQA, FREQB and COUNT, read back what is
// written.
const CTRL: u32 = 0x00; // control, 2.17.8
const DORMANT: u32 = 0x0C; // stops the oscillator until a pin wakes it, 2.17.8
const DIV: u32 = 0x10; // output divider, 2.17.8
const PHASE: u32 = 0x14; // phase-shifted output, 2.17.8
pub(in crate::chip) const STATUS: u32 = 0x18; // status, 2.17.8
const RANDOMBIT: u32 = 0x1C; // a random bit, 2.17.8
const COUNT: u32 = 0x20; // countdown, the last register, 2.17.8

/// Value of CTRL after reset: enabled, low range.
const CTRL_RESET: u32 = 0xFAB_AA0;
const DIV_RESET: u32 = 16;
const PHASE_RESET: u32 = 8;
const STATUS_ENABLED: u32 = 1 << 12;
const STATUS_STABLE: u32 = 1 << 31;
/// Initial value of the shift register of [`RandomBits::Fixed`].
const SHIFT_RESET: u16 = 0xACE1;

#[derive(Clone, Debug)]
pub(super) struct Rosc {
    registers: [u32; COUNT as usize / 4 + 1],
    /// Source of the bits that RANDOMBIT reads.
    random: RandomBits,
    /// Shift register of [`RandomBits::Fixed`].
    shift: u16,
    /// Whether RANDOMBIT reads 0, whatever its source.
    is_stuck: bool,
}

/// Source of the bits that RANDOMBIT of the ring oscillator reads. It depends neither on the
/// oscillator's frequency nor on the time, so runs are reproducible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RandomBits {
    /// The same short sequence for every chip, from a linear feedback shift register.
    #[default]
    Fixed,
    /// The top bits of the numbers of SplitMix64 (Steele, Lea and Flood, 2014) from this seed.
    Seeded(u64),
    /// Zeros, as if the oscillator were stopped.
    Still,
}

impl Default for Rosc {
    fn default() -> Self {
        let mut registers = [0; COUNT as usize / 4 + 1];
        registers[CTRL as usize / 4] = CTRL_RESET;
        registers[DIV as usize / 4] = DIV_RESET;
        registers[PHASE as usize / 4] = PHASE_RESET;
        Self { registers, random: RandomBits::default(), shift: SHIFT_RESET, is_stuck: false }
    }
}

impl Rosc {
    pub(super) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            STATUS => STATUS_ENABLED | STATUS_STABLE,
            RANDOMBIT if self.is_stuck => 0,
            RANDOMBIT => self.random_bit(),
            _ => *self.registers.get(offset as usize / 4)?,
        })
    }

    /// Returns whether the program has stopped the oscillator until a pin or the RTC wakes it.
    pub(super) fn is_dormant(&self) -> bool {
        self.registers[DORMANT as usize / 4] == DORMANT_VALUE_DORMANT
    }

    pub(super) fn wake(&mut self) {
        if self.is_dormant() {
            self.registers[DORMANT as usize / 4] = DORMANT_VALUE_WAKE;
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        if offset == DORMANT {
            // Any other value selects WAKE.
            let is_dormant = value == DORMANT_VALUE_DORMANT;
            self.registers[DORMANT as usize / 4] =
                if is_dormant { value } else { DORMANT_VALUE_WAKE };
            return Some(());
        }
        *self.registers.get_mut(offset as usize / 4)? = value;
        Some(())
    }

    /// Sets the source of the bits that RANDOMBIT reads.
    pub(super) fn set_random_bits(&mut self, bits: RandomBits) {
        (self.random, self.shift) = (bits, SHIFT_RESET);
    }

    pub(super) fn stick_random_bits(&mut self, stuck: bool) {
        self.is_stuck = stuck;
    }

    /// Continues the sequence of RANDOMBIT from `old`: a reset of the chip does not stop the
    /// oscillator.
    pub(super) fn continue_from(&mut self, old: &Self) {
        (self.random, self.shift, self.is_stuck) = (old.random, old.shift, old.is_stuck);
    }

    fn random_bit(&mut self) -> u32 {
        match &mut self.random {
            RandomBits::Fixed => {
                let bit = self.shift & 1;
                self.shift = self.shift >> 1 ^ if bit != 0 { 0xB400 } else { 0 };
                bit.into()
            }
            RandomBits::Seeded(state) => {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
                ((mixed ^ mixed >> 31) >> 63) as u32
            }
            RandomBits::Still => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(rosc: &mut Rosc) -> u64 {
        (0..64).fold(0, |word, _| word << 1 | u64::from(rosc.read(RANDOMBIT) == Some(1)))
    }

    #[test]
    fn the_random_bits_follow_from_the_seed_alone() {
        let mut rosc = Rosc::default();
        rosc.set_random_bits(RandomBits::Seeded(1_234_567));
        // The published numbers of this seed start with 6457827717110365317 and
        // 3203168211198807973: two zero bits.
        let mut clone = rosc.clone();
        assert_eq!(rosc.read(RANDOMBIT), Some((6_457_827_717_110_365_317u64 >> 63) as u32));
        rosc.write(0x04, 0x9696_7777);
        let rest = word(&mut rosc);
        clone.read(RANDOMBIT);
        assert_eq!(word(&mut clone), rest, "the drive strengths change nothing");
        assert!((16..48).contains(&rest.count_ones()), "{rest:064b}");
        rosc.set_random_bits(RandomBits::Seeded(7));
        assert_ne!(word(&mut rosc), rest);
    }

    #[test]
    fn a_still_source_reads_as_zero_and_a_reset_retains_the_source() {
        let mut rosc = Rosc::default();
        assert_ne!(word(&mut rosc), 0, "without a caller's choice it does not stand still");
        rosc.set_random_bits(RandomBits::Still);
        let mut after = Rosc::default();
        after.continue_from(&rosc);
        assert_eq!(word(&mut after), 0);
    }
}
