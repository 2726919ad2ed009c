//! A bounded buffer of level changes of watched pins.

use std::collections::VecDeque;

use super::pin_change::PinChange;
use super::pin_words::PinWords;
use crate::chip::peripherals::pio::Burst;
use crate::chip::time::Time;

/// Capacity of the buffer, 16 MiB; a pin that changes in every cycle at 125 MHz fills it in 8 ms.
/// When it is full, the oldest change is dropped.
pub const MAX_PIN_CHANGES: usize = 1 << 20;

/// Largest number of bursts that are stored. When there are more, the oldest one is dropped.
const MAX_BURSTS: usize = 1 << 17;
/// Largest number of pieces of [`PinWords`] that are stored; each has a few dozen words.
const MAX_WORDS: usize = 1 << 14;

/// Changes that a PIO makes in a loop: in each iteration a bit on a data pin, and then another
/// change, mostly of a clock. It stands for up to 64 changes, of which some may be none.
#[derive(Clone, Debug)]
pub struct PinBurst {
    burst: Burst,
    /// Levels of the pins that do not change.
    others: u32,
    time: Time,
}

impl PinBurst {
    pub(super) fn new(burst: Burst, before: u32, time: Time) -> Self {
        Self { burst, others: before & !burst.pins(), time }
    }

    /// Returns the number of iterations, 2 to 32.
    pub fn count(&self) -> u32 {
        self.burst.shift.count
    }

    /// Returns the bits; the highest is that of the first iteration.
    pub fn bits(&self) -> u32 {
        self.burst.shift.bits
    }

    /// Returns the mask of the data pin.
    pub fn data(&self) -> u32 {
        self.burst.shift.data
    }

    /// Returns the pins that may change, as a mask.
    pub fn pins(&self) -> u32 {
        self.burst.pins()
    }

    /// Returns the levels of all pins after the first and after the second change of each
    /// iteration, with the data pin low.
    pub fn levels(&self) -> [u32; 2] {
        self.burst.shift.levels.map(|levels| self.others | levels & self.pins())
    }

    /// Returns the nanosecond of the first change.
    pub fn start_ns(&self) -> u64 {
        self.time.ns(self.burst.cycle)
    }

    /// Returns a change: `index / 2` is the iteration.
    pub fn change(&self, index: u32) -> PinChange {
        let (cycle, levels) = self.burst.edge(index);
        PinChange { ns: self.time.ns(cycle), levels: self.others | levels & self.pins() }
    }

    /// Returns the changes.
    pub fn changes(&self) -> impl Iterator<Item = PinChange> {
        (0..self.burst.edge_count()).map(|index| self.change(index))
    }
}

/// The watched pins and their recorded changes.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct PinChanges {
    watched: u32,
    /// Pins of which a change ends a run; `stopped` is whether there was one.
    stops: u32,
    stopped: bool,
    kept: VecDeque<PinChange>,
    /// Bursts since the last call, if the caller wants them whole.
    bursts: Option<VecDeque<PinBurst>>,
    /// The same for words.
    words: Option<VecDeque<PinWords>>,
    dropped: u64,
}

impl PinChanges {
    /// Records changes of these pins from now on; bit n is GPIO n.
    pub(in crate::chip) fn watch(&mut self, pins: u32) {
        self.watched = pins;
    }

    /// Ends a run at a change of these pins from now on.
    pub(in crate::chip) fn stop_at(&mut self, pins: u32) {
        self.stops = pins;
    }

    /// Returns the pins of which a change ends a run.
    pub(super) fn stops(&self) -> u32 {
        self.stops
    }

    /// Returns whether one of these pins has changed since the last call.
    pub(super) fn take_stopped(&mut self) -> bool {
        std::mem::take(&mut self.stopped)
    }

    /// Records a change from the levels `before`, if a watched pin is among them.
    pub(super) fn note(&mut self, before: u32, change: PinChange) {
        self.stopped |= (before ^ change.levels) & self.stops != 0;
        if (before ^ change.levels) & self.watched == 0 {
            return;
        }
        if self.kept.len() == MAX_PIN_CHANGES {
            self.kept.pop_front();
            self.dropped += 1;
        }
        self.kept.push_back(change);
    }

    /// Records a burst from the levels `before`, if a watched pin is among its pins: whole, or its
    /// changes.
    pub(super) fn note_burst(&mut self, before: u32, burst: PinBurst) {
        if burst.pins() & self.watched == 0 {
            return;
        }
        let Some(bursts) = &mut self.bursts else {
            let mut levels = before;
            for change in burst.changes() {
                if change.levels != levels {
                    self.note(levels, change);
                    levels = change.levels;
                }
            }
            return;
        };
        if bursts.len() == MAX_BURSTS {
            bursts.pop_front();
            self.dropped += 1;
        }
        bursts.push_back(burst);
    }

    /// Records words from the levels before them, if a watched pin is among their pins: whole, or
    /// their changes.
    pub(super) fn note_words(&mut self, words: PinWords) {
        if words.pins() & self.watched == 0 {
            return;
        }
        let Some(pieces) = &mut self.words else {
            let mut levels = words.before();
            for change in words.changes() {
                if change.levels != levels {
                    self.note(levels, change);
                    levels = change.levels;
                }
            }
            return;
        };
        if pieces.len() == MAX_WORDS {
            pieces.pop_front();
            self.dropped += 1;
        }
        pieces.push_back(words);
    }

    /// Returns the words since the last call, oldest first. The first call lets them be recorded
    /// whole.
    pub(in crate::chip) fn take_words(&mut self) -> Vec<PinWords> {
        std::mem::take(self.words.get_or_insert_default()).into()
    }

    /// Returns the bursts since the last call, oldest first. The first call lets them be recorded
    /// whole.
    pub(in crate::chip) fn take_bursts(&mut self) -> Vec<PinBurst> {
        std::mem::take(self.bursts.get_or_insert_default()).into()
    }

    /// Returns the changes since the last call, oldest first.
    pub(in crate::chip) fn take(&mut self) -> Vec<PinChange> {
        std::mem::take(&mut self.kept).into()
    }

    /// Returns the number of changes dropped since power-on.
    pub(in crate::chip) fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_changes_are_dropped_and_counted() {
        let mut changes = PinChanges::default();
        changes.watch(1);
        for n in 0..MAX_PIN_CHANGES as u64 + 3 {
            let levels = n as u32 & 1;
            changes.note(levels ^ 1, PinChange { ns: n, levels });
        }
        changes.note(0, PinChange { ns: 0, levels: 2 });
        assert_eq!(changes.dropped(), 3);
        let kept = changes.take();
        assert_eq!((kept.len(), kept[0].ns), (MAX_PIN_CHANGES, 3));
        assert!(changes.take().is_empty());
    }
}
