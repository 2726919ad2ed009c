//! The 64-bit timer of microseconds with its four alarms (datasheet section 4.6).

/// Interrupts 0 to 3, and the count that they compare with.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Timer {
    /// The count at `since`, which [`Timer::set_tick`] and writes to the time change.
    count: u64,
    since_ns: u64,
    /// Nanoseconds a tick, 0 while nothing ticks.
    tick_ns: u64,
    paused: bool,
    /// The upper half as the last read of the lower half latched it.
    latched: u32,
    /// The lower half of the time, waiting for the upper.
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
        // A tick that is half over stays so.
        let into = if self.running() { (ns - self.since_ns) % self.tick_ns } else { 0 };
        self.since_ns = ns - into;
    }

    /// What the watchdog's tick generator gives.
    pub(in crate::chip) fn set_tick(&mut self, ns: u64, tick_ns: u64) {
        if tick_ns != self.tick_ns {
            self.rebase(ns);
            self.since_ns = ns;
            self.tick_ns = tick_ns;
        }
    }

    /// Raises the interrupts of alarms whose time has come.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while self.next() <= ns {
            let due = (0..4).filter(|n| self.armed & 1 << n != 0 && self.due_ns(*n) <= ns);
            let due = due.fold(0, |mask, n| mask | 1 << n);
            self.armed &= !due;
            self.raised |= due;
        }
    }

    /// When the lower half of the count next equals an alarm: the count was last looked at when
    /// it was armed, so what lies behind lies one turn ahead.
    fn due_ns(&self, alarm: usize) -> u64 {
        if !self.running() {
            return u64::MAX;
        }
        let ticks = self.alarms[alarm].wrapping_sub(self.count as u32);
        self.since_ns.saturating_add(u64::from(ticks) * self.tick_ns)
    }

    /// When an alarm is next due; `u64::MAX` if none is.
    pub(in crate::chip) fn next(&self) -> u64 {
        (0..4)
            .filter(|alarm| self.armed & 1 << alarm != 0)
            .map(|alarm| self.due_ns(alarm))
            .min()
            .unwrap_or(u64::MAX)
    }

    /// The interrupt lines 0 to 3.
    pub(in crate::chip) fn interrupts(&self) -> u32 {
        self.raised & self.enabled | self.forced
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        let count = self.count(ns);
        Some(match offset {
            0x08 => self.latched,
            0x0C => {
                self.latched = (count >> 32) as u32;
                count as u32
            }
            0x10..=0x1C => self.alarms[(offset as usize - 0x10) / 4],
            0x20 => self.armed,
            0x24 => (count >> 32) as u32,
            0x28 => count as u32,
            0x2C => 7,
            0x30 => self.paused.into(),
            0x34 => self.raised,
            0x38 => self.enabled,
            0x3C => self.forced,
            0x40 => self.interrupts(),
            // Write-only.
            0x00 | 0x04 => 0,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            0x00 => {
                self.count = u64::from(value) << 32 | u64::from(self.written);
                self.since_ns = ns;
            }
            0x04 => self.written = value,
            0x10..=0x1C => {
                self.rebase(ns);
                let alarm = (offset as usize - 0x10) / 4;
                self.alarms[alarm] = value;
                self.armed |= 1 << alarm;
            }
            0x20 => self.armed &= !value,
            // Which debuggers pause the timer: there is none.
            0x2C => {}
            0x30 => {
                self.rebase(ns);
                self.since_ns = ns;
                self.paused = value & 1 != 0;
            }
            0x34 => self.raised &= !value,
            0x38 => self.enabled = value & 15,
            0x3C => self.forced = value & 15,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticking() -> Timer {
        let mut timer = Timer::default();
        timer.set_tick(500, 1_000);
        timer
    }

    /// Arms alarm 2 at count 5 with `value` and says at which count it is raised.
    #[track_caller]
    fn check(value: u32, raised_at: Option<u64>) {
        let mut timer = ticking();
        assert_eq!(timer.write(0x18, value, 5_500), Some(()));
        assert_eq!(timer.write(0x38, 4, 5_500), Some(()));
        let due = timer.next();
        assert_eq!((due != u64::MAX).then(|| timer.count(due)), raised_at);
        timer.advance(due - 1);
        assert_eq!(timer.interrupts(), 0);
        timer.advance(due);
        assert_eq!(timer.interrupts(), 4);
        assert_eq!(timer.read(0x20, due), Some(0), "disarmed");
        assert_eq!(timer.write(0x34, 4, due), Some(()));
        assert_eq!(timer.interrupts(), 0);
    }

    #[test]
    fn an_alarm_is_raised_when_the_lower_half_matches() {
        check(6, Some(6));
        check(1_000_000, Some(1_000_000));
    }

    #[test]
    fn an_alarm_that_was_missed_comes_a_turn_later() {
        check(4, Some((1 << 32) + 4));
    }

    #[test]
    fn reading_the_lower_half_latches_the_upper() {
        let mut timer = ticking();
        timer.write(0x04, 0xFFFF_FFFF, 500);
        timer.write(0x00, 7, 500);
        assert_eq!(timer.read(0x0C, 500), Some(0xFFFF_FFFF));
        assert_eq!(timer.read(0x08, 9_999), Some(7));
        assert_eq!(timer.read(0x24, 9_999), Some(8));
    }

    #[test]
    fn without_a_tick_it_stands_still() {
        let mut timer = Timer::default();
        assert_eq!(timer.read(0x28, 1_000_000_000), Some(0));
        timer.write(0x10, 5, 0);
        assert_eq!(timer.next(), u64::MAX);
    }
}
