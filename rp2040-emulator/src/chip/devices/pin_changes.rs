//! The changes of watched pins, until somebody takes them.

use std::collections::VecDeque;

/// The most changes that are kept, in 16 MiB; a pin that changes in every cycle of 125 MHz fills them
/// in 8 ms. The oldest give way.
pub const MAX_PIN_CHANGES: usize = 1 << 20;

/// A change of a watched pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinChange {
    /// Nanoseconds since power-on.
    pub ns: u64,
    /// The levels of all pins from then on, bit n is GPIO n.
    pub levels: u32,
}

/// Which pins are watched, and what they have done.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct PinChanges {
    watched: u32,
    kept: VecDeque<PinChange>,
    dropped: u64,
}

impl PinChanges {
    /// Keeps changes of these pins from now on, bit n is GPIO n.
    pub(in crate::chip) fn watch(&mut self, pins: u32) {
        self.watched = pins;
    }

    /// All pins have come from the levels `before` to those of `change`.
    pub(super) fn note(&mut self, before: u32, change: PinChange) {
        if (before ^ change.levels) & self.watched == 0 {
            return;
        }
        if self.kept.len() == MAX_PIN_CHANGES {
            self.kept.pop_front();
            self.dropped += 1;
        }
        self.kept.push_back(change);
    }

    /// The changes since the last call, oldest first.
    pub(in crate::chip) fn take(&mut self) -> Vec<PinChange> {
        std::mem::take(&mut self.kept).into()
    }

    /// How many have given way to newer ones since power-on.
    pub(in crate::chip) fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_changes_give_way_and_are_counted() {
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
