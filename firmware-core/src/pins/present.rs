//! Updates the panel from view to view: sends only the changed pixels, each once, for a few
//! milliseconds a step.
//!
//! There is no framebuffer. The presenter stores the view that the panel shows; for the next one it
//! draws every damaged element twice into small tiles, in its old and its new state, and sends the
//! rectangles in which they differ. It knows no screen: a view is any [`Picture`]. It knows no bus:
//! it draws on a `DrawTarget` and counts the bytes that this takes on an ILI9341, and the pixels
//! that it draws.

mod bits;
mod cover;
mod overlap;
mod picture;
mod surface;
mod text_target;
mod tile;

use core::ops::DerefMut;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use crate::pins::lcd::{PIXEL_BYTES, WINDOW_BYTES};
use bits::{BITS_WORDS, Bits};
use cover::Cover;
pub(crate) use overlap::overlap;
pub use picture::{Damage, Picture};
use surface::Surface;
pub use text_target::{Inks, PixelTarget, TextTarget};
use tile::{Stored, TILE_PIXELS, Tile};

/// Maximum number of damaged rectangles in one frame: enough for every element of the board's
/// screen. With more, everything is drawn.
const MAX_DAMAGE: usize = 128;

/// Number of pixels that one step may draw into tiles: a tile in its old and its new state. Drawing
/// one takes a Cortex-M0+ about a microsecond, whether it is sent or not (docs/budgets-pico.md).
const PIXELS_A_STEP: u32 = 2 * (TILE_PIXELS as u32 + PIXELS_A_TILE);

/// Cost of a tile before its first pixel, in pixels: finding the elements in it.
const PIXELS_A_TILE: u32 = 100;

/// The remaining capacity of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: u32,
    pixels: u32,
}

impl Budget {
    /// Creates the budget of a step that may send `bytes` bytes and draw the pixels of one step.
    pub const fn new(bytes: u32) -> Self {
        Self { bytes, pixels: PIXELS_A_STEP }
    }

    /// Subtracts the cost of sending `area`.
    fn spend(&mut self, area: &Rectangle) {
        self.bytes = self.bytes.saturating_sub(cost(area));
    }

    /// Returns whether `area` can be sent, even if all its pixels have changed. More windows never
    /// cost more: they are only opened where they save bytes.
    fn covers(self, area: &Rectangle) -> bool {
        self.bytes >= cost(area)
    }

    /// Subtracts the cost of drawing `area` into `tiles` tiles. Returns `false` if the budget is
    /// too small.
    fn draw(&mut self, tiles: u32, area: &Rectangle) -> bool {
        let pixels = tiles * (PIXELS_A_TILE + area.size.width * area.size.height);
        match self.pixels.checked_sub(pixels) {
            Some(left) => {
                self.pixels = left;
                true
            }
            None => false,
        }
    }
}

/// Returns the number of bytes that a window of `area` takes with its pixels.
const fn cost(area: &Rectangle) -> u32 {
    WINDOW_BYTES + PIXEL_BYTES * area.size.width * area.size.height
}

/// Large buffers of the presenter: the damage, two tiles of colours, and two of bits. The caller
/// chooses their location.
#[derive(Clone)]
pub struct Canvas<E> {
    damage: heapless::Vec<Damage<E>, MAX_DAMAGE>,
    before: [Stored; TILE_PIXELS],
    after: [Stored; TILE_PIXELS],
    bits_before: [u32; BITS_WORDS],
    bits_after: [u32; BITS_WORDS],
}

impl<E> Default for Canvas<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Canvas<E> {
    /// Creates a black canvas: all bytes are zero, so a static takes no flash.
    pub const fn new() -> Self {
        Self {
            damage: heapless::Vec::new(),
            before: [0; TILE_PIXELS],
            after: [0; TILE_PIXELS],
            bits_before: [0; BITS_WORDS],
            bits_after: [0; BITS_WORDS],
        }
    }
}

/// Updates the panel from one view to the next, using a [`Canvas`].
#[derive(Clone)]
pub struct Presenter<C, V> {
    canvas: C,
    /// View that the panel shows, except for the remaining damage; unknown after power-on.
    shown: Option<V>,
    /// View that the panel will show when no damage is left.
    goal: Option<V>,
    /// Number of finished pixel rows of the last damaged rectangle, counted from its top.
    rows_done: u32,
}

impl<C: DerefMut<Target = Canvas<V::Element>>, V: Picture> Presenter<C, V> {
    /// Creates a presenter with a new `canvas`. The content of the panel is unknown: the first
    /// frame is drawn in full.
    pub const fn new(canvas: C) -> Self {
        Self { canvas, shown: None, goal: None, rows_done: 0 }
    }

    /// Returns the view that the panel shows, except for the frame in progress, and the view of
    /// that frame.
    pub const fn views(&self) -> (Option<&V>, Option<&V>) {
        (self.shown.as_ref(), self.goal.as_ref())
    }

    /// Returns whether a frame is in progress.
    pub const fn is_drawing(&self) -> bool {
        self.goal.is_some()
    }

    /// Returns whether the panel shows `view` and no frame is in progress.
    pub fn shows(&self, view: &V) -> bool {
        self.goal.is_none() && self.shown.as_ref() == Some(view)
    }

