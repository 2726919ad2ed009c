//! The buttons, the lettering and the copper tracks of a [`Layout`](super::Layout).

use trace::Button;

use super::geometry::Shape;
use super::lettering::Align;
use super::painter::{Area, Point};

/// A button on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cap {
    pub(super) button: Button,
    /// The housing, which can be clicked.
    pub(super) housing: Area,
    /// The name on the board.
    pub(super) name: Text,
    /// Whether the cap has the colour of RESET.
    pub(super) is_reset: bool,
}

/// Lettering on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    /// Top left corner, or the middle of the top edge.
    pub(super) at: Point,
    pub(super) align: Align,
    pub(super) text: String,
    /// Size of the letters, in window pixels for each of their units.
    pub(super) size: f32,
    /// Whether the lettering is of less importance.
    pub(super) is_dim: bool,
}

/// Returns the tracks from the buttons of the LCD board to the panel's frame. In a window that is
/// wide RESET is beside the panel.
pub(super) fn tracks(
    housings: &[Area; Button::LCD_BOARD.len()],
    bezel: Area,
    unit: f32,
    shape: Shape,
) -> Vec<[Point; 2]> {
    let (nudge, reset) = (&housings[..12], housings[Button::Reset.index()]);
    let mut tracks = Vec::new();
    for housing in nudge {
        let (x, y) = housing.center();
        let edge = if y < bezel.top { bezel.top } else { bezel.top + bezel.height };
        for side in [-9.0, 9.0] {
            tracks.push([(x + side * unit, y), (x + side * unit, edge)]);
        }
    }
    for side in [-2.0, 2.0] {
        tracks.push(match shape {
            Shape::Wide => {
                let y = reset.center().1 + side * unit;
                [(bezel.left + bezel.width, y), (reset.left, y)]
            }
            // The pair is routed around the names of the buttons between RESET and the panel.
            Shape::Upright => {
                let x = reset.center().0 + side * unit;
                [(x, reset.top), (x, bezel.top + bezel.height)]
            }
        });
    }
    tracks
}
