//! Differences as sentences.

use std::fmt;

use super::{Thing, What};

/// Returns `1 px to the right and 2 px up`.
pub(crate) fn way(right: i32, down: i32) -> String {
    let part = |pixels: i32, forward: &str, back: &str| match pixels {
        0 => None,
        1.. => Some(format!("{pixels} px {forward}")),
        _ => Some(format!("{} px {back}", pixels.unsigned_abs())),
    };
    let across = part(right, "to the right", "to the left");
    let along = part(down, "down", "up");
    across.into_iter().chain(along).collect::<Vec<_>>().join(" and ")
}

impl fmt::Display for Thing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "the text “{text}”"),
            Self::Picture(region) => write!(out, "the picture in {region}"),
            Self::Several => out.write_str("several things"),
        }
    }
}

/// Prints `the text “Menu” moved 1 px to the right`: a sentence without a full stop.
impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved { thing, right, down } => {
                write!(out, "{thing} moved {}", way(*right, *down))
            }
            Self::Recoloured { thing, colours } => {
                write!(out, "{thing} changed colour: ")?;
                for (number, (was, is)) in colours.iter().enumerate() {
                    let comma = if number > 0 { ", " } else { "" };
                    write!(out, "{comma}#{was:06x} became #{is:06x}")?;
                }
                Ok(())
            }
            Self::Text { before, after } if before == after => {
                write!(out, "the text “{before}” is drawn in another size")
            }
            Self::Text { before, after } => write!(out, "the text “{before}” became “{after}”"),
            Self::TextNew(text) => write!(out, "the text “{text}” appeared"),
            Self::TextGone(text) => write!(out, "the text “{text}” disappeared"),
            Self::Picture { region, .. } => write!(out, "the picture in {region} is another"),
            Self::Screen { before, after } if before == after => {
                write!(out, "most of the screen “{before}” is another")
            }
            Self::Screen { before, after } => {
                write!(out, "another screen: “{before}” became “{after}”")
            }
            Self::FrameNew { shows, .. } => write!(out, "a settled frame is new: “{shows}”"),
            Self::FrameGone { shows, .. } => write!(out, "a settled frame is gone: “{shows}”"),
        }
    }
}
