//! The options of `nudge emulate` for log messages of a program, and for cargo.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rp2040_tools::defmt_log::{Format, Levels};

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Decode defmt messages of RTT: auto does if the channel has the name defmt and the file has
    /// messages
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value_t, default_missing_value = "on")]
    pub defmt: Defmt,
    /// The least level that is shown, also of modules, like warn,app::radio=trace
    #[arg(long, value_name = "LEVEL", default_value = "trace", hide_default_value = true)]
    pub defmt_level: Levels,
    /// The form of a defmt line: oneline, full, or a text with fields like {t} [{L}] {s}
    #[arg(long, value_name = "FORMAT", default_value = "oneline")]
    pub defmt_format: Format,
}

#[derive(Debug, Args)]
pub struct CargoArgs {
    /// Be cargo's runner: ELF is what cargo has built, further words are the program's arguments
    #[arg(long, value_name = "ELF", num_args = 1.., allow_hyphen_values = true,
          conflicts_with_all = ["file", "gdb", "pty"])]
    pub cargo: Option<Vec<OsString>>,
}

impl CargoArgs {
    /// Returns the program's file if cargo runs it.
    pub fn program(&self) -> Option<PathBuf> {
        self.cargo.as_ref()?.first().map(PathBuf::from)
    }

    /// Returns the program's arguments; `None` if cargo does not run it.
    pub fn arguments(&self) -> Option<&[OsString]> {
        self.cargo.as_ref().and_then(|words| words.get(1..))
    }
}

/// Whether defmt messages are decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Defmt {
    /// If the channel has the name defmt and the file has messages
    #[default]
    Auto,
    /// On channel 0; a file without messages is an error
    On,
    /// Never: the bytes are written as they are
    Off,
}
