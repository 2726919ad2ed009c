//! Arrays of registers at consecutive addresses, such as ALARM0 to ALARM3.

/// Returns the number of the register at `offset` in an array of word registers that begins at
/// `first`.
pub(super) fn index(offset: u32, first: u32) -> usize {
    ((offset - first) / 4) as usize
}
