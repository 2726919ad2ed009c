//! The answer to a read command while it is being clocked out. The module does not know its
//! meaning.

/// Maximum length of an answer in bytes, other than memory contents.
pub(super) const LONGEST: usize = 8;

/// Source of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// Bytes of a register.
    #[default]
    Register,
    /// The memory; `gone` bytes of the current pixel have been sent.
    Memory { gone: usize },
}

#[derive(Clone, Default)]
pub(super) struct Answer {
    pub(super) source: Source,
    pub(super) bytes: [u8; LONGEST],
    /// Index of the next byte of a register; for the memory, 0 while the dummy byte is due.
    pub(super) next: usize,
    /// Index set by the vendor's D9h: the next answer begins with this byte.
    pub(super) index: usize,
}

impl Answer {
    /// Sets the index from the argument of D9h. Many drivers read the bytes of long answers one by
    /// one, each after this undocumented command with 10h + the byte's index.
    pub(super) fn set_index(&mut self, argument: u8) {
        self.index = if argument & 0x10 != 0 { usize::from(argument & 0x0F) } else { 0 };
    }
}
