//! The DMA's requests and transfers.

use super::Devices;
use super::block::SIO_BASE;
use crate::chip::peripherals::dma::{Transfer, TransferOutcome};
use crate::chip::peripherals::dreq::{
    DREQ_ADC, DREQ_I2C0_TX, DREQ_I2C1_TX, DREQ_SPI0_TX, DREQ_SPI1_TX, DREQ_UART0_TX, DREQ_UART1_TX,
    DREQ_XIP_STREAM,
};
use crate::chip::peripherals::i2c::I2c;
use crate::chip::peripherals::spi::Spi;
use crate::chip::peripherals::uart::Uart;
use crate::cpu::bus::{Access, Bus, BusFault, Width};
use crate::cpu::memory::Memory;

/// The request to transmit of each controller; the one to receive follows.
const SPI_DREQS: [u32; 2] = [DREQ_SPI0_TX, DREQ_SPI1_TX];
const UART_DREQS: [u32; 2] = [DREQ_UART0_TX, DREQ_UART1_TX];
const I2C_DREQS: [u32; 2] = [DREQ_I2C0_TX, DREQ_I2C1_TX];

impl Devices {
    /// The active requests: bit n is request n.
    pub(super) fn requests(&self) -> u64 {
        if !self.dma.is_busy() {
            return 0;
        }
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_DREQS);
        let uarts = self.uarts.iter().map(Uart::requests).zip(UART_DREQS);
        let i2cs = self.i2cs.iter().map(I2c::requests).zip(I2C_DREQS);
        spis.chain(uarts).chain(i2cs).fold(
            u64::from(self.pios.requests())
                | u64::from(self.adc.request()) << DREQ_ADC
                | u64::from(self.cache.request()) << DREQ_XIP_STREAM,
            |mask, ((transmit, receive), first)| {
                mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
            },
        )
    }

    /// Carries out the DMA transfers that are due by `cycle`.
    pub(in crate::chip) fn transfer(&mut self, memory: &mut Memory, cycle: u64) {
        self.catch_up(cycle);
        self.cache.fetch(|address| memory.load32(address));
        while self.dma.is_busy()
            && let Some(transfer) = self.dma.wanted(cycle, self.requests())
        {
            let outcome = self.carry_out(&transfer, memory);
            self.dma.finished(&transfer, outcome);
            self.cache.fetch(|address| memory.load32(address));
            self.touched = true;
        }
    }

    fn carry_out(&mut self, transfer: &Transfer, memory: &mut Memory) -> TransferOutcome {
        let Transfer { cycle, width, read, write, .. } = *transfer;
        let access = |address| Access { core: 0, address, width, cycle, pc: 0 };
        let value = match width {
            Width::Byte => memory.load8(read),
            Width::Half => memory.load16(read),
            Width::Word => memory.load32(read),
        };
        // Only the cores can access the SIO.
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
        if stored || write < SIO_BASE && self.write(access(write), value).is_ok() {
            TransferOutcome::Done
        } else {
            TransferOutcome::WriteError
        }
    }
}
