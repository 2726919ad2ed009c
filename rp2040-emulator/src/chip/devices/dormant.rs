//! The dormant state: the oscillator of the system clock stands still until a pin or the RTC wakes
//! it (datasheet section 2.11.3). Time passes without cycles, so everything that counts them, or
//! whose clock comes from that oscillator, stands still.

use super::Devices;

impl Devices {
    /// Returns whether the system clock stands still, because its oscillator is dormant.
    pub(in crate::chip) fn is_dormant(&self) -> bool {
        self.clocks.sys_is_stopped() && self.clocks.has_dormant_oscillator()
    }

    /// Passes the time of the dormant state at `cycle`, to its end or to `until_ns`. Returns whether
    /// it has ended.
    pub(in crate::chip) fn pass_dormant(&mut self, cycle: u64, until_ns: u64) -> bool {
        let cycle = cycle.max(self.now_cycle);
        loop {
            let now = self.now(cycle);
            self.rtc.advance(now);
            if self.bank.wakes() || self.rtc.interrupt() {
                self.clocks.wake_oscillators();
                self.clocks_changed(cycle);
                return true;
            }
            let next = self.rtc.next().clamp(now + 1, until_ns.max(now + 1));
            if now >= until_ns {
                return false;
            }
            self.time.pass(cycle, next);
        }
    }
}
