//! The 64-bit timer of microseconds with its four alarms (datasheet section 4.6).

use super::array::index;

// Registers: RP2040 datasheet 4.6.5.
const TIMEHW: u32 = 0x00; // time to write, upper half, 4.6.5
const TIMELW: u32 = 0x04; // time to write, lower half, 4.6.5
const TIMEHR: u32 = 0x08; // time to read, upper half as TIMELR latched it, 4.6.5
const TIMELR: u32 = 0x0C; // time to read, lower half, 4.6.5
const ALARM0: u32 = 0x10; // first of four alarms, 4.6.5
const ALARM3: u32 = 0x1C; // last alarm, 4.6.5
pub(in crate::chip) const ARMED: u32 = 0x20; // alarms that are armed, 4.6.5
const TIMERAWH: u32 = 0x24; // upper half, not latched, 4.6.5
const TIMERAWL: u32 = 0x28; // lower half, without latching, 4.6.5
const DBGPAUSE: u32 = 0x2C; // debuggers that pause the timer, 4.6.5
const PAUSE: u32 = 0x30; // stops the count, 4.6.5
pub(in crate::chip) const INTR: u32 = 0x34; // raw interrupts, 4.6.5
const INTE: u32 = 0x38; // interrupt enable, 4.6.5
const INTF: u32 = 0x3C; // interrupt force, 4.6.5
const INTS: u32 = 0x40; // interrupt status, 4.6.5

/// Mask with a bit for each alarm.
const INTE_BITS: u32 = 0xF;
const PAUSE_BITS: u32 = 1;
/// DBGPAUSE after reset: either debugger pauses the timer.
const DBGPAUSE_RESET: u32 = 7;

/// The timer: interrupts 0 to 3, and the count that they compare with.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Timer {
    /// Count at `since`, which [`Timer::set_tick`] and writes to the time change.
    count: u64,
    since_ns: u64,
    /// Nanoseconds per tick; 0 while the tick is stopped.
    tick_ns: u64,
    paused: bool,
    /// Upper half of the time as latched by the last read of the lower half.
    latched: u32,
    /// Lower half of the time, which waits for the upper half to be written.
    written: u32,
    alarms: [u32; 4],
    armed: u32,
    raised: u32,
    enabled: u32,
    forced: u32,
}

impl Timer {
    fn running(&self) -> bool {
        self.tick_ns != 0 && !self.paused
    }

    pub(in crate::chip) fn count(&self, ns: u64) -> u64 {
        let ticks = (ns - self.since_ns).checked_div(self.tick_ns).unwrap_or(0);
        self.count.wrapping_add(if self.paused { 0 } else { ticks })
    }

    fn rebase(&mut self, ns: u64) {
        self.count = self.count(ns);
        // The elapsed part of the current tick is retained.
        let into = if self.running() { (ns - self.since_ns) % self.tick_ns } else { 0 };
        self.since_ns = ns - into;
    }

    /// Returns the timer after its reset: the tick, which comes from the watchdog, continues.
    pub(in crate::chip) fn after_reset(&mut self, ns: u64) -> Self {
        self.rebase(ns);
        Self { since_ns: self.since_ns, tick_ns: self.tick_ns, ..Self::default() }
    }

    /// Sets the period of the watchdog's tick generator.
    pub(in crate::chip) fn set_tick(&mut self, ns: u64, tick_ns: u64) {
        if tick_ns != self.tick_ns {
            self.rebase(ns);
            self.since_ns = ns;
            self.tick_ns = tick_ns;
        }
    }

