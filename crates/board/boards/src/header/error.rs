//! Errors of a header, as data and as sentences.

use std::error::Error;
use std::path::PathBuf;

use hal_mock::{flash::FlashImageError, setup::SetupError};
use trace::{Place, TimeError};
use virtual_time::Nanos;

use crate::flash_file::FlashFileError;
use crate::suggestion::suggested;

/// An error in a trace's header.
#[derive(Debug, thiserror::Error)]
#[error("{}{kind}", place.map(|place| format!("{place}: ")).unwrap_or_default())]
pub struct HeaderError {
    /// Place of the key or the value; `None` if the error concerns no line.
    pub place: Option<Place>,
    #[source]
    pub kind: Box<HeaderErrorKind>,
    /// Errors in other lines of the header.
    pub others: Vec<HeaderError>,
}

/// The kind of an error in a header. `Display` gives the fact, the limit and the next step.
#[derive(Debug, thiserror::Error)]
pub enum HeaderErrorKind {
    /// There is no such key.
    #[error("`{key}` is no header key{}", suggested(*suggestion))]
    UnknownKey {
        /// Key as it was written.
        key: String,
        /// The key that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The value is not one of the valid values of the key.
    #[error(
        "`{key} {value}` is unknown; it is one of {}{}", choices.join(", "), suggested(*suggestion)
    )]
    UnknownValue {
        key: String,
        /// Value as it was written.
        value: String,
        /// All valid values.
        choices: Vec<&'static str>,
        /// The value that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The value of `seed` does not fit into 64 bits.
    #[error("`seed {value}` is out of range; it takes a whole number from 0 to {}", u64::MAX)]
    SeedOutOfRange {
        /// Value as it was written.
        value: String,
    },
    /// `bounce` is too long.
    #[error("`bounce {value}` is out of range; it takes `off` or a time of at most {max}")]
    BounceOutOfRange {
        /// Value as it was written.
        value: String,
        /// Longest valid bounce.
        max: Nanos,
    },
    /// The value of `bounce` is not a time.
    #[error("`bounce` takes `off` or a time: {0}")]
    BounceNoTime(#[source] TimeError),
    /// A setting contradicts another one, according to the firmware.
    #[error(transparent)]
    Contradiction(Box<dyn Error + Send + Sync>),
    /// A setting of the LCD board's firmware is used on another board.
    #[error(
        "`{key}` is a setting of the LCD board's firmware, and this trace runs on the board of a \
         board file; leave the line out"
    )]
    OnlyOnLcdBoard { key: String },
    /// `flash` names a path.
    #[error("`flash {name}` is no plain file name; the file lies in the trace's own folder")]
    FlashIsPath {
        /// Name as it was written.
        name: String,
    },
    /// The file that `flash` names does not exist.
    #[error("there is no {}; it belongs beside the trace", .0.display())]
    FlashMissing(PathBuf),
    /// The file that `flash` names is not a flash.
    #[error(transparent)]
    FlashFile(#[from] FlashFileError),
    /// The flash that the caller passed is invalid.
    #[error(transparent)]
    FlashImage(#[from] FlashImageError),
    /// The settings cannot be written into the flash.
    #[error("the header's settings do not go into the flash: {0}")]
    Settings(#[source] Box<dyn Error + Send + Sync>),
}

impl HeaderErrorKind {
    /// Returns the error at `place`.
    pub fn at(self, place: Place) -> HeaderError {
        HeaderError { place: Some(place), kind: Box::new(self), others: Vec::new() }
    }
}

impl HeaderError {
    /// Returns the error of a header that has `errors`, in the order of their places.
    ///
    /// # Errors
    /// If there is an error.
    pub fn of_all(mut errors: Vec<Self>) -> Result<(), Self> {
        errors.sort_by_key(|error| error.place);
        let mut errors = errors.into_iter();
        match errors.next() {
            None => Ok(()),
            Some(first) => Err(Self { others: errors.collect(), ..first }),
        }
    }
}

/// An error without a place.
impl From<HeaderErrorKind> for HeaderError {
    fn from(kind: HeaderErrorKind) -> Self {
        Self { place: None, kind: Box::new(kind), others: Vec::new() }
    }
}

impl From<HeaderError> for SetupError {
    fn from(HeaderError { place, kind, others }: HeaderError) -> Self {
        let error = match place {
            Some(place) => Self::at(place, *kind),
            None => Self::new(*kind),
        };
        error.with(others.into_iter().map(Self::from))
    }
}
