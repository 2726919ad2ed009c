//! A fast path for a DMA that feeds an SPI or a PIO: each frame is an event, and nothing else
//! changes in between.
//!
//! Normally such an event polls all devices, which takes most of the time. But until one of the
//! other devices has an event, and as long as no core accesses anything, they are unchanged since
//! the last poll: only the SPIs, the PIOs and the DMA have to be advanced. While both cores run,
//! all devices are polled.

use super::block::{Block, PIO0_BASE, PIO1_BASE, SPI0_BASE, SPI1_BASE};
use super::irq::{DMA_IRQS, PIO0_IRQ_0, SPI_IRQS};
use super::transfers::{SPI_DREQS, SPI_REQUESTS};
use super::{Devices, Launch};
use crate::chip::peripherals::dma::Transfer;
use crate::chip::peripherals::dreq::{DREQ_SPI0_TX, DREQ_SPI1_TX};
use crate::chip::peripherals::pio::registers::{TXF0, TXF3};
use crate::chip::peripherals::spi::{SSPDR, Spi};
use crate::cpu::bus::Width;
use crate::cpu::memory::Memory;

/// Interrupt lines of the SPIs, of the PIOs and of the DMA.
const STREAM_LINES: u32 =
    1 << SPI_IRQS[0] | 1 << SPI_IRQS[1] | 1 << DMA_IRQS[0] | 1 << DMA_IRQS[1] | 0xF << PIO0_IRQ_0;
/// Requests of the PIOs.
const PIO_REQUESTS: u64 = 0xFFFF;
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

/// A FIFO that the DMA feeds.
#[derive(Clone, Copy, Debug)]
enum Fed {
    /// Transmit FIFO of an SPI.
    Spi(usize),
    /// Transmit FIFO of a state machine: the block, and the offset of its register.
    Pio(usize, u32),
}

impl Devices {
    /// Records that all devices have been polled for `core`, with these interrupt lines.
    pub(super) fn all_polled(&mut self, core: u8, lines: u32) {
        let alone = self.launch != Launch::Running
            && !self.stop
            && self.is_stream()
            && !self.functions.is_observed()
            && !self.cache.wants_word()
            && self.pios_are_alone();
        let until = if alone && !self.others.never { self.next_of_others() } else { 0 };
        self.others = Others { until, lines: lines & !STREAM_LINES, core, ..self.others };
    }

    /// Returns whether the PIOs change nothing that is not polled while the DMA feeds them or an
    /// SPI.
    fn pios_are_alone(&mut self) -> bool {
        let are_fed = self.are_pios_fed()
            && !self.bank.listens_to_pios()
            && self.pwm.input_slices() == 0
            && self.changes.stops() == 0
            && self.arrivals.is_empty();
        are_fed || self.next_of_pios() == u64::MAX
    }

