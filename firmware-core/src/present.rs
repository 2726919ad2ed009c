//! From views to pixels on the wire: what changed, each pixel once, a few milliseconds a step.
//!
//! There is no framebuffer. The presenter remembers the view that the panel shows; for
//! the next one it draws every damaged element twice into small tiles, as it was and as
//! it will be, and sends the rectangles in which they differ. It knows no bus: it draws on
//! a `DrawTarget` and counts the bytes that this costs on an ILI9341.

mod cover;
mod tile;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use crate::lcd::{PIXEL_BYTES, WINDOW_BYTES};
use crate::screen::{Damage, View};
use cover::Cover;
use tile::{TILE_PIXELS, Tile};

/// Most rectangles of damage that one frame may have: every element of the board's screen.
const MOST_DAMAGE: usize = 128;

/// How many bytes a step may still send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteBudget(pub u32);

impl ByteBudget {
    fn spend(&mut self, pixels: u32) {
        self.0 = self.0.saturating_sub(WINDOW_BYTES + PIXEL_BYTES * pixels);
    }

    /// Whether `area` can be sent, even if every pixel of it has changed. More windows
    /// never cost more: they are only opened where they save bytes.
    fn covers(self, area: &Rectangle) -> bool {
        self.0 >= WINDOW_BYTES + PIXEL_BYTES * area.size.width * area.size.height
    }
}

/// Brings the panel from one view to the next.
pub struct Presenter {
    /// What the panel shows, but for the damage that is left; unknown after power-on.
    shown: Option<View>,
    /// What it will show when no damage is left.
    goal: Option<View>,
    damage: heapless::Vec<Damage, MOST_DAMAGE>,
    /// Pixels of the last damage rectangle that are drawn: whole rows from its top.
    rows_done: u32,
    before: [Rgb565; TILE_PIXELS],
    after: [Rgb565; TILE_PIXELS],
}

impl Default for Presenter {
    fn default() -> Self {
        Self::new()
    }
}

impl Presenter {
    /// A presenter for a panel that shows who knows what.
    pub const fn new() -> Self {
        const DARK: Rgb565 = Rgb565::new(0, 0, 0);
        Self {
            shown: None,
            goal: None,
            damage: heapless::Vec::new(),
            rows_done: 0,
            before: [DARK; TILE_PIXELS],
            after: [DARK; TILE_PIXELS],
        }
    }

    /// Draws towards `view` on a panel of `size` until the budget is spent; whether the
    /// panel shows `view` now. A frame once begun is finished before the next begins, so
    /// the panel never shows parts of three.
    ///
    /// # Errors
    /// Those of the target.
    pub fn step<D: DrawTarget<Color = Rgb565>>(
        &mut self,
        view: &View,
        size: Size,
        target: &mut D,
        budget: &mut ByteBudget,
    ) -> Result<bool, D::Error> {
        loop {
            let Some(goal) = self.goal else {
                if self.shown.as_ref() == Some(view) {
                    return Ok(true);
                }
                self.begin(view, size);
                continue;
            };
            while let Some((element, area)) = self.damage.last().copied() {
                let part = next_tile(area, self.rows_done);
                if !budget.covers(&part) {
                    return Ok(false);
                }
                let shown = self.shown;
                let mut after = Tile::new(part, &mut self.after);
                draw_tile(&goal, element, size, &mut after);
                match shown {
                    None => after.send(&part, target, budget)?,
                    Some(shown) => {
                        let mut before = Tile::new(part, &mut self.before);
                        draw_tile(&shown, element, size, &mut before);
                        for changed in Cover::of(&before, &after).rectangles() {
                            after.send(changed, target, budget)?;
                        }
                    }
                }
                self.rows_done += part.size.height;
                if self.rows_done >= area.size.height {
                    self.rows_done = 0;
                    self.damage.pop();
                }
            }
            self.shown = self.goal.take();
        }
    }

    fn begin(&mut self, view: &View, size: Size) {
        let damage = &mut self.damage;
        view.damage(self.shown.as_ref(), size, |part| {
            // MOST_DAMAGE has room for every element; `a_whole_screen_fits` tests it.
            let _ = damage.push(part);
        });
        // The damage is taken from the end: top left first.
        self.damage.reverse();
        self.goal = Some(*view);
    }
}

/// The next rows of `area` that fit into a tile, after `rows_done` of them.
fn next_tile(area: Rectangle, rows_done: u32) -> Rectangle {
    let rows = (TILE_PIXELS as u32 / area.size.width.max(1)).max(1);
    Rectangle::new(
        area.top_left + Point::new(0, rows_done as i32),
        Size::new(area.size.width, rows.min(area.size.height - rows_done)),
    )
}

fn draw_tile(view: &View, element: crate::screen::Element, size: Size, tile: &mut Tile<'_>) {
    // A tile never fails.
    let _ = view.draw(element, size, tile);
}

#[cfg(test)]
mod tests;
