//! The codes of a game's stored steps, and after them the codes of the steps that were undone and
//! can be redone: both in one ring of [`MOST`] bytes. This module knows codes, but no game.

use super::MOST;

/// A ring of codes: first the stored ones, oldest first, then the undone ones in the order in which
/// they were played.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    codes: [u8; MOST],
    /// Index of the oldest stored code.
    head: u16,
    stored: u16,
    undone: u16,
    /// Whether the newest stored code is one by which Undo has switched an option back.
    switched_back: bool,
}

const _: () = assert!(MOST <= u16::MAX as usize);

/// What can be redone does not affect whether two games are equal.
impl PartialEq for Steps {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Steps {}

impl Steps {
    /// Creates an empty ring. All its bytes are zero.
    pub(super) const fn new() -> Self {
        Self { codes: [0; MOST], head: 0, stored: 0, undone: 0, switched_back: false }
    }

    pub(super) const fn clear(&mut self) {
        (self.head, self.stored, self.undone) = (0, 0, 0);
        self.switched_back = false;
    }

    /// Returns the number of stored codes.
    pub(super) const fn len(&self) -> usize {
        self.stored as usize
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.stored == 0
    }

    pub(super) const fn is_full(&self) -> bool {
        self.len() == MOST
    }

    /// Returns the stored codes, oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = u8> + '_ {
        (0..self.len()).map(|index| self.codes[self.slot(index)])
    }

    /// Returns the stored code at `index`.
    pub(super) fn get(&self, index: usize) -> Option<u8> {
        (index < self.len()).then(|| self.codes[self.slot(index)])
    }

    /// Returns the newest stored code.
    pub(super) fn back(&self) -> Option<u8> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Stores a code that is played: nothing can be redone after it. Does nothing if the ring is
    /// full.
    pub(super) fn push(&mut self, code: u8) {
        self.undone = 0;
        self.switched_back = false;
        if !self.is_full() {
            let slot = self.slot(self.len());
            self.codes[slot] = code;
            self.stored += 1;
        }
    }

    /// Removes and returns the oldest stored code.
    pub(super) fn pop_front(&mut self) -> Option<u8> {
        let code = self.get(0)?;
        self.head = self.slot(1) as u16;
        self.stored -= 1;
        Some(code)
    }

    /// Removes the stored codes after the first `count`; they and those undone before cannot be
    /// redone.
    pub(super) fn truncate(&mut self, count: usize) {
        self.undone = 0;
        self.switched_back = false;
        self.stored = self.stored.min(count.min(MOST) as u16);
    }

    /// Removes the newest stored code for good; those undone before can still be redone.
    pub(super) fn drop_back(&mut self) {
        if let Some(last) = self.stored.checked_sub(1) {
            for index in usize::from(last)..usize::from(last + self.undone) {
                self.codes[self.slot(index)] = self.codes[self.slot(index + 1)];
            }
            self.stored = last;
        }
    }

    /// Undoes the stored codes after the first `count`.
    pub(super) fn undo_to(&mut self, count: usize) {
        let back = self.len().saturating_sub(count) as u16;
        (self.stored, self.undone) = (self.stored - back, self.undone + back);
    }

    /// Stores the code by which Undo switches an option back: those undone before can still be
    /// redone. If there is no room, the last of them is lost.
    pub(super) fn switch_back(&mut self, code: u8) {
        if self.is_full() {
            return;
        }
        self.switched_back = true;
        if self.len() + usize::from(self.undone) == MOST {
            self.undone -= 1;
        }
        for index in (self.len()..self.len() + usize::from(self.undone)).rev() {
            self.codes[self.slot(index + 1)] = self.codes[self.slot(index)];
        }
        let slot = self.slot(self.len());
        self.codes[slot] = code;
        self.stored += 1;
    }

    /// Returns whether the newest stored code is that of [`Self::switch_back`].
    pub(super) const fn is_switched_back(&self) -> bool {
        self.switched_back
    }

    /// Removes the code of [`Self::switch_back`], if there is one. Returns whether there was.
    pub(super) fn drop_switch_back(&mut self) -> bool {
        let switched_back = core::mem::take(&mut self.switched_back);
        if switched_back {
            self.drop_back();
        }
        switched_back
    }

    /// Returns the code that was undone last, which is redone first.
    pub(super) fn undone(&self) -> Option<u8> {
        (self.undone > 0).then(|| self.codes[self.slot(self.len())])
    }

    /// Stores the code that was undone last again.
    pub(super) const fn redo(&mut self) {
        if self.undone > 0 {
            (self.stored, self.undone) = (self.stored + 1, self.undone - 1);
        }
    }

    /// Drops the undone codes.
    pub(super) const fn forget_undone(&mut self) {
        self.undone = 0;
    }

    fn slot(&self, index: usize) -> usize {
        (usize::from(self.head) + index) % MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the stored codes and those that can be redone, by redoing them.
    #[track_caller]
    fn check(steps: &Steps, stored: &[u8], undone: &[u8]) {
        assert!(steps.iter().eq(stored.iter().copied()), "{:?}", steps.iter().collect::<Vec>());
        let mut steps = steps.clone();
        for code in undone {
            assert_eq!(steps.undone(), Some(*code));
            steps.redo();
        }
        assert_eq!(steps.undone(), None);
    }

    type Vec = heapless::Vec<u8, MOST>;

    /// A ring that has gone round, so that its codes cross the end of the array.
    fn gone_round(codes: &[u8]) -> Steps {
        let mut steps = Steps::new();
        for _ in 0..MOST - 2 {
            steps.push(0);
            steps.pop_front();
        }
        codes.iter().for_each(|code| steps.push(*code));
        steps
    }

    #[test]
    fn undone_codes_are_redone_in_their_order() {
        let mut steps = gone_round(&[1, 2, 3, 4, 5]);
        steps.undo_to(4);
        steps.undo_to(2);
        check(&steps, &[1, 2], &[3, 4, 5]);
        steps.redo();
        check(&steps, &[1, 2, 3], &[4, 5]);
        steps.push(9);
        check(&steps, &[1, 2, 3, 9], &[]);
    }

    #[test]
    fn an_inserted_code_moves_the_undone_ones() {
        let mut steps = gone_round(&[1, 2, 3, 4, 5]);
        steps.undo_to(2);
        steps.switch_back(8);
        check(&steps, &[1, 2, 8], &[3, 4, 5]);
        assert!(steps.drop_switch_back() && !steps.drop_switch_back());
        check(&steps, &[1, 2], &[3, 4, 5]);
    }

    #[test]
    fn a_full_ring_loses_the_last_undone_code() {
        let mut steps = Steps::new();
        (0..MOST).for_each(|nth| steps.push(nth as u8));
        assert!(steps.is_full());
        steps.undo_to(MOST - 2);
        steps.switch_back(77);
        assert_eq!((steps.len(), steps.back()), (MOST - 1, Some(77)));
        assert_eq!(steps.undone(), Some((MOST - 2) as u8));
        steps.redo();
        assert_eq!((steps.len(), steps.undone()), (MOST, None));
    }

    #[test]
    fn truncated_codes_are_gone() {
        let mut steps = gone_round(&[1, 2, 3]);
        steps.undo_to(2);
        steps.truncate(1);
        check(&steps, &[1], &[]);
        steps.clear();
        check(&steps, &[], &[]);
    }
}
