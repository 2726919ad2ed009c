//! Reads and writes of one register of one block.

use super::block::Block;
use super::{Devices, Launch};
use crate::chip::peripherals::bus_control::BusPort;
use crate::chip::peripherals::clocks::ClockBlock;
use crate::chip::peripherals::frequency_counter::FrequencyCounter;
use crate::chip::peripherals::pio::registers::{TXF0, TXF3};
use crate::chip::peripherals::{sysinfo, tbman, watchdog};

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
            Block::Clocks if FrequencyCounter::has(offset) => self.frequency.read(offset, ns),
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
            Block::Spi(number) => {
                let value = self.spis[number].read(offset, ns);
                self.check_unanswered_frames();
                value
            }
            Block::I2c(number) => {
                let value = self.i2cs[number].read(offset, ns);
                // A word that leaves a FIFO may be one that a transfer has waited for.
                self.update_functions(ns);
                value
            }
            Block::Pwm => self.pwm.read(offset, ns),
            Block::Pio(number) => self.pios.read(number, offset),
            Block::Dma => self.dma.read(offset, cycle),
            Block::IoQspi => self.qspi.read(offset),
            Block::PadsQspi => self.qspi.read_pads(offset),
            Block::Ssi => {
                self.ssi.set_cycle(cycle);
                self.ssi.read(offset)
            }
            Block::Resets => self.resets.read(offset),
            Block::Power => self.psm.read(offset),
            Block::SystemInfo => sysinfo::read(offset),
            Block::SystemConfig => self.system_config.read(offset),
            Block::Voltage => self.voltage.read(offset),
            Block::UsbRam => Some(self.usb.load(offset, ns)),
            Block::Usb => self.usb.read(offset, ns),
            Block::Adc => self.adc.read(offset, ns),
            Block::Rtc => self.rtc.read(offset, ns),
            Block::BusControl => self.bus_control.read(offset),
            Block::TestBench => tbman::read(offset),
            Block::XipControl => {
                // A word that leaves the stream's FIFO makes room for the next.
                self.touched = true;
                self.cache.read(offset)
            }
            Block::XipStream => {
                self.touched = true;
                Some(self.cache.next_word())
            }
            Block::XipMemory => None,
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
            Block::Clocks if FrequencyCounter::has(offset) => {
                let (clocks, reference_hz) = (&self.clocks, self.clocks.ref_hz());
                let hz = |number| clocks.tested_hz(number);
                self.frequency.write(offset, value, ns, reference_hz, hz)
            }
            Block::Clocks => self.set_clock(ClockBlock::Generators, offset, value, cycle),
            Block::Xosc => self.set_clock(ClockBlock::Xosc, offset, value, cycle),
            Block::Rosc => self.set_clock(ClockBlock::Rosc, offset, value, cycle),
            Block::PllSys => self.set_clock(ClockBlock::PllSys, offset, value, cycle),
            Block::PllUsb => self.set_clock(ClockBlock::PllUsb, offset, value, cycle),
            Block::IoBank => {
                self.bank.write(offset, value)?;
                self.observe_for_pios();
                self.observe_for_wires();
                self.settle();
                self.note_functions();
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
                if offset == watchdog::TICK {
                    self.clocks_changed(cycle);
                }
                Some(())
            }
            Block::Uart(number) => self.uarts[number].write(offset, value, ns),
            Block::Spi(number) => {
                let done = self.spis[number].write(offset, value, ns);
                self.check_unanswered_frames();
                done
            }
            Block::I2c(number) => self.i2cs[number].write(offset, value, ns),
            Block::Pwm => {
                // A slice that starts counting its input B must know the previous level.
                self.pwm.sense(self.bank.pwm_inputs(), ns);
                self.pwm.write(offset, value, ns)
            }
            Block::Pio(number) => {
                self.pios.write(number, offset, value)?;
                // Words for a FIFO are frequent, and are not instructions.
                if !(TXF0..=TXF3).contains(&offset) {
                    self.observe_for_pios();
                }
                Some(())
            }
            Block::Dma => {
                // A channel that this starts waits only for later wraps.
                self.advance_pwm(ns);
                self.dma.write(offset, value, cycle)
            }
            Block::IoQspi => {
                self.qspi.write(offset, value)?;
                self.ssi.select(self.qspi.forces_chip_select_low());
                Some(())
            }
            Block::PadsQspi => self.qspi.write_pads(offset, value),
            Block::Ssi => {
                self.ssi.set_cycle(cycle);
                self.ssi.write(offset, value)?;
                // The chip object has the flash's contents.
                self.stop |= self.ssi.wants_flash();
                Some(())
            }
            Block::Resets => {
                let fresh = self.resets.write(offset, value)?;
                self.note_held();
                self.reset_blocks(fresh, cycle);
                Some(())
            }
            Block::Power => {
                self.psm.write(offset, value)?;
                match (self.psm.holds_core_1(), self.launch) {
                    (true, _) => self.launch = Launch::Reset,
                    (false, Launch::Reset) => self.send_core_1_to_rom(),
                    (false, _) => {}
                }
                self.stop = true;
                Some(())
            }
            Block::SystemConfig => self.system_config.write(offset, value),
            Block::Voltage => self.voltage.write(offset, value),
            Block::Adc => self.adc.write(offset, value, ns),
            Block::Rtc => self.rtc.write(offset, value, ns),
            Block::BusControl => self.bus_control.write(offset, value),
            Block::TestBench => tbman::write(offset),
            Block::XipControl => self.cache.write(offset, value),
            Block::XipStream => Some(()),
            // The bus writes to the USB controller and to the cache's memory itself.
            Block::SystemInfo | Block::UsbRam | Block::Usb | Block::XipMemory => None,
        }
    }

    /// Counts an access to a block, if BUSCTRL counts any.
    pub(super) fn count(&mut self, block: Block) {
        if self.bus_control.is_counting() {
            self.bus_control.count(block.port());
        }
    }

    /// Returns whether accesses to memory are counted: reads by a core or the DMA, and stores to
    /// RAM.
    pub(super) fn counts_memory(&self) -> bool {
        self.cache.is_counting() || self.bus_control.counts_memory()
    }

    /// Counts one access to memory, of a word at most.
    pub(super) fn count_memory(&mut self, address: u32) {
        let port = BusPort::of_memory(address);
        self.bus_control.count(port);
        if port == BusPort::Xip {
            self.cache.accessed(address);
        }
    }

    fn set_clock(&mut self, block: ClockBlock, offset: u32, value: u32, cycle: u64) -> Option<()> {
        self.clocks.write(block, offset, value)?;
        self.clocks_changed(cycle);
        Some(())
    }
}
