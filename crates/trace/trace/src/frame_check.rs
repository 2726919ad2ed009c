//! What `expect frame` compares: a golden's name, a part of the panel, what is ignored and how
//! much may be off.
//!
//! `NAME [in REGION] {ignore REGION} [tolerance STEPS] [at most PIXELS pixels]`, in any
//! order behind the name; it is written in this one. A region is `x,y,width,height` in pixels of
//! the panel.

use core::fmt;

use crate::frame_rules::Rules;
use ili9341_model::frame::Region;

/// A golden frame, and how the LCD is compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameCheck {
    /// The golden's name; see [`is_name`](super::is_name).
    pub name: String,
    /// The part of the panel that the golden shows; `None` = all of it.
    pub region: Option<Region>,
    /// What counts as equal. What is ignored lies inside the region, and no two of it overlap.
    pub rules: Rules,
}

impl FrameCheck {
    /// The part of the panel that is compared.
    pub fn shown(&self) -> Region {
        self.region.unwrap_or(Region::PANEL)
    }
}

/// The whole panel, every pixel.
impl From<&str> for FrameCheck {
    fn from(name: &str) -> Self {
        Self::from(name.to_owned())
    }
}

/// The whole panel, every pixel.
impl From<String> for FrameCheck {
    fn from(name: String) -> Self {
        Self { name, region: None, rules: Rules::default() }
    }
}

/// As it stands behind `expect frame`.
impl fmt::Display for FrameCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
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
