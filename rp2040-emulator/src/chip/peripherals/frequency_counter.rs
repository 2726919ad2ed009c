//! The frequency counter of the clocks: compares a clock with the reference clock (datasheet
//! section 2.15.4).
//!
//! The result is exact to 1/32 kHz immediately; only the status waits for the test's interval. A
//! clock that is stopped gives 0 and DIED.

// Registers: RP2040 datasheet 2.15.7.
const FC0_REF_KHZ: u32 = 0x80; // frequency of the reference clock, 2.15.7
const FC0_MIN_KHZ: u32 = 0x84; // least frequency that passes, 2.15.7
const FC0_MAX_KHZ: u32 = 0x88; // greatest frequency that passes, 2.15.7
const FC0_DELAY: u32 = 0x8C; // delay of the test, 2.15.7
const FC0_INTERVAL: u32 = 0x90; // length of the test, 2.15.7
const FC0_SRC: u32 = 0x94; // clock to test; a write starts, 2.15.7
const FC0_STATUS: u32 = 0x98; // status, 2.15.7
const FC0_RESULT: u32 = 0x9C; // result, 2.15.7

const FC0_REF_KHZ_BITS: u32 = 0xF_FFFF;
const FC0_MIN_KHZ_BITS: u32 = 0x1FF_FFFF;
const FC0_DELAY_BITS: u32 = 7;
const FC0_INTERVAL_BITS: u32 = 0xF;
const FC0_SRC_BITS: u32 = 0xFF;
const FC0_STATUS_PASS: u32 = 1;
const FC0_STATUS_DONE: u32 = 1 << 4;
const FC0_STATUS_RUNNING: u32 = 1 << 8;
const FC0_STATUS_FAIL: u32 = 1 << 16;
const FC0_STATUS_SLOW: u32 = 1 << 20;
const FC0_STATUS_FAST: u32 = 1 << 24;
const FC0_STATUS_DIED: u32 = 1 << 28;
const FC0_RESULT_BITS: u32 = 0x3FFF_FFFF;
/// Number of parts of a kilohertz in the result.
const PARTS: u64 = 32;
/// Duration of the shortest test in nanoseconds; each interval doubles it.
const TEST_NS: u64 = 980;

#[derive(Clone, Debug)]
pub(in crate::chip) struct FrequencyCounter {
    reference_khz: u32,
    least_khz: u32,
    most_khz: u32,
    delay: u32,
    interval: u32,
    source: u32,
    /// End of the last test, and its result.
    test: Option<(u64, u32)>,
}

impl Default for FrequencyCounter {
    fn default() -> Self {
        Self {
            reference_khz: 0,
            least_khz: 0,
            most_khz: FC0_MIN_KHZ_BITS,
            delay: 1,
            interval: 8,
            source: 0,
            test: None,
        }
    }
}

impl FrequencyCounter {
    /// Returns whether a register of the clocks belongs to the counter.
    pub(in crate::chip) fn has(offset: u32) -> bool {
        (FC0_REF_KHZ..=FC0_RESULT).contains(&offset)
    }

    pub(in crate::chip) fn read(&self, offset: u32, ns: u64) -> Option<u32> {
        Some(match offset {
            FC0_REF_KHZ => self.reference_khz,
            FC0_MIN_KHZ => self.least_khz,
            FC0_MAX_KHZ => self.most_khz,
            FC0_DELAY => self.delay,
            FC0_INTERVAL => self.interval,
            FC0_SRC => self.source,
            FC0_STATUS => self.status(ns),
            FC0_RESULT => self.test.filter(|(end, _)| *end <= ns).map_or(0, |(_, result)| result),
            _ => return None,
        })
    }

    /// Writes a register. `hz` returns the frequency of a clock by its number in FC0_SRC, 0 if it
    /// is stopped; `reference_hz` is that of the reference clock.
    pub(in crate::chip) fn write(
        &mut self,
        offset: u32,
        value: u32,
        ns: u64,
        reference_hz: u64,
        hz: impl FnOnce(u32) -> u64,
    ) -> Option<()> {
        match offset {
            FC0_REF_KHZ => self.reference_khz = value & FC0_REF_KHZ_BITS,
            FC0_MIN_KHZ => self.least_khz = value & FC0_MIN_KHZ_BITS,
            FC0_MAX_KHZ => self.most_khz = value & FC0_MIN_KHZ_BITS,
            FC0_DELAY => self.delay = value & FC0_DELAY_BITS,
            FC0_INTERVAL => self.interval = value & FC0_INTERVAL_BITS,
            FC0_SRC => {
                self.source = value & FC0_SRC_BITS;
                self.test = (self.source != 0).then(|| {
                    let end = ns.saturating_add(TEST_NS << self.interval);
                    (end, self.result(hz(self.source), reference_hz))
                });
            }
            FC0_STATUS | FC0_RESULT => {}
            _ => return None,
        }
        Some(())
    }

    /// Returns the result for a clock of `hz`, given the frequency that the program has stated for
    /// the reference clock.
    fn result(&self, hz: u64, reference_hz: u64) -> u32 {
        let parts = u128::from(hz) * u128::from(PARTS) * u128::from(self.reference_khz);
        let parts = parts.checked_div(u128::from(reference_hz)).unwrap_or_default();
        u32::try_from(parts).unwrap_or(FC0_RESULT_BITS).min(FC0_RESULT_BITS)
    }

    fn status(&self, ns: u64) -> u32 {
        let Some((end, result)) = self.test else { return 0 };
        if ns < end {
            return FC0_STATUS_RUNNING;
        }
        let khz = result / PARTS as u32;
        let slow = if khz < self.least_khz { FC0_STATUS_SLOW } else { 0 };
        let fast = if khz > self.most_khz { FC0_STATUS_FAST } else { 0 };
        let died = if result == 0 { FC0_STATUS_DIED } else { 0 };
        let wrong = slow | fast | died;
        FC0_STATUS_DONE | wrong | if wrong == 0 { FC0_STATUS_PASS } else { FC0_STATUS_FAIL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks status and result of a test of a clock of `hz` that should be between 40 and 50 MHz.
    #[track_caller]
    fn check(hz: u64, status: u32, result: u32) {
        let mut counter = FrequencyCounter::default();
        for (offset, value) in [
            (FC0_REF_KHZ, 12_000),
            (FC0_MIN_KHZ, 40_000),
            (FC0_MAX_KHZ, 50_000),
            (FC0_INTERVAL, 10),
            (FC0_SRC, 11),
        ] {
            let clock = |number| if number == 11 { hz } else { 1 };
            assert_eq!(counter.write(offset, value, 0, 12_000_000, clock), Some(()));
        }
        let end = TEST_NS << 10;
        assert_eq!(counter.read(FC0_STATUS, end - 1), Some(FC0_STATUS_RUNNING));
        assert_eq!(counter.read(FC0_STATUS, end), Some(FC0_STATUS_DONE | status));
        assert_eq!(counter.read(FC0_RESULT, end), Some(result));
    }

    #[test]
    fn a_test_has_result_status_and_duration() {
        check(48_000_000, FC0_STATUS_PASS, 48_000 * 32);
        check(40_000_500, FC0_STATUS_PASS, 40_000 * 32 + 16);
        check(39_999_999, FC0_STATUS_FAIL | FC0_STATUS_SLOW, 40_000 * 32 - 1);
        check(51_000_000, FC0_STATUS_FAIL | FC0_STATUS_FAST, 51_000 * 32);
        check(0, FC0_STATUS_FAIL | FC0_STATUS_SLOW | FC0_STATUS_DIED, 0);
    }
}
