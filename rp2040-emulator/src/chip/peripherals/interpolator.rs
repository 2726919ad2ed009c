//! An interpolator of the single-cycle I/O block: two lanes that shift, mask, add, and then blend
//! or clamp (datasheet section 2.3.1.6).
//!
//! Each core has two: the first can blend, the second can clamp. The datapath is combinational, so
//! results are computed when they are read.

use super::array::index;

// Registers: RP2040 datasheet 2.3.1.7, each by its offset from its interpolator's ACCUM0.
const ACCUM0: u32 = 0x00; // INTERP0_ACCUM0, INTERP1_ACCUM0: accumulator of lane 0, 2.3.1.7
const ACCUM1: u32 = 0x04; // INTERP0_ACCUM1, INTERP1_ACCUM1: accumulator of lane 1, 2.3.1.7
const BASE0: u32 = 0x08; // INTERP0_BASE0, INTERP1_BASE0: base of lane 0, 2.3.1.7
const BASE2: u32 = 0x10; // INTERP0_BASE2, INTERP1_BASE2: base of the full result, 2.3.1.7
const POP_LANE0: u32 = 0x14; // INTERP0_POP_LANE0, INTERP1_POP_LANE0, 2.3.1.7
const POP_LANE1: u32 = 0x18; // INTERP0_POP_LANE1, INTERP1_POP_LANE1, 2.3.1.7
const POP_FULL: u32 = 0x1C; // INTERP0_POP_FULL, INTERP1_POP_FULL, 2.3.1.7
const PEEK_LANE0: u32 = 0x20; // INTERP0_PEEK_LANE0, INTERP1_PEEK_LANE0, 2.3.1.7
const PEEK_LANE1: u32 = 0x24; // INTERP0_PEEK_LANE1, INTERP1_PEEK_LANE1, 2.3.1.7
const PEEK_FULL: u32 = 0x28; // INTERP0_PEEK_FULL, INTERP1_PEEK_FULL, 2.3.1.7
const CTRL_LANE0: u32 = 0x2C; // INTERP0_CTRL_LANE0, INTERP1_CTRL_LANE0, 2.3.1.7
const CTRL_LANE1: u32 = 0x30; // INTERP0_CTRL_LANE1, INTERP1_CTRL_LANE1, 2.3.1.7
const ACCUM0_ADD: u32 = 0x34; // INTERP0_ACCUM0_ADD, INTERP1_ACCUM0_ADD, 2.3.1.7
const ACCUM1_ADD: u32 = 0x38; // INTERP0_ACCUM1_ADD, INTERP1_ACCUM1_ADD, 2.3.1.7
const BASE_1AND0: u32 = 0x3C; // INTERP0_BASE_1AND0, INTERP1_BASE_1AND0, 2.3.1.7

const CTRL_SHIFT: u32 = 0x1F;
const CTRL_MASK_LSB_LSB: u32 = 5;
const CTRL_MASK_MSB_LSB: u32 = 10;
const CTRL_SIGNED: u32 = 1 << 15;
const CTRL_CROSS_INPUT: u32 = 1 << 16;
const CTRL_CROSS_RESULT: u32 = 1 << 17;
const CTRL_ADD_RAW: u32 = 1 << 18;
const CTRL_FORCE_MSB_LSB: u32 = 19;
const CTRL_BLEND: u32 = 1 << 21;
const CTRL_CLAMP: u32 = 1 << 22;
const CTRL_OVERF0: u32 = 1 << 23;
const CTRL_OVERF1: u32 = 1 << 24;
const CTRL_OVERF: u32 = 1 << 25;
/// Bits of CTRL that both lanes of both interpolators have.
const CTRL_COMMON: u32 = 0x1F_FFFF;
/// Bits that a write of ACCUM0_ADD or ACCUM1_ADD uses; a read returns the whole shifted and masked
/// value.
const ACCUM_ADD_BITS: u32 = 0xFF_FFFF;

/// Size of an interpolator's registers in bytes.
const STRIDE: u32 = 0x40;

/// The two interpolators of a core.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Interpolators([Interpolator; 2]);

impl Default for Interpolators {
    fn default() -> Self {
        Self([false, true].map(Interpolator::new))
    }
}

impl Interpolators {
    /// Reads a register; `offset` counts from INTERP0_ACCUM0.
    pub(in crate::chip) fn read(&mut self, offset: u32) -> Option<u32> {
        self.0.get_mut((offset / STRIDE) as usize)?.read(offset % STRIDE)
    }

    /// Writes a register; `offset` counts from INTERP0_ACCUM0.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        self.0.get_mut((offset / STRIDE) as usize)?.write(offset % STRIDE, value)
    }
}

