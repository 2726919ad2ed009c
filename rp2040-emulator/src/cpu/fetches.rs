//! The words that a core fetches for its instructions, while the bus counts them.

/// The last fetch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fetches {
    /// Address after the last instruction.
    next: u32,
}

impl Fetches {
    /// Returns the words that the instruction of `size` bytes at `pc` needs besides the one that
    /// the core has: at most two.
    pub(super) fn words(&mut self, pc: u32, size: u32) -> impl Iterator<Item = u32> + use<> {
        // Unless it has branched, the core has the word of the instruction before.
        let has = pc == self.next && !pc.is_multiple_of(4);
        self.next = pc.wrapping_add(size);
        let first = pc & !3;
        let last = self.next.wrapping_sub(1) & !3;
        let second = (last != first).then_some(last);
        (!has).then_some(first).into_iter().chain(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_fetched_once_in_sequence_and_again_after_a_branch() {
        let mut fetches = Fetches::default();
        let mut words = |pc, size| fetches.words(pc, size).collect::<Vec<u32>>();
        assert_eq!(words(0x100, 2), [0x100]);
        assert_eq!(words(0x102, 2), []);
        assert_eq!(words(0x104, 2), [0x104]);
        assert_eq!(words(0x106, 4), [0x108], "half of it is in the word before");
        assert_eq!(words(0x10A, 2), []);
        assert_eq!(words(0x10A, 2), [0x108], "a branch to itself");
        assert_eq!(words(0x202, 4), [0x200, 0x204]);
    }
}
