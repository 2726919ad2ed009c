//! The arguments of `nudge font`.

use std::path::PathBuf;

use boards::Board;
use clap::{Args, Subcommand};
use ili9341_model::Region;
use thiserror::Error;
use virtual_time::Instant;

use super::{output, parse_instant};

#[derive(Debug, Subcommand)]
pub enum FontVerb {
    /// Make a font of the glyphs in a part of the LCD, whose text you give
    Learn(FontLearnArgs),
}

#[derive(Debug, Args)]
pub struct FontLearnArgs {
    /// The trace; its expectations are ignored
    pub trace: PathBuf,
    /// The text in the part, with its spaces: one line
    pub text: String,
    /// The part of the LCD, as many cells of equal width as the text has characters
    #[arg(long = "in", value_name = "X,Y,W,H", value_parser = region)]
    pub region: Region,
    /// The virtual time, like 12.5s [default: the end of the trace]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub at: Option<Instant>,
    /// The font to write
    #[arg(long, short, value_name = "FILE", value_parser = output::font)]
    pub output: PathBuf,
    /// Add the glyphs to FILE if it exists
    #[arg(long, conflicts_with = "force")]
    pub add: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// The board that runs the trace: native, pico, pico=FILE or NAME.board.toml
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
}

/// The error for a text that is no part of an LCD.
#[derive(Debug, Error)]
#[error("`{0}` is no part of an LCD; give x, y, width and height in pixels, like 8,16,96,10")]
pub struct NoRegion(String);

/// Parses a part of the LCD.
fn region(text: &str) -> Result<Region, NoRegion> {
    let numbers: Result<Vec<u16>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, width, height]) if width > 0 && height > 0 => Ok(Region { x, y, width, height }),
        _ => Err(NoRegion(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_four_numbers_and_pixels() {
        assert_eq!(region("8, 16,96,10").unwrap(), Region { x: 8, y: 16, width: 96, height: 10 });
        for wrong in ["", "1,2,3", "1,2,3,0", "1,2,-3,4", "1,2,3,4,5", "1,2,3,70000"] {
            let error = region(wrong).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{wrong}` is no part of an LCD")), "{error}");
        }
    }
}
