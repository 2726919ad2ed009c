//! Saved games and logs: files with a kind and a name, in whole sectors of their own.
//!
//! [`Writer`] writes a file, [`list`] and [`find`] say what there is, [`read`] and [`verify`]
//! give it back, [`remove`] takes it away. A file that is not finished does not exist. One of
//! the same kind and name stays until the new one is finished, and is gone from then on: no
//! cut of power leaves both, neither, or a mixture. What a file says is not known here.
//!
//! | file | holds |
//! |---|---|
//! | `header` | the 64 bytes at the start of a file's first sector, and their marks |
//! | `directory` | one look at all headers: what there is, what is free |
//! | `writer` | [`Writer`] |
//!
//! # Why not a map
//! A file has sectors of its own, so that nothing ever moves it: writing one file never
//! rewrites another. In a sequential-storage map of these 48 sectors that holds two logs and
//! twenty games, storing one chunk of 1 KiB was measured to erase 21 sectors, to program
//! 82 KB and to read 15 MB, all in one call that blocks. Here it erases one at most.
//!
//! # Layout
//! A sector has [`SECTOR_CONTENT`] bytes of content behind room for a header, which only a
//! file's first sector uses. The header says which sectors are the file's, in order round
//! the area from the first; it is written last, then a word that says so (the commit), and a
//! third word once the file is gone. Sectors that no file names are free, whatever they hold.
//! Sectors are taken in turn round the area, so that they wear alike.
//!
//! # What takes time
//! Programming a page or a part of it takes 0.4 ms and erasing a sector 45 ms (both typical,
//! W25Q16JV section 9.6); reading and checking is estimated at 0.25 µs a byte on the Pico.
//! While nothing is left over from a cut of power:
//!
//! | call | erases | takes |
//! |---|---|---|
//! | [`list`], [`find`], [`Writer::begin`] | never | 2 ms: they read 9,088 bytes, the journal and twice 52 bytes a sector |
//! | [`Writer::append`] of 1 KiB | a sector in every fourth call, if that was in use before | 3 ms, and 45 ms to erase |
//! | [`Writer::finish`] | if the last page is the first of a sector | 6 ms, 10 ms to read 40 KiB back, and 45 ms to erase |
//! | [`read`], [`verify`] | never | 0.3 ms a KiB |
//! | [`remove`] | never | 3 ms |

mod directory;
mod header;
mod writer;

use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;

use self::directory::Directory;
use super::crc::Crc;
use super::{FILES, SECTOR_BYTES, StorageError, flash_error, open};
use crate::interface::name::Name;
use crate::interface::page::Kind;
pub use writer::Writer;

/// Files of both kinds that there can be at once.
pub const MOST_FILES: usize = 24;

/// Bytes of content that a sector holds.
pub const SECTOR_CONTENT: u32 = SECTOR_BYTES - header::ROOM;

/// Sectors of the area; a set of them is a `u64` with a bit for each.
const SECTORS: u8 = ((FILES.end - FILES.start) / SECTOR_BYTES) as u8;
const ALL: u64 = (1 << SECTORS) - 1;

/// Sectors that a file of another name may not take: with them every file of up to
/// [`SECTOR_CONTENT`] bytes, and so every saved game, can be written beside the one that it
/// replaces.
const RESERVED: u32 = 1;

const _: () = assert!(MOST_FILES + RESERVED as usize <= SECTORS as usize);

/// The most bytes that a file can have, in a flash without any other.
pub const MOST_BYTES: u32 = (SECTORS as u32 - RESERVED) * SECTOR_CONTENT;

/// A file in flash, as its header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: Name,
    /// Higher than that of every file that was there before it.
    pub sequence: u32,
    /// Bytes of its content.
    pub length: u32,
    crc: u32,
    sectors: Ring,
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The files, newest first.
    pub files: Vec<FileEntry, MOST_FILES>,
    /// Files whose header is damaged: their names are not known, and their sectors are free.
    pub damaged: u8,
    /// Bytes that a file of a new name can have; 0 if there are [`MOST_FILES`] already.
    pub room: u32,
}

/// The files of `kind`, or of both kinds.
///
/// # Errors
/// The flash failed. Damage is none: what is whole is listed.
pub fn list<F: NorFlash>(flash: &mut F, kind: Option<Kind>) -> Result<Listing, StorageError> {
    open(flash)?;
    let mut files = Vec::new();
    let directory = Directory::read(flash, |header| {
        if kind.is_none_or(|kind| kind == header.entry.kind) {
            keep_newest(&mut files, header.entry);
        }
    })?;
    newest_first(&mut files);
    Ok(Listing { files, damaged: directory.damaged, room: directory.room() })
}

/// Puts `files` in order. There are few, and the library's sort would take kilobytes of flash.
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

/// The file of that kind and name, if there is one.
///
/// # Errors
/// The flash failed.
pub fn find<F: NorFlash>(
    flash: &mut F,
    kind: Kind,
    name: Name,
) -> Result<Option<FileEntry>, StorageError> {
    open(flash)?;
    let mut found: Option<FileEntry> = None;
    Directory::read(flash, |header| {
        let entry = header.entry;
        let newer = found.is_none_or(|other| other.sequence < entry.sequence);
        if newer && (entry.kind, entry.name) == (kind, name) {
            found = Some(entry);
        }
    })?;
    Ok(found)
}

