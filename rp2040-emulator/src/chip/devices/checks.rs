//! The conditions of the [rules](crate::chip::rules) for accesses to devices.
//!
//! A check before a write sees the state that the write finds, one after it the state that results.
//! Neither changes a device.

use super::Devices;
use super::block::Block;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

mod clocks;

/// Offsets and bits of the registers that enable a device: datasheet sections 4.2.8, 4.4.4, 4.9.6,
/// 4.8.6, 4.1.4.
const UARTCR: u32 = 0x30;
const UARTCR_UARTEN: u32 = 1;
const SSPCR1: u32 = 0x4;
const SSPCR1_SSE: u32 = 2;
const ADC_CS: u32 = 0;
/// EN, START_ONCE and START_MANY.
const ADC_CS_STARTS: u32 = 1 | 3 << 2;
const RTC_CTRL: u32 = 0xC;
/// RTC_ENABLE and LOAD.
const RTC_CTRL_STARTS: u32 = 1 | 1 << 4;
const USB_MAIN_CTRL: u32 = 0x40;
const USB_MAIN_CTRL_CONTROLLER_EN: u32 = 1;
const USB_SIE_CTRL: u32 = 0x4C;

impl Devices {
    /// Notes a break of `rule` by `access`.
    pub(super) fn broken(&mut self, rule: Rule, access: Access, detail: Option<Detail>) {
        self.findings.add(rule, access, detail);
    }

    /// Notes an access to a block that RESETS holds. The SDK accesses SIE_CTRL of the USB controller
    /// then, in order to power its transceiver down, as long as it has its reset value.
    #[cold]
    #[inline(never)]
    pub(super) fn access_held(&mut self, block: Block, access: Access) {
        if (block, block.offset(access.address)) != (Block::Usb, USB_SIE_CTRL) {
            self.findings.add(Rule::HeldInReset, access, Some(Detail::Name(block.name())));
        }
    }

    /// Checks a write of `value` to a register before it has an effect.
    #[inline(never)]
    pub(super) fn check_before(&mut self, block: Block, offset: u32, value: u32, access: Access) {
        let name = Some(Detail::Name(block.name()));
        match (block, offset) {
            (Block::Uart(_), UARTCR)
                if value & UARTCR_UARTEN != 0 && self.clocks.peri_hz().is_none() =>
            {
                self.broken(Rule::NoPeripheralClock, access, name);
            }
            (Block::Spi(_), SSPCR1)
                if value & SSPCR1_SSE != 0 && self.clocks.peri_hz().is_none() =>
            {
                self.broken(Rule::NoPeripheralClock, access, name);
            }
            (Block::Adc, ADC_CS)
                if value & ADC_CS_STARTS != 0 && self.clocks.adc_hz().is_none() =>
            {
                self.broken(Rule::NoAdcClock, access, None);
            }
            (Block::Rtc, RTC_CTRL)
                if value & RTC_CTRL_STARTS != 0 && self.clocks.rtc_hz().is_none() =>
            {
                self.broken(Rule::NoRtcClock, access, None);
            }
            (Block::Usb, USB_MAIN_CTRL)
                if value & USB_MAIN_CTRL_CONTROLLER_EN != 0 && self.clocks.usb_hz().is_none() =>
            {
                self.broken(Rule::NoUsbClock, access, None);
            }
            _ => {}
        }
    }

    /// Checks the state after a write to a register.
    #[inline(never)]
    pub(super) fn check_after(&mut self, block: Block, access: Access) {
        match block {
            Block::PllSys | Block::PllUsb => {
                self.check_pll(block, access);
                self.check_system_clock(access);
            }
            Block::Clocks | Block::Xosc | Block::Rosc | Block::Voltage => {
                self.check_system_clock(access);
            }
            Block::Ssi if self.ssi.is_in_xip_mode() => self.flash.set_serial(false),
            _ => {}
        }
    }
}
