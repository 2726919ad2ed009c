//! Builds a batch of operations.

use probe_protocol::swd::{BATCH, Register, SwdOp};

/// A batch under construction. A caller adds no more than fits: [`memory`](super::memory) has the
/// largest numbers of words.
#[derive(Clone, Debug, Default)]
pub struct Batch(Vec<u8>);

impl Batch {
    /// Creates an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes for the probe.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Drives these bits, the first in bit 0 of the first byte.
    pub fn sequence(&mut self, bits: u8, bytes: &[u8]) {
        self.add(&SwdOp::Sequence { bits, bytes });
    }

    /// Reads a register `count` times.
    pub fn read(&mut self, register: Register, count: usize) {
        self.add(&SwdOp::Read { register, count: count.try_into().unwrap_or(0) });
    }

    /// Writes words to a register.
    pub fn write(&mut self, register: Register, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.add(&SwdOp::Write { register, words: &bytes });
    }

    fn add(&mut self, op: &SwdOp<'_>) {
        if let Some(head) = op.head() {
            self.0.extend(head);
            self.0.extend(op.data());
        }
        debug_assert!(op.head().is_some() && self.0.len() <= BATCH, "{op:?}");
    }
}
