//! SysTick, the core's own 24-bit countdown: section B3.3 of the architecture manual.
//!
//! The counter is not advanced every cycle: an access computes its value from the cycle of the last
//! read or write.

// Registers, by their offset from SYST_CSR: ARMv6-M ARM B3.3.
const SYST_CSR: u32 = 0x0; // control and status, ARMv6-M ARM B3.3
const SYST_RVR: u32 = 0x4; // reload value, ARMv6-M ARM B3.3
const SYST_CVR: u32 = 0x8; // current value, ARMv6-M ARM B3.3

const SYST_CSR_ENABLE: u32 = 1;
const SYST_CSR_TICKINT: u32 = 1 << 1;
const SYST_CSR_CLKSOURCE: u32 = 1 << 2;
const SYST_CSR_COUNTFLAG: u32 = 1 << 16;
const SYST_RVR_RELOAD: u32 = 0x00FF_FFFF;

#[derive(Clone, Debug)]
pub(super) struct SysTick {
    control: u32,
    reload: u32,
    /// Value of the counter at cycle `since`.
    value: u32,
    since: u64,
    /// Whether the counter has reached zero since SYST_CSR_COUNTFLAG was read.
    flag: bool,
    /// Whether the last read of SYST_CSR had SYST_CSR_COUNTFLAG, which it cleared.
    told: bool,
    /// Whether the counter has reached zero with SYST_CSR_TICKINT set since the last call of
    /// [`SysTick::expired`].
    due: bool,
    /// Core cycles for each tick of the external reference.
    reference: u32,
}

impl Default for SysTick {
    fn default() -> Self {
        Self {
            control: 0,
            reload: 0,
            value: 0,
            since: 0,
            flag: false,
            told: false,
            due: false,
            reference: 1,
        }
    }
}

impl SysTick {
    fn cycles_per_tick(&self) -> u64 {
        if self.control & SYST_CSR_CLKSOURCE != 0 { 1 } else { self.reference.into() }
    }

    /// Counts up to `now`.
    fn advance(&mut self, now: u64) {
        if self.control & SYST_CSR_ENABLE == 0 {
            self.since = now;
            return;
        }
        let ticks = (now - self.since) / self.cycles_per_tick();
        self.since += ticks * self.cycles_per_tick();
        let value = u64::from(self.value);
        let period = u64::from(self.reload) + 1;
        if value > 0 && ticks < value {
            self.value -= ticks as u32;
            return;
        }
        // The counter was zero `past` ticks ago, or began at zero.
        let past = ticks - value;
        if value > 0 || (self.reload > 0 && past >= period) {
            self.flag = true;
            self.due |= self.control & SYST_CSR_TICKINT != 0;
        }
        self.value = match past % period {
            0 => 0,
            rest => self.reload - (rest as u32 - 1),
        };
    }

    /// Whether the counter has reached zero with its interrupt enabled since the last call.
    pub(super) fn expired(&mut self, now: u64) -> bool {
        if self.control & SYST_CSR_ENABLE != 0 {
            self.advance(now);
        }
        std::mem::take(&mut self.due)
    }

    /// Returns the cycle at which the counter next reaches zero with its interrupt enabled.
    pub(super) fn next(&self, now: u64) -> u64 {
        if self.control & SYST_CSR_TICKINT == 0 {
            return u64::MAX;
        }
        self.zero().max(now + 1)
    }

    /// Returns the cycle at which the counter next reaches zero; `u64::MAX` while it does not
    /// count.
    fn zero(&self) -> u64 {
        let ticks = match (self.value, self.reload) {
            _ if self.control & SYST_CSR_ENABLE == 0 => return u64::MAX,
            (0, 0) => return u64::MAX,
            (0, reload) => u64::from(reload) + 1,
            (value, _) => value.into(),
        };
        self.since + ticks * self.cycles_per_tick()
    }

    /// Returns the cycle before which the register at `offset` from 0xE000_E010, just read, gives
    /// the same value again and reading it has no effect; 0 if that is not known.
    pub(super) fn steady_until(&self, offset: u32) -> u64 {
        if offset == SYST_CSR && !self.told { self.zero() } else { 0 }
    }

    pub(super) fn set_reference(&mut self, now: u64, cycles: u32) {
        let cycles = cycles.max(1);
        if cycles != self.reference {
            self.advance(now);
            self.reference = cycles;
        }
    }

