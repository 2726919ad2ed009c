//! The arguments of `expect frame`: a golden's name, a region of the panel, ignored regions and
//! tolerances.
//!
//! `NAME [on DISPLAY] [in REGION] {ignore REGION} [tolerance STEPS] [at most PIXELS pixels]`, with
//! the options in any order after the name; they are written in this order. A region is
//! `x,y,width,height` in pixels of the panel.

use core::fmt;

use crate::display::Display;
use crate::frame_rules::Rules;
use crate::screenshot::on;
use ili9341_model::frame::{Frame, Region};

/// A golden frame, and how the LCD is compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameCheck {
    /// Name of the golden; see [`is_name`](super::is_name).
    pub name: String,
    /// The display; `None` = the first one.
    pub display: Option<Display>,
    /// Region of the panel that the golden shows; `None` = the whole panel.
    pub region: Option<Region>,
    /// Rules of equality. Ignored regions are inside `region` and do not overlap.
    pub rules: Rules,
}

impl FrameCheck {
    /// Returns the region of `frame`, a whole panel, that is compared.
    pub fn shown(&self, frame: &Frame) -> Region {
        self.region.unwrap_or(frame.whole())
    }
}

/// Creates a check of every pixel of the whole panel.
impl From<&str> for FrameCheck {
    fn from(name: &str) -> Self {
        Self::from(name.to_owned())
    }
}

/// Creates a check of every pixel of the whole panel.
impl From<String> for FrameCheck {
    fn from(name: String) -> Self {
        Self { name, display: None, region: None, rules: Rules::default() }
    }
}

/// Writes the text after `expect frame`.
impl fmt::Display for FrameCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        on(out, self.display)?;
        if let Some(region) = self.region {
            write!(out, " in {region}")?;
        }
        for region in &self.rules.ignored {
            write!(out, " ignore {region}")?;
        }
        if self.rules.tolerance > 0 {
            write!(out, " tolerance {}", self.rules.tolerance)?;
        }
        if self.rules.pixels_off > 0 {
            write!(out, " at most {} pixels", self.rules.pixels_off)?;
        }
        Ok(())
    }
}
