//! Legibility of a picture on a panel of any size: text that is clipped or covered, parts that are
//! off the panel or overlap, text that is too small or too faint.
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
use reading::text::{Reader, ScreenText};

use legibility::canvas::{Canvas, NEVER_DRAWN};
use legibility::legible::{self, CAPITALS, LineLegibility, OTHER, READ_TO_PLAY};
use legibility::vision::Vision;

/// Distance beyond its area to which a part is drawn, in pixels.
const MARGIN: u32 = 96;

/// A fault of a part `E` of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault<E> {
    /// The part's text is longer than its area.
    Clipped {
        part: E,
        /// The whole line of text.
        text: String,
    },
    /// Some of the part is off the panel.
    OtherBoard(E),
    /// Two parts overlap.
    Overlap(E, E),
    /// Nothing is drawn on some pixels.
    Bare,
}

/// Draws `picture` on a panel of `size`, with each part cut off at its edges, as the presenter
/// draws it.
pub fn drawn<P: Picture>(picture: &P, size: Size) -> Frame {
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
pub fn faults<P: Picture>(picture: &P, size: Size, reader: &Reader) -> Vec<Fault<P::Element>> {
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

/// A line of text that is hard to read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unreadable {
    /// The text's contrast is too low for a kind of vision.
    Faint {
        text: String,
        vision: Vision,
        /// Measured contrast.
        found: f64,
        /// Required contrast.
        least: f64,
    },
    /// The text's capitals are lower than [`CAPITALS`].
    Small {
        text: String,
        /// Height of the capitals in pixels.
        capitals: usize,
    },
    /// Something covers the text: it has more than two colours.
    Covered {
        text: String,
        /// Number of colours.
        colours: usize,
    },
}

/// Returns the lines of `text`, read on the `frame` of `view`, that are hard to read. A line that
/// is hard to read for every kind of vision is listed once.
pub fn unreadable(
    view: &View,
    frame: &Frame,
    text: &ScreenText,
    reader: &Reader,
) -> Vec<Unreadable> {
    let size = Size::new(frame.width() as u32, frame.height() as u32);
    let faint = faint_areas(view, size);
    let mut all = Vec::new();
    for look in legible::line_legibility(text.lines.iter().cloned(), frame, reader) {
        let LineLegibility { line, capitals, colours, .. } = &look;
        let text = || line.text.clone();
        if let Some(capitals) = capitals.filter(|capitals| *capitals < CAPITALS) {
            all.push(Unreadable::Small { text: text(), capitals });
        }
        let corner = Point::new(line.x as i32, line.y as i32);
        let may_be_faint = faint.iter().any(|area| area.contains(corner));
        for vision in Vision::ALL {
            // The limit for text that is read while playing applies to unmodified colours.
            // Simulated vision must meet only the limit of other text; `lowest` returns the
            // measured contrast.
            let is_simulated = vision != Vision::Normal;
            let least = if may_be_faint || is_simulated { OTHER } else { READ_TO_PLAY };
            match look.contrast(vision) {
                None => all.push(Unreadable::Covered { text: text(), colours: colours.len() }),
                Some(found) if found < least => {
                    all.push(Unreadable::Faint { text: text(), vision, found, least });
                }
                Some(_) => continue,
            }
            if vision == Vision::Normal {
                break;
            }
        }
    }
    all
}

/// Returns the text with the lowest contrast on the `frame` of `view` for each kind of vision, with
/// that contrast, among the text that is read while playing. Empty without such text.
pub fn lowest(
    view: &View,
    frame: &Frame,
    text: &ScreenText,
    reader: &Reader,
) -> Vec<(Vision, f64, String)> {
    let faint = faint_areas(view, Size::new(frame.width() as u32, frame.height() as u32));
    let read = text.lines.iter().filter(|line| {
        let corner = Point::new(line.x as i32, line.y as i32);
        !faint.iter().any(|area| area.contains(corner))
    });
    let all: Vec<LineLegibility> = legible::line_legibility(read.cloned(), frame, reader).collect();
    let of = |vision: Vision| {
        let found = all.iter().filter_map(|look| Some((look.contrast(vision)?, &look.line.text)));
        let (contrast, text) = found.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        Some((vision, contrast, text.clone()))
    };
    Vision::ALL.into_iter().filter_map(of).collect()
}

/// Returns the areas of words that are not read while playing: entries that cannot be chosen now.
fn faint_areas(view: &View, size: Size) -> Vec<Rectangle> {
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
