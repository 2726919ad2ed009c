//! The kinds of machines that a trace can run on, as `--board` names them.
//!
//! This module knows only the names; [`BoardFactory`](crate::BoardFactory) builds the machines.

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;

/// Ending of the name of a board file.
const BOARD_FILE: &str = ".toml";
/// Word after `probe:` for two emulated chips.
const EMULATED: &str = "emulated";

/// A kind of machine that runs a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// The firmware of this program, compiled for this computer, on the virtual board.
    #[default]
    Native,
    /// A program on an emulated RP2040: this file, or the program built by `make firmware`.
    Pico(Option<PathBuf>),
    /// The board that this board file describes, with the program that it names.
    Described(PathBuf),
    /// A real board behind a probe, a second Pico on its wires.
    Probe(ProbePort),
}

/// Location of a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProbePort {
    /// The only port that has a probe, or all such ports, which then share a suite.
    #[default]
    Any,
    /// These ports: devices, or names like `COM3` on Windows.
    Ports(Vec<PathBuf>),
    /// An emulated probe that is wired to an emulated board.
    Emulated,
}

/// Reason why a text does not name a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardNameError {
    /// There is no board of this name.
    #[error(
        "`{0}` is no board; there are native, pico, pico=FILE, NAME.board.toml, probe and \
         probe:PORT"
    )]
    Unknown(String),
    /// `pico=` without a file.
    #[error("`pico=` wants the program to run: an ELF or UF2 file")]
    NoProgram,
    /// The port after `probe:` is missing or empty.
    #[error(
        "`probe:` wants the port of a probe, like probe:/dev/ttyACM0, or several with commas between them"
    )]
    NoPort,
    /// A port is given twice.
    #[error("the port {} is named twice; each probe has one board", .0.display())]
    PortTwice(PathBuf),
    /// `probe:emulated` is given together with ports.
    #[error("`probe:emulated` is no port and is given alone")]
    EmulatedAmongPorts,
}

impl Board {
    /// Returns the name on the command line, without a file or a port.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Pico(_) => "pico",
            Self::Described(_) => "described",
            Self::Probe(_) => "probe",
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pico(Some(file)) => write!(out, "pico={}", file.display()),
            Self::Described(file) => write!(out, "{}", file.display()),
            Self::Probe(ProbePort::Emulated) => out.write_str("probe:emulated"),
            Self::Probe(ProbePort::Ports(ports)) => {
                for (index, port) in ports.iter().enumerate() {
                    let before = if index == 0 { "probe:" } else { "," };
                    write!(out, "{before}{}", port.display())?;
                }
                Ok(())
            }
            board => out.pad(board.name()),
        }
    }
}

impl FromStr for Board {
    type Err = BoardNameError;

    fn from_str(text: &str) -> Result<Self, BoardNameError> {
        if let Some(ports) = text.strip_prefix("probe:") {
            return probe(ports).map(Self::Probe);
        }
        match text.split_once('=') {
            None if text == "native" => Ok(Self::Native),
            None if text == "pico" => Ok(Self::Pico(None)),
            None if text == "probe" => Ok(Self::Probe(ProbePort::Any)),
            Some(("pico", file)) if !file.is_empty() => Ok(Self::Pico(Some(file.into()))),
            Some(("pico", _)) => Err(BoardNameError::NoProgram),
            _ if text.ends_with(BOARD_FILE) => Ok(Self::Described(text.into())),
            _ => Err(BoardNameError::Unknown(text.to_owned())),
        }
    }
}

/// Parses the text after `probe:`.
fn probe(text: &str) -> Result<ProbePort, BoardNameError> {
    if text == EMULATED {
        return Ok(ProbePort::Emulated);
    }
    let mut ports: Vec<PathBuf> = Vec::new();
    for port in text.split(',') {
        match port {
            "" => return Err(BoardNameError::NoPort),
            EMULATED => return Err(BoardNameError::EmulatedAmongPorts),
            port if ports.iter().any(|other| other.as_os_str() == port) => {
                return Err(BoardNameError::PortTwice(port.into()));
            }
            port => ports.push(port.into()),
        }
    }
    Ok(ProbePort::Ports(ports))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_s_name_reads_back_as_it_is_written() {
        for name in [
            "native",
            "pico",
            "pico=a.elf",
            "pad.board.toml",
            "a=b/pad.toml",
            "probe",
            "probe:/dev/ttyACM0",
            "probe:/dev/ttyACM0,/dev/ttyACM1",
            "probe:emulated",
        ] {
            assert_eq!(name.parse::<Board>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn invalid_probe_ports_are_refused() {
        let check = |name: &str, error: BoardNameError| {
            assert_eq!(name.parse::<Board>(), Err(error), "{name}");
        };
        check("probe:", BoardNameError::NoPort);
        check("probe:a,,b", BoardNameError::NoPort);
        check("probe:a,b,a", BoardNameError::PortTwice("a".into()));
        check("probe:a,emulated", BoardNameError::EmulatedAmongPorts);
        check("serial", BoardNameError::Unknown("serial".into()));
        check("probe=/dev/ttyACM0", BoardNameError::Unknown("probe=/dev/ttyACM0".into()));
    }
}