    /// Raises the interrupts of alarms that are due.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while self.next() <= ns {
            let due = (0..4).filter(|n| self.armed & 1 << n != 0 && self.due_ns(*n) <= ns);
            let due = due.fold(0, |mask, n| mask | 1 << n);
            self.armed &= !due;
            self.raised |= due;
        }
    }

    /// Returns the nanosecond at which the lower half of the count next equals an alarm. The count
    /// was last rebased when the alarm was armed, so a lower value is due after the next wrap.
    fn due_ns(&self, alarm: usize) -> u64 {
        if !self.running() {
            return u64::MAX;
        }
        let ticks = self.alarms[alarm].wrapping_sub(self.count as u32);
        self.since_ns.saturating_add(u64::from(ticks) * self.tick_ns)
    }

    /// Returns the nanosecond at which an alarm is next due; `u64::MAX` if none is.
    pub(in crate::chip) fn next(&self) -> u64 {
        (0..4)
            .filter(|alarm| self.armed & 1 << alarm != 0)
            .map(|alarm| self.due_ns(alarm))
            .min()
            .unwrap_or(u64::MAX)
    }

    /// Returns whether this register is a half of the time that increases with each tick.
    pub(in crate::chip) fn counts(offset: u32) -> bool {
        matches!(offset, TIMELR | TIMERAWL)
    }

    /// Returns the duration of a tick in nanoseconds; `None` while the timer does not count.
    pub(in crate::chip) fn tick_ns(&self) -> Option<u64> {
        self.running().then_some(self.tick_ns)
    }

    /// Returns the nanosecond before which this register, read at `ns`, reads the same again,
    /// unless an alarm becomes due or something is written.
    pub(in crate::chip) fn steady_until_ns(&self, offset: u32, ns: u64) -> u64 {
        let ticks = match offset {
            TIMELR | TIMERAWL => 1,
            // The upper half changes when the lower half becomes zero again.
            TIMERAWH => (1 << 32) - (self.count(ns) & 0xFFFF_FFFF),
            // TIMEHR changes only when a read of the lower half latches it.
            _ => return u64::MAX,
        };
        if !self.running() {
            return u64::MAX;
        }
        let into = (ns - self.since_ns) % self.tick_ns;
        (ns - into).saturating_add(ticks * self.tick_ns)
    }

    /// Returns the interrupt lines 0 to 3.
    pub(in crate::chip) fn interrupts(&self) -> u32 {
        self.raised & self.enabled | self.forced
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        let count = self.count(ns);
        Some(match offset {
            TIMEHR => self.latched,
            TIMELR => {
                self.latched = (count >> 32) as u32;
                count as u32
            }
            ALARM0..=ALARM3 => self.alarms[index(offset, ALARM0)],
            ARMED => self.armed,
            TIMERAWH => (count >> 32) as u32,
            TIMERAWL => count as u32,
            DBGPAUSE => DBGPAUSE_RESET,
            PAUSE => self.paused.into(),
            INTR => self.raised,
            INTE => self.enabled,
            INTF => self.forced,
            INTS => self.interrupts(),
            // Write-only.
            TIMEHW | TIMELW => 0,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            TIMEHW => {
                self.count = u64::from(value) << 32 | u64::from(self.written);
                self.since_ns = ns;
            }
            TIMELW => self.written = value,
            ALARM0..=ALARM3 => {
                self.rebase(ns);
                let alarm = index(offset, ALARM0);
                self.alarms[alarm] = value;
                self.armed |= 1 << alarm;
            }
            ARMED => self.armed &= !value,
            // Selects the debuggers that pause the timer: there is none.
            DBGPAUSE => {}
            PAUSE => {
                self.rebase(ns);
                self.since_ns = ns;
                self.paused = value & PAUSE_BITS != 0;
            }
            INTR => self.raised &= !value,
            INTE => self.enabled = value & INTE_BITS,
            INTF => self.forced = value & INTE_BITS,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALARM2: u32 = ALARM0 + 8;

    fn ticking() -> Timer {
        let mut timer = Timer::default();
        timer.set_tick(500, 1_000);
        timer
    }

    /// Arms alarm 2 at count 5 with `value` and checks the count at which it is raised.
    #[track_caller]
    fn check(value: u32, raised_at: Option<u64>) {
        let mut timer = ticking();
        assert_eq!(timer.write(ALARM2, value, 5_500), Some(()));
        assert_eq!(timer.write(INTE, 4, 5_500), Some(()));
        let due = timer.next();
        assert_eq!((due != u64::MAX).then(|| timer.count(due)), raised_at);
        timer.advance(due - 1);
        assert_eq!(timer.interrupts(), 0);
        timer.advance(due);
        assert_eq!(timer.interrupts(), 4);
        assert_eq!(timer.read(ARMED, due), Some(0), "disarmed");
        assert_eq!(timer.write(INTR, 4, due), Some(()));
        assert_eq!(timer.interrupts(), 0);
    }

    #[test]
    fn an_alarm_is_raised_when_the_lower_half_matches() {
        check(6, Some(6));
        check(1_000_000, Some(1_000_000));
    }

    #[test]
    fn an_alarm_that_was_missed_is_due_after_the_next_wrap() {
        check(4, Some((1 << 32) + 4));
    }

    #[test]
    fn reading_the_lower_half_latches_the_upper() {
        let mut timer = ticking();
        timer.write(TIMELW, 0xFFFF_FFFF, 500);
        timer.write(TIMEHW, 7, 500);
        assert_eq!(timer.read(TIMELR, 500), Some(0xFFFF_FFFF));
        assert_eq!(timer.read(TIMEHR, 9_999), Some(7));
        assert_eq!(timer.read(TIMERAWH, 9_999), Some(8));
    }

    #[test]
    fn a_register_is_steady_until_it_counts() {
        let mut timer = ticking();
        timer.write(TIMELW, 0xFFFF_FFF0, 500);
        timer.write(TIMEHW, 7, 500);
        let steady =
            [TIMELR, TIMERAWL, TIMERAWH].map(|offset| timer.steady_until_ns(offset, 2_700));
        assert_eq!(steady, [3_500, 3_500, 16_500]);
        for (offset, until) in [TIMELR, TIMERAWL, TIMERAWH].into_iter().zip(steady) {
            let before = timer.read(offset, 2_700);
            assert_eq!(timer.read(offset, until - 1), before);
            assert_ne!(timer.read(offset, until), before);
        }
        assert_eq!(timer.steady_until_ns(ARMED, 2_700), u64::MAX);
        assert_eq!(timer.steady_until_ns(TIMEHR, 2_700), u64::MAX);
        timer.write(PAUSE, 1, 20_000);
        assert_eq!((timer.steady_until_ns(TIMERAWL, 20_000), timer.tick_ns()), (u64::MAX, None));
    }

    #[test]
    fn without_a_tick_it_does_not_count() {
        let mut timer = Timer::default();
        assert_eq!(timer.read(TIMERAWL, 1_000_000_000), Some(0));
        timer.write(ALARM0, 5, 0);
        assert_eq!(timer.next(), u64::MAX);
    }
}