#[derive(Clone, Debug)]
struct Interpolator {
    /// The special mode bit: CTRL_BLEND for the first, CTRL_CLAMP for the second.
    special: u32,
    accumulators: [u32; 2],
    bases: [u32; 3],
    control: [u32; 2],
}

/// Results of the datapath for the current registers.
struct Results {
    /// Shifted and masked values, without a base.
    raw: [u32; 2],
    lanes: [u32; 2],
    full: u32,
    overflow: u32,
}

impl Interpolator {
    /// Creates the first or second interpolator of a core.
    fn new(second: bool) -> Self {
        Self {
            special: if second { CTRL_CLAMP } else { CTRL_BLEND },
            accumulators: [0; 2],
            bases: [0; 3],
            control: [0; 2],
        }
    }

    /// Reads a register; `offset` counts from ACCUM0.
    fn read(&mut self, offset: u32) -> Option<u32> {
        let results = self.results();
        let force = |lane: usize| {
            results.lanes[lane] | (self.control[lane] >> CTRL_FORCE_MSB_LSB & 3) << 28
        };
        let value = match offset {
            ACCUM0..=ACCUM1 => self.accumulators[index(offset, ACCUM0)],
            BASE0..=BASE2 => self.bases[index(offset, BASE0)],
            POP_LANE0 | PEEK_LANE0 => force(0),
            POP_LANE1 | PEEK_LANE1 => force(1),
            POP_FULL | PEEK_FULL => results.full,
            CTRL_LANE0 => self.control[0] | results.overflow,
            CTRL_LANE1 => self.control[1],
            ACCUM0_ADD..=ACCUM1_ADD => results.raw[index(offset, ACCUM0_ADD)],
            // BASE_1AND0 is write-only.
            BASE_1AND0 => 0,
            _ => return None,
        };
        if (POP_LANE0..=POP_FULL).contains(&offset) {
            let crossed = |lane: usize| self.control[lane] & CTRL_CROSS_RESULT != 0;
            let [zero, one] = results.lanes;
            let next = [if crossed(0) { one } else { zero }, if crossed(1) { zero } else { one }];
            self.accumulators = next;
        }
        Some(value)
    }

    fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            ACCUM0..=ACCUM1 => self.accumulators[index(offset, ACCUM0)] = value,
            BASE0..=BASE2 => self.bases[index(offset, BASE0)] = value,
            // POP and PEEK are read-only.
            POP_LANE0..=PEEK_FULL => {}
            CTRL_LANE0 => self.control[0] = value & (CTRL_COMMON | self.special),
            CTRL_LANE1 => self.control[1] = value & CTRL_COMMON,
            ACCUM0_ADD..=ACCUM1_ADD => {
                let accumulator = &mut self.accumulators[index(offset, ACCUM0_ADD)];
                *accumulator = accumulator.wrapping_add(value & ACCUM_ADD_BITS);
            }
            BASE_1AND0 => {
                // In blend mode both bases belong to lane 1.
                let first = if self.does(CTRL_BLEND) { 1 } else { 0 };
                self.bases[0] = self.extended(first, value & 0xFFFF);
                self.bases[1] = self.extended(1, value >> 16);
            }
            _ => return None,
        }
        Some(())
    }

    fn does(&self, special: u32) -> bool {
        self.control[0] & special != 0
    }

    fn is_signed(&self, lane: usize) -> bool {
        self.control[lane] & CTRL_SIGNED != 0
    }

    /// Extends a half of BASE_1AND0 to a word.
    fn extended(&self, lane: usize, half: u32) -> u32 {
        if self.is_signed(lane) { half as u16 as i16 as u32 } else { half }
    }

    fn results(&self) -> Results {
        let [zero, one] = [0, 1].map(|lane| self.lane(lane));
        let raw = [zero.masked, one.masked];
        let added = |lane: usize, of: &Lane| {
            let raw = self.control[lane] & CTRL_ADD_RAW != 0;
            self.bases[lane].wrapping_add(if raw { of.input } else { of.masked })
        };
        let mut lanes = [added(0, &zero), added(1, &one)];
        let mut full = self.bases[2].wrapping_add(zero.masked);
        if self.does(CTRL_BLEND) {
            let fraction = one.masked & 0xFF;
            lanes = [fraction, self.blended(fraction)];
        } else {
            full = full.wrapping_add(one.masked);
        }
        if self.does(CTRL_CLAMP) {
            lanes[0] = self.clamped(zero.masked);
        }
        let overflow = match (zero.overflow, one.overflow) {
            (false, false) => 0,
            (true, false) => CTRL_OVERF | CTRL_OVERF0,
            (false, true) => CTRL_OVERF | CTRL_OVERF1,
            (true, true) => CTRL_OVERF | CTRL_OVERF0 | CTRL_OVERF1,
        };
        Results { raw, lanes, full, overflow }
    }

    fn lane(&self, lane: usize) -> Lane {
        let control = self.control[lane];
        let crossed = control & CTRL_CROSS_INPUT != 0;
        let input = self.accumulators[if crossed { 1 - lane } else { lane }];
        let shifted = input >> (control & CTRL_SHIFT);
        let (lowest, highest) =
            (control >> CTRL_MASK_LSB_LSB & 31, control >> CTRL_MASK_MSB_LSB & 31);
        let up_to_highest = u32::MAX >> (31 - highest);
        let mut masked = shifted & up_to_highest & (u32::MAX << lowest);
        if self.is_signed(lane) && masked >> highest & 1 != 0 {
            masked |= !up_to_highest;
        }
        Lane { input, masked, overflow: shifted & !up_to_highest != 0 }
    }

    /// Interpolates from BASE0 to BASE1 by `fraction` 256ths, rounded down.
    fn blended(&self, fraction: u32) -> u32 {
        let [from, to] = [0, 1].map(|number| {
            let base = self.bases[number];
            if self.is_signed(1) { i64::from(base as i32) } else { i64::from(base) }
        });
        (from + (i64::from(fraction) * (to - from)).div_euclid(256)) as u32
    }

    /// Clamps to the range from BASE0 to BASE1.
    fn clamped(&self, value: u32) -> u32 {
        let [low, high, _] = self.bases;
        if self.is_signed(0) {
            (value as i32).min(high as i32).max(low as i32) as u32
        } else {
            value.min(high).max(low)
        }
    }
}

