//! Rules of UART, SPI and I2C (datasheet sections 4.2 to 4.4).

use crate::chip::devices::Devices;
use crate::chip::devices::block::Block;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

// UART: datasheet 4.2.8.
const UARTIBRD: u32 = 0x24;
const UARTFBRD: u32 = 0x28;
const UARTLCR_H: u32 = 0x2C;
/// Bits of UARTLCR_H that are the format; BRK may change at any time.
const UARTLCR_H_FORMAT: u32 = 0xFE;
const UARTCR: u32 = 0x30;
const UARTCR_UARTEN: u32 = 1;
// SPI: datasheet 4.4.4.
const SSPCR0: u32 = 0x0;
const SSPCR1: u32 = 0x4;
const SSPCR1_SSE: u32 = 2;
const SSPSR: u32 = 0xC;
const SSPSR_BSY: u32 = 1 << 4;
const SSPCPSR: u32 = 0x10;
// I2C: datasheet 4.3.17.
const IC_CON: u32 = 0x0;
const IC_TAR: u32 = 0x4;
const IC_SAR: u32 = 0x8;
const IC_SS_SCL_HCNT: u32 = 0x14;
const IC_FS_SCL_LCNT: u32 = 0x20;
const IC_ENABLE: u32 = 0x6C;
const IC_ENABLE_ENABLE: u32 = 1;
const IC_FS_SPKLEN: u32 = 0xA0;

impl Devices {
    pub(super) fn check_uart(&mut self, number: usize, offset: u32, value: u32, access: Access) {
        let name = Some(Detail::Name(Block::Uart(number).name()));
        match offset {
            UARTCR if value & UARTCR_UARTEN != 0 && self.clocks.peri_hz().is_none() => {
                self.broken(Rule::NoPeripheralClock, access, name);
            }
            UARTIBRD | UARTFBRD | UARTLCR_H => {
                let ns = self.now_ns;
                let mut read = |offset| self.uarts[number].read(offset, ns).unwrap_or_default();
                let is_enabled = read(UARTCR) & UARTCR_UARTEN != 0;
                let format = if offset == UARTLCR_H { UARTLCR_H_FORMAT } else { u32::MAX };
                if is_enabled && (read(offset) ^ value) & format != 0 {
                    self.broken(Rule::UartFormat, access, name);
                }
            }
            _ => {}
        }
    }

    pub(super) fn check_spi(&mut self, number: usize, offset: u32, value: u32, access: Access) {
        let name = Some(Detail::Name(Block::Spi(number).name()));
        match offset {
            SSPCR1 if value & SSPCR1_SSE != 0 && self.clocks.peri_hz().is_none() => {
                self.broken(Rule::NoPeripheralClock, access, name);
            }
            SSPCR0 | SSPCPSR => {
                let ns = self.now_ns;
                let mut read = |offset| self.spis[number].read(offset, ns).unwrap_or_default();
                if read(SSPSR) & SSPSR_BSY != 0 && read(offset) != value {
                    self.broken(Rule::SpiFormat, access, name);
                }
            }
            _ => {}
        }
    }

    pub(super) fn check_i2c(&mut self, number: usize, offset: u32, value: u32, access: Access) {
        let (IC_CON | IC_TAR | IC_SAR | IC_SS_SCL_HCNT..=IC_FS_SCL_LCNT | IC_FS_SPKLEN) = offset
        else {
            return;
        };
        let ns = self.now_ns;
        let mut read = |offset| self.i2cs[number].read(offset, ns).unwrap_or_default();
        if read(IC_ENABLE) & IC_ENABLE_ENABLE != 0 && read(offset) != value {
            let name = Some(Detail::Name(Block::I2c(number).name()));
            self.broken(Rule::I2cConfigured, access, name);
        }
    }
}
