//! Writes one file, a page at a time; it exists once it is finished.

use embedded_storage::nor_flash::NorFlash;

use super::directory::Directory;
use super::entry::{FileEntry, FileKind, verify};
use super::header::{self, Header};
use super::open::open;
use super::sectors::{ROOM, Ring, SECTOR_CONTENT, address, sectors_for};
use crate::storage::crc::Crc;
use crate::storage::error::{StorageError, flash_error};
use crate::storage::journal;
use crate::storage::layout::SECTOR_BYTES;
use crate::storage::name::Name;

/// Length of a page in bytes, the unit of programming.
const PAGE: usize = 256;
const _: () = assert!((SECTOR_BYTES as usize).is_multiple_of(PAGE));
const _: () = assert!((ROOM as usize) < PAGE);

/// A file that is being written. If it is dropped before it is finished, nothing remains.
///
/// Only one file can be written at a time: once another file is finished, this one fails with
/// [`StorageError::Damaged`], and so does each of two that are written alternately.
#[derive(Clone)]
pub struct Writer {
    kind: FileKind,
    name: Name,
    sequence: u32,
    replaced: u32,
    /// Sectors that it may use.
    sectors: Ring,
    /// Number of content bytes so far, and the maximum.
    length: u32,
    most: u32,
    crc: Crc,
    /// Page that is being filled; ones where there is no data yet.
    page: [u8; PAGE],
}

impl Writer {
    /// Begins a file of at most `most` bytes. Does not change anything that exists.
    ///
    /// # Errors
    /// [`StorageError::Full`] if there is no room for it, or if there are
    /// [`MAX_FILES`](super::MAX_FILES) and none of this kind and name; otherwise the flash
    /// failed.
    pub fn begin<F: NorFlash>(
        flash: &mut F,
        kind: FileKind,
        name: Name,
        most: u32,
    ) -> Result<Self, StorageError> {
        Self::begin_after(flash, kind, name, most, None)
    }

    /// Begins a file that replaces `old`, in addition to one of its own kind and name: `old` is
    /// gone once this file is finished, and remains if it never is.
    ///
    /// # Errors
    /// [`StorageError::Full`] if there is no room for it next to `old`; a file of up to
    /// [`SECTOR_CONTENT`] bytes always has room. Otherwise the flash failed.
    pub fn begin_instead_of<F: NorFlash>(
        flash: &mut F,
        kind: FileKind,
        name: Name,
        most: u32,
        old: &FileEntry,
    ) -> Result<Self, StorageError> {
        Self::begin_after(flash, kind, name, most, Some(old))
    }

    fn begin_after<F: NorFlash>(
        flash: &mut F,
        kind: FileKind,
        name: Name,
        most: u32,
        old: Option<&FileEntry>,
    ) -> Result<Self, StorageError> {
        open(flash)?;
        let (mut count, mut replaced) = (0, 0);
        let directory = Directory::read(flash, |header| {
            let entry = &header.entry;
            if (entry.kind, entry.name) == (kind, name) {
                count += 1;
            } else if old == Some(entry) {
                count += 1;
                replaced = entry.sequence;
            }
        })?;
        let sectors = directory.sectors_for(most, count)?;
        directory.mark_replaced(flash)?;
        Ok(Self {
            kind,
            name,
            sequence: directory.next_sequence(),
            replaced,
            sectors,
            length: 0,
            most,
            crc: Crc::NONE,
            page: [0xFF; PAGE],
        })
    }

    /// Appends `bytes`. Blocks for every page that fills up, and to erase a sector whenever one is
    /// full; a call with 1 KiB is short.
    ///
    /// # Errors
    /// [`StorageError::Full`] if the file becomes longer than announced (nothing is then appended);
    /// [`StorageError::Damaged`] if another file was finished meanwhile; otherwise the flash
    /// failed.
    pub fn append<F: NorFlash>(&mut self, flash: &mut F, bytes: &[u8]) -> Result<(), StorageError> {
        if bytes.len() > (self.most - self.length) as usize {
            return Err(StorageError::Full);
        }
        if self.place() as usize % PAGE + bytes.len() >= PAGE {
            self.check_alone(flash)?;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let place = self.place();
            let filled = place as usize % PAGE;
            let (now, later) = rest.split_at(rest.len().min(PAGE - filled));
            self.page[filled..filled + now.len()].copy_from_slice(now);
            self.crc.add(now);
            let sector = self.length / SECTOR_CONTENT;
            self.length += now.len() as u32;
            if filled + now.len() == PAGE {
                self.program(flash, sector, place - filled as u32)?;
            }
            rest = later;
        }
        Ok(())
    }

