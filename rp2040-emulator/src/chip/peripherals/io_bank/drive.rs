//! The external drive of a pin.

/// The external drive of a pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// Not driven: an open contact.
    #[default]
    Open,
    /// Connected to ground.
    Low,
    /// Connected to the supply.
    High,
}
