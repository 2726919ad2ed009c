//! Errors of goldens and of chains of frames: mismatches, and files that cannot be used.

use core::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use host::output_files::OutputError;
use thiserror::Error;

use super::difference::Mismatch;
use super::relation::Relation;
use trace::lfs::IS_A_POINTER;

/// Maximum width and height of a picture, in pixels: a file that claims more is refused before
/// memory is allocated for it.
pub const MAX_SIDE: u32 = 1024;

/// The reason why a frame, a chain of frames or a screenshot fails. `Display` is a sentence without
/// a full stop.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// The frame differs from its golden.
    #[error(transparent)]
    Differs(#[from] Mismatch),
    /// The frame differs from its golden, but one is made of the other by a transformation.
    #[error("{mismatch}; {relation}")]
    Related { mismatch: Mismatch, relation: Relation },
    /// The implementation of the goldens does not compare chains.
    #[error("frames {name} are expected, but nothing here compares chains of frames")]
    ChainsNotCompared {
        /// Name of the chain.
        name: String,
    },
    /// An error of the owner of the goldens, which knows files and commands.
    #[error("{0}")]
    Reported(Arc<dyn core::error::Error + Send + Sync>),
}

impl GoldenError {
    /// Creates an error of the owner of the goldens; it keeps its type.
    pub fn reported(error: impl core::error::Error + Send + Sync + 'static) -> Self {
        Self::Reported(Arc::new(error))
    }

    /// Returns the error of the owner of the goldens, if it is an `E`.
    pub fn cause<E: core::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::Reported(error) => error.downcast_ref(),
            _ => None,
        }
    }
}

/// Reported errors are equal if their texts are.
impl PartialEq for GoldenError {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Differs(one), Self::Differs(two)) => one == two,
            (
                Self::Related { mismatch: one, relation: of_one },
                Self::Related { mismatch: two, relation: of_two },
            ) => (one, of_one) == (two, of_two),
            (Self::ChainsNotCompared { name: one }, Self::ChainsNotCompared { name: two }) => {
                one == two
            }
            (Self::Reported(one), Self::Reported(two)) => one.to_string() == two.to_string(),
            _ => false,
        }
    }
}

impl Eq for GoldenError {}

/// Creates an error from a sentence, for goldens whose owner has no type for it.
impl From<&str> for GoldenError {
    fn from(report: &str) -> Self {
        report.to_owned().into()
    }
}

/// Creates an error from a sentence, for goldens whose owner has no type for it.
impl From<String> for GoldenError {
    fn from(report: String) -> Self {
        Self::Reported(Box::<dyn core::error::Error + Send + Sync>::from(report).into())
    }
}

/// An error of reading or writing a PNG file: `PATH: cannot be read: …`.
#[derive(Debug, Error)]
pub struct PngError {
    pub path: PathBuf,
    #[source]
    pub fault: PngFault,
}

impl fmt::Display for PngError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            // This error names the file itself.
            PngFault::Write(error) => error.fmt(out),
            fault => write!(out, "{}: {fault}", self.path.display()),
        }
    }
}

/// An error of a picture. `Display` is a sentence without a full stop, whose subject is the
/// picture.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngFault {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Write(OutputError),
    /// The file is a pointer of Git LFS.
    #[error("{IS_A_POINTER}")]
    LfsPointer,
    /// The file ends before its last chunk.
    #[error("is no whole PNG: it ends too early")]
    Truncated,
    /// The file is not a PNG, or has errors.
    #[error("is no PNG that can be read: {}", .0.to_string().trim_end_matches('.'))]
    Decode(#[source] png::DecodingError),
    /// The picture has more than [`MAX_SIDE`] pixels a side.
    #[error("is {width}x{height} pixels; at most {MAX_SIDE}x{MAX_SIDE} are read")]
    TooManyPixels { width: u32, height: u32 },
    /// The picture's samples do not fit into memory.
    #[error("is too large")]
    TooLarge,
    /// The picture refers to a palette that it does not have.
    #[error("has a palette that is missing")]
    NoPalette,
    /// The picture has pixels that are not opaque.
    #[error("has transparent pixels, which no panel has; save it without")]
    Transparent,
    /// The frame has no pixels; PNG has no such picture.
    #[error("a picture without pixels cannot be written")]
    Empty,
}

impl From<png::DecodingError> for PngFault {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Self::Truncated
            }
            png::DecodingError::IoError(error) => Self::Read(error),
            // The decoder's sentences end in a full stop, but more text may follow here.
            other => Self::Decode(other),
        }
    }
}
