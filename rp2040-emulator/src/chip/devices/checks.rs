//! The conditions of the [rules](crate::chip::rules) for accesses to devices.
//!
//! A check before a write sees the state that the write finds, one after it the state that results.
//! Neither changes a device.

use super::Devices;
use super::block::Block;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::{Access, Width};

mod clocks;
mod dma;
mod pins;
mod serial;
mod sio;
mod ticks;

const ADC_CS: u32 = 0; // 4.9.6
/// EN, START_ONCE and START_MANY.
const ADC_CS_STARTS: u32 = 1 | 3 << 2;
const RTC_CTRL: u32 = 0xC; // 4.8.6
/// RTC_ENABLE and LOAD.
const RTC_CTRL_STARTS: u32 = 1 | 1 << 4;
const USB_MAIN_CTRL: u32 = 0x40; // 4.1.4
const USB_MAIN_CTRL_CONTROLLER_EN: u32 = 1;
const USB_SIE_CTRL: u32 = 0x4C;
const USB_HZ: u64 = 48_000_000;

/// Returns whether a register takes data of any width: its upper bits do not count, or are meant to
/// be repeated.
fn takes_narrow(block: Block, offset: u32) -> bool {
    match block {
        Block::Uart(_) => offset == 0,
        Block::Spi(_) => offset == 8,
        Block::I2c(_) | Block::Pio(_) => (0x10..=0x1C).contains(&offset),
        Block::Ssi => offset >= 0x60,
        Block::XipStream | Block::XipMemory | Block::UsbRam => true,
        _ => false,
    }
}

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
        // A DMA access has no program counter; its width is that of the data.
        if access.width != Width::Word && access.pc != 0 && !takes_narrow(block, offset) {
            self.broken(Rule::NarrowWrite, access, Some(Detail::Name(block.name())));
        }
        match block {
            Block::Uart(number) => self.check_uart(number, offset, value, access),
            Block::Spi(number) => self.check_spi(number, offset, value, access),
            Block::I2c(number) => self.check_i2c(number, offset, value, access),
            Block::Dma => self.check_dma_start(offset, value, access),
            Block::Watchdog => self.check_watchdog(offset, value, access),
            Block::Timer => self.check_timer(offset, access),
            Block::IoBank => self.check_function(offset, value, access),
            Block::Clocks => self.check_source(offset, value, access),
            Block::Pio(number) if access.pc != 0 => {
                let last =
                    std::mem::replace(&mut self.pio_writes[number], (access.core, access.cycle));
                if last.0 != access.core && last.1 == access.cycle {
                    self.broken(Rule::PioBoth, access, Some(Detail::Name(block.name())));
                }
            }
            Block::Adc if offset == ADC_CS && value & ADC_CS_STARTS != 0 => {
                if self.clocks.adc_hz().is_none() {
                    self.broken(Rule::NoAdcClock, access, None);
                }
                if value & ADC_CS_STARTS > 1 {
                    self.check_analogue_pad(value, access);
                }
            }
            Block::Rtc if offset == RTC_CTRL && value & RTC_CTRL_STARTS != 0 => {
                self.check_rtc_clock(access);
            }
            Block::Usb if offset == USB_MAIN_CTRL && value & USB_MAIN_CTRL_CONTROLLER_EN != 0 => {
                match self.clocks.usb_hz() {
                    None => self.broken(Rule::NoUsbClock, access, None),
                    Some(USB_HZ) => {}
                    Some(hz) => self.broken(Rule::UsbClock, access, Some(Detail::Hertz(hz))),
                }
            }
            _ => {}
        }
    }

    /// Checks the clock of the RTC when it is started.
    fn check_rtc_clock(&mut self, access: Access) {
        match self.clocks.rtc_hz() {
            None => self.broken(Rule::NoRtcClock, access, None),
            Some(hz) if hz != self.rtc.second() => {
                self.broken(Rule::RtcDivider, access, Some(Detail::Hertz(hz)));
            }
            Some(_) => {}
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
            Block::Dma => self.check_dma_started(block.offset(access.address), access),
            Block::Ssi if self.ssi.is_in_xip_mode() => {
                self.flash.set_serial(false);
                self.check_flash_clock(access);
            }
            _ => {}
        }
    }
}