    /// Returns whether a busy channel of the DMA is paced by a PIO.
    fn are_pios_fed(&self) -> bool {
        self.dma.paced_by() & PIO_REQUESTS != 0
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

    /// Returns whether a write to this register changes only the SPIs or the PIOs.
    pub(super) fn is_frame(block: Block, offset: u32) -> bool {
        matches!((block, offset), (Block::Spi(_), SSPDR) | (Block::Pio(_), TXF0..=TXF3))
    }

    /// Returns whether the only devices that have to be polled at `cycle` are the SPIs, the PIOs
    /// and the DMA.
    pub(super) fn is_streaming(&self, core: u8, cycle: u64) -> bool {
        cycle < self.others.until
            && self.others.core == core
            && !self.touched
            && !self.stop
            && self.is_stream()
    }

    /// Returns whether all busy channels of the DMA are paced by SPIs and PIOs.
    fn is_stream(&self) -> bool {
        let paced_by = self.dma.paced_by();
        paced_by != 0 && paced_by & !(SPI_REQUESTS | PIO_REQUESTS) == 0
    }

    /// Returns the interrupt lines at `cycle`, as [`interrupts`](crate::cpu::bus::Bus::interrupts)
    /// does, when nothing changes but the SPIs, the PIOs and the DMA.
    pub(super) fn stream(&mut self, cycle: u64) -> u32 {
        let ns = self.now(cycle);
        for spi in &mut self.spis {
            spi.advance(ns);
        }
        self.check_unanswered_frames();
        let are_pios_fed = self.are_pios_fed();
        let mut requests = self.requests_of_spis();
        if are_pios_fed && !self.fed_words.cover(cycle) {
            self.catch_up(cycle);
            requests |= u64::from(self.pios.requests());
        }
        let dma = self.dma.next_of_levels(requests);
        self.transfer_due |= dma <= cycle;
        self.next_cycle = if self.stop || self.transfer_due {
            cycle
        } else {
            let next = self.spis.iter().map(|spi| spi.next(true)).fold(u64::MAX, u64::min);
            let next = self.time.cycle(next).min(dma).min(self.others.until);
            if are_pios_fed { next.min(self.next_of_pios()) } else { next }
        };
        let mut lines = self.others.lines | self.pios.interrupts() << PIO0_IRQ_0;
        for (spi, line) in self.spis.iter().zip(SPI_IRQS) {
            lines |= u32::from(spi.interrupt()) << line;
        }
        for (interrupt, line) in self.dma.interrupts().into_iter().zip(DMA_IRQS) {
            lines |= u32::from(interrupt) << line;
        }
        lines
    }

    /// Executes the transfer that is due at `cycle`, if it is the only one and from memory to the
    /// SPI or PIO that requests it. This is a special case of [`transfer`](Self::transfer), which
    /// handles transfers of any kind.
    pub(super) fn feed(&mut self, memory: &mut Memory, cycle: u64) -> bool {
        let Some((transfer, request)) = self.dma.feeds(cycle) else { return false };
        let fed = match (transfer.write, request as u32) {
            (TO_SPI_0, DREQ_SPI0_TX) => Fed::Spi(0),
            (TO_SPI_1, DREQ_SPI1_TX) => Fed::Spi(1),
            (address, request) if request < 16 => {
                let (block, machine) = (request as usize / 8, request % 8);
                let offset = TXF0 + 4 * machine;
                if machine > 3 || address != [PIO0_BASE, PIO1_BASE][block] + offset {
                    return false;
                }
                Fed::Pio(block, offset)
            }
            _ => return false,
        };
        let is_requested = match fed {
            Fed::Spi(number) => self.spis[number].requests().0,
            Fed::Pio(..) => self.pios.requests() >> request & 1 != 0,
        };
        if !is_requested || self.bus_control.is_counting() || self.cache.is_counting() {
            return false;
        }
        let Some(value) = self.fed_value(memory, &transfer) else { return false };
        let ns = self.now(cycle);
        match fed {
            Fed::Spi(number) => _ = self.spis[number].write(SSPDR, value, ns),
            Fed::Pio(number, offset) => _ = self.pios.write(number, offset, value),
        }
        self.dma.fed(&transfer);
        self.activity += 1;
        self.polls.written(0);
        self.check_unanswered_frames();
        if let Fed::Pio(..) = fed {
            self.foresee_words(memory, cycle);
        }
        true
    }

    /// Returns the word that a transfer of [`feed`](Self::feed) writes.
    pub(super) fn fed_value(&mut self, memory: &Memory, transfer: &Transfer) -> Option<u32> {
        let value = match transfer.width {
            Width::Byte => memory.load8(transfer.read),
            Width::Half => memory.load16(transfer.read),
            Width::Word => memory.load32(transfer.read),
        };
        let value = self.dma.fetched(transfer, value?) & transfer.width.mask();
        // A narrow write is repeated over the word.
        Some(match transfer.width {
            Width::Byte => value * 0x0101_0101,
            Width::Half => value * 0x0001_0001,
            Width::Word => value,
        })
    }

    /// Returns the requests of the SPIs.
    pub(super) fn requests_of_spis(&self) -> u64 {
        let spis = self.spis.iter().map(Spi::requests).zip(SPI_DREQS);
        spis.fold(0, |mask, ((transmit, receive), first)| {
            mask | u64::from(transmit) << first | u64::from(receive) << (first + 1)
        })
    }
}
