//! The parts that make a page a board: the machine that this command was built with and, for
//! `pico`, the program.

use std::io;
use std::path::PathBuf;

use boards::pico::firmware;
use boards::{Board, BoardFactory};
use firmware_core::SOURCE_HASH;
use page::{Bundle, BundleError};
use thiserror::Error;

/// Maximum size in bytes of a program file that a report embeds by default. Compressed it takes
/// about a third.
pub const ELF_BYTES_EMBEDDED: usize = 2 << 20;
/// Maximum size in bytes of a program file in a page.
pub const ELF_BYTES_MAX: usize = 32 << 20;

/// Reasons why a page cannot contain the program.
#[derive(Debug, Error)]
pub enum ElfError {
    /// The board is connected by a probe, so there is no program file.
    #[error("a page cannot hold a board behind a probe")]
    NoProgramFile,
    /// The board is described by a board file.
    #[error("a page cannot run the board of a board file yet")]
    Described,
    /// The program file cannot be read.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The program exceeds the limit.
    #[error(
        "{}: the program has {} KiB; {} KiB is the most that a page takes", path.display(), bytes >> 10,
        limit >> 10
    )]
    TooLarge {
        path: PathBuf,
        /// Size of the file in bytes, or the part that was read, which already exceeds the limit.
        bytes: usize,
        /// Maximum size in bytes.
        limit: usize,
    },
}

/// Finds the machine and its page, built from the sources that `native` runs.
///
/// # Errors
/// If this command was built without the page, or with an older one.
pub fn bundle() -> Result<Bundle, BundleError> {
    Bundle::find_with(SOURCE_HASH)
}

/// Reads the program that `board` runs; returns `None` for `native`. `boards` is the factory of
/// `board`.
///
/// # Errors
/// If the program cannot be read, or has more than `limit` bytes.
pub fn elf(
    board: &Board,
    boards: &BoardFactory,
    limit: usize,
) -> Result<Option<Vec<u8>>, ElfError> {
    match boards {
        BoardFactory::Native(_) => return Ok(None),
        BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => {
            return Err(ElfError::NoProgramFile);
        }
        BoardFactory::Described(_) => return Err(ElfError::Described),
        BoardFactory::Pico(_) => {}
    }
    let path = match board {
        Board::Pico(Some(file)) => Some(file.clone()),
        _ => firmware::path(),
    };
    let path = path.unwrap_or_else(|| firmware::FIRMWARE.into());
    match host::input_files::read(&path, ELF_BYTES_MAX) {
        Ok(bytes) if bytes.len() > limit => {
            Err(ElfError::TooLarge { path, bytes: bytes.len(), limit })
        }
        Ok(bytes) => Ok(Some(bytes)),
        Err(source) => Err(ElfError::Io { path, source }),
    }
}
