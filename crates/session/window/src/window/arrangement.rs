//! Positions of the board, the panel on it, the footer below, and the pane beside it in a window
//! of any size. The board has the shape in which the panel is larger. This module knows no texture.

use sdl2::rect::Rect;

use crate::face::{BoardFace, Footer, Layout, Shape};

/// The pane's share of the window's width, in hundredths.
const PANE_SHARE: u32 = 38;
/// Smallest and largest share of the window's width, in hundredths, of a pane that has the width
/// which the board leaves.
const PANE_REST: (u32, u32) = (27, 50);

/// Parts that are shown besides the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Whether the panel is shown without the board.
    pub(super) bare: bool,
    /// Whether the console's pane is shown.
    pub(super) pane: bool,
}

/// Positions of the parts, in pixels of the window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrangement {
    pub(super) size: (u32, u32),
    /// Window pixels for each unit of the board, or for each pixel of the bare panel.
    pub(super) unit: f32,
    /// Layout of the board, if it is shown.
    pub(super) layout: Option<Layout>,
    pub(super) board: Option<Rect>,
    pub(super) footer: Option<Rect>,
    pub(super) pane: Option<Rect>,
    pub(super) glass: Rect,
}

impl Arrangement {
    /// Computes the arrangement for a window of `size` pixels.
    pub(super) fn of(size: (u32, u32), face: &BoardFace, shown: Shown) -> Self {
        let centred = |room: u32, used: u32| (room.saturating_sub(used) / 2) as i32;
        if shown.bare {
            let pane_width = if shown.pane { size.0 * PANE_SHARE / 100 } else { 0 };
            let (width, height) = (size.0 - pane_width, size.1);
            let panel = face.panel_size();
            let pane = shown.pane.then(|| beside(size, pane_width));
            let whole = (width / panel.0).min(height / panel.1);
            let unit = match whole {
                0 => (width as f32 / panel.0 as f32).min(height as f32 / panel.1 as f32),
                whole => whole as f32,
            };
            let scaled = |length: u32| ((length as f32 * unit) as u32).max(1);
            let (wide, high) = (scaled(panel.0), scaled(panel.1));
            let glass = Rect::new(centred(width, wide), centred(height, high), wide, high);
            let unit = unit.max(0.25);
            return Self { size, unit, layout: None, board: None, footer: None, pane, glass };
        }
        let [upright, wide] = Shape::ALL.map(|shape| board_of(size, face, shape, shown.pane));
        let (layout, pane_width) = if wide.0.unit() > upright.0.unit() { wide } else { upright };
        let (width, height) = (size.0 - pane_width, size.1);
        let pane = shown.pane.then(|| beside(size, pane_width));
        let footer_height = Footer::height(layout.unit());
        let left = centred(width, layout.width());
        let top = centred(height, layout.height() + footer_height);
        let on_it = layout.panel();
        Self {
            size,
            unit: layout.unit(),
            layout: Some(layout.clone()),
            board: Some(Rect::new(left, top, layout.width(), layout.height())),
            footer: Some(Rect::new(
                left,
                top + layout.height() as i32,
                layout.width(),
                footer_height,
            )),
            pane,
            glass: Rect::new(
                left + on_it.left as i32,
                top + on_it.top as i32,
                on_it.width,
                on_it.height,
            ),
        }
    }

    /// Returns the size of a window whose board has `unit` pixels for each of its units.
    pub(super) fn window(face: &BoardFace, unit: f32) -> (u32, u32) {
        let layout = face.layout(unit, Shape::Upright);
        (layout.width(), layout.height() + Footer::height(unit))
    }

    /// Returns whether the window has no pixel to draw on.
    pub(super) fn is_nothing(&self) -> bool {
        self.size.0 == 0 || self.size.1 == 0
    }
}

/// Returns the place of a pane.
fn beside((width, height): (u32, u32), pane_width: u32) -> Rect {
    Rect::new((width - pane_width) as i32, 0, pane_width.max(1), height.max(1))
}

/// Returns the largest board of that shape that fits into a window, and the width of the pane
/// beside it: what a board of the window's height leaves, or a fixed share.
fn board_of(size: (u32, u32), face: &BoardFace, shape: Shape, has_pane: bool) -> (Layout, u32) {
    let (width, height) = size;
    let fitting = |width: u32| {
        let with_footer_of = |unit: f32| {
            let below = height.saturating_sub(Footer::height(unit));
            without_a_rest(face.fitting(shape, width, below), face)
        };
        let largest = face.fitting(shape, width, height);
        let smallest = with_footer_of(largest);
        // A smaller board has a smaller footer, which may leave the board more.
        let unit = with_footer_of(smallest);
        let layout = face.layout(unit, shape);
        match layout.height() + Footer::height(unit) <= height {
            true => layout,
            false => face.layout(smallest, shape),
        }
    };
    if !has_pane {
        return (fitting(width), 0);
    }
    let whole = fitting(width);
    let rest = width.saturating_sub(whole.width());
    let share = |hundredths: u32| width * hundredths / 100;
    if rest >= share(PANE_REST.0) {
        return (whole, rest.min(share(PANE_REST.1)));
    }
    let pane_width = share(PANE_SHARE);
    (fitting(width - pane_width), pane_width)
}

