//! A part of a program.

/// Bytes of a program and where they belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Of the first byte.
    pub address: u32,
    /// As they are in the file.
    pub bytes: Vec<u8>,
}
