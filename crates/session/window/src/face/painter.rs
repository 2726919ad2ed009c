//! Anti-aliased shapes on a frame. A shape is a signed distance; the coverage of a pixel follows
//! from the distance of its centre. This module knows no board and no letter.

use ili9341_model::Frame;

use super::geometry::Rect;

/// A point in pixels; pixel centres are at halves.
pub(super) type Point = (f32, f32);

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    pub(super) fn around(center: Point, width: f32, height: f32) -> Self {
        Self { left: center.0 - width / 2.0, top: center.1 - height / 2.0, width, height }
    }

    pub(super) fn center(&self) -> Point {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    /// Returns the area enlarged by `margin` on each side.
    pub(super) fn grown(&self, margin: f32) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
        }
    }

    /// Returns the area in whole pixels.
    pub(super) fn rect(&self) -> Rect {
        Rect {
            left: self.left as u32,
            top: self.top as u32,
            width: self.width as u32,
            height: self.height as u32,
        }
    }

    pub(super) fn moved(&self, right: f32, down: f32) -> Self {
        Self { left: self.left + right, top: self.top + down, ..*self }
    }
}

/// A colour or vertical gradient, `0x00RRGGBB`, and its opacity, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    top: u32,
    bottom: u32,
    opacity: f32,
}

impl Paint {
    pub(super) const fn flat(rgb: u32) -> Self {
        Self { top: rgb, bottom: rgb, opacity: 1.0 }
    }

    /// Creates a gradient from `top` at a shape's upper edge to `bottom` at its lower edge.
    pub(super) const fn gradient(top: u32, bottom: u32) -> Self {
        Self { top, bottom, opacity: 1.0 }
    }

    pub(super) const fn with_opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

/// Mixes two colours channel by channel: `from` at a share of 0, `to` at 1.
pub(super) fn mix(from: u32, to: u32, share: f32) -> u32 {
    let share = share.clamp(0.0, 1.0);
    [16, 8, 0].into_iter().fold(0, |rgb, shift| {
        let channel = |rgb: u32| ((rgb >> shift) & 0xFF) as f32;
        let mixed = channel(from) + (channel(to) - channel(from)) * share;
        rgb | ((mixed.round() as u32) << shift)
    })
}

/// Returns the distance to a rectangle with round corners, negative inside of it.
fn to_round_box(point: Point, area: &Area, radius: f32) -> f32 {
    let center = area.center();
    let radius = radius.min(area.width / 2.0).min(area.height / 2.0);
    let x = (point.0 - center.0).abs() - area.width / 2.0 + radius;
    let y = (point.1 - center.1).abs() - area.height / 2.0 + radius;
    x.max(y).min(0.0) + x.max(0.0).hypot(y.max(0.0)) - radius
}

fn to_segment(point: Point, from: Point, to: Point) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - dx * along).hypot(py - dy * along)
}

/// Returns the place of a picture of this size in the middle of `area`, as large as fits, and the side of
/// one of its pixels: a whole number, if there is room for one. `None` if there is no room.
pub(super) fn picture_place(area: Area, width: f32, height: f32) -> Option<(Area, f32)> {
    let most = (area.width / width).min(area.height / height);
    let scale = if most >= 1.0 { most.floor() } else { most };
    let has_room = scale.is_finite() && scale > 0.0;
    has_room.then(|| (Area::around(area.center(), width * scale, height * scale), scale))
}

/// Draws on a frame; shapes are clipped at its edges.
pub(super) struct Painter<'a> {
    frame: &'a mut Frame,
}

impl<'a> Painter<'a> {
    pub(super) fn new(frame: &'a mut Frame) -> Self {
        Self { frame }
    }

