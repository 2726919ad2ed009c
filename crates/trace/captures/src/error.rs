//! Errors of files in other tools' formats, with their places.
//!
//! A [`FormatError`] has a place (file and line) and a kind; the kinds of each format are an
//! enumeration in a separate module. The text of every kind is the fact, the limit and the next
//! step, without a full stop.

mod capture;
mod compare;
mod conversion;
mod csv;
mod observer;
mod scenario;
mod vcd;
mod yaml;

use core::fmt;
use std::error::Error;
use std::io;

pub use capture::CaptureError;
pub use compare::CompareError;
pub use conversion::ConversionError;
pub use csv::CsvError;
pub use observer::ObserverError;
pub use scenario::ScenarioError;
pub use vcd::VcdError;
pub use yaml::YamlError;

/// The reason why a file cannot be read or converted.
#[derive(Debug)]
pub struct FormatError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    /// Line from 1; `None` if the error is not in a single line.
    pub line: Option<u64>,
    pub kind: FormatErrorKind,
}

/// The kinds of errors of a file.
#[derive(Debug, thiserror::Error)]
pub enum FormatErrorKind {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is not a capture, or a capture of something else.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// An error of a CSV export.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// An error of a value change dump.
    #[error(transparent)]
    Vcd(#[from] VcdError),
    /// An error of YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// An error of a Wokwi scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The capture cannot be converted to a trace.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    /// The captures cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// The capture cannot be compared with a replay.
    #[error(transparent)]
    Observer(#[from] ObserverError),
}

impl FormatError {
    /// Creates an error in a line of `file`, from 1.
    pub fn at(file: &str, line: u64, kind: impl Into<FormatErrorKind>) -> Self {
        Self { file: file.to_owned(), line: Some(line), kind: kind.into() }
    }

    /// Creates an error of `file` as a whole.
    pub fn of(file: &str, kind: impl Into<FormatErrorKind>) -> Self {
        Self { file: file.to_owned(), line: None, kind: kind.into() }
    }
}

/// Writes `real.vcd:41: …` or `real.vcd: …`.
impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
        }
        write!(out, ": {}", self.kind)
    }
}

/// The error's text contains the text of its kind, so its source is the kind's source.
impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}
