//! A bounded buffer of level changes of watched pins.

use std::collections::VecDeque;

/// Capacity of the buffer, 16 MiB; a pin that changes in every cycle at 125 MHz fills it in 8 ms.
/// When it is full, the oldest change is dropped.
pub const MAX_PIN_CHANGES: usize = 1 << 20;

/// A change of a watched pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinChange {
    /// Time since power-on, in nanoseconds.
    pub ns: u64,
    /// Levels of all pins from then on; bit n is GPIO n.
    pub levels: u32,
}

/// The watched pins and their recorded changes.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct PinChanges {
    watched: u32,
    /// Pins of which a change ends a run; `stopped` is whether there was one.
    stops: u32,
    stopped: bool,
    kept: VecDeque<PinChange>,
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
