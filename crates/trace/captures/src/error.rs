//! What is wrong with a file of another tool's format, and where.
//!
//! A [`FormatError`] has a place (file and line) and a kind; the kinds of each format are an
//! enumeration in a module of its own. The text of every kind is the fact, the limit and the next
//! step, without a full stop.

mod capture;
mod compare;
mod conversion;
mod csv;
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
pub use scenario::ScenarioError;
pub use vcd::VcdError;
pub use yaml::YamlError;

/// Why a file cannot be read or converted.
#[derive(Debug)]
pub struct FormatError {
    /// The file's name, as it was given.
    pub file: String,
    /// The line, from 1; `None` if the error is not in a single line.
    pub line: Option<u64>,
    /// What is wrong.
    pub kind: FormatErrorKind,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum FormatErrorKind {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It is no capture, or a capture of something else.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A CSV export.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// A value change dump.
    #[error(transparent)]
    Vcd(#[from] VcdError),
    /// YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A Wokwi scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A capture that makes no trace.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    /// Two captures that cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

impl FormatError {
    /// An error in a line of `file`, from 1.
    pub fn at(file: &str, line: u64, kind: impl Into<FormatErrorKind>) -> Self {
        Self { file: file.to_owned(), line: Some(line), kind: kind.into() }
    }

    /// An error of `file` as a whole.
    pub fn of(file: &str, kind: impl Into<FormatErrorKind>) -> Self {
        Self { file: file.to_owned(), line: None, kind: kind.into() }
    }
}

/// `real.vcd:41: …` or `real.vcd: …`.
impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
        }
        write!(out, ": {}", self.kind)
    }
}

/// The text of the kind is part of this error's text, so its source is the kind's source.
impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}
