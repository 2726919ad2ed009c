//! Saved games and logs: files with a kind and a name, in whole sectors of their own.
//!
//! [`Writer`] writes a file, [`list`] and [`find`] look files up, [`read`] and [`verify`] read one,
//! [`remove`] deletes one. An unfinished file does not exist. An existing file of the same kind and
//! name remains until the new one is finished, and is gone from then on: no power cut leaves both,
//! neither, or a mixture. This module does not know the content of a file.
//!
//! | file | contents |
//! |---|---|
//! | `header` | the 64 bytes at the start of a file's first sector, and their marks |
//! | `entry` | [`FileEntry`], and reading its content |
//! | `sectors` | the area, and sets of its sectors |
//! | `open` | finishes an interrupted erase before anything else |
//! | `directory` | reads all headers: existing files and free sectors |
//! | `writer` | [`Writer`] |
//!
//! # Why not a map
//! A file has its own sectors, so that nothing ever moves it: writing one file never rewrites
//! another. In a sequential-storage map of these 48 sectors with two logs and twenty games, storing
//! one chunk of 1 KiB was measured to erase 21 sectors, to program 82 KB and to read 15 MB, all in
//! one blocking call. Here such a call erases at most one.
//!
//! # Layout
//! A sector has [`SECTOR_CONTENT`] bytes of content after room for a header, which only a file's
//! first sector uses. The header lists the file's sectors, in ring order from the first; it is
//! written last, then a word that marks it as finished (the commit), and a third word once the file
//! is gone. Sectors that no file lists are free, whatever they contain. Sectors are allocated in
//! ring order, for equal wear.
//!
//! # Timing
//! Programming a page or a part of it takes 0.4 ms and erasing a sector 45 ms (both typical,
//! W25Q16JV section 9.6); reading and checking is estimated at 0.25 µs a byte on the Pico. If no
//! earlier power cut has to be repaired:
//!
//! | call | erases | time |
//! |---|---|---|
//! | [`list`], [`find`], [`Writer::begin`] | never | 2 ms: they read 9,088 bytes, the journal and twice 52 bytes a sector |
//! | [`Writer::append`] of 1 KiB | a sector in every fourth call, if it was in use before | 3 ms, and 45 ms to erase |
//! | [`Writer::finish`] | if the last page is the first of a sector | 6 ms, 10 ms to read 40 KiB back, and 45 ms to erase |
//! | [`read`], [`verify`] | never | 0.3 ms a KiB |
//! | [`remove`] | never | 3 ms |

mod directory;
mod entry;
mod header;
mod open;
mod sectors;
mod writer;

use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;

use self::directory::Directory;
use super::error::StorageError;
use super::journal;
use super::layout::SECTOR_BYTES;
use crate::storage::name::Name;
pub use entry::{FileEntry, FileKind, read, verify};
pub(super) use open::open;
use sectors::SECTORS;
pub use sectors::{MAX_FILES, MOST_BYTES, SECTOR_CONTENT};
pub use writer::Writer;

/// Result of listing the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The files, newest first.
    pub files: Vec<FileEntry, MAX_FILES>,
    /// Number of files whose header is damaged: their names are unknown, and their sectors are
    /// free.
    pub damaged: u8,
    /// Maximum size in bytes of a file with a new name; 0 if there are [`MAX_FILES`] already.
    pub room: u32,
}

/// Lists the files of `kind`, or of both kinds.
///
/// # Errors
/// The flash failed. Damage is not an error: undamaged files are listed.
pub fn list<F: NorFlash>(flash: &mut F, kind: Option<FileKind>) -> Result<Listing, StorageError> {
    open(flash)?;
    let mut files = Vec::new();
    let directory = Directory::read(flash, |header| {
        if kind.is_none_or(|kind| kind == header.entry.kind) {
            retain_newest(&mut files, header.entry);
        }
    })?;
    newest_first(&mut files);
    Ok(Listing { files, damaged: directory.damaged().count() as u8, room: directory.room() })
}

/// Sorts `files`. There are few, and the library's sort would take kilobytes of flash.
fn newest_first(files: &mut [FileEntry]) {
    for end in 1..files.len() {
        for at in (1..=end).rev() {
            if files[at - 1].sequence >= files[at].sequence {
                break;
            }
            files.swap(at - 1, at);
        }
    }
}

/// Returns the file of this kind and name, if there is one.
///
/// # Errors
/// The flash failed.
pub fn find<F: NorFlash>(
    flash: &mut F,
    kind: FileKind,
    name: Name,
) -> Result<Option<FileEntry>, StorageError> {
    open(flash)?;
    let mut found: Option<FileEntry> = None;
    Directory::read(flash, |header| {
        // Only one file of a name is not replaced.
        let entry = header.entry;
        if (entry.kind, entry.name) == (kind, name) {
            found = Some(entry);
        }
    })?;
    Ok(found)
}

/// Deletes a file. If the power is cut meanwhile, the file either still exists or is gone. If the
/// file of `entry` is gone already, nothing changes.
///
/// # Errors
/// The flash failed.
pub fn remove<F: NorFlash>(flash: &mut F, entry: &FileEntry) -> Result<(), StorageError> {
    open(flash)?;
    // Files that this one has replaced must be marked as gone first; otherwise they would reappear.
    Directory::summary(flash)?.mark_replaced(flash)?;
    let sector = entry.sectors.first;
    match header::look(flash, sector)? {
        header::SectorStart::File(header) if header.entry == *entry => {
            header::mark_gone(flash, sector)
        }
        _ => Ok(()),
    }
}

/// Deletes all files, and the remains of damaged ones: 0.4 ms for each, or 45 ms where a header has
/// become zeros. If the power is cut meanwhile, some are gone.
///
/// # Errors
/// The flash failed.
pub fn remove_all<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    open(flash)?;
    Directory::summary(flash)?.mark_replaced(flash)?;
    for sector in 0..SECTORS {
        if matches!(header::look(flash, sector)?, header::SectorStart::File(_)) {
            header::mark_gone(flash, sector)?;
        }
    }
    remove_damaged(flash)
}

/// Deletes the remains of the files whose headers are damaged: 0.4 ms for each, or 45 ms where a
/// header has become zeros. If the power is cut meanwhile, some are gone.
///
/// # Errors
/// The flash failed, or has ignored an erase: some remain.
#[inline(never)]
pub fn remove_damaged<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    open(flash)?;
    for sector in Directory::summary(flash)?.damaged().sectors() {
        header::mark_gone(flash, sector)?;
        // A header of zeros cannot be marked.
        if matches!(header::look(flash, sector)?, header::SectorStart::Damaged) {
            let start = sectors::address(sector);
            journal::erase_checked(flash, start, start + SECTOR_BYTES)?;
        }
    }
    Ok(())
}

/// Inserts `entry` into `files`. More than fit are never written; if damage makes deleted ones
/// reappear, the newest are retained.
fn retain_newest(files: &mut Vec<FileEntry, MAX_FILES>, entry: FileEntry) {
    if let Err(entry) = files.push(entry)
        && let Some(oldest) = files.iter_mut().min_by_key(|other| other.sequence)
        && oldest.sequence < entry.sequence
    {
        *oldest = entry;
    }
}
