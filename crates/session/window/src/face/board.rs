//! The board whose face is drawn: the LCD board, whose places follow from its panel
//! ([`layout`](super::layout)), or a board of a board file, whose places are cells of a grid
//! ([`described`](super::described)). Both yield a [`Layout`], and all drawing is the same.

use std::sync::Arc;

use trace::{Button, ButtonSet};

use super::described::DescribedFace;
use super::geometry::Shape;
use super::glass::Glass;
use super::layout::{Layout, Panel};
use super::pane::Contact;

/// The board whose face is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardFace {
    /// The LCD board: its buttons are above and below the columns of its panel.
    Reference(Panel),
    /// A board of a board file.
    Described(Arc<DescribedFace>),
}

impl BoardFace {
    /// Returns the width and height of the panel that is shown, in its pixels.
    pub fn panel_size(&self) -> (u32, u32) {
        match self {
            Self::Reference(panel) => (panel.width, panel.height),
            Self::Described(face) => face.panel_size(),
        }
    }

    /// Returns the glass of the panel that is shown.
    pub fn glass(&self) -> Glass {
        match self {
            Self::Reference(_) => Glass::default(),
            Self::Described(face) => face.glass,
        }
    }

    /// Returns the number of units of the face for each pixel of the panel.
    pub fn units_per_pixel(&self) -> f32 {
        match self {
            Self::Reference(_) => 1.0,
            Self::Described(face) => face.units_per_pixel(),
        }
    }

    /// Computes the layout with `unit` window pixels for each unit of the face.
    pub fn layout(&self, unit: f32, shape: Shape) -> Layout {
        match self {
            Self::Reference(panel) => Layout::shaped(*panel, unit, shape),
            Self::Described(face) => face.layout(unit, shape),
        }
    }

    /// Returns the largest number of window pixels for a unit with which the face fits into a picture
    /// of that size.
    pub fn fitting(&self, shape: Shape, width: u32, height: u32) -> f32 {
        match self {
            Self::Reference(panel) => Layout::fitting_shape(*panel, shape, width, height),
            Self::Described(face) => face.fitting(shape, width, height),
        }
    }

    /// Returns the levels of the contacts, of which those in `closed` are closed, in the groups in
    /// which the pane lists them.
    pub fn contacts(&self, closed: ButtonSet) -> Vec<Vec<Contact>> {
        match self {
            Self::Reference(_) => {
                let contact = |button: &Button| Contact {
                    name: button.name().to_owned(),
                    is_high: !closed.contains(*button),
                };
                let group = |buttons: &[Button]| buttons.iter().map(contact).collect();
                [6..9, 9..12, 0..3, 3..6, 12..13].map(|at| group(&Button::LCD_BOARD[at])).into()
            }
            Self::Described(face) => {
                let contact = |(at, (name, is_high)): (usize, &(String, bool))| Contact {
                    name: name.clone(),
                    is_high: closed.contains_index(at) == *is_high,
                };
                vec![face.contacts.iter().enumerate().map(contact).collect()]
            }
        }
    }
}

impl From<Panel> for BoardFace {
    fn from(panel: Panel) -> Self {
        Self::Reference(panel)
    }
}
