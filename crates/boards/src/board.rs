//! What a trace can run on, as `--board` names it.
//!
//! It knows only the names; [`BoardFactory`](crate::BoardFactory) builds the machines.

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;

/// What a trace runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// `firmware-core` compiled for this computer, on the virtual board.
    #[default]
    Native,
    /// A program on an emulated RP2040: this file, or the one that `make firmware` has built.
    Pico(Option<PathBuf>),
    /// A real board on a serial port.
    Serial,
}

/// Why a text names no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardNameError {
    /// There is no board of this name.
    #[error("`{0}` is no board; there are native, pico, pico=FILE and serial")]
    Unknown(String),
    /// `pico=` without a file.
    #[error("`pico=` wants the program to run: an ELF or UF2 file")]
    NoProgram,
}

impl Board {
    /// Its name on the command line, without a file.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Pico(_) => "pico",
            Self::Serial => "serial",
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pico(Some(file)) => write!(out, "pico={}", file.display()),
            board => out.pad(board.name()),
        }
    }
}

impl FromStr for Board {
    type Err = BoardNameError;

    fn from_str(text: &str) -> Result<Self, BoardNameError> {
        match text.split_once('=') {
            None if text == "native" => Ok(Self::Native),
            None if text == "pico" => Ok(Self::Pico(None)),
            None if text == "serial" => Ok(Self::Serial),
            Some(("pico", file)) if !file.is_empty() => Ok(Self::Pico(Some(file.into()))),
            Some(("pico", _)) => Err(BoardNameError::NoProgram),
            _ => Err(BoardNameError::Unknown(text.to_owned())),
        }
    }
}
