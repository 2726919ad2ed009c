//! The marks of the board's screen: the dash, the triangle of the player to move, the arrows of the
//! direction of sowing, and the rims of hollows. Each draws its whole rectangle, background
//! included. This module knows neither view nor layout.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::element::{Damage, Element};
use super::hollow::CellSide;
use super::layout::Side;
use super::text::centred;
use super::theme;
use crate::game::places::{Direction, Player};
use crate::pins::present::TextTarget;

/// Size of a dash in pixels.
const DASH: Size = Size::new(20, 4);
/// Size of an arrow in pixels: two lanes, out and back, one above the other.
const ARROW: Size = Size::new(36, 21);
/// Thickness of an arrow's lanes in pixels.
const LANE: u32 = 3;
/// Distance in pixels from an arrow's lane to the edge of its tip.
const TIP: u32 = 4;
/// Distance in pixels from one stroke of a broken rim to the next.
const STROKE_PITCH: u32 = 8;
/// Length in pixels of a stroke of a broken rim.
const STROKE: u32 = 5;

/// Divisor: a thick corner takes a third of the side of its rim.
const CORNER: u32 = 3;

/// Appearance of a rim. The variants are distinguishable without colour vision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rim {
    /// A line along the whole side.
    Whole(Rgb565),
    /// A thick line along the whole side.
    Thick(Rgb565),
    /// Thick corners with a thin line between them.
    Cornered(Rgb565),
    /// Thick strokes.
    Broken(Rgb565),
}

impl Rim {
    /// Returns the damage in `strip` of the cell when this rim replaces `before`.
    pub(super) fn damage(self, before: Self, element: Element, strip: Rectangle) -> Damage {
        let is_upright = strip.size.height > strip.size.width;
        match (before, self) {
            // A thick rim has a single colour in all its strips.
            (_, Self::Thick(colour)) if before.is_without(colour) => Damage::Fill(strip, colour),
            (Self::Thick(colour), _) if self.is_without(colour) => Damage::Replace(strip, element),
            // Two of three columns change, and the ends.
            (Self::Whole(one), Self::Cornered(two)) | (Self::Cornered(one), Self::Whole(two))
                if is_upright && one != two =>
            {
                Damage::Replace(strip, element)
            }
            _ => Damage::Redraw(strip, element),
        }
    }

    /// Returns whether no pixel of the rim, background included, has this colour.
    fn is_without(self, colour: Rgb565) -> bool {
        let (ground, line) = match self {
            Self::Thick(line) => (line, line),
            Self::Whole(line) | Self::Cornered(line) | Self::Broken(line) => (theme::GROUND, line),
        };
        colour != ground && colour != line
    }

