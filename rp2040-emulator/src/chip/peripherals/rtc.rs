//! The real-time clock: date and time, and an alarm that compares them (datasheet section 4.8).
//!
//! It counts seconds of clk_rtc divided by CLKDIV_M1 + 1. The registers take effect immediately;
//! the chip passes them to the clock's domain within a few of its cycles. The alarm compares at
//! each second and after a load; its interrupt remains until MATCH_ENA is cleared, as the SDK and
//! rp2040-hal expect.
//!
//! Seconds are counted on demand. Without an enabled alarm no second is an event.

use crate::chip::rate::Rate;

mod date;

use date::{Date, Field};

// Registers: RP2040 datasheet 4.8.6.
const CLKDIV_M1: u32 = 0x00; // divider less one, 4.8.6
const SETUP_0: u32 = 0x04; // date to load, 4.8.6
const SETUP_1: u32 = 0x08; // time to load, 4.8.6
const CTRL: u32 = 0x0C; // control, 4.8.6
const IRQ_SETUP_0: u32 = 0x10; // date of the alarm, 4.8.6
const IRQ_SETUP_1: u32 = 0x14; // time of the alarm, 4.8.6
const RTC_1: u32 = 0x18; // date, latched by a read of RTC_0, 4.8.6
const RTC_0: u32 = 0x1C; // time, 4.8.6
const INTR: u32 = 0x20; // raw interrupt, 4.8.6
const INTE: u32 = 0x24; // interrupt enable, 4.8.6
const INTF: u32 = 0x28; // interrupt force, 4.8.6
const INTS: u32 = 0x2C; // interrupt status, 4.8.6

const CLKDIV_M1_BITS: u32 = 0xFFFF;
const SETUP_0_BITS: u32 = 0x00FF_FF1F;
const SETUP_1_BITS: u32 = 0x071F_3F3F;
const CTRL_RTC_ENABLE: u32 = 1;
const CTRL_RTC_ACTIVE: u32 = 1 << 1;
const CTRL_LOAD: u32 = 1 << 4;
const CTRL_FORCE_NOTLEAPYEAR: u32 = 1 << 8;
const IRQ_SETUP_0_MATCH_ENA: u32 = 1 << 28;
const IRQ_SETUP_0_MATCH_ACTIVE: u32 = 1 << 29;
const IRQ_SETUP_0_BITS: u32 = 0x17FF_FF1F;
const IRQ_SETUP_1_BITS: u32 = 0xF71F_3F3F;
/// Fields that an alarm compares, each with the bit that enables it, in IRQ_SETUP_0 and
/// IRQ_SETUP_1.
const DATE_ENABLES: [(u32, Field); 3] =
    [(1 << 24, Field::Day), (1 << 25, Field::Month), (1 << 26, Field::Year)];
const TIME_ENABLES: [(u32, Field); 4] = [
    (1 << 28, Field::Second),
    (1 << 29, Field::Minute),
    (1 << 30, Field::Hour),
    (1 << 31, Field::Weekday),
];

/// Seconds of a day.
const DAY: u64 = 86_400;

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Rtc {
    clock: Rate,
    divider: u32,
    setup: [u32; 2],
    control: u32,
    alarm: [u32; 2],
    date: Date,
    /// Value of RTC_1 at the last read of RTC_0.
    latched: u32,
    /// Time at which `cycles` of the clock had passed in the current second, in nanoseconds.
    since_ns: u64,
    cycles: u64,
    raised: bool,
    enabled: u32,
    forced: u32,
}

