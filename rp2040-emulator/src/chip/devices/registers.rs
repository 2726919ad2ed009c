//! Reads and writes of one register of one block.

use super::block::Block;
use super::{ALL_POWER, ALL_RESETS, Devices, Launch, POWER_CORE_1};
use crate::chip::peripherals::clocks::ClockBlock;

impl Devices {
    /// Reads a register; `None` if it is not modelled.
    pub(super) fn register(
        &mut self,
        block: Block,
        offset: u32,
        ns: u64,
        cycle: u64,
    ) -> Option<u32> {
        match block {
            Block::Clocks => self.clocks.read(ClockBlock::Generators, offset),
            Block::Xosc => self.clocks.read(ClockBlock::Xosc, offset),
            Block::Rosc => self.clocks.read(ClockBlock::Rosc, offset),
            Block::PllSys => self.clocks.read(ClockBlock::PllSys, offset),
            Block::PllUsb => self.clocks.read(ClockBlock::PllUsb, offset),
            Block::IoBank => self.bank.read(offset),
            Block::Pads => self.bank.read_pads(offset),
            Block::Timer => self.timer.read(offset, ns),
            Block::Watchdog => self.watchdog.read(offset, ns),
            Block::Uart(number) => self.uarts[number].read(offset, ns),
            Block::Spi(number) => self.spis[number].read(offset, ns),
            Block::I2c(number) => self.i2cs[number].read(offset, ns),
            Block::Pwm => self.pwm.read(offset, ns),
            Block::Pio(number) => self.pios.read(number, offset),
            Block::Dma => self.dma.read(offset, cycle),
            Block::IoQspi => self.qspi.read(offset),
            Block::PadsQspi => self.qspi.read_pads(offset),
            Block::Ssi => self.ssi.read(offset),
            Block::Resets => match offset {
                0x0 => Some(self.resets),
                0x4 => Some(self.held[0]),
                0x8 => Some(!self.resets & ALL_RESETS),
                _ => None,
            },
            Block::Power => match offset {
                0x0 => Some(self.held[1]),
                0x4 => Some(self.power_off),
                0x8 => Some(self.held[2]),
                0xC => Some(!self.power_off & ALL_POWER),
                _ => None,
            },
            // A chip of revision B2, made for a real board.
            Block::SystemInfo => match offset {
                0x00 => Some(0x2000_2927),
                0x04 => Some(2),
                _ => None,
            },
            Block::SystemConfig => match offset {
                0x0C => Some(self.bypassed[0]),
                0x10 => Some(self.bypassed[1]),
                _ => None,
            },
            Block::Voltage => match offset {
                // The regulator is in regulation.
                0x0 => Some(self.voltage[0] | 1 << 12),
                0x4 => Some(self.voltage[1]),
                _ => None,
            },
            // Enabled; the cache is always empty and ready.
            Block::XipControl => match offset {
                0x0 => Some(3),
                0x4 => Some(0),
                0x8 => Some(2),
                _ => None,
            },
            Block::NotModelled(_) => None,
        }
    }

    pub(super) fn set_register(
        &mut self,
        block: Block,
        offset: u32,
        value: u32,
        cycle: u64,
    ) -> Option<()> {
        let ns = self.now(cycle);
        match block {
            Block::Clocks => self.set_clock(ClockBlock::Generators, offset, value, cycle),
            Block::Xosc => self.set_clock(ClockBlock::Xosc, offset, value, cycle),
            Block::Rosc => self.set_clock(ClockBlock::Rosc, offset, value, cycle),
            Block::PllSys => self.set_clock(ClockBlock::PllSys, offset, value, cycle),
            Block::PllUsb => self.set_clock(ClockBlock::PllUsb, offset, value, cycle),
            Block::IoBank => {
                self.bank.write(offset, value)?;
                self.settle();
                Some(())
            }
            Block::Pads => {
                self.bank.write_pads(offset, value)?;
                self.settle();
                Some(())
            }
            Block::Timer => self.timer.write(offset, value, ns),
            Block::Watchdog => {
                self.watchdog.write(offset, value, ns)?;
                if offset == 0x2C {
                    self.clocks_changed(cycle);
                }
                Some(())
            }
            Block::Uart(number) => self.uarts[number].write(offset, value, ns),
            Block::Spi(number) => self.spis[number].write(offset, value, ns),
            Block::I2c(number) => self.i2cs[number].write(offset, value, ns),
            Block::Pwm => self.pwm.write(offset, value, ns),
            Block::Pio(number) => self.pios.write(number, offset, value),
            Block::Dma => self.dma.write(offset, value, cycle),
            Block::IoQspi => self.qspi.write(offset, value),
            Block::PadsQspi => self.qspi.write_pads(offset, value),
            Block::Ssi => self.ssi.write(offset, value),
            Block::Resets => match offset {
                0x0 => {
                    self.hold_in_reset(value & ALL_RESETS, cycle);
                    Some(())
                }
                0x4 => {
                    self.held[0] = value & ALL_RESETS;
                    Some(())
                }
                0x8 => Some(()),
                _ => None,
            },
            Block::Power => {
                match offset {
                    0x0 => self.held[1] = value & ALL_POWER,
                    0x4 => {
                        self.power_off = value & ALL_POWER;
                        if self.power_off & POWER_CORE_1 != 0 {
                            self.launch = Launch::Reset;
                            self.stop = true;
                        }
                    }
                    0x8 => self.held[2] = value & ALL_POWER,
                    0xC => {}
                    _ => return None,
                }
                Some(())
            }
            Block::SystemConfig => {
                match offset {
                    0x0C => self.bypassed[0] = value & 0x3FFF_FFFF,
                    0x10 => self.bypassed[1] = value & 0x3F,
                    _ => return None,
                }
                Some(())
            }
            Block::Voltage => {
                *self.voltage.get_mut(offset as usize / 4)? = value;
                Some(())
            }
            // Flushes of a cache that holds nothing.
            Block::XipControl if offset <= 0x4 => Some(()),
            Block::XipControl | Block::SystemInfo | Block::NotModelled(_) => None,
        }
    }

    fn set_clock(&mut self, block: ClockBlock, offset: u32, value: u32, cycle: u64) -> Option<()> {
        self.clocks.write(block, offset, value)?;
        self.clocks_changed(cycle);
        Some(())
    }
}
