//! Words that the DMA passes to a state machine: while the machine only shifts them out, nothing
//! else in the chip depends on the two, so that dozens of words are one event.
//!
//! After a transfer the next ones are foreseen: in which cycle each word is pulled from the FIFO,
//! which makes room for the next one, and the words that the DMA then reads. They are executed at
//! the next access to anything that may depend on them, up to its cycle (`follow_words`). The
//! memory reports a store to one of the words ([`Bus::source_changed`]); the transfers after it
//! read the memory again.
//!
//! [`Bus::source_changed`]: crate::cpu::bus::Bus::source_changed

use std::ops::Range;

use super::Devices;
use super::block::{Block, SIO_BASE};
use crate::chip::peripherals::dma::Transfer;
use crate::chip::peripherals::pio::Beginning;
use crate::chip::peripherals::pio::registers::TXF0;
use crate::chip::peripherals::sio::{GPIO_IN, GPIO_OE_XOR, GPIO_OUT};
use crate::cpu::memory::{Memory, RAM_BASE, RAM_SIZE};

/// Fewest and most transfers that are foreseen. The number doubles each time all have taken place.
const FEWEST: usize = 4;
const MOST: usize = 64;
/// Shortest time from one word to the next, in cycles. A transfer takes place when an instruction
/// of the core ends; no instruction, nor the entry of an interrupt, takes that long, so that each
/// transfer comes before the next word is pulled.
const LEAST_CYCLES: u64 = 32;

/// The transfers that have been foreseen.
#[derive(Clone, Debug, Default)]
pub(super) struct FedWords {
    known: Option<Box<Known>>,
    /// Number of transfers that are foreseen next.
    look: usize,
}

#[derive(Clone, Debug)]
struct Known {
    beginning: Beginning,
    /// Register to which the DMA writes.
    register: u32,
    /// The word that was pulled last, those in the FIFO, then those that the DMA writes.
    words: Vec<u32>,
    /// Number of words that the machine has before the first transfer.
    had: usize,
    /// Number of transfers, of which the last one is in the cycle `end`.
    transfers: usize,
    end: u64,
}

impl FedWords {
    /// Returns whether transfers are foreseen.
    #[inline]
    pub(super) fn are_known(&self) -> bool {
        self.known.is_some()
    }

    /// Returns the cycle of the last transfer.
    #[inline]
    pub(super) fn end(&self) -> Option<u64> {
        self.known.as_ref().map(|known| known.end)
    }

    /// Returns whether PIOs and DMA change nothing at `cycle` or before that is not foreseen.
    #[inline]
    pub(super) fn cover(&self, cycle: u64) -> bool {
        self.end().is_some_and(|end| cycle < end)
    }
}

impl Devices {
    /// Foresees transfers after one to a state machine at `cycle`.
    pub(super) fn foresee_words(&mut self, memory: &mut Memory, cycle: u64) {
        memory.watch(0..0);
        if !self.bursts {
            return;
        }
        self.fed_words.known = self.known_words(memory, cycle).map(Box::new);
    }

    fn known_words(&mut self, memory: &mut Memory, cycle: u64) -> Option<Known> {
        let (transfer, request) = self.dma.feeds(cycle + 1)?;
        if self.pios.may_interrupt() || !self.pios.may_have_path(request / 8) {
            return None;
        }
        self.pios.look_far();
        self.next_of_pios();
        let beginning = self.pios.begin_words()?;
        if beginning.pulled(2) - beginning.pulled(1) < LEAST_CYCLES {
            self.pios.refuse_paths(beginning.block);
            return None;
        }
        if beginning.request() != request
            || !self.takes_words(beginning.block, beginning.path.pins())
        {
            return None;
        }
        let mut words = beginning.words.clone();
        let had = words.len();
        // The last transfer has effects of its own.
        let most = self.fed_words.look.clamp(FEWEST, MOST).min(self.dma.remaining(&transfer) - 1);
        let ram = RAM_BASE..RAM_BASE + RAM_SIZE as u32;
        let mut stored: Option<Range<u32>> = None;
        for address in self.dma.sources(&transfer, most) {
            let value = self.fed_value(memory, &Transfer { read: address, ..transfer });
            // Other addresses of the RAM are not watched.
            let Some(value) = value.filter(|_| address < RAM_BASE || ram.contains(&address)) else {
                break;
            };
            if ram.contains(&address) {
                let end = address + transfer.width.bytes();
                let all = stored.get_or_insert(address..end);
                *all = all.start.min(address)..all.end.max(end);
            }
            words.push(value);
        }
        let transfers = words.len() - had;
        let end = beginning.pulled(transfers.checked_sub(1)?);
        memory.watch(stored.unwrap_or(0..0));
        let register = TXF0 + 4 * (request as u32 % 8);
        Some(Known { beginning, register, words, had, transfers, end })
    }

    /// Returns whether transfers are foreseen.
    pub(in crate::chip) fn foresees_words(&self) -> bool {
        self.fed_words.are_known()
    }

    /// Executes the transfers that were foreseen up to `cycle`, and discards the others.
    #[cold]
    pub(super) fn follow_words(&mut self, cycle: u64) {
        let Some(known) = self.fed_words.known.take() else { return };
        let Known { beginning, register, words, had, transfers, .. } = *known;
        let is_complete = cycle >= known.end;
        self.fed_words.look =
            if is_complete { (2 * self.fed_words.look).clamp(FEWEST, MOST) } else { FEWEST };
        if !is_complete {
            // The next transfer is earlier than the one that the core waits for.
            self.next_cycle = self.next_cycle.min(cycle);
        }
        if cycle < beginning.cycle {
            return;
        }
        let all = transfers - 1;
        let has_passed = |paths: &usize| beginning.pulled(*paths) <= cycle;
        let paths = if is_complete { all } else { (1..=all).take_while(has_passed).count() };
        let before = self.bank.levels();
        self.execute_pios(beginning.cycle);
        let first = words.get(had).copied().unwrap_or_default();
        self.pios.write(beginning.block, register, first);
        if paths > 0 {
            self.shift_words(&beginning, paths, words.get(..had + paths + 1).unwrap_or_default());
        }
        self.dma.fed_all(beginning.pulled(paths), paths + 1);
        self.activity += paths as u64 + 1;
        self.polls.written(0);
        if self.spi_devices && before != self.bank.levels() {
            self.notify_spi_devices();
        }
    }

    /// Executes the transfers up to `cycle`, in which a core stores to a word that was foreseen.
    pub(super) fn change_source(&mut self, cycle: u64) {
        self.follow_words(cycle);
    }

    /// Returns whether a read of an address depends on nothing that PIOs and DMA do.
    pub(super) fn reads_apart(address: u32) -> bool {
        if address & !0x1FF == SIO_BASE {
            return address & 0x1FC != GPIO_IN;
        }
        matches!(Block::at(address), Some(Block::Timer))
    }

    /// Returns whether a write to an address has no effect on PIOs, DMA and pins.
    pub(super) fn writes_apart(address: u32) -> bool {
        address & !0x1FF == SIO_BASE && !(GPIO_OUT..=GPIO_OE_XOR).contains(&(address & 0x1FC))
    }
}