    /// Continues the frame in progress, or begins the one that shows `view`, on a panel of `size`,
    /// until it is finished or the budget is spent. Returns whether it is finished. A frame shows
    /// the view that it began with: the panel never shows parts of three views.
    ///
    /// # Errors
    /// Errors of the target.
    pub fn step<D: DrawTarget<Color = Rgb565>>(
        &mut self,
        view: &V,
        size: Size,
        target: &mut D,
        budget: &mut Budget,
    ) -> Result<bool, D::Error> {
        let Self { canvas, shown, goal, rows_done } = self;
        let goal = goal.get_or_insert_with(|| {
            begin(view, shown, &mut canvas.damage, size);
            *view
        });
        while let Some(damage) = canvas.damage.last().copied() {
            let area = damage.area();
            let part = next_tile(area, *rows_done);
            if !budget.covers(&part) || !budget.draw(tiles(&damage, shown.is_some()), &part) {
                return Ok(false);
            }
            draw_damage(canvas, (shown.as_ref(), goal), damage, part, size, target, budget)?;
            *rows_done += part.size.height;
            if *rows_done >= area.size.height {
                *rows_done = 0;
                canvas.damage.pop();
            }
        }
        self.shown = self.goal.take();
        Ok(true)
    }
}

/// Collects in `damage` what must be drawn so that a panel that shows `shown` shows `view`. If
/// there are too many rectangles, everything is damaged, and the content of the panel counts as
/// unknown.
fn begin<V: Picture>(
    view: &V,
    shown: &mut Option<V>,
    damage: &mut heapless::Vec<Damage<V::Element>, MAX_DAMAGE>,
    size: Size,
) {
    let mut fits = true;
    view.damage(shown.as_ref(), size, |part| fits &= damage.push(part).is_ok());
    if !fits {
        damage.clear();
        *shown = None;
        view.damage(None, size, |part| fits &= damage.push(part).is_ok());
    }
    // The damage is processed from the end: this makes the top left the first.
    damage.reverse();
}

/// Returns the number of tiles into which a part of `damage` is drawn, on a panel with known or
/// unknown content.
const fn tiles<E>(damage: &Damage<E>, is_known: bool) -> u32 {
    match damage {
        Damage::Fill(..) => 0,
        Damage::Redraw(..) if is_known => 2,
        Damage::Redraw(..) | Damage::Replace(..) => 1,
    }
}

/// Draws `part` of `damage` in its new state on a panel of `size`, and sends the differences from
/// the state that is `shown`; all of it where every pixel changes, or where the content of the
/// panel is unknown.
fn draw_damage<V: Picture, D: DrawTarget<Color = Rgb565>>(
    canvas: &mut Canvas<V::Element>,
    (shown, goal): (Option<&V>, &V),
    damage: Damage<V::Element>,
    part: Rectangle,
    size: Size,
    target: &mut D,
    budget: &mut Budget,
) -> Result<(), D::Error> {
    let (element, shown) = match damage {
        Damage::Fill(_, colour) => {
            budget.spend(&part);
            return target.fill_solid(&part, colour);
        }
        Damage::Redraw(_, element) => (element, shown),
        Damage::Replace(_, element) => (element, None),
    };
    let inks = shown.filter(|_| Bits::fit(&part)).and_then(|shown| two_inks(shown, goal, element));
    if let (Some(shown), Some([old, new])) = (shown, inks) {
        let mut after = Bits::new(part, new, &mut canvas.bits_after);
        Surface::Bits(&mut after).draw(goal, element, size);
        let mut before = Bits::new(part, old, &mut canvas.bits_before);
        Surface::Bits(&mut before).draw(shown, element, size);
        let mut cover = Cover::new(part.top_left);
        cover.add_bits(&before, &after);
        return send_all(&cover, budget, |changed| after.send(changed, &mut canvas.before, target));
    }
    let mut after = Tile::new(part, &mut canvas.after);
    Surface::Tile(&mut after).draw(goal, element, size);
    let Some(shown) = shown else {
        budget.spend(&part);
        return after.send(&part, &mut canvas.before, target);
    };
    let mut before = Tile::new(part, &mut canvas.before);
    Surface::Tile(&mut before).draw(shown, element, size);
    let mut cover = Cover::new(part.top_left);
    cover.add_tiles(&before, &after);
    // The old state is no longer needed: its buffer is free for the pixels to send.
    send_all(&cover, budget, |changed| after.send(changed, &mut canvas.before, target))
}

/// Returns the two colours of `element` in two views, if it has no others and the same background
/// in both.
fn two_inks<V: Picture>(before: &V, after: &V, element: V::Element) -> Option<[Inks; 2]> {
    let [before, after] = [before.inks(element)?, after.inks(element)?];
    (before.ground == after.ground).then_some([before, after])
}

/// Sends the rectangles of `cover`.
fn send_all<E>(
    cover: &Cover,
    budget: &mut Budget,
    mut send: impl FnMut(&Rectangle) -> Result<(), E>,
) -> Result<(), E> {
    for changed in cover.rectangles() {
        budget.spend(&changed);
        send(&changed)?;
    }
    Ok(())
}

/// Returns the next rows of `area` that fit into a tile, after `rows_done` rows.
fn next_tile(area: Rectangle, rows_done: u32) -> Rectangle {
    let rows = (TILE_PIXELS as u32 / area.size.width.max(1)).max(1);
    Rectangle::new(
        area.top_left + Point::new(0, rows_done as i32),
        Size::new(area.size.width, rows.min(area.size.height - rows_done)),
    )
}

#[cfg(test)]
mod tests;
