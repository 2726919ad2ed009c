//! What it takes to get a machine for a trace: which board, and why there may be none.
//!
//! It knows no board from within; the modules that build them return these types.

use core::fmt;
use core::str::FromStr;

use hal_mock::Machine;
use hal_mock::trace::{Place, Trace};

/// What a trace runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// `firmware-core` compiled for this computer, on the virtual board.
    #[default]
    Native,
    /// The flashed program on an emulated RP2040.
    Pico,
    /// A real board on a serial port.
    Serial,
}

impl Board {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::Native, Self::Pico, Self::Serial];

    /// As options name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Pico => "pico",
            Self::Serial => "serial",
        }
    }

    /// Whether this build can run it; if not, the sentence that says so.
    ///
    /// # Errors
    /// For [`Board::Pico`] and [`Board::Serial`].
    pub fn ready(self) -> Result<(), SetupError> {
        match self {
            Self::Native => Ok(()),
            Self::Pico | Self::Serial => Err(SetupError::new(format!(
                "the board `{self}` is not built yet; use `--board native`"
            ))),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Board {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        Self::ALL.into_iter().find(|board| board.name() == text).ok_or_else(|| {
            SetupError::new(format!("`{text}` is no board; there are native, pico and serial"))
        })
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
