//! An interpolator of the single-cycle I/O block: two lanes that shift, mask, add, and then blend
//! or clamp (datasheet section 2.3.1.6).
//!
//! Each core has two, which differ in one thing: the first blends, the second clamps. Everything
//! is combinational, so results are computed when they are read, and nothing knows the time.

/// CTRL_LANE
const SIGNED: u32 = 1 << 15;
const CROSS_INPUT: u32 = 1 << 16;
const CROSS_RESULT: u32 = 1 << 17;
const ADD_RAW: u32 = 1 << 18;
const BLEND: u32 = 1 << 21;
const CLAMP: u32 = 1 << 22;
const OVERFLOW_0: u32 = 1 << 23;
const OVERFLOW_1: u32 = 1 << 24;
const OVERFLOW: u32 = 1 << 25;
/// The bits that both lanes of both interpolators have.
const COMMON: u32 = 0x1F_FFFF;
/// Writes to ACCUM_ADD are this wide, and so are reads.
const ADD_BITS: u32 = 0xFF_FFFF;

/// Bytes of an interpolator's registers.
const STRIDE: u32 = 0x40;

/// The two of a core.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Interpolators([Interpolator; 2]);

impl Default for Interpolators {
    fn default() -> Self {
        Self([false, true].map(Interpolator::new))
    }
}

impl Interpolators {
    /// `offset` counts from INTERP0_ACCUM0.
    pub(in crate::chip) fn read(&mut self, offset: u32) -> Option<u32> {
        self.0.get_mut((offset / STRIDE) as usize)?.read(offset % STRIDE)
    }

    /// `offset` counts from INTERP0_ACCUM0.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        self.0.get_mut((offset / STRIDE) as usize)?.write(offset % STRIDE, value)
    }
}

#[derive(Clone, Debug)]
struct Interpolator {
    /// BLEND for the first, CLAMP for the second.
    special: u32,
    accumulators: [u32; 2],
    bases: [u32; 3],
    control: [u32; 2],
}

/// What the datapath gives for the present registers.
struct Results {
    /// Shifted and masked, without a base.
    raw: [u32; 2],
    lanes: [u32; 2],
    full: u32,
    overflow: u32,
}

impl Interpolator {
    /// The first or the second of a core.
    fn new(second: bool) -> Self {
        Self {
            special: if second { CLAMP } else { BLEND },
            accumulators: [0; 2],
            bases: [0; 3],
            control: [0; 2],
        }
    }

    /// `offset` counts from ACCUM0.
    fn read(&mut self, offset: u32) -> Option<u32> {
        let number = offset as usize / 4;
        let results = self.results();
        let force = |lane: usize| results.lanes[lane] | (self.control[lane] >> 19 & 3) << 28;
        let value = match offset {
            0x00 | 0x04 => self.accumulators[number],
            0x08..=0x10 => self.bases[number - 2],
            0x14 | 0x20 => force(0),
            0x18 | 0x24 => force(1),
            0x1C | 0x28 => results.full,
            0x2C => self.control[0] | results.overflow,
            0x30 => self.control[1],
            0x34 | 0x38 => results.raw[number - 0xD] & ADD_BITS,
            // BASE_1AND0 is write-only.
            0x3C => 0,
            _ => return None,
        };
        if (0x14..=0x1C).contains(&offset) {
            let crossed = |lane: usize| self.control[lane] & CROSS_RESULT != 0;
            let [zero, one] = results.lanes;
            let next = [if crossed(0) { one } else { zero }, if crossed(1) { zero } else { one }];
            self.accumulators = next;
        }
        Some(value)
    }

    fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        let number = offset as usize / 4;
        match offset {
            0x00 | 0x04 => self.accumulators[number] = value,
            0x08..=0x10 => self.bases[number - 2] = value,
            // POP and PEEK are read-only.
            0x14..=0x28 => {}
            0x2C => self.control[0] = value & (COMMON | self.special),
            0x30 => self.control[1] = value & COMMON,
            0x34 | 0x38 => {
                let accumulator = &mut self.accumulators[number - 0xD];
                *accumulator = accumulator.wrapping_add(value & ADD_BITS);
            }
            0x3C => {
                // While it blends, both bases belong to lane 1.
                let first = if self.does(BLEND) { 1 } else { 0 };
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
        self.control[lane] & SIGNED != 0
    }

    /// A half of BASE_1AND0 as a word.
    fn extended(&self, lane: usize, half: u32) -> u32 {
        if self.is_signed(lane) { half as u16 as i16 as u32 } else { half }
    }

    fn results(&self) -> Results {
        let [zero, one] = [0, 1].map(|lane| self.lane(lane));
        let raw = [zero.masked, one.masked];
        let added = |lane: usize, of: &Lane| {
            let raw = self.control[lane] & ADD_RAW != 0;
            self.bases[lane].wrapping_add(if raw { of.input } else { of.masked })
        };
        let mut lanes = [added(0, &zero), added(1, &one)];
        let mut full = self.bases[2].wrapping_add(zero.masked);
        if self.does(BLEND) {
            let fraction = one.masked & 0xFF;
            lanes = [fraction, self.blended(fraction)];
        } else {
            full = full.wrapping_add(one.masked);
        }
        if self.does(CLAMP) {
            lanes[0] = self.clamped(zero.masked);
        }
        let overflow = match (zero.overflow, one.overflow) {
            (false, false) => 0,
            (true, false) => OVERFLOW | OVERFLOW_0,
            (false, true) => OVERFLOW | OVERFLOW_1,
            (true, true) => OVERFLOW | OVERFLOW_0 | OVERFLOW_1,
        };
        Results { raw, lanes, full, overflow }
    }

    fn lane(&self, lane: usize) -> Lane {
        let control = self.control[lane];
        let crossed = control & CROSS_INPUT != 0;
        let input = self.accumulators[if crossed { 1 - lane } else { lane }];
        let shifted = input >> (control & 31);
        let (lowest, highest) = (control >> 5 & 31, control >> 10 & 31);
        let up_to_highest = u32::MAX >> (31 - highest);
        let mut masked = shifted & up_to_highest & (u32::MAX << lowest);
        if self.is_signed(lane) && masked >> highest & 1 != 0 {
            masked |= !up_to_highest;
        }
        Lane { input, masked, overflow: shifted & !up_to_highest != 0 }
    }

    /// From BASE0 to BASE1 by so many 256ths, rounded down.
    fn blended(&self, fraction: u32) -> u32 {
        let [from, to] = [0, 1].map(|number| {
            let base = self.bases[number];
            if self.is_signed(1) { i64::from(base as i32) } else { i64::from(base) }
        });
        (from + (i64::from(fraction) * (to - from)).div_euclid(256)) as u32
    }

    /// Between BASE0 and BASE1.
    fn clamped(&self, value: u32) -> u32 {
        let [low, high, _] = self.bases;
        if self.is_signed(0) {
            (value as i32).min(high as i32).max(low as i32) as u32
        } else {
            value.min(high).max(low)
        }
    }
}

/// What a lane makes of its accumulator before anything is added.
struct Lane {
    input: u32,
    masked: u32,
    /// Bits above the mask were lost.
    overflow: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const POP_0: u32 = 0x14;
    const POP_1: u32 = 0x18;
    const POP_FULL: u32 = 0x1C;
    const PEEK_0: u32 = 0x20;
    const PEEK_1: u32 = 0x24;
    const PEEK_FULL: u32 = 0x28;
    const CONTROL_0: u32 = 0x2C;
    const CONTROL_1: u32 = 0x30;
    const WHOLE: u32 = 31 << 10;

    /// With these registers, counted from ACCUM0, the reads give these values one after another.
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
    fn a_table_of_nine_is_said_by_popping() {
        let registers = [(CONTROL_0, WHOLE), (0x00, 0), (0x08, 9)];
        check(false, &registers, &[9, 18, 27, 36].map(|value| (POP_0, value)));
    }

    #[test]
    fn lanes_shift_and_mask_and_sign() {
        let take_byte = 4 | 4 << 5 | 11 << 10;
        let registers = [(0x00, 0xABCD_E000), (CONTROL_0, take_byte)];
        check(false, &registers, &[(PEEK_0, 0xE00), (0x34, 0xE00)]);
        let registers = [(0x00, 0xABCD_E000), (CONTROL_0, take_byte | SIGNED), (0x10, 1)];
        check(false, &registers, &[(PEEK_0, 0xFFFF_FE00), (PEEK_FULL, 0xFFFF_FE01)]);
    }

    #[test]
    fn peeking_changes_nothing_and_any_pop_writes_both_lanes_back() {
        let registers =
            [(CONTROL_0, WHOLE), (CONTROL_1, WHOLE), (0x00, 1), (0x04, 2), (0x08, 10), (0x0C, 20)];
        let reads = [
            (PEEK_0, 11),
            (PEEK_1, 22),
            (PEEK_FULL, 3),
            (POP_FULL, 3),
            (0x00, 11),
            (0x04, 22),
            (POP_1, 42),
            (0x00, 21),
        ];
        check(false, &registers, &reads);
    }

