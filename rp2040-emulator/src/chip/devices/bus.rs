//! The bus of the cores: reads, writes, aliases, interrupt lines.

use std::ops::RangeInclusive;

use super::aliases::written;
use super::block::{ALIAS_BITS, Block, SIO_BASE};
use super::irq::{
    ADC_IRQ_FIFO, CLOCKS_IRQ, DMA_IRQS, I2C_IRQS, IO_IRQ_BANK0, IO_IRQ_QSPI, PIO0_IRQ_0,
    PWM_IRQ_WRAP, RTC_IRQ, SIO_IRQ_PROC0, SPI_IRQS, UART_IRQS, USBCTRL_IRQ,
};
use super::steady::LastRead;
use super::{Devices, Launch};
use crate::chip::peripherals::bus_control::BusPort;
use crate::chip::peripherals::sio::{FIFO_RD, FIFO_ST, GPIO_HI_IN, GPIO_OE_XOR, GPIO_OUT};
use crate::chip::peripherals::spi::SSPDR;
use crate::chip::rom::SIZE;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::{Access, Bus, BusFault, Width};
use crate::cpu::memory::Memory;

/// Upper bits of the addresses of the flash.
const XIP_WINDOWS: RangeInclusive<u32> = 0x10..=0x13;

/// Returns whether an address is in a window of the flash.
pub(super) fn is_of_flash(address: u32) -> bool {
    XIP_WINDOWS.contains(&(address >> 24))
}

impl Bus for Devices {
    fn read(&mut self, access: Access) -> Result<u32, BusFault> {
        let Access { address, cycle, width, core, .. } = access;
        let ns = self.now(cycle);
        self.invalidate_others();
        self.advance_functions(ns);
        if !(self.fed_words.cover(cycle) && Self::reads_apart(address)) {
            self.catch_up(cycle);
        }
        let (value, what) = if address & !0x1FF == SIO_BASE {
            self.sio.set_cycle(cycle);
            let inputs = self.bank.inputs();
            self.last_read = LastRead::Sio(address & 0x1FC);
            let value = match address & 0x1FC {
                GPIO_HI_IN => Some(self.qspi.inputs()),
                offset => {
                    if offset >= FIFO_RD {
                        self.check_sio_read(offset, access);
                    }
                    self.sio.read(core, offset, inputs)
                }
            };
            (value, "SIO register")
        } else {
            let block = Block::at(address).ok_or(BusFault)?;
            self.count(block);
            if self.held.has(address) {
                self.access_held(block, access);
            }
            let offset = block.offset(address);
            self.last_read = LastRead::Register(block, offset);
            if block == Block::XipMemory {
                let word = self.cache.load(offset).ok_or(BusFault)?;
                return Ok(word >> (address % 4 * 8) & width.mask());
            }
            (self.register(block, offset, ns, cycle), block.name())
        };
        let value = value.unwrap_or_else(|| {
            self.reports.add(what, access, false);
            0
        });
        if self.launch == Launch::Running && self.steady() == 0 {
            self.activity += 1;
        }
        // A DMA access has no instruction address.
        if access.pc != 0 {
            self.polls.read(what, access, value, ns);
        }
        Ok(value >> (address % 4 * 8) & width.mask())
    }