    /// Draws one side of the rim of a hollow with the cell `cell`, on a part of its strip.
    pub(super) fn draw<D: TextTarget>(
        self,
        cell: Rectangle,
        side: CellSide,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let strip = side.strip(cell);
        let ground = if let Self::Thick(colour) = self { colour } else { theme::GROUND };
        target.fill_solid(&strip, ground)?;
        match self {
            Self::Thick(_) => {}
            Self::Whole(colour) => target.fill_solid(&side.rim(cell), colour)?,
            Self::Cornered(colour) => {
                // The vertical ones reach into the strips above and below.
                for side in CellSide::ALL {
                    target.fill_solid(&side.thin_rim(cell), colour)?;
                }
                for corner in corners(strip, cell.size) {
                    target.fill_solid(&corner, colour)?;
                }
            }
            Self::Broken(colour) => {
                for stroke in strokes(strip) {
                    target.fill_solid(&stroke, colour)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the parts of `strip`, at the edge of a hollow's cell of `size`, that belong to its two
/// corners.
fn corners(strip: Rectangle, size: Size) -> [Rectangle; 2] {
    let Size { width, height } = strip.size;
    // All corners of a hollow are alike: the shorter side decides.
    let arm = size.width.min(size.height) / CORNER;
    let (part, far) = if width > height {
        (Size::new(arm, height), Size::new(width.saturating_sub(arm), 0))
    } else {
        // The strips above and below contain the ends of this side.
        let arm = arm.saturating_sub(width);
        (Size::new(width, arm), Size::new(0, height.saturating_sub(arm)))
    };
    [Rectangle::new(strip.top_left, part), Rectangle::new(strip.top_left + far, part)]
}

/// Returns the strokes along `strip`, symmetric about its centre.
fn strokes(strip: Rectangle) -> impl Iterator<Item = Rectangle> {
    let Size { width, height } = strip.size;
    let length = width.max(height);
    let count = (length + STROKE_PITCH - STROKE) / STROKE_PITCH;
    let margin = length.saturating_sub(count.saturating_sub(1) * STROKE_PITCH + STROKE) / 2;
    (0..count).map(move |nth| {
        let along = margin + nth * STROKE_PITCH;
        if width > height {
            Rectangle::new(strip.top_left + Size::new(along, 0), Size::new(STROKE, height))
        } else {
            Rectangle::new(strip.top_left + Size::new(0, along), Size::new(width, STROKE))
        }
    })
}

/// Returns the position of the dash in its strip `area`.
pub(super) fn dash(area: &Rectangle) -> Rectangle {
    centred(DASH, area)
}

/// Draws a triangle in a square of `size` in the middle of `area` that points at the row of
/// `player`; without a player, draws none.
pub(super) fn draw_triangle<D: TextTarget>(
    player: Option<Player>,
    size: u32,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, theme::MESSAGE_GROUND)?;
    let Some(player) = player else { return Ok(()) };
    let centre = area.center();
    let rows = size as i32 * 3 / 4;
    for row in 0..rows {
        let y = match player {
            Player::Top => centre.y - rows / 2 + row,
            Player::Bottom => centre.y + rows / 2 - row,
        };
        // Three pixels down, two to each side.
        let half = row * 2 / 3;
        let span =
            Rectangle::new(Point::new(centre.x - half, y), Size::new(2 * half as u32 + 1, 1));
        target.fill_solid(&span, theme::player(player))?;
    }
    Ok(())
}

/// Returns the position of the arrow in its part `area` of the board.
pub(super) fn arrow(area: &Rectangle) -> Rectangle {
    centred(ARROW, area)
}

/// Draws the arrow at one side of the triangle: from the triangle, around the end of the board, and
/// back, in the direction of sowing. Without a direction, draws none.
pub(super) fn draw_arrow<D: TextTarget>(
    direction: Option<Direction>,
    side: Side,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, theme::MESSAGE_GROUND)?;
    let Some(direction) = direction else { return Ok(()) };
    let whole = arrow(&area);
    let mut fill = |x: u32, y: u32, width: u32, height: u32| {
        // Drawn for the left side; the right one is its mirror image.
        let x = match side {
            Side::Left => x,
            Side::Right => whole.size.width - x - width,
        };
        let part = Rectangle::new(whole.top_left + Size::new(x, y), Size::new(width, height));
        target.fill_solid(&part, theme::INK)
    };
    let Size { width, height } = whole.size;
    let tip = TIP + 1;
    // The lanes are in the middle rows of a tip, with the bend between their outer ends.
    let (upper, lower) = (TIP - LANE / 2, height - TIP - LANE / 2 - 1);
    let bend = 3;
    // Counter-clockwise, stones move down at the left end of the board and up at the right one.
    let forward = match (direction, side) {
        (Direction::CounterClockwise, Side::Left) | (Direction::Clockwise, Side::Right) => lower,
        _ => upper,
    };
    for lane in [upper, lower] {
        let end = if lane == forward { width - tip } else { width };
        fill(bend, lane, end - bend, LANE)?;
    }
    fill(1, upper + 1, bend - 1, LANE)?;
    fill(0, upper + bend, LANE, lower - upper - LANE)?;
    fill(1, lower - 1, bend - 1, LANE)?;
    for column in 0..tip {
        let half = TIP - column;
        let middle = forward + LANE / 2;
        fill(width - tip + column, middle - half, 1, 2 * half + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use core::convert::Infallible;
    use std::string::String;
    use std::vec::Vec;

    use embedded_graphics::Pixel;
    use embedded_graphics::draw_target::{DrawTarget, DrawTargetExt as _};
    use embedded_graphics::geometry::OriginDimensions;

    use super::*;
    use crate::pins::present::PixelTarget;

    const CELL: Rectangle = Rectangle::new(Point::zero(), Size::new(20, 15));
    const LINE: Rgb565 = theme::RIM_EVENT;

    /// A letter per pixel: `#` has the line's colour, `.` the background's; a space was not drawn.
    struct Letters([[char; CELL.size.width as usize]; CELL.size.height as usize]);

    impl OriginDimensions for Letters {
        fn size(&self) -> Size {
            CELL.size
        }
    }

    impl DrawTarget for Letters {
        type Color = Rgb565;
        type Error = Infallible;

        fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
            &mut self,
            pixels: I,
        ) -> Result<(), Infallible> {
            for Pixel(point, colour) in pixels {
                self.0[point.y as usize][point.x as usize] = if colour == LINE { '#' } else { '.' };
            }
            Ok(())
        }
    }

    /// Checks the picture of `rim`, drawn at once and in tiles of several heights.
    #[track_caller]
    fn check(rim: Rim, picture: [&str; CELL.size.height as usize]) {
        for rows in [CELL.size.height, 7, 2, 1] {
            let mut letters = Letters([[' '; CELL.size.width as usize]; CELL.size.height as usize]);
            for top in (0..CELL.size.height).step_by(rows as usize) {
                let tile = Rectangle::new(Point::new(0, top as i32), Size::new(20, rows));
                for side in CellSide::ALL {
                    let part = side.strip(CELL).intersection(&tile);
                    let _ = rim.draw(CELL, side, &mut PixelTarget(&mut letters.clipped(&part)));
                }
            }
            let drawn: Vec<String> = letters.0.iter().map(|row| row.iter().collect()).collect();
            assert_eq!(drawn, picture, "{rows} rows a tile");
        }
    }

    #[test]
    fn a_whole_rim_is_two_pixels_wide_without_corners() {
        check(
            Rim::Whole(LINE),
            [
                "....................",
                "..################..",
                "..################..",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                ".##              ##.",
                "..################..",
                "..################..",
                "....................",
            ],
        );
    }

    #[test]
    fn a_thick_rim_fills_its_strips() {
        check(
            Rim::Thick(LINE),
            [
                "####################",
                "####################",
                "####################",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "####################",
                "####################",
                "####################",
            ],
        );
    }

    #[test]
    fn a_cornered_rim_has_thick_corners_and_thin_lines() {
        check(
            Rim::Cornered(LINE),
            [
                "#####..........#####",
                "####################",
                "#####..........#####",
                "###              ###",
                "###              ###",
                ".#.              .#.",
                ".#.              .#.",
                ".#.              .#.",
                ".#.              .#.",
                ".#.              .#.",
                "###              ###",
                "###              ###",
                "#####..........#####",
                "####################",
                "#####..........#####",
            ],
        );
    }

    #[test]
    fn a_broken_rim_has_thick_strokes() {
        check(
            Rim::Broken(LINE),
            [
                "...#####...#####....",
                "...#####...#####....",
                "...#####...#####....",
                "...              ...",
                "...              ...",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "###              ###",
                "...              ...",
                "...              ...",
                "...#####...#####....",
                "...#####...#####....",
                "...#####...#####....",
            ],
        );
    }
}
