//! What a page needs to be a board: the machine that this command was built with, and on `pico` the
//! program.

use std::io;
use std::path::PathBuf;

use boards::pico::firmware;
use boards::{Board, BoardFactory};
use firmware_core::SOURCE_HASH;
use page::{Bundle, NoBundle};
use thiserror::Error;

/// How large a program may be that goes into a report without being asked for, in bytes of its file.
/// Compressed it takes about a third.
pub const ELF_BYTES_EMBEDDED: usize = 2 << 20;
/// How large a program in a page may be.
pub const ELF_BYTES_MAX: usize = 32 << 20;

/// Why a program does not go into a page.
#[derive(Debug, Error)]
pub enum ElfError {
    /// There is none: the board is behind a probe.
    #[error("a page cannot hold a board behind a probe")]
    BehindAProbe,
    /// Its file is gone.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is too large.
    #[error(
        "{}: the program has {} KiB; {} KiB is the most that a page takes", path.display(), bytes >> 10,
        limit >> 10
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length, or a part of it that is too long already.
        bytes: usize,
        /// The most that is taken.
        limit: usize,
    },
}

/// The machine and the page around it, of the sources that `native` runs.
///
/// # Errors
/// If this command was built without it, or with an older one.
pub fn bundle() -> Result<Bundle, NoBundle> {
    Bundle::find_with(SOURCE_HASH)
}

/// The program that `board` runs, for whose machines `boards` was made; `None` on `native`.
///
/// # Errors
/// If it cannot be read, or has more than `limit` bytes.
pub fn elf(
    board: &Board,
    boards: &BoardFactory,
    limit: usize,
) -> Result<Option<Vec<u8>>, ElfError> {
    match boards {
        BoardFactory::Native(_) => return Ok(None),
        BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => {
            return Err(ElfError::BehindAProbe);
        }
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
