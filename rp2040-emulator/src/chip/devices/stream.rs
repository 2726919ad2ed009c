//! A fast path for a DMA that feeds an SPI: each frame is an event, and nothing else changes in
//! between.
//!
//! Normally such an event polls all devices, which takes most of the time. But until one of the
//! other devices has an event, and as long as no core accesses anything, they are unchanged since
//! the last poll: only the SPIs and the DMA have to be advanced. While both cores run, all devices
//! are polled.

use super::block::{Block, SPI0_BASE, SPI1_BASE};
use super::irq::{DMA_IRQS, SPI_IRQS};
use super::transfers::{SPI_DREQS, SPI_REQUESTS};
use super::{Devices, Launch};
use crate::chip::peripherals::dreq::{DREQ_SPI0_TX, DREQ_SPI1_TX};
use crate::chip::peripherals::spi::{SSPDR, Spi};
use crate::cpu::bus::Width;
use crate::cpu::memory::Memory;

/// Interrupt lines of the SPIs and of the DMA.
const STREAM_LINES: u32 = 1 << SPI_IRQS[0] | 1 << SPI_IRQS[1] | 1 << DMA_IRQS[0] | 1 << DMA_IRQS[1];
const TO_SPI_0: u32 = SPI0_BASE + SSPDR;
const TO_SPI_1: u32 = SPI1_BASE + SSPDR;

/// State of the other devices at the last poll.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Others {
    /// Cycle before which none of them has an event; 0 if that is not known.
    until: u64,
    /// Interrupt lines of these devices.
    lines: u32,
    core: u8,
    /// Disables the fast path; tests compare it with polls of all devices.
    never: bool,
}

impl Devices {
    /// Records that all devices have been polled for `core`, with these interrupt lines.
    pub(super) fn all_polled(&mut self, core: u8, lines: u32) {
        let alone = self.launch != Launch::Running
            && !self.stop
            && self.is_stream()
            && !self.functions.is_observed()
            && !self.cache.wants_word()
            && self.next_of_pios() == u64::MAX;
        let until = if alone && !self.others.never { self.next_of_others() } else { 0 };
        self.others = Others { until, lines: lines & !STREAM_LINES, core, ..self.others };
    }

    /// Polls all devices at each event from now on.
    #[cfg(test)]
    pub(in crate::chip) fn disable_fast_path(&mut self) {
        self.others = Others { never: true, ..Others::default() };
    }

    /// Records that another device may have changed.
    pub(super) fn invalidate_others(&mut self) {
        self.others.until = 0;
    }

    /// Returns whether a write to this register changes only the SPIs.
    pub(super) fn is_frame(block: Block, offset: u32) -> bool {
        matches!((block, offset), (Block::Spi(_), SSPDR))
    }

    /// Returns whether the only devices that have to be polled at `cycle` are the SPIs and the DMA.
    pub(super) fn is_streaming(&self, core: u8, cycle: u64) -> bool {
        cycle < self.others.until
            && self.others.core == core
            && !self.touched
            && !self.stop
            && self.is_stream()
    }

    /// Returns whether all busy channels of the DMA are paced by SPIs.
    fn is_stream(&self) -> bool {
        let paced_by = self.dma.paced_by();
        paced_by != 0 && paced_by & !SPI_REQUESTS == 0
    }

    /// Returns the interrupt lines at `cycle`, as [`interrupts`](crate::cpu::bus::Bus::interrupts)
    /// does, when nothing changes but the SPIs and the DMA.
    pub(super) fn stream(&mut self, cycle: u64) -> u32 {
        let ns = self.now(cycle);
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        self.check_unanswered_frames();
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

    /// Executes the transfer that is due at `cycle`, if it is the only one and from memory to the
    /// SPI that requests it. This is a special case of [`transfer`](Self::transfer), which handles
    /// transfers of any kind.
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
        self.check_unanswered_frames();
        true
    }

    /// Returns the requests of the SPIs.
    pub(super) fn requests_of_spis(&self) -> u64 {
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_DREQS);
        spis.fold(0, |mask, ((transmit, receive), first)| {
            mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
        })
    }
}