    fn write(&mut self, access: Access, value: u32) -> Result<(), BusFault> {
        let Access { address, cycle, width, core, .. } = access;
        // The ROM ignores writes. TinyUSB writes through a null pointer for endpoint 0.
        if address < SIZE as u32 {
            return Ok(());
        }
        let ns = self.now(cycle);
        self.advance_functions(ns);
        if !(self.fed_words.cover(cycle) && Self::writes_apart(address)) {
            self.catch_up(cycle);
        }
        self.activity += 1;
        self.polls.written(core);
        let streams = self.others;
        self.invalidate_others();
        // A narrow write is repeated over the whole word of the register.
        let value = match width {
            Width::Byte => value * 0x0101_0101,
            Width::Half => value * 0x0001_0001,
            Width::Word => value,
        };
        if address & !0x1FF == SIO_BASE {
            let offset = address & 0x1FC;
            self.sio.set_cycle(cycle);
            if offset >= FIFO_ST {
                self.check_sio_write(offset, access);
            }
            let (_, outputs) = self.sio.outputs();
            if self.sio.write(core, offset, value).is_none() {
                self.reports.add("SIO register", access, true);
            }
            match offset {
                GPIO_OUT..=GPIO_OE_XOR => {
                    self.check_outputs(outputs, access);
                    self.settle();
                    self.update_functions(ns);
                }
                FIFO_ST..=FIFO_RD => {
                    self.touched = true;
                    self.stop |= self.launch.proceed(&mut self.sio);
                }
                _ => {}
            }
            return Ok(());
        }
        if is_of_flash(address) {
            self.bus_control.count(BusPort::Xip);
            self.broken(Rule::FlashWritten, access, Some(Detail::Address(address)));
            return self.cache.store_to_flash(address).ok_or(BusFault);
        }
        let block = Block::at(address).ok_or(BusFault)?;
        self.count(block);
        if self.held.has(address) {
            self.access_held(block, access);
        }
        let offset = block.offset(address);
        match block {
            Block::UsbRam => {
                self.usb.store(address, width, value, ns);
                return Ok(());
            }
            Block::Usb => {
                self.check_before(block, offset, value, access);
                if self.usb.write(offset, value, address >> 12 & 3, ns).is_none() {
                    self.reports.add(block.name(), access, true);
                }
                self.touched = true;
                return Ok(());
            }
            Block::XipMemory => {
                return self.cache.store(offset + address % 4, width, value).ok_or(BusFault);
            }
            _ => {}
        }
        let value = if block.has_aliases() && address & ALIAS_BITS != 0 {
            let old = match block {
                Block::Pio(number) => self.pios.before_change(number, offset),
                // SPI, UART, I2C and SSI are read first, with all effects of a read (datasheet
                // section 2.1.2).
                _ => self.register(block, offset, ns, cycle),
            };
            let old = old.unwrap_or_default();
            written(address, old, value)
        } else {
            value
        };
        let is_frame = Self::is_frame(block, offset);
        if !is_frame {
            self.check_before(block, offset, value, access);
        }
        if self.set_register(block, offset, value, cycle).is_none() {
            self.reports.add(block.name(), access, true);
        }
        if !is_frame {
            self.check_after(block, access);
        }
        if !is_frame {
            self.functions.expire();
        }
        self.update_functions(ns);
        // The most frequent write is to SSPDR of an SPI without interrupts and DMA.
        let dma = self.dma.is_busy();
        let quiet = matches!((block, offset), (Block::Spi(number), SSPDR) if self.spis[number].is_quiet(dma));
        // The next most frequent write is the DMA's to SSPDR; the DMA checks the effects itself
        // afterwards.
        if access.pc == 0 && is_frame {
            self.others = streams;
        } else {
            self.touched |= !quiet;
        }
        Ok(())
    }

    fn interrupts(&mut self, core: u8, cycle: u64) -> u32 {
        if self.is_streaming(core, cycle) {
            return self.stream(cycle);
        }
        let ns = self.now(cycle);
        let unchanged = !self.touched && !self.wants_stop() && cycle < self.next_cycle;
        if unchanged && self.lines_at == self.activity {
            return self.lines[usize::from(core & 1)];
        }
        if !self.fed_words.cover(cycle) {
            self.catch_up(cycle);
        }
        self.advance(ns);
        self.touched = false;
        self.ssi.set_cycle(cycle);
        let dma = self.dma.next(self.requests());
        self.transfer_due |= dma <= cycle || self.cache.wants_word();
        // A core that stops calls this function again before it continues.
        self.next_cycle = if self.wants_stop() {
            cycle
        } else {
            self.next_event().min(dma).min(self.next_of_pios()).min(self.next_of_flash())
        };
        // While one core runs alone, its reads are not tracked, and the lines are computed each
        // time.
        if self.launch != Launch::Running {
            self.lines_at = u64::MAX;
            let lines = self.lines_of(core);
            self.all_polled(core, lines);
            return lines;
        }
        self.lines = [self.lines_of(0), self.lines_of(1)];
        self.lines_at = self.activity;
        self.lines[usize::from(core & 1)]
    }

