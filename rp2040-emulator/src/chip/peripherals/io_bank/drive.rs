//! What drives a pin from outside.

/// What drives a pin from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// Nothing: an open contact.
    #[default]
    Open,
    /// Tied to ground.
    Low,
    /// Tied to the supply.
    High,
}
