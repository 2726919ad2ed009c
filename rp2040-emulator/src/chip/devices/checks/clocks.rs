//! Rules of the PLLs and of the system clock (datasheet sections 2.15 and 2.18).

use crate::chip::devices::Devices;
use crate::chip::devices::block::Block;
use crate::chip::peripherals::clocks::ClockBlock;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

/// Largest frequency of clk_sys for which the chip is specified.
const SYS_HZ_MAX: u64 = 133_000_000;
/// VREG.VSEL of 1.10 V, the voltage after reset (2.10.6).
const NORMAL_VOLTAGE: u32 = 0xB;

impl Devices {
    /// Checks the PLL of `block`, if it runs.
    pub(super) fn check_pll(&mut self, block: Block, access: Access) {
        let pll = if block == Block::PllSys { ClockBlock::PllSys } else { ClockBlock::PllUsb };
        for (rule, detail) in self.clocks.pll_breaks(pll).into_iter().flatten() {
            self.broken(rule, access, Some(detail));
        }
    }

    /// Checks the frequency of clk_sys if it, or the voltage, has changed.
    pub(super) fn check_system_clock(&mut self, access: Access) {
        let state = (self.clocks.sys_hz(), self.voltage.selected());
        if std::mem::replace(&mut self.checked_clock, state) == state || state.0 <= SYS_HZ_MAX {
            return;
        }
        let rule =
            if state.1 > NORMAL_VOLTAGE { Rule::SystemOverclocked } else { Rule::SystemClock };
        self.broken(rule, access, Some(Detail::Hertz(state.0)));
    }
}
