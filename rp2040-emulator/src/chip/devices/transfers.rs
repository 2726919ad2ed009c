//! The DMA's requests and transfers.

use std::ops::Range;

use super::Devices;
use super::block::SIO_BASE;
use super::bus::is_of_flash;
use crate::chip::peripherals::dma::{Transfer, TransferOutcome};
use crate::chip::peripherals::dreq::{
    DREQ_ADC, DREQ_I2C0_TX, DREQ_I2C1_TX, DREQ_SPI0_TX, DREQ_SPI1_TX, DREQ_UART0_TX, DREQ_UART1_TX,
    DREQ_XIP_SSIRX, DREQ_XIP_STREAM,
};
use crate::chip::peripherals::i2c::I2c;
use crate::chip::peripherals::spi::Spi;
use crate::chip::peripherals::ssi::BulkRead;
use crate::chip::peripherals::uart::Uart;
use crate::chip::peripherals::xip::LINE as XIP_LINE;
use crate::cpu::bus::{Access, Bus, BusFault, Width};
use crate::cpu::memory::{FLASH_BASE, Memory};

/// Transmit request of each controller; the receive request follows.
pub(super) const SPI_DREQS: [u32; 2] = [DREQ_SPI0_TX, DREQ_SPI1_TX];
/// Mask of both requests of both SPIs.
pub(super) const SPI_REQUESTS: u64 = 3 << SPI_DREQS[0] | 3 << SPI_DREQS[1];
const UART_DREQS: [u32; 2] = [DREQ_UART0_TX, DREQ_UART1_TX];
const I2C_DREQS: [u32; 2] = [DREQ_I2C0_TX, DREQ_I2C1_TX];

impl Devices {
    /// Returns the active requests; bit n is request n.
    pub(super) fn requests(&self) -> u64 {
        if !self.dma.is_busy() {
            return 0;
        }
        // Only the requests of busy channels need to be computed.
        let paced_by = self.dma.paced_by();
        if paced_by & !SPI_REQUESTS == 0 {
            return self.requests_of_spis();
        }
        if paced_by & !(SPI_REQUESTS | 0xFFFF) == 0 {
            return self.requests_of_spis() | u64::from(self.pios.requests());
        }
        let flash = u64::from(self.ssi.requests()) << DREQ_XIP_SSIRX;
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_DREQS);
        let uarts = self.uarts.iter().map(Uart::requests).zip(UART_DREQS);
        let i2cs = self.i2cs.iter().map(I2c::requests).zip(I2C_DREQS);
        spis.chain(uarts).chain(i2cs).fold(
            flash
                | u64::from(self.pios.requests())
                | u64::from(self.adc.request()) << DREQ_ADC
                | u64::from(self.cache.request()) << DREQ_XIP_STREAM,
            |mask, ((transmit, receive), first)| {
                mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
            },
        )
    }

    /// Executes the DMA transfers that are due by `cycle`.
    pub(in crate::chip) fn transfer(&mut self, memory: &mut Memory, cycle: u64) {
        self.catch_up(cycle);
        if self.is_streaming(0, cycle) && self.feed(memory, cycle) {
            return;
        }
        self.cache.fetch(|address| memory.load32(address));
        self.ssi.set_cycle(cycle);
        while self.dma.is_busy()
            && let Some(transfer) = self.dma.wanted(cycle, self.requests())
        {
            if self.must_wait(&transfer) {
                self.dma.wait(transfer, transfer.cycle + self.ssi.line_cycles(XIP_LINE));
                continue;
            }
            let outcome = self.carry_out(&transfer, memory);
            if outcome != TransferOutcome::Done {
                self.note_dma_error(&transfer, outcome);
            }
            self.dma.finished(&transfer, outcome);
            self.cache.fetch(|address| memory.load32(address));
            self.touched |= !self.is_streaming(0, cycle);
        }
    }

    /// Continues the DMA's transfers in these cycles, during which a core is in a ROM function.
    pub(in crate::chip) fn continue_dma(
        &mut self,
        memory: &mut Memory,
        core: u8,
        cycles: Range<u64>,
    ) {
        if !self.dma.is_busy() {
            return;
        }
        let mut cycle = cycles.start;
        while cycle < cycles.end {
            self.interrupts(core, cycle);
            if std::mem::take(&mut self.transfer_due) {
                self.transfer(memory, cycle);
            }
            cycle = self.next_cycle.max(cycle + 1);
        }
    }

    /// Passes the words of a bulk read that a program has started to the SSI.
    pub(in crate::chip) fn fetch_flash(&mut self, memory: &Memory, cycle: u64) {
        let Some(BulkRead { offset, words }) = self.ssi.take_wanted() else { return };
        let byte = |at: u32| {
            let address = FLASH_BASE | offset.wrapping_add(at) & 0x00FF_FFFF;
            memory.byte(address).unwrap_or(0xFF)
        };
        let word = |n: u32| u32::from_be_bytes([0, 1, 2, 3].map(|place| byte(4 * n + place)));
        self.ssi.deliver((0..words).map(word).collect(), cycle);
        self.touched = true;
    }

    /// Returns whether the transfer's read misses the XIP cache, if misses are modelled.
    fn must_wait(&self, transfer: &Transfer) -> bool {
        self.dma_misses
            && !transfer.has_waited
            && is_of_flash(transfer.read)
            && !self.cache.hits(transfer.read)
    }

    fn carry_out(&mut self, transfer: &Transfer, memory: &mut Memory) -> TransferOutcome {
        let Transfer { cycle, width, read, write, .. } = *transfer;
        let access = |address| Access { core: 0, address, width, cycle, pc: 0 };
        let value = match width {
            Width::Byte => memory.load8(read),
            Width::Half => memory.load16(read),
            Width::Word => memory.load32(read),
        };
        if value.is_some() && is_of_flash(read) {
            self.dma_flash_reads += 1;
            self.check_flash_access(access(read));
        }
        // Only the cores can access the SIO.
        if value.is_some() && self.counts_memory() {
            self.count_memory(read);
        }
        let value = match value {
            Some(value) => value,
            None if read >= SIO_BASE => return TransferOutcome::ReadError,
            None => match self.read(access(read)) {
                Ok(value) => value,
                Err(BusFault) => return TransferOutcome::ReadError,
            },
        };
        let value = self.dma.fetched(transfer, value) & width.mask();
        let stored = match width {
            Width::Byte => memory.store8(write, value),
            Width::Half => memory.store16(write, value),
            Width::Word => memory.store32(write, value),
        };
        if stored && self.counts_memory() {
            self.count_memory(write);
        }
        if stored || write < SIO_BASE && self.write(access(write), value).is_ok() {
            TransferOutcome::Done
        } else {
            TransferOutcome::WriteError
        }
    }
}