    fn nmi_mask(&self, core: u8) -> u32 {
        self.system_config.nmi_mask(core)
    }

    fn next_change(&self, _: u8) -> u64 {
        if self.touched || self.wants_stop() { 0 } else { self.next_cycle }
    }

    fn steady_until(&self, _: u8, _: u32) -> u64 {
        self.steady()
    }

    fn count_cycles(&self, _: u8, _: u32) -> Option<u64> {
        self.count_cycles()
    }

    fn waited(&mut self, core: u8, cycle: u64) {
        self.polls.waited(core, self.time.ns(cycle));
    }

    fn watches_memory(&self) -> bool {
        self.counts_memory() || self.flash.is_watched()
    }

    fn accessed_memory(&mut self, access: Access) {
        if self.counts_memory() {
            self.count_memory(access.address);
        }
        self.check_flash_access(access);
    }

    fn wants_stop(&self) -> bool {
        self.stop || self.transfer_due
    }

    /// Executes a due DMA transfer within the core's run. This is possible while only core 0 runs,
    /// because its time is then the latest.
    fn serve(&mut self, memory: &mut Memory, cycle: u64) -> bool {
        let alone = self.transfer_due && !self.stop && self.launch != Launch::Running;
        if alone {
            self.transfer_due = false;
            self.transfer(memory, cycle);
        }
        alone
    }

    fn source_changed(&mut self, cycle: u64) {
        self.change_source(cycle);
    }

    fn event(&mut self, core: u8) {
        self.activity += 1;
        if self.launch == Launch::Running {
            self.events[usize::from(1 - (core & 1))] = true;
            self.stop = true;
        }
    }

    fn misaligned_vectors(&mut self, access: Access, address: u32) {
        self.broken(Rule::VectorTable, access, Some(Detail::Address(address)));
    }

    fn not_modelled(&mut self, access: Access, what: &'static str, write: bool) {
        self.reports.add(what, access, write);
    }
}

impl Devices {
    /// Returns the interrupt lines of a core, as of the last [`advance`](Self::advance).
    fn lines_of(&self, core: u8) -> u32 {
        let mut lines = self.timer.interrupts();
        lines |= u32::from(self.bank.interrupt(core)) << IO_IRQ_BANK0;
        lines |= u32::from(self.sio.interrupt(core)) << (SIO_IRQ_PROC0 + u32::from(core));
        for (uart, line) in self.uarts.iter().zip(UART_IRQS) {
            lines |= u32::from(uart.interrupt()) << line;
        }
        for (spi, line) in self.spis.iter().zip(SPI_IRQS) {
            lines |= u32::from(spi.interrupt()) << line;
        }
        for (i2c, line) in self.i2cs.iter().zip(I2C_IRQS) {
            lines |= u32::from(i2c.interrupt()) << line;
        }
        for (interrupt, line) in self.dma.interrupts().into_iter().zip(DMA_IRQS) {
            lines |= u32::from(interrupt) << line;
        }
        lines |= u32::from(self.clocks.interrupt()) << CLOCKS_IRQ;
        lines |= u32::from(self.pwm.interrupt()) << PWM_IRQ_WRAP;
        lines |= u32::from(self.usb.interrupt()) << USBCTRL_IRQ;
        lines |= self.pios.interrupts() << PIO0_IRQ_0;
        lines |= u32::from(self.adc.interrupt()) << ADC_IRQ_FIFO;
        lines |= u32::from(self.rtc.interrupt()) << RTC_IRQ;
        lines |= u32::from(self.qspi.interrupt(core)) << IO_IRQ_QSPI;
        lines
    }
}
