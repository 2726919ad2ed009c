//! What it takes to get a machine for a trace: which board, and why there may be none.
//!
//! It knows no board from within; the modules that build them return these types.

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;

use hal_mock::Machine;
use hal_mock::trace::{Place, Trace};

/// What a trace runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// `firmware-core` compiled for this computer, on the virtual board.
    #[default]
    Native,
    /// The flashed program on an emulated RP2040: this file, or what `make firmware` built.
    Pico(Option<PathBuf>),
    /// A real board on a serial port.
    Serial,
}

impl Board {
    /// As options name it, without a file.
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
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        match text.split_once('=') {
            None if text == "native" => Ok(Self::Native),
            None if text == "pico" => Ok(Self::Pico(None)),
            None if text == "serial" => Ok(Self::Serial),
            Some(("pico", file)) if !file.is_empty() => Ok(Self::Pico(Some(file.into()))),
            Some(("pico", _)) => {
                Err(SetupError::new("`pico=` wants the program to run: an ELF or UF2 file"))
            }
            _ => Err(SetupError::new(format!(
                "`{text}` is no board; there are native, pico, pico=FILE and serial"
            ))),
        }
    }
}

/// Why no machine can be built for a trace: a setting that does not exist, a value out of
/// its range, a board that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// Where in the trace's header; `None` if the header is not to blame.
    pub place: Option<Place>,
    /// The fact, the limit and the next step, as a sentence without a full stop.
    pub message: String,
}

impl SetupError {
    /// One that the header is not to blame for.
    pub fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    /// One of the header.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), message: message.into() }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(out, "{place}: ")?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for SetupError {}

/// Builds a fresh machine (its clock at 0, its power off) for a trace, whose header says
/// what the board's flash holds. It is called on the thread that then runs the machine.
pub type MachineFactory<'a> = &'a (dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync);
