//! What `expect text` and `expect no text` look for: a text, the part of the panel in which it
//! stands, and how long it stood there.
//!
//! `"TEXT" [in REGION] [for TIME]`, the options in any order; it is written in this one. A
//! region is `x,y,width,height` in pixels of the panel.

use core::fmt;

use super::quoted::Quoted;
use ili9341_model::frame::Region;
use virtual_time::Nanos;

/// A text on the panel, or in a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionText {
    /// The text; never blank.
    pub text: String,
    /// The part of the panel in which all of it stands; `None` = anywhere.
    pub region: Option<Region>,
}

/// A text, and how long it stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCheck {
    /// What is looked for.
    pub wanted: RegionText,
    /// How long it stood there when it was there last, more than
    /// [`SHOWN_TOLERANCE`](super::SHOWN_TOLERANCE); `None` = it stands there now.
    pub shown_for: Option<Nanos>,
}

/// Anywhere on the panel.
impl From<&str> for RegionText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// Anywhere on the panel.
impl From<String> for RegionText {
    fn from(text: String) -> Self {
        Self { text, region: None }
    }
}

/// Now.
impl From<RegionText> for TextCheck {
    fn from(wanted: RegionText) -> Self {
        Self { wanted, shown_for: None }
    }
}

/// Anywhere on the panel, now.
impl From<&str> for TextCheck {
    fn from(text: &str) -> Self {
        RegionText::from(text).into()
    }
}

/// Anywhere on the panel, now.
impl From<String> for TextCheck {
    fn from(text: String) -> Self {
        RegionText::from(text).into()
    }
}

/// As it stands behind `expect text`.
impl fmt::Display for RegionText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Quoted(&self.text).fmt(out)?;
        self.region.map_or(Ok(()), |region| write!(out, " in {region}"))
    }
}

/// As it stands behind `expect text`.
impl fmt::Display for TextCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted.fmt(out)?;
        self.shown_for.map_or(Ok(()), |time| write!(out, " for {time}"))
    }
}
