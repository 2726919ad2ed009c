//! Why `nudge emulate` could not finish a run.

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

use super::outside::OutsideError;

/// Why a run could not be finished: one sentence without a full stop.
#[derive(Debug, Error)]
pub enum EmulateError {
    /// The file is no program for the RP2040.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The chip does not boot the program.
    #[error("{}: {error}", path.display())]
    Boot {
        /// The program.
        path: PathBuf,
        /// Why.
        #[source]
        error: BootError,
    },
    /// The tests of the program cannot be found.
    #[error("{}: {error}", path.display())]
    Tests {
        /// The program.
        path: PathBuf,
        /// Why.
        #[source]
        error: EmbeddedTestError,
    },
    /// An option makes one file of one run.
    #[error(
        "{0}: each test of the program is a run of its own; name the option with a program that has no tests"
    )]
    OneRun(&'static str),
    /// Messages of defmt cannot be decoded.
    #[error("--defmt: {}: {error}", path.display())]
    Defmt {
        /// The program.
        path: PathBuf,
        /// Why.
        #[source]
        error: DefmtError,
    },
    /// There is no pseudo-terminal.
    #[error("--pty: {0}")]
    Pty(#[source] io::Error),
    /// Standard input cannot be read while the program runs.
    #[error("--stdin: {0}")]
    Stdin(#[source] io::Error),
    /// The address is not free, or is none.
    #[error("--gdb {address}: {error}")]
    Listen {
        /// The address.
        address: String,
        /// What the operating system says.
        #[source]
        error: io::Error,
    },
    /// The session with the debugger broke.
    #[error(transparent)]
    Debugger(#[from] DebuggerError),
    /// The UART's input cannot be read.
    #[error("--input {}: {error}", path.display())]
    Input {
        /// The file, or `-`.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        error: io::Error,
    },
    /// The UART's input is larger than any.
    #[error("--input {}: it has more than {max} bytes; feed a part of it", path.display())]
    InputTooLarge {
        /// The file, or `-`.
        path: PathBuf,
        /// The most bytes.
        max: u64,
    },
    /// Something cannot be connected to the chip.
    #[error(transparent)]
    Outside(#[from] OutsideError),
    /// An output file cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// There is no coverage of a program whose lines are not known.
    #[error("--coverage: {}: {error}", path.display())]
    Coverage {
        /// The program.
        path: PathBuf,
        /// Why.
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
    fn every_error_has_its_text() {
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
