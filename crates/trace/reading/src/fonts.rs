//! Fonts of other people's programs: from font files, from libraries, and
//! learned from a picture that a person has read.
//!
//! [`load`] reads a file of any of the formats, [`built_in`] finds a font by its name, [`learn`]
//! makes one of a frame and its text. All give [`Glyphs`], from which the
//! [`Reader`](crate::text::Reader) gets its fonts: the text at its size, and at twice its size.

mod bdf;
mod built_in;
mod error;
mod gfx;
mod learned;
mod placed;
mod psf;
mod sheet;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use built_in::{built_in, names};
pub use error::{FontError, FontFault};
pub use learned::{LearnError, learn};
pub use sheet::Sheet;

use crate::text::{CharacterRows, Font, MAX_GLYPH_WIDTH, MAX_ROWS, Shape};

/// Largest size of a font file in bytes: 4 MiB.
pub const FILE_MAX: usize = 4 << 20;
/// Largest number of glyphs of a font.
pub const GLYPHS_MAX: usize = 1 << 16;
/// Largest height of a glyph in pixels.
pub const ROWS_MAX: u32 = 128;
const _: () = assert!(ROWS_MAX <= MAX_ROWS);

/// A font: the ink of each character, in a cell of one size or, in a proportional font, from the
/// position of a pen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Name of the font in reports.
    pub name: String,
    /// Width of a cell, or of the widest character: 1 to [`MAX_GLYPH_WIDTH`] pixels.
    pub columns: u32,
    /// Height of a cell, 1 to [`ROWS_MAX`] pixels.
    pub rows: u32,
    /// The rows of each character from the top; bit 0 is the leftmost pixel.
    pub all: Vec<CharacterRows>,
    /// Pens of the characters of a proportional font, one for each of `all`; empty if all have one
    /// width.
    pub pens: Vec<Pen>,
}

/// Place and width of a character in a proportional font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pen {
    /// Distance from the pen's position to the first column of the character's rows, in pixels.
    pub left: i32,
    /// Distance to the pen's position for the next character, in pixels.
    pub advance: u32,
}

/// A character as a file draws it: its rows of ink, placed from the pen's position on the baseline.
struct Drawn {
    letter: char,
    /// Line of the file with its first row.
    line: usize,
    /// Distance to the pen's position for the next character, in pixels.
    advance: u32,
    /// Place of the upper left corner from the pen's position, downwards.
    x: i32,
    y: i32,
    /// The rows from the top; bit 0 is the leftmost pixel.
    rows: Vec<u64>,
}

impl Glyphs {
    /// Returns the fonts of the reader: at the size of the glyphs, and twice as large.
    pub fn fonts(&self) -> [Font; 2] {
        let font = |name: String, scale| {
            if !self.pens.is_empty() {
                let shapes =
                    self.all.iter().zip(&self.pens).map(|((character, rows), pen)| Shape {
                        character: *character,
                        rows: rows.clone(),
                        left: pen.left,
                        advance: pen.advance,
                    });
                return Font::from_shapes(&name, scale, &shapes.collect::<Vec<_>>());
            }
            let glyphs = self.all.iter().map(|(letter, rows)| (*letter, rows.clone()));
            Font::from_rows(&name, (self.columns, self.rows), 0, scale, glyphs)
        };
        [font(self.name.clone(), 1), font(format!("{} at twice its size", self.name), 2)]
    }

    /// Returns the proportional font of these characters, from the topmost row with ink to the
    /// lowest.
    fn proportional(name: &str, drawn: &[Drawn]) -> Result<Self, FontFault> {
        let inked = |drawn: &Drawn| {
            let first = drawn.rows.iter().position(|row| *row != 0)? as i32;
            let last = drawn.rows.iter().rposition(|row| *row != 0)? as i32;
            Some(drawn.y + first..drawn.y + last + 1)
        };
        let around = drawn
            .iter()
            .filter_map(inked)
            .reduce(|one, other| one.start.min(other.start)..one.end.max(other.end));
        let around = around.ok_or(FontFault::Empty)?;
        let rows = (around.end - around.start) as u32;
        let columns = drawn.iter().map(|drawn| drawn.advance).max().unwrap_or_default();
        Self::check_size(columns, rows)?;
        let (mut all, mut pens) = (Vec::new(), Vec::new());
        for drawn in drawn.iter().filter(|drawn| drawn.letter == ' ' || inked(drawn).is_some()) {
            let mut ink = vec![0; rows as usize];
            for (row, bits) in (drawn.y - around.start..).zip(&drawn.rows) {
                if let Some(row) = usize::try_from(row).ok().and_then(|row| ink.get_mut(row)) {
                    *row = *bits;
                }
            }
            all.push((drawn.letter, ink));
            pens.push(Pen { left: drawn.x, advance: drawn.advance });
        }
        Ok(Self { name: name.to_owned(), columns, rows, all, pens })
    }

    /// Checks the size of a cell.
    fn check_size(columns: u32, rows: u32) -> Result<(), FontFault> {
        let is_good = (1..=MAX_GLYPH_WIDTH).contains(&columns) && (1..=ROWS_MAX).contains(&rows);
        if is_good { Ok(()) } else { Err(FontFault::Size { columns, rows }) }
    }
}

/// Reads a font file: BDF, PSF (1 and 2), a header of GFX fonts (`.h`), or a sheet of glyphs
/// (`.png`), which `sheet` divides into glyphs. The extension of `path` determines the format.
///
/// # Errors
/// If the file cannot be read, or is none of these formats.
pub fn load(path: &Path, bytes: &[u8], sheet: Option<Sheet>) -> Result<Glyphs, FontError> {
    let name =
        path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let read = || {
        if bytes.len() > FILE_MAX {
            return Err(FontFault::TooLarge);
        }
        match extension.as_deref().and_then(std::ffi::OsStr::to_str) {
            Some("bdf") => bdf::read(&name, bytes),
            Some("psf" | "psfu") => psf::read(&name, bytes),
            Some("h") => gfx::read(&name, bytes),
            Some("png") => sheet::read(&name, bytes, sheet.ok_or(FontFault::NoSheet)?),
            _ => Err(FontFault::Format),
        }
    };
    read().map_err(|fault| FontError { path: path.to_owned(), fault })
}
