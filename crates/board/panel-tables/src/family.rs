//! The families of controllers.

/// The two families of controllers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The MIPI Display Command Set: windows of colour pixels.
    Dcs,
    /// Pages of eight lines, one bit a pixel.
    Pages,
}
