//! Rules of the watchdog and of what counts its tick (datasheet sections 4.6 and 4.7).

use crate::chip::devices::Devices;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

// Datasheet 4.7.6 and 4.6.5.
const WATCHDOG_CTRL: u32 = 0x00;
const WATCHDOG_CTRL_ENABLE: u32 = 1 << 30;
const WATCHDOG_LOAD: u32 = 0x04;
const WATCHDOG_LOAD_BITS: u32 = 0x00FF_FFFF;
const TIMER_ALARM0: u32 = 0x10;
const TIMER_ALARM3: u32 = 0x1C;

impl Devices {
    fn ticks(&self) -> bool {
        self.watchdog.tick_ns(self.clocks.ref_hz()) != 0
    }

    pub(super) fn check_watchdog(&mut self, offset: u32, value: u32, access: Access) {
        match offset {
            WATCHDOG_LOAD if value > WATCHDOG_LOAD_BITS => {
                self.broken(Rule::WatchdogLoad, access, Some(Detail::Number(value)));
            }
            WATCHDOG_CTRL if value & WATCHDOG_CTRL_ENABLE != 0 && !self.ticks() => {
                self.broken(Rule::WatchdogTick, access, None);
            }
            _ => {}
        }
    }

    pub(super) fn check_timer(&mut self, offset: u32, access: Access) {
        if (TIMER_ALARM0..=TIMER_ALARM3).contains(&offset) && !self.ticks() {
            self.broken(Rule::TimerTick, access, None);
        }
    }
}