/// Returns a `unit` with a whole number of window pixels for each pixel of the panel, if the panel
/// would be less than one pixel wider otherwise: each of its pixels is a square then.
fn without_a_rest(unit: f32, face: &BoardFace) -> f32 {
    let pixel = unit * face.units_per_pixel();
    // The quotient of two sizes may be a little less than the whole number that it is.
    let whole = (pixel + 0.001).floor();
    let has_whole = whole >= 1.0 && (pixel - whole) * (face.panel_size().0 as f32) < 1.0;
    if has_whole { whole / face.units_per_pixel() } else { unit }
}

/// Returns the width of a window with the pane, whose board is `width` pixels wide.
pub(super) fn with_pane(width: u32) -> u32 {
    (width * 100).div_ceil(100 - PANE_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::Panel;

    const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };
    const FACE: BoardFace = BoardFace::Reference(PANEL);

    #[test]
    fn a_window_of_a_whole_scale_has_the_board_at_that_scale() {
        for unit in 1..=8 {
            let size = Arrangement::window(&FACE, unit as f32);
            let arrangement = Arrangement::of(size, &FACE, Shown::default());
            assert_eq!(arrangement.unit, unit as f32);
            assert_eq!(arrangement.glass.width(), 320 * unit);
            assert_eq!(arrangement.board.map(|board| (board.x(), board.y())), Some((0, 0)));
        }
    }

    #[test]
    fn everything_is_inside_a_window_of_any_size() {
        let sizes =
            [(1, 1), (0, 0), (281, 340), (1_366, 768), (3_840, 2_160), (500, 2_000), (2_000, 200)];
        let shown = [(false, false), (true, false), (false, true), (true, true)];
        for (size, (bare, pane)) in
            sizes.into_iter().flat_map(|size| shown.map(|shown| (size, shown)))
        {
            let found = Arrangement::of(size, &FACE, Shown { bare, pane });
            let parts = [found.board, found.footer, found.pane, Some(found.glass)];
            if size.0 < 200 || size.1 < 200 {
                continue;
            }
            for part in parts.into_iter().flatten() {
                assert!(part.x() >= 0 && part.y() >= 0, "{size:?} {part:?}");
                assert!(part.right() <= size.0 as i32, "{size:?} {part:?}");
                assert!(part.bottom() <= size.1 as i32, "{size:?} {part:?}");
            }
        }
    }

    #[test]
    fn a_pane_beside_leaves_the_board_its_width() {
        for unit in [1.0, 1.3, 2.0, 3.9] {
            let (width, height) = Arrangement::window(&FACE, unit);
            let size = (with_pane(width), height);
            let found = Arrangement::of(size, &FACE, Shown { bare: false, pane: true });
            assert!((found.unit - unit).abs() < 0.01, "{unit}: {}", found.unit);
            // A board of a whole scale keeps it, and so its pixels are squares.
            assert!(unit.fract() != 0.0 || found.unit == unit, "{unit}: {}", found.unit);
        }
    }

    #[test]
    fn the_board_has_the_shape_in_which_the_panel_is_larger() {
        let of = |size, pane| Arrangement::of(size, &FACE, Shown { bare: false, pane });
        let is_wide = |found: &Arrangement| {
            let board = found.board.unwrap();
            board.width() > board.height() * 5 / 4
        };
        for (size, wide) in [
            ((1_920, 1_080), true),
            ((1_280, 720), true),
            ((3_440, 1_440), true),
            ((1_024, 768), true),
            ((600, 720), false),
            ((768, 1_024), false),
            (Arrangement::window(&FACE, 2.0), false),
        ] {
            for pane in [false, true] {
                let found = of(size, pane);
                assert!(pane || is_wide(&found) == wide, "{size:?}");
                let (board, pane) = (found.board.unwrap(), found.pane);
                assert!(pane.is_none_or(|pane| board.right() <= pane.x()), "{size:?}");
            }
        }
        // On a wide screen the pane takes the width that the board leaves.
        for size in [(1_920, 1_080), (1_280, 720)] {
            assert_eq!(of(size, true).unit, of(size, false).unit);
        }
        let upright = Layout::fitting(PANEL, 1_920, 1_080 - Footer::height(2.0));
        assert!(of((1_920, 1_080), false).unit > 1.15 * upright);
    }

    #[test]
    fn the_bare_panel_has_the_largest_whole_scale_that_fits() {
        let scale = |size| Arrangement::of(size, &FACE, Shown { bare: true, pane: false }).unit;
        assert_eq!(scale((1_366, 768)), 3.0);
        assert_eq!(scale((640, 480)), 2.0);
        assert_eq!(scale((639, 480)), 1.0);
        assert!(scale((160, 120)) < 1.0);
    }
}
