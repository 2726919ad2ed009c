//! A FIFO between a state machine and the bus (datasheet section 3.5.4).

/// Number of words of a FIFO that is not joined; a joined one has room for twice as many.
pub(super) const DEPTH: usize = 4;
const MAX_DEPTH: usize = 2 * DEPTH;

/// A FIFO of its own depth, of twice the depth (joined), or of depth zero (its words are joined to
/// its partner).
#[derive(Clone, Debug)]
pub(super) struct Fifo {
    words: [u32; MAX_DEPTH],
    first: usize,
    level: usize,
    depth: usize,
}

impl Default for Fifo {
    fn default() -> Self {
        Self::new(DEPTH)
    }
}

impl Fifo {
    /// Creates an empty FIFO of `depth` words, at most eight.
    pub(super) fn new(depth: usize) -> Self {
        Self { words: [0; MAX_DEPTH], first: 0, level: 0, depth: depth.min(MAX_DEPTH) }
    }

    pub(super) fn level(&self) -> usize {
        self.level
    }

    pub(super) fn is_empty(&self) -> bool {
        self.level == 0
    }

    /// Returns whether the FIFO is full. A FIFO of depth zero is both full and empty.
    pub(super) fn is_full(&self) -> bool {
        self.level == self.depth
    }

    /// Adds a word. Returns false, and drops the word, if the FIFO is full.
    pub(super) fn push(&mut self, word: u32) -> bool {
        let room = !self.is_full();
        if room {
            self.words[(self.first + self.level) % MAX_DEPTH] = word;
            self.level += 1;
        }
        room
    }

    /// Returns the number of words for which there is room.
    pub(super) fn room(&self) -> usize {
        self.depth - self.level
    }

    /// Returns the words, the next one first.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        (0..self.level).map(|number| self.words[(self.first + number) % MAX_DEPTH])
    }

    /// Replaces the words by these, of which there are at most as many as there is room for.
    pub(super) fn replace(&mut self, words: &[u32]) {
        (self.first, self.level) = (0, words.len().min(self.depth));
        for (slot, word) in self.words.iter_mut().zip(words) {
            *slot = *word;
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        (!self.is_empty()).then(|| {
            let word = self.words[self.first];
            self.first = (self.first + 1) % MAX_DEPTH;
            self.level -= 1;
            word
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_out_in_order_and_a_full_fifo_takes_none() {
        for depth in [4, 8] {
            let mut fifo = Fifo::new(depth);
            for round in 0..3 {
                for n in 0..depth as u32 {
                    assert!(fifo.push(round * 100 + n));
                }
                assert!(fifo.is_full() && !fifo.push(999));
                for n in 0..depth as u32 {
                    assert_eq!(fifo.pop(), Some(round * 100 + n));
                }
                assert_eq!(fifo.pop(), None);
                assert!(fifo.push(1) && fifo.pop() == Some(1), "the ends move on");
            }
        }
    }

    #[test]
    fn a_fifo_without_room_is_full_and_empty() {
        let mut fifo = Fifo::new(0);
        assert!(fifo.is_full() && fifo.is_empty() && !fifo.push(1));
        assert_eq!(fifo.pop(), None);
    }
}
