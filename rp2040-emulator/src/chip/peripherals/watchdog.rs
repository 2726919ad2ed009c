//! The watchdog: its countdown, its tick generator for the timer, its scratch registers
//! (datasheet section 4.7).

use super::array::index;

// Registers: RP2040 datasheet 4.7.6.
const CTRL: u32 = 0x00; // control, 4.7.6
const LOAD: u32 = 0x04; // loads the countdown, 4.7.6
const REASON: u32 = 0x08; // reason of the last reset, 4.7.6
const SCRATCH0: u32 = 0x0C; // first of eight scratch registers, 4.7.6
const SCRATCH7: u32 = 0x28; // last scratch register, 4.7.6
pub(in crate::chip) const TICK: u32 = 0x2C; // tick generator, 4.7.6

const CTRL_TIME: u32 = 0x00FF_FFFF;
/// Bits of PAUSE_JTAG, PAUSE_DBG0, PAUSE_DBG1.
const CTRL_PAUSE: u32 = 7 << 24;
const CTRL_PAUSE_DBG0: u32 = 1 << 25;
const CTRL_PAUSE_DBG1: u32 = 1 << 26;
const CTRL_ENABLE: u32 = 1 << 30;
const CTRL_TRIGGER: u32 = 1 << 31;
const LOAD_BITS: u32 = 0x00FF_FFFF;
const TICK_CYCLES: u32 = 0x1FF;
const TICK_ENABLE: u32 = 1 << 9;
const TICK_RUNNING: u32 = 1 << 10;

/// Value of scratch register 4 that makes the boot ROM start a program at an address (datasheet
/// section 2.8.1.1).
const BOOT_MAGIC: u32 = 0xB007_C0D3;

/// Start of a program by the boot ROM, instead of the one in the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct WatchdogBoot {
    pub(in crate::chip) stack: u32,
    pub(in crate::chip) entry: u32,
}

/// Reason why the watchdog last reset the chip: REASON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum Reason {
    Timer = 1,
    Forced = 2,
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct Watchdog {
    control: u32,
    /// Value of the countdown at `since_ns`. It decrements twice per tick (erratum RP2040-E1).
    left: u32,
    since_ns: u64,
    tick: u32,
    tick_ns: u64,
    reason: u32,
    scratch: [u32; 8],
    triggered: bool,
    /// Cores that a debugger halts: PAUSE_DBG0 and PAUSE_DBG1 of `control`.
    halted: u32,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self {
            control: CTRL_PAUSE,
            left: 0,
            since_ns: 0,
            tick: TICK_ENABLE,
            tick_ns: 0,
            reason: 0,
            scratch: [0; 8],
            triggered: false,
            halted: 0,
        }
    }
}

impl Watchdog {
    /// Returns the watchdog after the reset that it caused; the scratch registers are retained.
    pub(in crate::chip) fn after(&self, reason: Reason) -> Self {
        Self { reason: reason as u32, scratch: self.scratch, ..Self::default() }
    }

    /// Returns the boot requested by scratch registers 4 to 7, if their magic numbers are right. It
    /// is returned only once: the ROM clears register 4.
    pub(in crate::chip) fn take_boot(&mut self) -> Option<WatchdogBoot> {
        let [.., magic, check, stack, entry] = self.scratch;
        let asked = magic == BOOT_MAGIC && check == entry ^ BOOT_MAGIC.wrapping_neg();
        if asked {
            self.scratch[4] = 0;
        }
        asked.then_some(WatchdogBoot { stack, entry })
    }

    /// Returns the period of the tick for a reference clock of `ref_hz`; 0 without a tick.
    pub(in crate::chip) fn tick_ns(&self, ref_hz: u64) -> u64 {
        match self.tick & TICK_CYCLES {
            _ if self.tick & TICK_ENABLE == 0 => 0,
            0 => 0,
            cycles => (u64::from(cycles) * 1_000_000_000).checked_div(ref_hz).unwrap_or(0),
        }
    }

    pub(in crate::chip) fn set_tick_ns(&mut self, ns: u64, tick_ns: u64) {
        self.left = self.left(ns);
        self.since_ns = ns;
        self.tick_ns = tick_ns;
    }

    /// Records at `ns` which cores a debugger halts.
    pub(in crate::chip) fn set_halted(&mut self, ns: u64, halted: [bool; 2]) {
        self.left = self.left(ns);
        self.since_ns = ns;
        self.halted = [CTRL_PAUSE_DBG0, CTRL_PAUSE_DBG1]
            .into_iter()
            .zip(halted)
            .fold(0, |bits, (bit, halted)| bits | if halted { bit } else { 0 });
    }

    fn is_paused(&self) -> bool {
        self.control & self.halted != 0
    }

    fn left(&self, ns: u64) -> u32 {
        if self.control & CTRL_ENABLE == 0 || self.is_paused() {
            return self.left;
        }
        let ticks = (ns - self.since_ns).checked_div(self.tick_ns).unwrap_or(0);
        u64::from(self.left).saturating_sub(2 * ticks) as u32
    }