    /// Finishes the file: it exists from now on, and the files that it replaces are gone.
    ///
    /// # Errors
    /// The flash failed, before or after the file exists; [`StorageError::Damaged`] if the content
    /// does not read back, or another file was finished meanwhile (this one does not exist then).
    pub fn finish<F: NorFlash>(mut self, flash: &mut F) -> Result<FileEntry, StorageError> {
        self.check_alone(flash)?;
        let place = self.place();
        if self.length == 0 {
            self.prepare(flash, 0)?;
        } else if !(place as usize).is_multiple_of(PAGE) && place != ROOM {
            let page = place - place % PAGE as u32;
            self.program(flash, self.length / SECTOR_CONTENT, page)?;
        }
        let entry = FileEntry {
            kind: self.kind,
            name: self.name,
            sequence: self.sequence,
            length: self.length,
            crc: self.crc.sum(),
            sectors: self.sectors.start(sectors_for(self.length)),
        };
        verify(flash, &entry)?;
        header::write(flash, &Header { entry, replaced: self.replaced })?;
        Directory::summary(flash)?.mark_replaced(flash)?;
        Ok(entry)
    }

    /// Checks that no file was finished since this one was begun: its sectors might now belong to
    /// that one.
    fn check_alone<F: NorFlash>(&self, flash: &mut F) -> Result<(), StorageError> {
        let alone = Directory::summary(flash)?.leaves(self.sectors, self.sequence);
        if alone { Ok(()) } else { Err(StorageError::Damaged) }
    }

    /// Returns the position of the next byte, from the start of its sector.
    const fn place(&self) -> u32 {
        ROOM + self.length % SECTOR_CONTENT
    }

    /// Programs the page that begins at `from` in the file's `n`th sector, and begins another page.
    fn program<F: NorFlash>(
        &mut self,
        flash: &mut F,
        n: u32,
        from: u32,
    ) -> Result<(), StorageError> {
        const { assert!(PAGE.is_multiple_of(F::WRITE_SIZE) && ROOM.is_multiple_of(4)) };
        let (sector, skipped) = if from == 0 {
            (self.prepare(flash, n)?, ROOM)
        } else {
            (self.sectors.nth(n).ok_or(StorageError::Full)?, 0)
        };
        // A part of a page is padded with ones, which change nothing.
        flash
            .write(address(sector) + from + skipped, &self.page[skipped as usize..])
            .map_err(flash_error)?;
        self.page.fill(0xFF);
        Ok(())
    }

    /// Erases the file's `n`th sector unless it is blank. Returns its number.
    fn prepare<F: NorFlash>(&self, flash: &mut F, n: u32) -> Result<u8, StorageError> {
        let sector = self.sectors.nth(n).ok_or(StorageError::Full)?;
        let start = address(sector);
        let mut chunk = [0; PAGE];
        for from in (start..start + SECTOR_BYTES).step_by(PAGE) {
            flash.read(from, &mut chunk).map_err(flash_error)?;
            if chunk.iter().any(|byte| *byte != 0xFF) {
                journal::erase(flash, start, start + SECTOR_BYTES).map_err(flash_error)?;
                break;
            }
        }
        Ok(sector)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::storage::chip::{Chip, Counted};
    use crate::storage::files;

    #[test]
    fn an_empty_flash_has_room_for_the_longest_file() {
        let mut flash = Chip::factory_new();
        let listing = files::list(&mut flash, None).expect("a flash in memory");
        assert_eq!(listing.room, files::MOST_BYTES);
        assert!(Writer::begin(&mut flash, FileKind::Log, Name::default(), listing.room).is_ok());
        assert!(
            Writer::begin(&mut flash, FileKind::Log, Name::default(), listing.room + 1).is_err()
        );
    }

    #[test]
    fn an_append_that_fills_no_page_reads_nothing() {
        let mut flash = Counted::new(Chip::factory_new());
        let mut writer =
            Writer::begin(&mut flash, FileKind::Log, Name::default(), 1_000).expect("room");
        flash.bytes = 0;
        // A page begins after the room for the header.
        assert_eq!(writer.append(&mut flash, &[1; 100]), Ok(()));
        assert_eq!(flash.bytes, 0);
        assert_eq!(writer.append(&mut flash, &[1; 100]), Ok(()));
        assert!(flash.bytes > 0, "a page is full");
    }

    #[test]
    fn a_second_writer_does_not_touch_a_finished_file() {
        let mut flash = Counted::new(Chip::factory_new());
        let mut late =
            Writer::begin(&mut flash, FileKind::Log, Name::default(), 1_000).expect("room");
        let mut early =
            Writer::begin(&mut flash, FileKind::Game, Name::default(), 1_000).expect("room");
        assert_eq!(early.append(&mut flash, &[2; 500]), Ok(()));
        let entry = early.finish(&mut flash).expect("it is alone");
        assert_eq!(late.append(&mut flash, &[1; 100]), Ok(()));
        assert_eq!(late.append(&mut flash, &[1; 100]), Err(StorageError::Damaged));
        assert_eq!(verify(&mut flash, &entry), Ok(()));
    }
}
