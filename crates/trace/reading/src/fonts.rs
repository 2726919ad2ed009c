//! Fonts of other people's programs: from font files, from the library embedded-graphics, and
//! learned from a picture that a person has read.
//!
//! [`load`] reads a file of any of the formats, [`built_in`] finds a font by its name, [`learn`] makes
//! one of a frame and its text. All give [`Glyphs`], from which the [`Reader`](crate::text::Reader)
//! gets its fonts: the text at its size, and at twice its size.

mod bdf;
mod built_in;
mod error;
mod gfx;
mod learned;
mod psf;
mod sheet;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use built_in::{built_in, names};
pub use error::{FontError, FontFault};
pub use learned::{LearnError, learn};
pub use sheet::Sheet;

use crate::text::{Font, MAX_GLYPH_WIDTH};

/// Largest size of a font file in bytes: 4 MiB.
pub const FILE_MAX: usize = 4 << 20;
/// Largest number of glyphs of a font.
pub const GLYPHS_MAX: usize = 1 << 16;
/// Largest height of a glyph in pixels.
pub const ROWS_MAX: u32 = 128;

/// A monospaced font: the ink of each character in a cell of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Name of the font in reports.
    pub name: String,
    /// Width of a cell, 1 to [`MAX_GLYPH_WIDTH`] pixels.
    pub columns: u32,
    /// Height of a cell, 1 to [`ROWS_MAX`] pixels.
    pub rows: u32,
    /// The rows of each character from the top; bit 0 is the leftmost pixel.
    pub all: Vec<(char, Vec<u64>)>,
}

impl Glyphs {
    /// Returns the fonts of the reader: at the size of the glyphs, and twice as large.
    pub fn fonts(&self) -> [Font; 2] {
        let font = |name: String, scale| {
            let glyphs = self.all.iter().map(|(letter, rows)| (*letter, rows.clone()));
            Font::from_rows(&name, (self.columns, self.rows), 0, scale, glyphs)
        };
        [font(self.name.clone(), 1), font(format!("{} at twice its size", self.name), 2)]
    }

    /// Checks the size of a cell.
    fn check_size(columns: u32, rows: u32) -> Result<(), FontFault> {
        let is_good = (1..=MAX_GLYPH_WIDTH).contains(&columns) && (1..=ROWS_MAX).contains(&rows);
        if is_good { Ok(()) } else { Err(FontFault::Size { columns, rows }) }
    }
}

/// Reads a font file: BDF, PSF (1 and 2), a header of GFX fonts (`.h`), or a sheet of glyphs
/// (`.png`), for which `sheet` says how it is divided. The extension of `path` tells the format.
///
/// # Errors
/// If the file cannot be read, or is none of these formats, or its characters have different
/// widths.
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