    /// Returns the nanosecond at which the watchdog resets the chip; `u64::MAX` if it does not.
    pub(in crate::chip) fn next(&self) -> u64 {
        if self.control & CTRL_ENABLE == 0 || self.tick_ns == 0 || self.is_paused() {
            return u64::MAX;
        }
        self.since_ns.saturating_add(u64::from(self.left.div_ceil(2)) * self.tick_ns)
    }

    /// Returns the reason if the watchdog resets the chip now.
    pub(in crate::chip) fn expired(&self, ns: u64) -> Option<Reason> {
        if self.triggered {
            Some(Reason::Forced)
        } else {
            (self.next() <= ns).then_some(Reason::Timer)
        }
    }

    pub(in crate::chip) fn read(&self, offset: u32, ns: u64) -> Option<u32> {
        Some(match offset {
            CTRL => self.control | self.left(ns) & CTRL_TIME,
            LOAD => 0,
            REASON => self.reason,
            SCRATCH0..=SCRATCH7 => self.scratch[index(offset, SCRATCH0)],
            TICK if self.tick & TICK_ENABLE != 0 => self.tick | TICK_RUNNING,
            TICK => self.tick,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        match offset {
            CTRL => {
                self.left = self.left(ns);
                self.since_ns = ns;
                self.control = value & (CTRL_ENABLE | CTRL_PAUSE);
                self.triggered |= value & CTRL_TRIGGER != 0;
            }
            LOAD => {
                self.left = value & LOAD_BITS;
                self.since_ns = ns;
            }
            SCRATCH0..=SCRATCH7 => self.scratch[index(offset, SCRATCH0)] = value,
            TICK => self.tick = value & (TICK_CYCLES | TICK_ENABLE),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRATCH1: u32 = SCRATCH0 + 4;
    const SCRATCH4: u32 = SCRATCH0 + 16;

    #[test]
    fn the_count_falls_by_two_a_tick_and_resets_at_zero() {
        let mut watchdog = Watchdog::default();
        watchdog.set_tick_ns(0, 1_000);
        watchdog.write(LOAD, 200, 0);
        watchdog.write(CTRL, CTRL_ENABLE, 0);
        assert_eq!(watchdog.read(CTRL, 10_000), Some(CTRL_ENABLE | 180));
        assert_eq!(watchdog.expired(99_999), None);
        assert_eq!(watchdog.expired(100_000), Some(Reason::Timer));
    }

    #[test]
    fn a_stopped_reference_makes_no_tick() {
        let mut watchdog = Watchdog::default();
        watchdog.write(TICK, 12 | TICK_ENABLE, 0);
        assert_eq!(watchdog.tick_ns(12_000_000), 1_000);
        assert_eq!(watchdog.tick_ns(0), 0);
    }

    #[test]
    fn a_halted_core_pauses_it_if_its_bit_is_set() {
        let mut watchdog = Watchdog::default();
        watchdog.set_tick_ns(0, 1_000);
        watchdog.write(LOAD, 200, 0);
        watchdog.write(CTRL, CTRL_ENABLE | CTRL_PAUSE_DBG0, 0);
        watchdog.set_halted(10_000, [false, true]);
        assert_eq!(watchdog.next(), 100_000, "it is not paused for core 1");
        watchdog.set_halted(20_000, [true, false]);
        assert_eq!(watchdog.expired(900_000), None);
        watchdog.set_halted(900_000, [false, false]);
        assert_eq!(watchdog.next(), 980_000);
    }

    #[test]
    fn feeding_it_keeps_the_chip_running() {
        let mut watchdog = Watchdog::default();
        watchdog.set_tick_ns(0, 1_000);
        watchdog.write(LOAD, 200, 0);
        watchdog.write(CTRL, CTRL_ENABLE, 0);
        watchdog.write(LOAD, 200, 90_000);
        assert_eq!(watchdog.next(), 190_000);
    }

    #[test]
    fn a_boot_requested_by_scratch_registers_happens_once() {
        let mut watchdog = Watchdog::default();
        let [stack, entry] = [0x2004_0000, 0x2000_0101];
        for (number, value) in [BOOT_MAGIC, 0, stack, entry].into_iter().enumerate() {
            watchdog.write(SCRATCH4 + 4 * number as u32, value, 0);
        }
        assert_eq!(watchdog.take_boot(), None, "register 5 is wrong");
        watchdog.write(SCRATCH4 + 4, entry ^ 0x4FF8_3F2D, 0);
        assert_eq!(watchdog.take_boot(), Some(WatchdogBoot { stack, entry }));
        assert_eq!(watchdog.take_boot(), None);
    }

    #[test]
    fn scratch_registers_survive_a_watchdog_reset() {
        let mut watchdog = Watchdog::default();
        watchdog.write(SCRATCH1, 0xCAFE, 0);
        watchdog.write(CTRL, CTRL_TRIGGER, 0);
        assert_eq!(watchdog.expired(0), Some(Reason::Forced));
        let after = watchdog.after(Reason::Forced);
        assert_eq!(after.read(SCRATCH1, 0), Some(0xCAFE));
        assert_eq!(after.read(REASON, 0), Some(2));
        assert_eq!(after.expired(0), None);
    }
}