    #[test]
    fn inputs_and_results_cross() {
        let registers = [(CONTROL_0, WHOLE | CROSS_INPUT), (CONTROL_1, WHOLE), (0x04, 5)];
        check(false, &registers, &[(PEEK_0, 5), (PEEK_1, 5), (PEEK_FULL, 10)]);
        // Each lane takes what the other gave.
        let registers = [
            (CONTROL_0, WHOLE | CROSS_RESULT),
            (CONTROL_1, WHOLE | CROSS_RESULT),
            (0x00, 1),
            (0x04, 2),
            (0x08, 100),
        ];
        check(false, &registers, &[(POP_0, 101), (0x00, 2), (0x04, 101)]);
    }

    #[test]
    fn a_raw_accumulator_is_added_to_the_lane_but_not_to_the_full_result() {
        let registers = [(CONTROL_0, 8 | 7 << 10 | ADD_RAW), (0x00, 0x1234), (0x08, 1)];
        check(false, &registers, &[(PEEK_0, 0x1235), (PEEK_FULL, 0x12)]);
    }

    #[test]
    fn what_the_mask_cuts_off_is_overflow() {
        let registers = [(CONTROL_0, 7 << 10), (CONTROL_1, 7 << 10), (0x00, 0xFF)];
        check(false, &registers, &[(CONTROL_0, 7 << 10)]);
        let registers = [(CONTROL_0, 7 << 10), (CONTROL_1, 7 << 10), (0x04, 0x100)];
        check(false, &registers, &[(CONTROL_0, 7 << 10 | OVERFLOW | OVERFLOW_1)]);
    }

    #[test]
    fn the_top_bits_are_forced_on_what_is_read_only() {
        let registers = [(CONTROL_0, WHOLE | 2 << 19), (0x00, 8)];
        check(false, &registers, &[(POP_0, 0x2000_0008), (0x00, 8), (PEEK_FULL, 8)]);
    }

    #[test]
    fn the_first_blends_between_its_bases() {
        let blend = [(CONTROL_0, BLEND), (CONTROL_1, WHOLE), (0x08, 500), (0x0C, 1000)];
        let with = |fraction| [&blend[..], &[(0x04, fraction)]].concat();
        check(false, &with(0), &[(PEEK_1, 500)]);
        check(false, &with(128), &[(PEEK_1, 750), (PEEK_0, 128)]);
        check(false, &with(255), &[(PEEK_1, 998)]);
        let signed = [(CONTROL_0, BLEND), (CONTROL_1, WHOLE | SIGNED), (0x3C, 1000 << 16 | 0xFC18)];
        let with = |fraction| [&signed[..], &[(0x04, fraction)]].concat();
        check(false, &with(0), &[(PEEK_1, -1000_i32 as u32)]);
        check(false, &with(64), &[(PEEK_1, -500_i32 as u32)]);
        check(false, &with(1), &[(PEEK_1, -993_i32 as u32)]);
    }

    #[test]
    fn the_second_clamps_between_its_bases() {
        let clamp = [(CONTROL_0, CLAMP | WHOLE | SIGNED), (0x08, -1000_i32 as u32), (0x0C, 1000)];
        let with = |value: i32| [&clamp[..], &[(0x00, value as u32)]].concat();
        check(true, &with(-1024), &[(PEEK_0, -1000_i32 as u32)]);
        check(true, &with(7), &[(PEEK_0, 7)]);
        check(true, &with(1024), &[(PEEK_0, 1000)]);
    }

    #[test]
    fn the_second_stands_behind_the_first() {
        let mut both = Interpolators::default();
        both.write(0x40, 5);
        assert_eq!((both.read(0), both.read(0x40), both.read(0x80)), (Some(0), Some(5), None));
    }

    #[test]
    fn each_has_only_its_own_speciality() {
        check(false, &[(CONTROL_0, u32::MAX)], &[(CONTROL_0, COMMON | BLEND)]);
        check(true, &[(CONTROL_0, u32::MAX)], &[(CONTROL_0, COMMON | CLAMP)]);
        check(true, &[(CONTROL_1, u32::MAX)], &[(CONTROL_1, COMMON)]);
    }

    #[test]
    fn halves_become_bases_with_the_sign_of_their_lane() {
        let registers = [(CONTROL_1, SIGNED), (0x3C, 0x8001_8002)];
        check(false, &registers, &[(0x08, 0x8002), (0x0C, 0xFFFF_8001)]);
    }

    #[test]
    fn adding_to_an_accumulator_takes_24_bits() {
        check(false, &[(0x00, 1), (0x34, 0xFF00_0002)], &[(0x00, 3)]);
    }
}
