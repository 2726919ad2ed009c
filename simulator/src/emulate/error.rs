//! Errors of `nudge emulate`.

use std::io;
use std::path::PathBuf;

use host::output_files::OutputError;
use rp2040_emulator::chip::BootError;
use rp2040_tools::ProgramError;
use rp2040_tools::defmt_log::DefmtError;
use rp2040_tools::embedded_test::EmbeddedTestError;
use rp2040_tools::gdb::DebuggerError;
use rp2040_tools::lines::LinesError;
use thiserror::Error;

use super::outside::SurroundingsError;

/// Reasons why a run could not be finished, each one sentence without a full stop.
#[derive(Debug, Error)]
pub enum EmulateError {
    /// The file is not a program for the RP2040.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The chip does not boot the program.
    #[error("{}: {error}", path.display())]
    Boot {
        path: PathBuf,
        #[source]
        error: BootError,
    },
    /// The tests of the program cannot be found.
    #[error("{}: {error}", path.display())]
    Tests {
        path: PathBuf,
        #[source]
        error: EmbeddedTestError,
    },
    /// The option writes one file for one run, but the program has several.
    #[error(
        "{0}: each test of the program is a run of its own; name the option with a program that has no tests"
    )]
    OneRun(&'static str),
    #[error("--defmt: {}: {error}", path.display())]
    Defmt {
        path: PathBuf,
        #[source]
        error: DefmtError,
    },
    #[error("--pty: {0}")]
    Pty(#[source] io::Error),
    /// Standard input cannot be read while the program runs.
    #[error("--stdin: {0}")]
    Stdin(#[source] io::Error),
    /// The address is in use or invalid.
    #[error("--gdb {address}: {error}")]
    Listen {
        address: String,
        #[source]
        error: io::Error,
    },
    /// The connection to the debugger failed.
    #[error(transparent)]
    Debugger(#[from] DebuggerError),
    /// The UART's input cannot be read.
    #[error("--input {}: {error}", path.display())]
    Input {
        /// The file, or `-` for standard input.
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The UART's input exceeds the limit.
    #[error("--input {}: it has more than {max} bytes; feed a part of it", path.display())]
    InputTooLarge {
        /// The file, or `-` for standard input.
        path: PathBuf,
        /// Maximum size in bytes.
        max: u64,
    },
    /// Something cannot be connected to the chip.
    #[error(transparent)]
    Surroundings(#[from] SurroundingsError),
    /// An output file cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Coverage needs a program with line tables.
    #[error("--coverage: {}: {error}", path.display())]
    Coverage {
        path: PathBuf,
        #[source]
        error: LinesError,
    },
    /// Another output cannot be written, or the pseudo-terminal cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_message() {
        let error = || io::Error::other("the disk is full");
        let boot = || BootError::FlashTooSmall(0x102F_FFFF, 2_097_152);
        for (error, text) in [
            (
                EmulateError::Boot { path: "a.bin".into(), error: boot() },
                format!("a.bin: {}", boot()),
            ),
            (
                EmulateError::Tests { path: "a".into(), error: EmbeddedTestError::Version(9) },
                "a: its tests are of version 9 of embedded-test's protocol; versions 0 and 1 are known"
                    .into(),
            ),
            (
                EmulateError::Defmt { path: "a".into(), error: DefmtError::NotBuilt },
                "--defmt: a: this nudge was built without its feature `defmt`".into(),
            ),
            (EmulateError::Pty(error()), "--pty: the disk is full".into()),
            (
                EmulateError::Listen { address: ":1".into(), error: error() },
                "--gdb :1: the disk is full".into(),
            ),
            (
                EmulateError::Input { path: "-".into(), error: error() },
                "--input -: the disk is full".into(),
            ),
            (
                EmulateError::InputTooLarge { path: "in.txt".into(), max: 67_108_864 },
                "--input in.txt: it has more than 67108864 bytes; feed a part of it".into(),
            ),
            (
                OutputError::Exists { path: "a.vcd".into() }.into(),
                "a.vcd is there already; `--force` replaces it".into(),
            ),
            (EmulateError::Debugger(error().into()), "the disk is full".into()),
            (
                EmulateError::Coverage { path: "a.uf2".into(), error: LinesError::None },
                "--coverage: a.uf2: the program has no debugging information, so its lines are not \
                 known; build it with `debug = \"line-tables-only\"`"
                    .into(),
            ),
            (EmulateError::Io(error()), "the disk is full".into()),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }
}
