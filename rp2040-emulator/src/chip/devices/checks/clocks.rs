//! Rules of the PLLs and of the system clock (datasheet sections 2.15 and 2.18).

use crate::chip::devices::Devices;
use crate::chip::devices::block::Block;
use crate::chip::peripherals::clocks::ClockBlock;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

/// Largest frequency of clk_sys for which the chip is specified.
const SYS_HZ_MAX: u64 = 133_000_000;
/// Largest frequency of the clock of a W25Q16JV, the flash of a Pico. Read Data (03h) is specified
/// for 50 MHz only, but second stages use it with 62.5 MHz.
const FLASH_HZ_MAX: u64 = 133_000_000;
/// VREG.VSEL of 1.10 V, the voltage after reset (2.10.6).
const NORMAL_VOLTAGE: u32 = 0xB;

// Registers of the generators: datasheet 2.15.7.
const CLK_REF_CTRL: u32 = 0x30;
const CLK_SYS_CTRL: u32 = 0x3C;
const CLK_PERI_CTRL: u32 = 0x48;
const CLK_USB_CTRL: u32 = 0x54;
const CLK_ADC_CTRL: u32 = 0x60;
const CLK_RTC_CTRL: u32 = 0x6C;
const CTRL_SRC: u32 = 3;
const CTRL_AUXSRC: u32 = 7 << 5;
const CTRL_ENABLE: u32 = 1 << 11;

impl Devices {
    /// Checks a change of the auxiliary source of a clock.
    pub(super) fn check_source(&mut self, offset: u32, value: u32, access: Access) {
        let name = match offset {
            CLK_REF_CTRL => "clk_ref",
            CLK_SYS_CTRL => "clk_sys",
            CLK_PERI_CTRL => "clk_peri",
            CLK_USB_CTRL => "clk_usb",
            CLK_ADC_CTRL => "clk_adc",
            CLK_RTC_CTRL => "clk_rtc",
            _ => return,
        };
        let old = self.clocks.read(ClockBlock::Generators, offset).unwrap_or_default();
        let runs = match offset {
            CLK_REF_CTRL | CLK_SYS_CTRL => old & CTRL_SRC == 1,
            _ => old & CTRL_ENABLE != 0,
        };
        if runs && (old ^ value) & CTRL_AUXSRC != 0 {
            self.broken(Rule::ClockGlitch, access, Some(Detail::Name(name)));
        }
    }

    /// Checks the PLL of `block`, if it runs.
    pub(super) fn check_pll(&mut self, block: Block, access: Access) {
        let pll = if block == Block::PllSys { ClockBlock::PllSys } else { ClockBlock::PllUsb };
        for (rule, detail) in self.clocks.pll_breaks(pll).into_iter().flatten() {
            self.broken(rule, access, Some(detail));
        }
    }

    /// Checks the clock of the flash, if it is read in place.
    pub(super) fn check_flash_clock(&mut self, access: Access) {
        let Some(divider) = self.ssi.xip_divider() else { return };
        let hz = self.clocks.sys_hz() / u64::from(divider);
        if hz > FLASH_HZ_MAX {
            self.broken(Rule::FlashClock, access, Some(Detail::Hertz(hz)));
        }
    }

    /// Checks the frequency of clk_sys if it, or the voltage, has changed.
    pub(super) fn check_system_clock(&mut self, access: Access) {
        let state = (self.clocks.sys_hz(), self.voltage.selected());
        if std::mem::replace(&mut self.checked_clock, state) == state {
            return;
        }
        self.check_flash_clock(access);
        if state.0 <= SYS_HZ_MAX {
            return;
        }
        let rule =
            if state.1 > NORMAL_VOLTAGE { Rule::SystemOverclocked } else { Rule::SystemClock };
        self.broken(rule, access, Some(Detail::Hertz(state.0)));
    }
}
