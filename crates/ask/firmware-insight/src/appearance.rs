//! Appearance of a picture on a panel of any size: text that is clipped, parts that are off the panel
//! or overlap.
//!
//! A part is drawn a second time without being cut off at its edges. If its text continues beyond
//! them, it is clipped. This module knows any [`Picture`], and of views only which of their words
//! may be faint.

use embedded_graphics::draw_target::{DrawTarget as _, DrawTargetExt as _};
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use firmware_core::page::{ListRow, Page};
use firmware_core::present::{Damage, Picture, PixelTarget};
use firmware_core::screen::page::Element as PageElement;
use firmware_core::screen::{Element, View};
use ili9341_model::Frame;
use insight::Fault;
use legibility::canvas::{Canvas, NEVER_DRAWN};
use reading::text::Reader;

use crate::view::element_name;

/// Distance beyond its area to which a part is drawn, in pixels.
const MARGIN: u32 = 96;

/// Draws `picture` on a panel of `size`, with each part cut off at its edges, as the presenter
/// draws it.
pub(crate) fn drawn<P: Picture>(picture: &P, size: Size) -> Frame {
    let mut canvas = Canvas::new(size, 0);
    for damage in parts(picture, size) {
        let Ok(()) = match damage {
            Damage::Fill(area, colour) => canvas.fill_solid(&area, colour),
            Damage::Redraw(area, element) | Damage::Replace(area, element) => {
                picture.draw(element, size, &mut PixelTarget(&mut canvas.clipped(&area)))
            }
        };
    }
    canvas.panel()
}

/// Returns the faults in the parts of `picture` on a panel of `size`.
pub(crate) fn faults<P: Picture>(
    picture: &P,
    size: Size,
    reader: &Reader,
) -> Vec<Fault<P::Element>> {
    let panel = Rectangle::new(Point::zero(), size);
    let mut faults = Vec::new();
    let mut before: Vec<(Rectangle, P::Element)> = Vec::new();
    for damage in parts(picture, size) {
        let Damage::Redraw(area, part) = damage else { continue };
        if area.intersection(&panel) != area {
            faults.push(Fault::OtherBoard(part));
        }
        for (other_area, other) in &before {
            if !other_area.intersection(&area).is_zero_sized() {
                faults.push(Fault::Overlap(*other, part));
            }
        }
        before.push((area, part));
        let clipped = clipped(picture, part, area, size, reader);
        faults.extend(clipped.into_iter().map(|text| Fault::Clipped { part, text }));
    }
    if drawn(picture, size).pixels().contains(&NEVER_DRAWN) {
        faults.push(Fault::Bare);
    }
    faults
}

/// Returns the lines of `part` that are not entirely within its `area`.
fn clipped<P: Picture>(
    picture: &P,
    part: P::Element,
    area: Rectangle,
    size: Size,
    reader: &Reader,
) -> Vec<String> {
    let mut canvas = Canvas::around(area, MARGIN);
    let Ok(()) = picture.draw(part, size, &mut PixelTarget(&mut canvas));
    if canvas.drawn().is_none_or(|drawn| drawn.intersection(&area) == drawn) {
        return Vec::new();
    }
    let mut clipped = Vec::new();
    for line in reader.read(canvas.frame()).lines {
        let cells = Size::new(line.width as u32, line.height as u32);
        let cells = Rectangle::new(canvas.place(line.x, line.y), cells);
        if cells.intersection(&area) != cells {
            clipped.push(line.text);
        }
    }
    clipped
}

fn parts<P: Picture>(picture: &P, size: Size) -> Vec<Damage<P::Element>> {
    let mut parts = Vec::new();
    picture.damage(None, size, |part| parts.push(part));
    parts
}

/// Replaces the parts in `fault` with their names in `view`.
pub(crate) fn named(view: &View, fault: Fault<Element>) -> Fault<String> {
    let name = |part| element_name(view, part).unwrap_or_default();
    match fault {
        Fault::Clipped { part, text } => Fault::Clipped { part: name(part), text },
        Fault::OtherBoard(part) => Fault::OtherBoard(name(part)),
        Fault::Overlap(one, other) => Fault::Overlap(name(one), name(other)),
        Fault::Bare => Fault::Bare,
    }
}

/// Returns the areas of words that are not read while playing: entries that cannot be chosen now.
pub(crate) fn faint_areas(view: &View, size: Size) -> Vec<Rectangle> {
    let View::Page(page) = view else { return Vec::new() };
    let is_off = |nth: u8| match &page.page {
        Page::Menu { dim, .. } => dim.contains(nth.into()),
        Page::Files { rows, .. } => {
            let row = rows.get(usize::from(nth)).copied().flatten();
            row.is_some_and(ListRow::is_damaged)
        }
        _ => false,
    };
    let mut areas = Vec::new();
    view.damage(None, size, |damage| {
        if let Damage::Redraw(area, Element::Page(PageElement::Row(nth))) = damage
            && is_off(nth)
        {
            areas.push(area);
        }
    });
    areas
}

#[cfg(test)]
mod tests {
    use embedded_graphics::pixelcolor::{Rgb565, RgbColor as _};
    use firmware_board::native;
    use firmware_core::present::TextTarget;
    use firmware_core::screen::text::Line;
    use firmware_core::screen::theme::LABEL_FONT;

    use super::*;

    /// A line of text in an area that may be too short for it, and a second area.
    #[derive(Clone, Copy, PartialEq)]
    struct Planted {
        text: &'static str,
        places: [Rectangle; 2],
    }

    impl Picture for Planted {
        type Element = usize;

        fn damage(&self, _: Option<&Self>, size: Size, mut report: impl FnMut(Damage<usize>)) {
            report(Damage::Fill(Rectangle::new(Point::zero(), size), Rgb565::BLACK));
            self.places
                .iter()
                .enumerate()
                .for_each(|(nth, area)| report(Damage::Redraw(*area, nth)));
        }

        fn draw<D: TextTarget>(
            &self,
            element: usize,
            _: Size,
            target: &mut D,
        ) -> Result<(), D::Error> {
            let area = self.places[element];
            let line = Line {
                text: self.text,
                font: LABEL_FONT,
                ink: Rgb565::WHITE,
                ground: Rgb565::BLUE,
            };
            if element == 0 {
                line.draw(area.top_left, target)
            } else {
                target.fill_solid(&area, Rgb565::RED)
            }
        }
    }

    #[track_caller]
    fn check(width: u32, second: Point, expected: &[Fault<usize>]) {
        let places = [
            Rectangle::new(Point::new(10, 10), Size::new(width, 20)),
            Rectangle::new(second, Size::new(20, 20)),
        ];
        let reader = Reader::new(native::fonts());
        let picture = Planted { text: "All of it", places };
        assert_eq!(faults(&picture, Size::new(160, 100), &reader), expected);
    }

    #[test]
    fn clipped_text_and_overlapping_parts_are_reported() {
        let clipped = || Fault::Clipped { part: 0, text: "All of it".to_owned() };
        check(110, Point::new(10, 60), &[]);
        check(40, Point::new(10, 60), &[clipped()]);
        check(110, Point::new(100, 10), &[Fault::Overlap(0, 1)]);
        check(110, Point::new(150, 60), &[Fault::OtherBoard(1)]);
    }
}
