//! A change of the pins' levels, as the caller gets it.

/// A change of a watched pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinChange {
    /// Time since power-on, in nanoseconds.
    pub ns: u64,
    /// Levels of all pins from then on; bit n is GPIO n.
    pub levels: u32,
}
