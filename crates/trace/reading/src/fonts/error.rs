//! Reasons why a font cannot be read.

use std::path::PathBuf;

use thiserror::Error;

use super::{FILE_MAX, GLYPHS_MAX, ROWS_MAX};
use crate::golden::PngFault;
use crate::text::MAX_GLYPH_WIDTH;

/// A font file that cannot be read.
#[derive(Debug, Error)]
#[error("the font {}: {fault}", path.display())]
pub struct FontError {
    pub path: PathBuf,
    #[source]
    pub fault: FontFault,
}

/// Reason why a font cannot be read. `Display` gives the fact, the limit and the next step.
#[derive(Debug, Error)]
pub enum FontFault {
    /// A larger file than [`FILE_MAX`].
    #[error("the file is larger than {} MiB", FILE_MAX >> 20)]
    TooLarge,
    /// An unknown extension.
    #[error(
        "its format is not known; give a file that ends in .bdf, .psf, .h (a header of GFX fonts) or \
         .png (a sheet of glyphs)"
    )]
    Format,
    /// A sheet of glyphs without the size of a glyph.
    #[error("a sheet of glyphs needs the size of a glyph, like `size = \"5x7 px\"`")]
    NoSheet,
    /// A cell that is too large, or has no pixel.
    #[error("a glyph has {columns}x{rows} px; 1x1 to {MAX_GLYPH_WIDTH}x{ROWS_MAX} px can be read")]
    Size { columns: u32, rows: u32 },
    /// Learned glyphs for a font whose characters have different widths.
    #[error("its characters have different widths; write the learned ones to another file")]
    Proportional,
    /// A glyph outside of its cell.
    #[error("line {line}: {character:?} is drawn outside of its cell of {columns}x{rows} px")]
    Outside { line: usize, character: char, columns: u32, rows: u32 },
    /// Text that is not what the format has there.
    #[error("line {line}: {expected} is missing")]
    Line { line: usize, expected: &'static str },
    /// Bytes that are not what the format has there.
    #[error("{0}")]
    Binary(&'static str),
    /// No glyph with ink.
    #[error("it has no glyph")]
    Empty,
    /// More glyphs than [`GLYPHS_MAX`].
    #[error("it has more than {GLYPHS_MAX} glyphs")]
    TooMany,
    /// A sheet that cannot be divided into glyphs.
    #[error(
        "the sheet of {width}x{height} px cannot be divided into glyphs of {columns}x{rows} px \
         without a rest"
    )]
    Division { width: usize, height: usize, columns: u32, rows: u32 },
    /// A font that is extended by glyphs of another size.
    #[error(
        "its glyphs have {columns}x{rows} px and the learned ones {other_columns}x{other_rows} px; \
         write them to another file"
    )]
    OtherSize { columns: u32, rows: u32, other_columns: u32, other_rows: u32 },
    /// A font that is extended by another glyph of a character that it has.
    #[error("it has another glyph for {character:?}; write the learned ones to another file")]
    OtherGlyph { character: char },
    /// A picture that cannot be read.
    #[error(transparent)]
    Picture(#[from] PngFault),
}
