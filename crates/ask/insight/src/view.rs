//! A view: what the firmware shows on the LCD, before it is drawn.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Content of the LCD before it is drawn. A view consists of elements, each of which
/// owns a part of the panel.
pub trait View: Any + fmt::Debug + Send + Sync {
    /// Returns whether `other` is the same view.
    fn is(&self, other: &dyn View) -> bool;

    /// Returns the element that draws `pixel` (column and row) when this view follows `before`;
    /// `None` if no element does.
    fn element(&self, before: Option<&dyn View>, pixel: (usize, usize)) -> Option<DrawnElement>;

    /// Returns the names of the elements at `pixels`, the element with most of them first.
    fn names_at(&self, pixels: &[(usize, usize)]) -> Vec<String>;
}

/// The views of a machine; none without power.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// View on the LCD, without the frame in progress.
    pub shown: Option<Arc<dyn View>>,
    /// View of the frame in progress.
    pub sent: Option<Arc<dyn View>>,
}

/// The element that the firmware drew at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnElement {
    /// Name of the screen: `menu`, `question`.
    pub screen: String,
    /// Name of the element: `title`, `status message`.
    pub element: String,
    /// Whether every element was drawn, because the screen replaced another one.
    pub whole: bool,
}

/// Prints `screen menu: title, with the whole screen`.
impl fmt::Display for DrawnElement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = if self.whole { ", with the whole screen" } else { "" };
        write!(out, "screen {}: {}{whole}", self.screen, self.element)
    }
}
