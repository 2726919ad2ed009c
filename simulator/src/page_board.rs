//! The parts that make a page a board: the machine that this command was built with and, for
//! `pico`, the program.

use std::io;
use std::path::{Path, PathBuf};

use boards::pico::firmware;
use boards::session::{SessionError, board_file_from};
use boards::{Board, BoardFactory};
use firmware_core::SOURCE_HASH;
use page::{Bundle, BundleError, PackedBoard};
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
    /// The firmware of the board is linked into this program.
    #[error(
        "a page cannot run a firmware that is linked into a program; name a chip's program by --board"
    )]
    Linked,
    /// No header can name the board file.
    #[error(transparent)]
    BoardName(#[from] SessionError),
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

/// Reads the program that `board` runs; returns `None` for `native` and for a described board. `boards` is the factory of
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
        BoardFactory::Native(..) => return Ok(None),
        BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => {
            return Err(ElfError::NoProgramFile);
        }
        // The program is among the files of the board.
        BoardFactory::Described(_) => return Ok(None),
        BoardFactory::Pico(..) => {}
    }
    let path = match board {
        Board::Pico(Some(file)) => Some(file.clone()),
        _ => firmware::path(),
    };
    read(path.unwrap_or_else(|| firmware::FIRMWARE.into()), limit).map(Some)
}

fn read(path: PathBuf, limit: usize) -> Result<Vec<u8>, ElfError> {
    match host::input_files::read(&path, ELF_BYTES_MAX) {
        Ok(bytes) if bytes.len() > limit => {
            Err(ElfError::TooLarge { path, bytes: bytes.len(), limit })
        }
        Ok(bytes) => Ok(bytes),
        Err(source) => Err(ElfError::Io { path, source }),
    }
}

/// Reads the board file of a described board, and the files that it names; returns `None` for other
/// boards. Traces that the page makes are for the folder `from`.
///
/// # Errors
/// If a file cannot be read, or the program has more than `limit` bytes.
pub fn board_file(
    boards: &BoardFactory,
    from: &Path,
    limit: usize,
) -> Result<Option<PackedBoard>, ElfError> {
    let BoardFactory::Described(board) = boards else { return Ok(None) };
    let path = board_file_from(board.path(), from)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = |file: &Path| {
        let own = board.path().parent().unwrap_or(Path::new(""));
        let name = file.strip_prefix(own).unwrap_or(file).display().to_string().replace('\\', "/");
        if folder.is_empty() { name } else { format!("{folder}/{name}") }
    };
    let program = board.program_path().ok_or(ElfError::Linked)?;
    let mut packed = PackedBoard {
        text: String::from_utf8_lossy(&read(board.path().to_owned(), ELF_BYTES_MAX)?).into_owned(),
        ..PackedBoard::default()
    };
    packed.blobs.insert(beside(program), read(program.to_owned(), limit)?);
    for file in board.data_paths() {
        packed.blobs.insert(beside(&file), read(file, ELF_BYTES_MAX)?);
    }
    Ok(Some(PackedBoard { path, ..packed }))
}
