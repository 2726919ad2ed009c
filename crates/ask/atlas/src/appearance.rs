//! Legibility of the text on a picture: too small, too faint, or covered.

use embedded_graphics::geometry::Point;
use embedded_graphics::primitives::Rectangle;
use ili9341_model::Frame;
use reading::text::{Reader, ScreenText};

use legibility::legible::{self, CAPITALS, LineLegibility, OTHER, READ_TO_PLAY};
use legibility::vision::Vision;

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

/// Returns the lines of `text`, read on `frame`, that are hard to read. Those in the areas `faint` need
/// not be read at a glance. A line that is hard to read for every kind of vision is listed once.
pub fn unreadable(
    faint: &[Rectangle],
    frame: &Frame,
    text: &ScreenText,
    reader: &Reader,
) -> Vec<Unreadable> {
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

/// Returns the text with the lowest contrast on `frame` for each kind of vision, with that contrast,
/// outside of the areas `faint`. Empty without such text.
pub fn lowest(
    faint: &[Rectangle],
    frame: &Frame,
    text: &ScreenText,
    reader: &Reader,
) -> Vec<(Vision, f64, String)> {
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
