//! Importers: a board file from Wokwi's `diagram.json` or from a Zephyr devicetree overlay.
//!
//! [`load`] recognizes the format by the name of the file. What cannot be carried over is a
//! [`Loss`], which is also a comment in the board file. A result can be incomplete, for example
//! without a display; [`crate::parse()`] reports that.
//!
//! `wokwi` reads a diagram, `nets` finds what its wires connect, `wokwi_project` reads the file
//! that names the program of a project; `dts` reads the syntax of devicetrees, `devicetree` its
//! meaning; `writer` writes the board file.

mod devicetree;
mod dts;
mod nets;
#[cfg(test)]
mod tests;
mod wokwi;
pub mod wokwi_project;
mod writer;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Maximum size of an imported file in bytes.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// A board file made from a file of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Text of the board file.
    pub text: String,
    /// Parts of the other file that the board file lacks. Each is also a comment in it.
    pub losses: Vec<Loss>,
    /// Names in the board file of the parts of a diagram, by their ids (`btn1`), and of pins that
    /// are parts of their own: push buttons (`enc1:SW`), and the pin by which an LED is driven
    /// (`led1:A`).
    pub names: BTreeMap<String, String>,
}

/// Something that a board file cannot contain, or that the importer does not find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The part or the line of the imported file: `lcd1 (wokwi-lcd1602)`, `line 12`.
    pub place: String,
    pub reason: LossReason,
}

impl core::fmt::Display for Loss {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{}: {}", self.place, self.reason)
    }
}

/// The reason of a [`Loss`]. Texts of the imported file are shortened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LossReason {
    /// A part of a kind that board files do not have.
    #[error("a board file has no such part")]
    NoSuchPart,
    /// A pin that is not connected with the chip.
    #[error("its pin {0} is not connected to a GPIO of the chip; write it by hand")]
    NotConnected(String),
    /// An analog pin at a GPIO without an analog input.
    #[error("its pin {pin} is at GP{gpio}, which has no analog input")]
    NotAnalog { pin: String, gpio: u8 },
    /// A contact whose other side is at neither supply.
    #[error("its other side is at neither GND nor 3V3; `active` is a guess")]
    NoSupply,
    /// A key of the keyboard that does not exist or is taken.
    #[error("the key `{0}` is unknown or taken")]
    Key(String),
    /// A name that another part has.
    #[error("its name is taken; the board file calls it {0}")]
    Renamed(String),
    /// A further function of the part.
    #[error("{0} is left out")]
    LeftOut(&'static str),
    /// An attribute or property that is not understood.
    #[error("`{0}` is not carried over")]
    Property(String),
    /// A bus whose pins are neither in the overlay nor known.
    #[error("the pins of {0} are not in this file; write them by hand")]
    Pins(String),
    /// Pins that come from the default of Zephyr's board `rpi_pico`.
    #[error("the pins of {0} are those of Zephyr's board rpi_pico; check them")]
    DefaultPins(String),
    /// Too many parts.
    #[error("more than {0} parts; the rest is left out")]
    TooManyParts(usize),
}

/// The reason why a file cannot be imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {error}", path.display())]
    Read {
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is too large.
    #[error("{file}: larger than {} KiB, the limit of an import", FILE_BYTES_MAX >> 10)]
    TooLarge { file: String },
    /// The file is not UTF-8.
    #[error("{file}: not UTF-8; save it as UTF-8 text")]
    NotUtf8 { file: String },
    /// The name has an ending of no known format.
    #[error(
        "{file}: unknown format; Wokwi's diagrams end in .json, devicetree overlays in .overlay, \
         .dts or .dtsi"
    )]
    UnknownFormat { file: String },
    /// The text is not JSON.
    #[error("{file}:{}:{}: this is no JSON: {error}", error.line(), error.column())]
    Json {
        file: String,
        #[source]
        error: serde_json::Error,
    },
    /// The JSON is no diagram.
    #[error("{file}: this is no diagram of Wokwi: {what}")]
    NoDiagram { file: String, what: &'static str },
    /// The diagram has no Pico.
    #[error("{file}: the diagram has no Raspberry Pi Pico; only the RP2040 is emulated")]
    NoPico { file: String },
    /// The text is no devicetree.
    #[error("{file}:{line}: {what}")]
    Devicetree { file: String, line: usize, what: DtsError },
}

/// An error in the syntax of a devicetree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DtsError {
    #[error("`{found}` where {expected} is expected")]
    Unexpected { found: String, expected: &'static str },
    #[error("the file ends where {0} is expected")]
    End(&'static str),
    #[error("nodes are nested more than {0} deep; is this a devicetree?")]
    TooDeep(usize),
    #[error("more than {0} nodes and properties; is this the overlay of a board?")]
    TooMany(usize),
}

/// Imports the file at `path`.
///
/// # Errors
/// If the file cannot be read or is no diagram and no devicetree.
pub fn load(path: &Path) -> Result<Imported, ImportError> {
    let file = path.display().to_string();
    let bytes = host::input_files::read(path, FILE_BYTES_MAX)
        .map_err(|error| ImportError::Read { path: path.to_owned(), error })?;
    import(&file, &bytes)
}

/// Imports a file's bytes. `file` is its name, whose ending is the format.
///
/// # Errors
/// If the bytes are no diagram and no devicetree.
pub fn import(file: &str, bytes: &[u8]) -> Result<Imported, ImportError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(ImportError::TooLarge { file: file.to_owned() });
    }
    let text = str::from_utf8(bytes).map_err(|_| ImportError::NotUtf8 { file: file.to_owned() })?;
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "json" => wokwi::import(file, text),
        "overlay" | "dts" | "dtsi" => devicetree::import(file, text),
        _ => Err(ImportError::UnknownFormat { file: file.to_owned() }),
    }
}