    /// Reads the register at `offset` from 0xE000_E010.
    pub(super) fn read(&mut self, offset: u32, now: u64) -> u32 {
        self.advance(now);
        match offset {
            SYST_CSR => {
                self.told = std::mem::take(&mut self.flag);
                self.control | if self.told { SYST_CSR_COUNTFLAG } else { 0 }
            }
            SYST_RVR => self.reload,
            SYST_CVR => self.value,
            // SYST_CALIB: the core has no calibration value (NOREF and SKEW clear).
            _ => 0,
        }
    }

    /// Writes the register at `offset` from 0xE000_E010.
    pub(super) fn write(&mut self, offset: u32, value: u32, now: u64) {
        self.advance(now);
        match offset {
            SYST_CSR => {
                self.control = value & (SYST_CSR_ENABLE | SYST_CSR_TICKINT | SYST_CSR_CLKSOURCE);
                self.since = now;
            }
            SYST_RVR => self.reload = value & SYST_RVR_RELOAD,
            SYST_CVR => {
                self.value = 0;
                self.flag = false;
                self.since = now;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(reload: u32) -> SysTick {
        let mut systick = SysTick::default();
        systick.write(SYST_RVR, reload, 0);
        systick.write(SYST_CVR, 0, 0);
        systick.write(SYST_CSR, SYST_CSR_ENABLE | SYST_CSR_TICKINT | SYST_CSR_CLKSOURCE, 0);
        systick
    }

    /// Starts with `reload` and compares the counter after `cycles`.
    #[track_caller]
    fn check(reload: u32, cycles: u64, value: u32, flag: bool) {
        let mut systick = started(reload);
        assert_eq!(systick.read(SYST_CVR, cycles), value);
        assert_eq!(systick.read(SYST_CSR, cycles) & SYST_CSR_COUNTFLAG != 0, flag);
    }

    #[test]
    fn it_reloads_first_and_then_counts_down() {
        check(3, 0, 0, false);
        check(3, 1, 3, false);
        check(3, 3, 1, false);
        check(3, 4, 0, true);
        check(3, 5, 3, true);
        check(3, 4 * 1000 + 2, 2, true);
    }

    #[test]
    fn a_reload_of_zero_stands_still() {
        check(0, 100, 0, false);
        assert_eq!(started(0).next(5), u64::MAX);
    }

    #[test]
    fn frequent_reads_do_not_change_the_count() {
        let mut often = started(6);
        for now in 0..100 {
            assert_eq!(often.read(SYST_CVR, now), started(6).read(SYST_CVR, now), "at cycle {now}");
        }
    }

    #[test]
    fn it_expires_at_the_predicted_cycle() {
        let mut systick = started(9);
        assert_eq!(systick.next(0), 10);
        assert!(!systick.expired(9));
        assert!(systick.expired(10));
        assert!(!systick.expired(10));
        assert_eq!(systick.next(10), 20);
    }

    #[test]
    fn its_control_register_is_steady_until_the_counter_is_zero() {
        let mut systick = started(9);
        systick.write(SYST_CSR, SYST_CSR_ENABLE | SYST_CSR_CLKSOURCE, 0);
        systick.read(SYST_CSR, 3);
        assert_eq!(systick.steady_until(SYST_CSR), 10);
        assert_eq!(systick.read(SYST_CSR, 10) & SYST_CSR_COUNTFLAG, SYST_CSR_COUNTFLAG);
        assert_eq!(systick.steady_until(SYST_CSR), 0, "the read has cleared the flag");
        systick.read(SYST_CSR, 11);
        assert_eq!(systick.steady_until(SYST_CSR), 20);
        assert_eq!(systick.steady_until(SYST_CVR), 0, "it counts");
        systick.write(SYST_CSR, 0, 12);
        systick.read(SYST_CSR, 13);
        assert_eq!(systick.steady_until(SYST_CSR), u64::MAX);
    }

    #[test]
    fn the_external_reference_is_slower() {
        let mut systick = started(9);
        systick.set_reference(0, 125);
        systick.write(SYST_CSR, SYST_CSR_ENABLE | SYST_CSR_TICKINT, 0);
        assert_eq!(systick.next(0), 1250);
        assert_eq!(systick.read(SYST_CVR, 125 * 3), 7);
    }
}
