//! SPI flashes and SD cards of a board whose firmware is compiled for this computer: they answer the
//! transfers of [`Terminals`](super::Terminals), and keep their content without power.

use crate::memory::{MemoryPart, PoweredMemory, SpiPart};
use virtual_time::Instant;

/// The memories, in the order of their numbers.
#[derive(Clone, Default)]
pub(super) struct Memories {
    /// Their content at the last power-on.
    parts: Vec<MemoryPart>,
    /// Their state while there is power; `None` for a slot without a card.
    powered: Vec<Option<PoweredMemory>>,
    powered_at: Instant,
}

impl Memories {
    /// Creates memories without power.
    pub(super) fn new(parts: Vec<MemoryPart>) -> Self {
        Self { parts, ..Self::default() }
    }

    pub(super) fn power_on(&mut self, now: Instant) {
        self.powered = self.parts.iter().map(MemoryPart::powered).collect();
        self.powered_at = now;
    }

    pub(super) fn lose_power(&mut self, now: Instant) {
        let ns = self.since_power_on(now);
        for (part, memory) in self.parts.iter_mut().zip(self.powered.drain(..)) {
            if let Some(memory) = memory {
                *part = memory.at_power_off(ns);
            }
        }
    }

    fn since_power_on(&self, at: Instant) -> u64 {
        at.saturating_since(self.powered_at).0
    }

    /// Returns whether a card is in the slot.
    pub(super) fn has_card(&self, number: usize) -> bool {
        matches!(self.parts.get(number), Some(MemoryPart::Card(_)))
    }

    /// Sets the level of chip select at `at`: low while the memory is selected.
    pub(super) fn select(&mut self, at: Instant, number: usize, is_selected: bool) {
        let ns = self.since_power_on(at);
        let Some(Some(memory)) = self.powered.get_mut(number) else { return };
        if is_selected {
            memory.select(ns);
        } else {
            memory.deselect(ns, true);
        }
    }

    /// Sends bytes, and replaces them with the answers. While the memory drives nothing, the answer is
    /// `open`.
    pub(super) fn exchange(
        &mut self,
        start: Instant,
        end: Instant,
        number: usize,
        bytes: &mut [u8],
        open: u8,
    ) {
        let (from, until) = (self.since_power_on(start), self.since_power_on(end));
        let Some(Some(memory)) = self.powered.get_mut(number) else { return bytes.fill(open) };
        let count = bytes.len().max(1) as u64;
        for (byte, place) in bytes.iter_mut().zip(0..) {
            let time = |place: u64| from + until.saturating_sub(from) * place / count;
            let answer = memory.next_output(time(place)).unwrap_or(open);
            memory.receive(time(place + 1), *byte);
            *byte = answer;
        }
    }
}