    /// Fills the pixels of `bounds` for which `distance` is negative (the distance outside of the
    /// shape). The edge fades over `softness` pixels.
    fn fill(&mut self, bounds: Area, softness: f32, paint: Paint, distance: impl Fn(Point) -> f32) {
        let margin = softness.max(1.0);
        let reach = bounds.grown(margin);
        let (width, height) = (self.frame.width(), self.frame.height());
        let clip = |value: f32, limit: usize| (value.max(0.0) as usize).min(limit);
        let (left, right) =
            (clip(reach.left, width), clip((reach.left + reach.width).ceil(), width));
        let (top, bottom) =
            (clip(reach.top, height), clip((reach.top + reach.height).ceil(), height));
        for y in top..bottom {
            let share = (y as f32 + 0.5 - bounds.top) / bounds.height.max(1.0);
            let rgb = mix(paint.top, paint.bottom, share);
            let row = &mut self.frame.pixels_mut()[y * width + left..y * width + right];
            for (x, pixel) in (left..right).zip(row) {
                let outside = distance((x as f32 + 0.5, y as f32 + 0.5));
                let linear = (0.5 - outside / margin).clamp(0.0, 1.0);
                // A wide edge is a shadow: it fades in and out smoothly.
                let covered =
                    if softness > 1.0 { linear * linear * (3.0 - 2.0 * linear) } else { linear };
                if covered > 0.0 {
                    *pixel = mix(*pixel, rgb, covered * paint.opacity);
                }
            }
        }
    }

    /// Draws a picture in the middle of `area`, as large as fits: each of its pixels as a whole
    /// number of pixels, if there is room for one.
    pub(super) fn picture(&mut self, area: Area, picture: &Frame) {
        let (width, height) = (picture.width() as f32, picture.height() as f32);
        let Some((place, scale)) = picture_place(area, width, height) else { return };
        let (left, top) = (place.left.round().max(0.0), place.top.round().max(0.0));
        let (across, down) = ((width * scale) as usize, (height * scale) as usize);
        let nearest = |at: usize| (at as f32 / scale) as usize;
        let (room, rows) = (self.frame.width(), self.frame.height());
        let (left, top) = (left as usize, top as usize);
        for y in 0..down.min(rows.saturating_sub(top)) {
            for x in 0..across.min(room.saturating_sub(left)) {
                if let Some(rgb) = picture.pixel(nearest(x), nearest(y)) {
                    self.frame.pixels_mut()[(top + y) * room + left + x] = rgb;
                }
            }
        }
    }

    pub(super) fn round_box(&mut self, area: Area, radius: f32, paint: Paint) {
        self.fill(area, 1.0, paint, |point| to_round_box(point, &area, radius));
    }

    pub(super) fn shadow(&mut self, area: Area, radius: f32, softness: f32, paint: Paint) {
        self.fill(area, softness, paint, |point| to_round_box(point, &area, radius));
    }

    /// Draws the edge of a round box, `width` wide, half of it on each side of the edge.
    pub(super) fn outline(&mut self, area: Area, radius: f32, width: f32, paint: Paint) {
        let bounds = area.grown(width / 2.0);
        self.fill(bounds, 1.0, paint, |point| {
            to_round_box(point, &area, radius).abs() - width / 2.0
        });
    }

    pub(super) fn disc(&mut self, center: Point, radius: f32, paint: Paint) {
        self.round_box(Area::around(center, 2.0 * radius, 2.0 * radius), radius, paint);
    }

    pub(super) fn ring(&mut self, center: Point, radius: f32, width: f32, paint: Paint) {
        self.outline(Area::around(center, 2.0 * radius, 2.0 * radius), radius, width, paint);
    }

    /// Draws a line through all `points`, `width` wide, with round ends.
    pub(super) fn stroke(&mut self, points: &[Point], width: f32, paint: Paint) {
        let Some(first) = points.first() else { return };
        let (mut low, mut high) = (*first, *first);
        for point in points {
            low = (low.0.min(point.0), low.1.min(point.1));
            high = (high.0.max(point.0), high.1.max(point.1));
        }
        let bounds =
            Area { left: low.0, top: low.1, width: high.0 - low.0, height: high.1 - low.1 };
        let last = (points.len() - 1).max(1);
        self.fill(bounds.grown(width / 2.0), 1.0, paint, |point| {
            let distance = (0..last)
                .map(|at| to_segment(point, points[at], *points.get(at + 1).unwrap_or(first)))
                .fold(f32::MAX, f32::min);
            distance - width / 2.0
        });
    }
}
