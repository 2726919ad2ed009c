//! The arguments of `screenshot`: `NAME [on DISPLAY]`.

use core::fmt;

use super::display::Display;

/// A screenshot that a line takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// Name of the file; see [`is_name`](super::is_name).
    pub name: String,
    /// The display; `None` = the first one.
    pub display: Option<Display>,
}

/// Creates a screenshot of the first display.
impl From<&str> for Screenshot {
    fn from(name: &str) -> Self {
        Self::from(name.to_owned())
    }
}

/// Creates a screenshot of the first display.
impl From<String> for Screenshot {
    fn from(name: String) -> Self {
        Self { name, display: None }
    }
}

/// Writes the text after `screenshot`.
impl fmt::Display for Screenshot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        on(out, self.display)
    }
}

/// Writes ` on NAME`, if a line names its display.
pub(super) fn on(out: &mut fmt::Formatter<'_>, display: Option<Display>) -> fmt::Result {
    display.map_or(Ok(()), |display| write!(out, " on {}", display.name()))
}
