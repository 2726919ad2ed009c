//! The layout of a page, computed from the panel's size.
//!
//! ```text
//! ┌──────────────────────────────────────────┐
//! │ title: one strip, or a tab for each menu │
//! ├────────────────────────┬─────────────────┤
//! │ rows                   │ aside           │   A page has an aside or not;
//! │                        │                 │   its rows are as wide as what is left.
//! │ rest                   │                 │
//! ├──────┬─────────────────┴──────────┬──────┤
//! │ left │ key ×6, each above its     │ right│
//! │      │ NUDGE button               │      │
//! └──────┴────────────────────────────┴──────┘
//! ```
//!
//! The rectangles cover the panel without a gap and without overlapping.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::keys;
use super::painter::{split, strip};
use crate::game::places::CUPS_A_SIDE;
use crate::interface::screen::layout::Layout;
use crate::interface::screen::theme::LABEL_FONT;

/// Height of the title in pixels.
const TITLE: u32 = LABEL_FONT.character_size.height + 5;

/// Rectangles that all pages have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    panel: Rectangle,
    layout: Layout,
}

impl Sheet {
    pub(super) const fn new(size: Size) -> Self {
        Self { panel: Rectangle::new(Point::zero(), size), layout: Layout::new(size) }
    }

    pub(super) fn title(&self) -> Rectangle {
        strip(self.panel, 0, TITLE)
    }

    /// Returns the `nth` of `count` tabs.
    pub(super) fn tab(&self, nth: u32, count: u32) -> Rectangle {
        let title = self.title();
        let from = |nth: u32| title.size.width * nth / count;
        split(split(title, from(nth + 1)).0, from(nth)).1
    }

    /// Returns the area between the title and the keys.
    pub(super) fn body(&self) -> Rectangle {
        strip(self.panel, TITLE, self.panel.size.height.saturating_sub(TITLE + keys::HEIGHT))
    }

    /// Returns the key above the `nth` NUDGE button of the bottom row.
    pub(super) fn key(&self, nth: usize) -> Rectangle {
        let [from, to] = [nth, nth + 1].map(|nth| self.key_edge(nth));
        split(split(self.keys(), to).0, from).1
    }

    pub(super) fn left_of_keys(&self) -> Rectangle {
        split(self.keys(), self.key_edge(0)).0
    }

    pub(super) fn right_of_keys(&self) -> Rectangle {
        split(self.keys(), self.key_edge(CUPS_A_SIDE)).1
    }

    fn keys(&self) -> Rectangle {
        strip(self.panel, self.panel.size.height.saturating_sub(keys::HEIGHT), keys::HEIGHT)
    }

    /// Returns the left edge of the `nth` key, which is in the middle of its button's column.
    fn key_edge(&self, nth: usize) -> u32 {
        let first = self.layout.button_column(0);
        let column = self.layout.button_column(1) - first;
        first - column / 2 + nth as u32 * column
    }
}