/// Result of a lane before the addition of its base.
struct Lane {
    input: u32,
    masked: u32,
    /// Whether bits above the mask were lost.
    overflow: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE1: u32 = BASE0 + 4;
    const WHOLE: u32 = 31 << 10;

    /// Checks that with these registers, counted from ACCUM0, the reads return these values in
    /// turn.
    #[track_caller]
    fn check(second: bool, registers: &[(u32, u32)], reads: &[(u32, u32)]) {
        let mut interpolator = Interpolator::new(second);
        for (offset, value) in registers {
            assert_eq!(interpolator.write(*offset, *value), Some(()));
        }
        for (offset, value) in reads {
            let read = interpolator.read(*offset);
            assert_eq!(read, Some(*value), "at {offset:#x}: {:#x}", read.unwrap_or_default());
        }
    }

    #[test]
    fn popping_gives_the_multiples_of_nine() {
        let registers = [(CTRL_LANE0, WHOLE), (ACCUM0, 0), (BASE0, 9)];
        check(false, &registers, &[9, 18, 27, 36].map(|value| (POP_LANE0, value)));
    }

    #[test]
    fn lanes_shift_and_mask_and_sign() {
        let take_byte = 4 | 4 << 5 | 11 << 10;
        let registers = [(ACCUM0, 0xABCD_E000), (CTRL_LANE0, take_byte)];
        check(false, &registers, &[(PEEK_LANE0, 0xE00), (ACCUM0_ADD, 0xE00)]);
        let registers = [(ACCUM0, 0xABCD_E000), (CTRL_LANE0, take_byte | CTRL_SIGNED), (BASE2, 1)];
        check(false, &registers, &[(PEEK_LANE0, 0xFFFF_FE00), (PEEK_FULL, 0xFFFF_FE01)]);
    }

    #[test]
    fn peeking_has_no_effect_and_a_pop_writes_both_lanes_back() {
        let registers = [
            (CTRL_LANE0, WHOLE),
            (CTRL_LANE1, WHOLE),
            (ACCUM0, 1),
            (ACCUM1, 2),
            (BASE0, 10),
            (BASE1, 20),
        ];
        let reads = [
            (PEEK_LANE0, 11),
            (PEEK_LANE1, 22),
            (PEEK_FULL, 3),
            (POP_FULL, 3),
            (ACCUM0, 11),
            (ACCUM1, 22),
            (POP_LANE1, 42),
            (ACCUM0, 21),
        ];
        check(false, &registers, &reads);
    }

    #[test]
    fn inputs_and_results_cross() {
        let registers = [(CTRL_LANE0, WHOLE | CTRL_CROSS_INPUT), (CTRL_LANE1, WHOLE), (ACCUM1, 5)];
        check(false, &registers, &[(PEEK_LANE0, 5), (PEEK_LANE1, 5), (PEEK_FULL, 10)]);
        // Each lane takes the other's result.
        let registers = [
            (CTRL_LANE0, WHOLE | CTRL_CROSS_RESULT),
            (CTRL_LANE1, WHOLE | CTRL_CROSS_RESULT),
            (ACCUM0, 1),
            (ACCUM1, 2),
            (BASE0, 100),
        ];
        check(false, &registers, &[(POP_LANE0, 101), (ACCUM0, 2), (ACCUM1, 101)]);
    }

