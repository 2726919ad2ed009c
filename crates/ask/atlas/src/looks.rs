//! How a picture looks on a panel of some size: text that is clipped or covered, parts that lie beside the
//! panel or on each other, text that is too small or too faint.
//!
//! A part is drawn once more without being cut off at its edges; where its text goes on beyond them, it is
//! clipped. It knows any [`Picture`], and of views only which of their words may be faint.

use embedded_graphics::draw_target::{DrawTarget as _, DrawTargetExt as _};
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use firmware_core::page::{ListRow, Page};
use firmware_core::present::{Damage, Picture, Plain};
use firmware_core::screen::page::Element as PageElement;
use firmware_core::screen::{Element, View};
use ili9341_model::Frame;
use reading::text::{Reader, ScreenText};

use legibility::canvas::{Canvas, NEVER_DRAWN};
use legibility::legible::{self, CAPITALS, Look, OTHER, READ_TO_PLAY};
use legibility::vision::Vision;

/// How far beyond its place a part is followed.
const MARGIN: u32 = 96;

/// What is wrong with a part `E` of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault<E> {
    /// Its text is longer than its place.
    Clipped {
        /// The part.
        part: E,
        /// All of a line of it.
        text: String,
    },
    /// Some of it lies beside the panel.
    Beside(E),
    /// Two parts lie on each other.
    Overlap(E, E),
    /// Nothing is drawn on some pixels.
    Bare,
}

/// `picture` on a panel of `size`, each part cut off at its edges, as the presenter draws it.
pub fn drawn<P: Picture>(picture: &P, size: Size) -> Frame {
    let mut canvas = Canvas::new(size, 0);
    for damage in parts(picture, size) {
        let Ok(()) = match damage {
            Damage::Fill(area, colour) => canvas.fill_solid(&area, colour),
            Damage::Redraw(area, element) | Damage::Replace(area, element) => {
                picture.draw(element, size, &mut Plain(&mut canvas.clipped(&area)))
            }
        };
    }
    canvas.panel()
}

/// What is wrong with the parts of `picture` on a panel of `size`.
pub fn faults<P: Picture>(picture: &P, size: Size, reader: &Reader) -> Vec<Fault<P::Element>> {
    let panel = Rectangle::new(Point::zero(), size);
    let mut faults = Vec::new();
    let mut before: Vec<(Rectangle, P::Element)> = Vec::new();
    for damage in parts(picture, size) {
        let Damage::Redraw(area, part) = damage else { continue };
        if area.intersection(&panel) != area {
            faults.push(Fault::Beside(part));
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

/// The lines of `part` that begin in its `area` and go on beyond it, or stand below or above it.
fn clipped<P: Picture>(
    picture: &P,
    part: P::Element,
    area: Rectangle,
    size: Size,
    reader: &Reader,
) -> Vec<String> {
    let mut canvas = Canvas::around(area, MARGIN);
    let Ok(()) = picture.draw(part, size, &mut canvas);
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

/// A line of text that is not easily read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unreadable {
    /// Its contrast is too low for that eye.
    Faint {
        /// The text.
        text: String,
        /// Whose eye.
        vision: Vision,
        /// The contrast.
        found: f64,
        /// The limit.
        least: f64,
    },
    /// Its capitals are lower than [`CAPITALS`].
    Small {
        /// The text.
        text: String,
        /// The height of its capitals in pixels.
        capitals: usize,
    },
    /// Something lies on it: it has more colours than two.
    Covered {
        /// The text.
        text: String,
        /// Its colours.
        colours: usize,
    },
}

/// What of `text`, which was read on the `frame` of `view`, is not easily read. What every eye finds hard is
/// said once.
pub fn unreadable(view: &View, frame: &Frame, text: &ScreenText) -> Vec<Unreadable> {
    let size = Size::new(frame.width() as u32, frame.height() as u32);
    let faint = faint_areas(view, size);
    let mut all = Vec::new();
    for look in legible::looks(text.lines.iter().cloned(), frame) {
        let Look { line, capitals, colours, .. } = &look;
        let text = || line.text.clone();
        if *capitals < CAPITALS {
            all.push(Unreadable::Small { text: text(), capitals: *capitals });
        }
        let corner = Point::new(line.x as i32, line.y as i32);
        let may_be_faint = faint.iter().any(|area| area.contains(corner));
        for vision in Vision::ALL {
            // The limit of what is read to play is one for colours as they are. Simulated eyes are held
            // against that of any text; `lowest` says how far they are from either.
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

/// The text of lowest contrast on the `frame` of `view` for each eye, among what is read to play, and that
/// contrast; none without such text.
pub fn lowest(view: &View, frame: &Frame, text: &ScreenText) -> Vec<(Vision, f64, String)> {
    let faint = faint_areas(view, Size::new(frame.width() as u32, frame.height() as u32));
    let read = text.lines.iter().filter(|line| {
        let corner = Point::new(line.x as i32, line.y as i32);
        !faint.iter().any(|area| area.contains(corner))
    });
    let all: Vec<Look> = legible::looks(read.cloned(), frame).collect();
    let of = |vision: Vision| {
        let found = all.iter().filter_map(|look| Some((look.contrast(vision)?, &look.line.text)));
        let (contrast, text) = found.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        Some((vision, contrast, text.clone()))
    };
    Vision::ALL.into_iter().filter_map(of).collect()
}

/// Where words stand that are not read to play: what cannot be chosen now.
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
