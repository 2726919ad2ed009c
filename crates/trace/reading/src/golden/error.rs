//! Why a golden, or a chain of them, does not match or cannot be used.

use core::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use host::output_files::OutputError;
use thiserror::Error;

use super::difference::Mismatch;
use trace::lfs::IS_A_POINTER;

/// The widest and the highest picture that is read, in pixels: a file that claims more is
/// refused before any memory is set aside for it.
pub const MAX_SIDE: u32 = 1024;

/// Why a frame, a chain of frames or a screenshot is not as it should be. Its text is a sentence
/// without a full stop.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// The frame differs from its golden.
    #[error(transparent)]
    Differs(#[from] Mismatch),
    /// What compares the goldens does not compare chains.
    #[error("frames {name} are expected, but nothing here compares chains of frames")]
    ChainsNotCompared {
        /// Of the chain.
        name: String,
    },
    /// An error of the owner of the goldens, which knows files and commands.
    #[error("{0}")]
    Reported(Arc<dyn core::error::Error + Send + Sync>),
}

impl GoldenError {
    /// An error of the owner of the goldens; it keeps its type.
    pub fn reported(error: impl core::error::Error + Send + Sync + 'static) -> Self {
        Self::Reported(Arc::new(error))
    }

    /// The error of the owner of the goldens, if it is an `E`.
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
            (Self::ChainsNotCompared { name: one }, Self::ChainsNotCompared { name: two }) => {
                one == two
            }
            (Self::Reported(one), Self::Reported(two)) => one.to_string() == two.to_string(),
            _ => false,
        }
    }
}

impl Eq for GoldenError {}

/// A sentence, for goldens whose owner has no type for it.
impl From<&str> for GoldenError {
    fn from(report: &str) -> Self {
        report.to_owned().into()
    }
}

/// A sentence, for goldens whose owner has no type for it.
impl From<String> for GoldenError {
    fn from(report: String) -> Self {
        Self::Reported(Box::<dyn core::error::Error + Send + Sync>::from(report).into())
    }
}

/// A PNG file that could not be read or written, and why: `PATH: cannot be read: …`.
#[derive(Debug, Error)]
pub struct PngError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub fault: PngFault,
}

impl fmt::Display for PngError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            // It names the file itself.
            PngFault::Write(error) => error.fmt(out),
            fault => write!(out, "{}: {fault}", self.path.display()),
        }
    }
}

/// What is wrong with a picture. Its text is a sentence without a full stop, whose subject is the
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
    /// It is a pointer of Git LFS.
    #[error("{IS_A_POINTER}")]
    LfsPointer,
    /// It ends before its last chunk.
    #[error("is no whole PNG: it ends too early")]
    Truncated,
    /// It is no PNG, or one with errors.
    #[error("is no PNG that can be read: {}", .0.to_string().trim_end_matches('.'))]
    Decode(#[source] png::DecodingError),
    /// It has more than [`MAX_SIDE`] pixels a side.
    #[error("is {width}x{height} pixels; at most {MAX_SIDE}x{MAX_SIDE} are read")]
    TooManyPixels {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Its samples do not fit into memory.
    #[error("is too large")]
    TooLarge,
    /// It refers to a palette that it does not have.
    #[error("has a palette that is missing")]
    NoPalette,
    /// It has pixels that are not opaque.
    #[error("has transparent pixels, which no panel has; save it without")]
    Transparent,
    /// It has no pixels; PNG has no such picture.
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
            // The decoder's sentences end in a full stop; more may follow here.
            other => Self::Decode(other),
        }
    }
}
