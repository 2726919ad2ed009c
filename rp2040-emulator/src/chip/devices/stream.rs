//! The DMA feeds an SPI: each frame is an event, and nothing else changes in between.
//!
//! Such an event would need a look at all devices, which takes most of the time. But until one of the others
//! has an event, and as long as no core accesses anything, they are what they were at the last look: only the SPIs and
//! the DMA have to be advanced. While both cores run, all are looked at.

use super::block::{Block, SPI0_BASE, SPI1_BASE};
use super::irq::{DMA_IRQS, SPI_IRQS};
use super::transfers::{SPI_DREQS, SPI_REQUESTS};
use super::{Devices, Launch};
use crate::chip::peripherals::dreq::{DREQ_SPI0_TX, DREQ_SPI1_TX};
use crate::chip::peripherals::spi::{SSPDR, Spi};
use crate::cpu::bus::Width;
use crate::cpu::memory::Memory;

/// The interrupt lines of the SPIs and of the DMA.
const STREAM_LINES: u32 = 1 << SPI_IRQS[0] | 1 << SPI_IRQS[1] | 1 << DMA_IRQS[0] | 1 << DMA_IRQS[1];
const TO_SPI_0: u32 = SPI0_BASE + SSPDR;
const TO_SPI_1: u32 = SPI1_BASE + SSPDR;

/// The other devices, as they were at the last look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Others {
    /// None of them has an event before this cycle; 0 if that is not known.
    until: u64,
    /// Their interrupt lines.
    lines: u32,
    core: u8,
    /// Tests compare this with looks at all devices.
    never: bool,
}

impl Devices {
    /// All devices have been looked at for `core`, whose lines these are.
    pub(super) fn looked_at_all(&mut self, core: u8, lines: u32) {
        let alone = self.launch != Launch::Running
            && !self.stop
            && self.is_stream()
            && !self.functions.is_looked_at()
            && !self.cache.wants_word()
            && self.next_of_pios() == u64::MAX;
        let until = if alone && !self.others.never { self.next_of_others() } else { 0 };
        self.others = Others { until, lines: lines & !STREAM_LINES, core, ..self.others };
    }

    /// From now on all devices are looked at at each event.
    #[cfg(test)]
    pub(in crate::chip) fn look_always(&mut self) {
        self.others = Others { never: true, ..Others::default() };
    }

    /// Something may have changed in another device.
    pub(super) fn forget_others(&mut self) {
        self.others.until = 0;
    }

    /// Whether a write to this register changes the SPIs alone.
    pub(super) fn is_frame(block: Block, offset: u32) -> bool {
        matches!((block, offset), (Block::Spi(_), SSPDR))
    }

    /// Whether the devices that have to be looked at at `cycle` are the SPIs and the DMA.
    pub(super) fn is_streaming(&self, core: u8, cycle: u64) -> bool {
        cycle < self.others.until
            && self.others.core == core
            && !self.touched
            && !self.stop
            && self.is_stream()
    }

    /// Whether all busy channels of the DMA are paced by SPIs.
    fn is_stream(&self) -> bool {
        let paced_by = self.dma.paced_by();
        paced_by != 0 && paced_by & !SPI_REQUESTS == 0
    }

    /// The interrupt lines at `cycle`: [`interrupts`](crate::cpu::bus::Bus::interrupts), of which nothing changes but
    /// the SPIs and the DMA.
    pub(super) fn stream(&mut self, cycle: u64) -> u32 {
        let ns = self.now(cycle);
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        self.look_for_questions();
        let dma = self.dma.next_of_levels(self.requests_of_spis());
        self.transfer_due |= dma <= cycle;
        self.next_cycle = if self.stop || self.transfer_due {
            cycle
        } else {
            let next = self.spis.iter().map(|spi| spi.next(true)).fold(u64::MAX, u64::min);
            self.time.cycle(next).min(dma).min(self.others.until)
        };
        let mut lines = self.others.lines;
        for (spi, line) in self.spis.iter().zip(SPI_IRQS) {
            lines |= u32::from(spi.interrupt()) << line;
        }
        for (interrupt, line) in self.dma.interrupts().into_iter().zip(DMA_IRQS) {
            lines |= u32::from(interrupt) << line;
        }
        lines
    }

    /// Carries out the transfer that is due at `cycle`, if it is from memory to the SPI that requests it and the only
    /// one: as [`transfer`](Self::transfer), which looks for transfers of any kind.
    pub(super) fn feed(&mut self, memory: &Memory, cycle: u64) -> bool {
        let Some((transfer, request)) = self.dma.feeds(cycle) else { return false };
        let spi = match (transfer.write, request as u32) {
            (TO_SPI_0, DREQ_SPI0_TX) => 0,
            (TO_SPI_1, DREQ_SPI1_TX) => 1,
            _ => return false,
        };
        if !self.spis[spi].requests().0
            || self.bus_control.is_counting()
            || self.cache.is_counting()
        {
            return false;
        }
        // A narrow write is repeated over the word.
        let value = match transfer.width {
            Width::Byte => memory.load8(transfer.read).map(|value| value * 0x0101_0101),
            Width::Half => memory.load16(transfer.read).map(|value| value * 0x0001_0001),
            Width::Word => memory.load32(transfer.read),
        };
        let Some(value) = value else { return false };
        let ns = self.now(cycle);
        self.spis[spi].write(SSPDR, value, ns);
        self.dma.fed(&transfer);
        self.activity += 1;
        self.polls.written(0);
        self.look_for_questions();
        true
    }

    /// The requests of the SPIs.
    pub(super) fn requests_of_spis(&self) -> u64 {
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_DREQS);
        spis.fold(0, |mask, ((transmit, receive), first)| {
            mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
        })
    }
}