impl Rtc {
    /// Returns the clock after its reset; clk_rtc is retained.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        Self { clock: self.clock, ..Self::default() }
    }

    /// Changes the frequency of clk_rtc at `ns`; `None` stops it.
    pub(in crate::chip) fn set_clock(&mut self, hz: Option<u64>, ns: u64) {
        let clock = Rate::new(hz);
        if clock != self.clock {
            self.rebase(ns);
            self.clock = clock;
        }
    }

    fn runs(&self) -> bool {
        self.control & CTRL_RTC_ENABLE != 0 && self.clock.runs()
    }

    /// Returns the number of cycles of the clock in a second.
    pub(in crate::chip) fn second(&self) -> u64 {
        u64::from(self.divider) + 1
    }

    /// Counts the seconds that end by `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        if !self.runs() {
            return;
        }
        let cycles = self.cycles + self.clock.cycles(ns.saturating_sub(self.since_ns));
        let mut seconds = cycles / self.second();
        if seconds == 0 {
            return;
        }
        // Start of the current second, computed so that no part of a cycle is lost. After the
        // divider was made smaller, more than a second may be left.
        let counted = seconds * self.second();
        let passed = counted.saturating_sub(self.cycles);
        self.since_ns = self.since_ns.saturating_add(self.clock.ns(passed));
        self.cycles = self.cycles.saturating_sub(counted);
        let leap_years = self.control & CTRL_FORCE_NOTLEAPYEAR == 0;
        while seconds > 0 {
            self.date.count(leap_years);
            self.compare();
            seconds -= 1;
            // Whole days of seconds that are not observed.
            let unwatched = self.alarm[0] & IRQ_SETUP_0_MATCH_ENA == 0;
            while unwatched && seconds > 2 * DAY && self.date.is_in_range() {
                self.date.count_day(leap_years);
                seconds -= DAY;
            }
        }
    }

    /// As [`advance`](Self::advance), and stores the part of a second that has passed.
    fn rebase(&mut self, ns: u64) {
        self.advance(ns);
        if self.runs() {
            self.cycles += self.clock.cycles(ns.saturating_sub(self.since_ns));
        }
        self.since_ns = ns;
    }

    /// Returns the nanosecond of the next second, if the alarm may interrupt then.
    pub(in crate::chip) fn next(&self) -> u64 {
        let waits = self.alarm[0] & IRQ_SETUP_0_MATCH_ENA != 0 && self.enabled != 0 && !self.raised;
        if !waits || !self.runs() {
            return u64::MAX;
        }
        let left = self.second().saturating_sub(self.cycles);
        self.since_ns.saturating_add(self.clock.ns(left))
    }

    /// Raises the interrupt if every enabled field matches the alarm.
    fn compare(&mut self) {
        let [date, time] = self.alarm;
        if date & IRQ_SETUP_0_MATCH_ENA == 0 {
            return;
        }
        let fields = DATE_ENABLES.map(|(bit, field)| (date & bit, date, field));
        let times = TIME_ENABLES.map(|(bit, field)| (time & bit, time, field));
        let mut wanted = fields.into_iter().chain(times).filter(|(enabled, ..)| *enabled != 0);
        self.raised |= wanted
            .all(|(_, register, field)| self.date.field(field) == Date::field_of(register, field));
    }

    /// Returns the interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.status() != 0
    }

    fn status(&self) -> u32 {
        u32::from(self.raised) & self.enabled | self.forced
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        Some(match offset {
            CLKDIV_M1 => self.divider,
            SETUP_0 => self.setup[0],
            SETUP_1 => self.setup[1],
            CTRL if self.control & CTRL_RTC_ENABLE != 0 => self.control | CTRL_RTC_ACTIVE,
            CTRL => self.control,
            IRQ_SETUP_0 if self.alarm[0] & IRQ_SETUP_0_MATCH_ENA != 0 => {
                self.alarm[0] | IRQ_SETUP_0_MATCH_ACTIVE
            }
            IRQ_SETUP_0 => self.alarm[0],
            IRQ_SETUP_1 => self.alarm[1],
            RTC_1 => self.latched,
            RTC_0 => {
                self.latched = self.date.date_register();
                self.date.time_register()
            }
            INTR => self.raised.into(),
            INTE => self.enabled,
            INTF => self.forced,
            INTS => self.status(),
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.rebase(ns);
        match offset {
            CLKDIV_M1 => self.divider = value & CLKDIV_M1_BITS,
            SETUP_0 => self.setup[0] = value & SETUP_0_BITS,
            SETUP_1 => self.setup[1] = value & SETUP_1_BITS,
            CTRL => {
                self.control = value & (CTRL_RTC_ENABLE | CTRL_FORCE_NOTLEAPYEAR);
                if value & CTRL_LOAD != 0 {
                    self.date = Date::of_registers(self.setup);
                    self.cycles = 0;
                    self.compare();
                }
            }
            IRQ_SETUP_0 => {
                self.alarm[0] = value & IRQ_SETUP_0_BITS;
                self.raised &= value & IRQ_SETUP_0_MATCH_ENA != 0;
            }
            IRQ_SETUP_1 => self.alarm[1] = value & IRQ_SETUP_1_BITS,
            INTE => self.enabled = value & 1,
            INTF => self.forced = value & 1,
            // Read-only.
            RTC_1 | RTC_0 | INTR | INTS => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
