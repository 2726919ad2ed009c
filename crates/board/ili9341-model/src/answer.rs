//! The answer that is being clocked out. It does not know what it says.

/// Bytes of the longest answer but the memory's.
pub(super) const LONGEST: usize = 5;

/// Where the answer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// Bytes of a register.
    #[default]
    Register,
    /// The memory; so many bytes of the present pixel have gone.
    Memory { gone: usize },
}

/// The answer that is being clocked out.
#[derive(Clone, Default)]
pub(super) struct Answer {
    pub(super) source: Source,
    pub(super) bytes: [u8; LONGEST],
    /// The next byte of a register; of the memory 0 while the dummy byte is due.
    pub(super) next: usize,
    /// The vendor's D9h: the next answer begins with this byte.
    pub(super) index: usize,
}

impl Answer {
    /// Many drivers read the bytes of long answers one by one, each after the undocumented
    /// command D9h with 10h + its index.
    pub(super) fn set_index(&mut self, argument: u8) {
        self.index = if argument & 0x10 != 0 { usize::from(argument & 0x0F) } else { 0 };
    }
}