    #[test]
    fn a_raw_accumulator_is_added_to_the_lane_result_only() {
        let registers = [(CTRL_LANE0, 8 | 7 << 10 | CTRL_ADD_RAW), (ACCUM0, 0x1234), (BASE0, 1)];
        check(false, &registers, &[(PEEK_LANE0, 0x1235), (PEEK_FULL, 0x12)]);
    }

    #[test]
    fn bits_above_the_mask_are_overflow() {
        let registers = [(CTRL_LANE0, 7 << 10), (CTRL_LANE1, 7 << 10), (ACCUM0, 0xFF)];
        check(false, &registers, &[(CTRL_LANE0, 7 << 10)]);
        let registers = [(CTRL_LANE0, 7 << 10), (CTRL_LANE1, 7 << 10), (ACCUM1, 0x100)];
        check(false, &registers, &[(CTRL_LANE0, 7 << 10 | CTRL_OVERF | CTRL_OVERF1)]);
    }

    #[test]
    fn the_top_bits_are_forced_only_in_reads() {
        let registers = [(CTRL_LANE0, WHOLE | 2 << 19), (ACCUM0, 8)];
        check(false, &registers, &[(POP_LANE0, 0x2000_0008), (ACCUM0, 8), (PEEK_FULL, 8)]);
    }

    #[test]
    fn the_first_blends_between_its_bases() {
        let blend = [(CTRL_LANE0, CTRL_BLEND), (CTRL_LANE1, WHOLE), (BASE0, 500), (BASE1, 1000)];
        let with = |fraction| [&blend[..], &[(ACCUM1, fraction)]].concat();
        check(false, &with(0), &[(PEEK_LANE1, 500)]);
        check(false, &with(128), &[(PEEK_LANE1, 750), (PEEK_LANE0, 128)]);
        check(false, &with(255), &[(PEEK_LANE1, 998)]);
        let signed = [
            (CTRL_LANE0, CTRL_BLEND),
            (CTRL_LANE1, WHOLE | CTRL_SIGNED),
            (BASE_1AND0, 1000 << 16 | 0xFC18),
        ];
        let with = |fraction| [&signed[..], &[(ACCUM1, fraction)]].concat();
        check(false, &with(0), &[(PEEK_LANE1, -1000_i32 as u32)]);
        check(false, &with(64), &[(PEEK_LANE1, -500_i32 as u32)]);
        check(false, &with(1), &[(PEEK_LANE1, -993_i32 as u32)]);
    }

    #[test]
    fn the_second_clamps_between_its_bases() {
        let clamp = [
            (CTRL_LANE0, CTRL_CLAMP | WHOLE | CTRL_SIGNED),
            (BASE0, -1000_i32 as u32),
            (BASE1, 1000),
        ];
        let with = |value: i32| [&clamp[..], &[(ACCUM0, value as u32)]].concat();
        check(true, &with(-1024), &[(PEEK_LANE0, -1000_i32 as u32)]);
        check(true, &with(7), &[(PEEK_LANE0, 7)]);
        check(true, &with(1024), &[(PEEK_LANE0, 1000)]);
    }

    #[test]
    fn the_second_follows_the_first() {
        let mut both = Interpolators::default();
        both.write(0x40, 5);
        assert_eq!((both.read(0), both.read(0x40), both.read(0x80)), (Some(0), Some(5), None));
    }

    #[test]
    fn each_has_only_its_own_speciality() {
        check(false, &[(CTRL_LANE0, u32::MAX)], &[(CTRL_LANE0, CTRL_COMMON | CTRL_BLEND)]);
        check(true, &[(CTRL_LANE0, u32::MAX)], &[(CTRL_LANE0, CTRL_COMMON | CTRL_CLAMP)]);
        check(true, &[(CTRL_LANE1, u32::MAX)], &[(CTRL_LANE1, CTRL_COMMON)]);
    }

    #[test]
    fn halves_become_bases_with_the_sign_of_their_lane() {
        let registers = [(CTRL_LANE1, CTRL_SIGNED), (BASE_1AND0, 0x8001_8002)];
        check(false, &registers, &[(BASE0, 0x8002), (BASE1, 0xFFFF_8001)]);
    }

    #[test]
    fn the_raw_value_is_read_in_its_whole_width() {
        let registers = [(ACCUM0, 0xABCD_EF01), (CTRL_LANE0, WHOLE), (BASE0, 5)];
        check(false, &registers, &[(ACCUM0_ADD, 0xABCD_EF01)]);
    }

    #[test]
    fn adding_to_an_accumulator_takes_24_bits() {
        check(false, &[(ACCUM0, 1), (ACCUM0_ADD, 0xFF00_0002)], &[(ACCUM0, 3)]);
    }
}
