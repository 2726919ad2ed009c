//! Steps of a master on the bus.

/// A step of a master on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BusStep {
    /// A start and the address.
    Address,
    Byte,
    /// A stop; true if it ends an abort or a transfer, false if a start follows.
    Stop,
}
