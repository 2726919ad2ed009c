//! Errors of the options of `expect frame` and `expect text`.

use thiserror::Error;

use crate::limits::{IGNORED_MAX, TOLERANCE_MAX};
use crate::nearest::did_you_mean_or;
use crate::spoken::abbreviated;
use ili9341_model::frame::Region;

/// Invalid options of `expect frame` or `expect text`. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameCheckError {
    /// More than 32 ignored regions.
    #[error("a frame ignores at most {IGNORED_MAX} regions")]
    TooManyIgnored,
    /// A repeated option; its words.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// An unknown option.
    #[error("{} does not go with {what}{}", abbreviated(option), did_you_mean_or(option, known))]
    UnknownOption {
        /// The option as written.
        option: String,
        /// The verb before the option, in back quotes.
        what: &'static str,
        /// Options that are allowed there.
        known: &'static [&'static str],
    },
    /// An ignored region that is not inside the compared one.
    #[error("the ignored {ignored} reaches out of the region {compared}")]
    IgnoredOutside { ignored: Region, compared: Region },
    /// Two ignored regions that overlap.
    #[error("the ignored {ignored} overlaps the ignored {other}; make them one, or part them")]
    IgnoredOverlap { ignored: Region, other: Region },
    /// Every pixel is ignored.
    #[error("all is ignored; nothing is left to compare")]
    AllIgnored,
    /// As many pixels may differ as are compared.
    #[error(
        "{allowed} pixels may be off, but only {compared} are compared: that holds for any frame"
    )]
    AllMayBeOff {
        /// Number of pixels that may differ.
        allowed: usize,
        /// Number of pixels that are compared.
        compared: usize,
    },
    /// Not a region; the text.
    #[error(
        "{} is no region; a region is x,y,width,height in pixels, like `0,0,320,40`",
        abbreviated(.0)
    )]
    NotARegion(String),
    /// A region without pixels.
    #[error("the region {0} is empty")]
    EmptyRegion(Region),
    /// A region with pixels outside the panel.
    #[error(
        "the region {} reaches out of the panel, which has {}x{} pixels",
        region, panel.width, panel.height
    )]
    OutsideThePanel { region: Region, panel: Region },
    /// A tolerance that is not 1 to 16 steps of RGB565; the text.
    #[error(
        "{} is no tolerance; 1 to {TOLERANCE_MAX} steps of RGB565 a channel, like `2`; without \
         `tolerance` pixels are equal",
        abbreviated(.0)
    )]
    NotATolerance(String),
    /// Not a number of pixels of at least 1; the text.
    #[error("{} is no number of pixels; 1 or more", abbreviated(.0))]
    NotAPixelCount(String),
}
