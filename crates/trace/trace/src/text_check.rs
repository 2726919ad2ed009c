//! The arguments of `expect text` and `expect no text`: a text, the region of the panel that
//! contains it, and the time for which it was shown.
//!
//! `"TEXT" [on DISPLAY] [in REGION] [for TIME]`, with the options in any order; they are written in
//! this order. A region is `x,y,width,height` in pixels of the panel.

use core::fmt;

use super::display::Display;
use super::quoted::Quoted;
use super::screenshot::on;
use ili9341_model::frame::Region;
use virtual_time::Nanos;

/// A text on the panel, or in a region of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionText {
    /// The text; never blank.
    pub text: String,
    /// The display; `None` = the first one.
    pub display: Option<Display>,
    /// Region that contains the whole text; `None` = anywhere.
    pub region: Option<Region>,
}

/// A text, and the time for which it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCheck {
    /// Text to find, with its region.
    pub wanted: RegionText,
    /// Time for which the text was last shown, more than
    /// [`SHOWN_TOLERANCE`](super::SHOWN_TOLERANCE); `None` = it is shown at the line's time.
    pub shown_for: Option<Nanos>,
}

/// Creates a check anywhere on the panel.
impl From<&str> for RegionText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// Creates a check anywhere on the panel.
impl From<String> for RegionText {
    fn from(text: String) -> Self {
        Self { text, display: None, region: None }
    }
}

/// Creates a check at the line's time.
impl From<RegionText> for TextCheck {
    fn from(wanted: RegionText) -> Self {
        Self { wanted, shown_for: None }
    }
}

/// Creates a check anywhere on the panel, at the line's time.
impl From<&str> for TextCheck {
    fn from(text: &str) -> Self {
        RegionText::from(text).into()
    }
}

/// Creates a check anywhere on the panel, at the line's time.
impl From<String> for TextCheck {
    fn from(text: String) -> Self {
        RegionText::from(text).into()
    }
}

/// Writes the text after `expect text`.
impl fmt::Display for RegionText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Quoted(&self.text).fmt(out)?;
        on(out, self.display)?;
        self.region.map_or(Ok(()), |region| write!(out, " in {region}"))
    }
}

/// Writes the text after `expect text`.
impl fmt::Display for TextCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted.fmt(out)?;
        self.shown_for.map_or(Ok(()), |time| write!(out, " for {time}"))
    }
}