/// Fills `bytes` with the content from `offset` on, and says how many there were: fewer than
/// asked for at the end. It reads what is there; [`verify`] knows whether that is whole.
///
/// # Errors
/// The flash failed.
pub fn read<F: NorFlash>(
    flash: &mut F,
    entry: &FileEntry,
    offset: u32,
    bytes: &mut [u8],
) -> Result<usize, StorageError> {
    const { assert!(F::READ_SIZE == 1, "content begins and ends at any byte") };
    let left = entry.length.saturating_sub(offset) as usize;
    let length = bytes.len().min(left);
    let mut at = offset;
    let mut rest = bytes.get_mut(..length).unwrap_or_default();
    while !rest.is_empty() {
        let sector = entry.sectors.nth(at / SECTOR_CONTENT).ok_or(StorageError::Damaged)?;
        let within = at % SECTOR_CONTENT;
        let here = rest.len().min((SECTOR_CONTENT - within) as usize);
        let (now, later) = rest.split_at_mut(here);
        flash.read(address(sector) + header::ROOM + within, now).map_err(flash_error)?;
        at += here as u32;
        rest = later;
    }
    Ok(length)
}

/// Reads the whole file once to see that it is as it was written.
///
/// # Errors
/// [`StorageError::Damaged`] if it is not; the flash failed.
pub fn verify<F: NorFlash>(flash: &mut F, entry: &FileEntry) -> Result<(), StorageError> {
    let mut crc = Crc::NONE;
    let mut chunk = [0; 256];
    let mut offset = 0;
    while offset < entry.length {
        let length = read(flash, entry, offset, &mut chunk)?;
        crc.add(&chunk[..length]);
        offset += length as u32;
    }
    if crc.sum() == entry.crc { Ok(()) } else { Err(StorageError::Damaged) }
}

/// Takes a file away. If the power goes meanwhile it is either there still, or gone. An
/// entry whose file is gone already changes nothing.
///
/// # Errors
/// The flash failed.
pub fn remove<F: NorFlash>(flash: &mut F, entry: &FileEntry) -> Result<(), StorageError> {
    open(flash)?;
    // What this file has replaced must be gone before it is: it would come back.
    Directory::read(flash, |_| ())?.tidy(flash)?;
    let sector = entry.sectors.first;
    match header::look(flash, sector)? {
        header::Found::File(header) if header.entry == *entry => header::mark_gone(flash, sector),
        _ => Ok(()),
    }
}

/// Takes all files away, and what is left of damaged ones: 0.4 ms for each. If the power goes
/// meanwhile, some are gone.
///
/// # Errors
/// The flash failed.
pub fn remove_all<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    open(flash)?;
    Directory::read(flash, |_| ())?.tidy(flash)?;
    for sector in 0..SECTORS {
        if !matches!(header::look(flash, sector)?, header::Found::Nothing) {
            header::mark_gone(flash, sector)?;
        }
    }
    Ok(())
}

/// Puts `entry` among `files`. More than fit are never written; should damage bring some back
/// to life, the newest are kept.
fn keep_newest(files: &mut Vec<FileEntry, MOST_FILES>, entry: FileEntry) {
    if let Err(entry) = files.push(entry)
        && let Some(oldest) = files.iter_mut().min_by_key(|other| other.sequence)
        && oldest.sequence < entry.sequence
    {
        *oldest = entry;
    }
}

/// Where a sector of the area begins in flash.
const fn address(sector: u8) -> u32 {
    FILES.start + sector as u32 * SECTOR_BYTES
}

/// Some sectors of the area, in order round it from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ring {
    /// Where the order begins, below [`SECTORS`]; one of the set unless that is empty.
    first: u8,
    /// A bit for each sector.
    set: u64,
}

impl Ring {
    /// Its sectors.
    fn sectors(self) -> impl Iterator<Item = u8> {
        (0..SECTORS)
            .map(move |steps| (self.first + steps) % SECTORS)
            .filter(move |sector| self.set & 1 << sector != 0)
    }

    fn nth(self, n: u32) -> Option<u8> {
        self.sectors().nth(n as usize)
    }

    /// Its first `count` sectors.
    fn start(self, count: u32) -> Self {
        let mut start = Self { first: self.nth(0).unwrap_or(self.first), set: 0 };
        for sector in self.sectors().take(count as usize) {
            start.set |= 1 << sector;
        }
        start
    }

    fn count(self) -> u32 {
        self.set.count_ones()
    }
}

/// Sectors that content of so many bytes takes; even none takes one, for the header.
const fn sectors_for(bytes: u32) -> u32 {
    if bytes == 0 { 1 } else { bytes.div_ceil(SECTOR_CONTENT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_goes_round_the_area_from_its_first_sector() {
        let ring = Ring { first: 46, set: 1 << 46 | 1 << 47 | 1 << 3 | 1 << 40 };
        assert!(ring.sectors().eq([46, 47, 3, 40]));
        assert_eq!((ring.nth(2), ring.nth(4), ring.count()), (Some(3), None, 4));
        assert!(ring.start(3).sectors().eq([46, 47, 3]));
        let later = Ring { first: 47, ..ring };
        assert!(later.start(2).sectors().eq([47, 3]));
    }

    #[test]
    fn content_takes_as_many_sectors_as_it_fills() {
        let full = SECTOR_CONTENT;
        let cases = [(0, 1), (1, 1), (full, 1), (full + 1, 2), (40 * 1024, 11)];
        for (bytes, sectors) in cases {
            assert_eq!(sectors_for(bytes), sectors, "{bytes} bytes");
        }
    }
}
