//! Goldens that would be written if the present frames were accepted, for a review.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use ili9341_model::Frame;
use reading::golden::{
    self, PngError,
    chain::{Chain, ChainError},
};

use super::causes::FailureKind;

/// A golden that differs from what the LCD showed, or that does not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct GoldenChange {
    pub golden: PathBuf,
    /// Causes of the difference; at least one.
    pub kinds: Vec<FailureKind>,
    /// An element that differs; empty if none is known.
    pub example: String,
    /// The golden as a PNG file, if it is a picture.
    pub before: Option<Vec<u8>>,
    pub after: NewGolden,
    /// Whether the trace compares two different frames with the golden, so that none can be it.
    pub is_contradictory: bool,
}

/// The content of a golden.
#[derive(Clone, Debug)]
pub(crate) enum NewGolden {
    /// A PNG file.
    Picture(Vec<u8>),
    Chain(Chain),
}

/// Why a golden cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AcceptError {
    #[error(transparent)]
    Picture(#[from] PngError),
    #[error(transparent)]
    Chain(#[from] ChainError),
}

impl NewGolden {
    /// Returns the picture of a frame; `None` if it has no pixels.
    pub fn picture(frame: &Frame) -> Option<Self> {
        (!frame.pixels().is_empty()).then(|| Self::Picture(golden::encode_png(frame)))
    }

    /// Returns the PNG file of a picture.
    pub fn png(&self) -> Option<&[u8]> {
        match self {
            Self::Picture(png) => Some(png),
            Self::Chain(_) => None,
        }
    }

    /// Writes the golden at `path`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), AcceptError> {
        match self {
            Self::Picture(png) => {
                let frame = golden::decode_png(Cursor::new(png))
                    .map_err(|fault| PngError { path: path.to_owned(), fault })?;
                Ok(golden::write_png(path, &frame)?)
            }
            Self::Chain(chain) => Ok(chain.save(path)?),
        }
    }
}

/// Adds a change, unless the golden has one; then both must have the same content.
pub(crate) fn add(changes: &mut Vec<GoldenChange>, change: GoldenChange) {
    match changes.iter_mut().find(|known| known.golden == change.golden) {
        Some(known) => known.is_contradictory |= known.after.png() != change.after.png(),
        None => changes.push(change),
    }
}
