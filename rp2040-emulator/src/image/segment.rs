//! A part of a program.

/// Bytes of a program and their address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub address: u32,
    /// The bytes as stored in the file.
    pub bytes: Vec<u8>,
}
