//! Reads the headers of all sectors: existing files and free sectors.
//!
//! Each write begins by marking the files as gone that earlier files have replaced. So only the
//! newest file can have replaced files that are not marked, if the power was cut first.

use embedded_storage::nor_flash::NorFlash;

use super::header::{Header, SectorStart, look, mark_gone};
use super::sectors::{ALL, MAX_FILES, RESERVED, Ring, SECTOR_CONTENT, SECTORS, sectors_for};
use crate::storage::error::StorageError;

/// Summary of all headers.
pub(super) struct Directory {
    /// Header of the newest file.
    newest: Option<Header>,
    /// Number of files, without those that the newest one has replaced.
    files: usize,
    /// Set of the sectors that belong to files.
    taken: u64,
    /// Set of the sectors with a damaged header.
    damaged: u64,
}

impl Directory {
    /// Reads all headers, and passes each file that is not replaced to `visit`, in no particular
    /// order.
    pub(super) fn read<F: NorFlash>(
        flash: &mut F,
        mut visit: impl FnMut(&Header),
    ) -> Result<Self, StorageError> {
        let mut directory = Self { newest: None, files: 0, taken: 0, damaged: 0 };
        for sector in 0..SECTORS {
            match look(flash, sector)? {
                SectorStart::File(header) if header.entry.sequence >= directory.last_sequence() => {
                    directory.newest = Some(header);
                }
                SectorStart::Damaged => directory.damaged |= 1 << sector,
                _ => {}
            }
        }
        for sector in 0..SECTORS {
            if let SectorStart::File(header) = look(flash, sector)?
                && !directory.has_replaced(&header)
            {
                directory.files += 1;
                directory.taken |= header.entry.sectors.set;
                visit(&header);
            }
        }
        Ok(directory)
    }

    /// Reads all headers.
    #[inline(never)]
    pub(super) fn summary<F: NorFlash>(flash: &mut F) -> Result<Self, StorageError> {
        Self::read(flash, |_| ())
    }

    /// Returns the sectors of files whose headers are damaged. A sector that another file uses has
    /// no header of its own.
    pub(super) fn damaged(&self) -> Ring {
        Ring { first: 0, set: self.damaged & !self.taken }
    }

    /// Returns whether a file uses this sector.
    pub(super) fn uses(&self, sector: u8) -> bool {
        self.taken & 1 << sector != 0
    }

    /// Marks the files as gone that the newest file has replaced.
    pub(super) fn mark_replaced<F: NorFlash>(&self, flash: &mut F) -> Result<(), StorageError> {
        for sector in 0..SECTORS {
            if let SectorStart::File(header) = look(flash, sector)?
                && self.has_replaced(&header)
            {
                mark_gone(flash, sector)?;
            }
        }
        Ok(())
    }

    /// Returns the maximum size in bytes of a file with a new name.
    pub(super) fn room(&self) -> u32 {
        let free = self.free().count().saturating_sub(RESERVED);
        if self.files < MAX_FILES { free * SECTOR_CONTENT } else { 0 }
    }

    /// Returns free sectors for a file of at most `bytes` that replaces `replaced` others.
    ///
    /// # Errors
    /// [`StorageError::Full`] if there are too many files or too few sectors.
    pub(super) fn sectors_for(&self, bytes: u32, replaced: usize) -> Result<Ring, StorageError> {
        let needed = sectors_for(bytes);
        let reserved = if replaced == 0 { RESERVED } else { 0 };
        let free = self.free();
        if self.files.saturating_sub(replaced) >= MAX_FILES
            || free.count() < needed.saturating_add(reserved)
        {
            return Err(StorageError::Full);
        }
        Ok(free.start(needed))
    }

    /// Returns whether no file uses any of these sectors, and no file was added since `sequence`
    /// was the next number.
    pub(super) fn leaves(&self, sectors: Ring, sequence: u32) -> bool {
        self.taken & sectors.set == 0 && self.last_sequence() < sequence
    }

    /// Returns the sequence number of the next file.
    pub(super) fn next_sequence(&self) -> u32 {
        self.last_sequence().saturating_add(1)
    }

    fn last_sequence(&self) -> u32 {
        self.newest.map_or(0, |header| header.entry.sequence)
    }

    fn has_replaced(&self, header: &Header) -> bool {
        self.newest.is_some_and(|newest| newest.replaces(header))
    }

    /// Returns the free sectors, beginning after the newest file's last one.
    fn free(&self) -> Ring {
        let last = self.newest.and_then(|header| header.entry.sectors.sectors().last());
        let first = last.map_or(0, |last| (last + 1) % SECTORS);
        Ring { first, set: ALL & !self.taken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::chip::Chip;
    use crate::storage::files::entry::{FileEntry, FileKind};
    use crate::storage::files::{Writer, list, remove_damaged, verify};
    use crate::storage::name::Name;

    /// The sector of another file has no header: damage there is no file, and erasing the sector
    /// would take the content.
    #[test]
    fn only_sectors_without_a_file_have_damaged_headers() {
        let mut chip = Chip::factory_new();
        let name = Name::new("LOG-1").expect("a name");
        let bytes = [7; SECTOR_CONTENT as usize + 1];
        let mut writer = Writer::begin(&mut chip, FileKind::Log, name, bytes.len() as u32)
            .expect("there is room");
        bytes.chunks(1000).for_each(|part| writer.append(&mut chip, part).expect("announced"));
        writer.finish(&mut chip).expect("powered");
        let entry = list(&mut chip, None).expect("a list").files[0];
        let second = entry.addresses().nth(1).expect("two sectors");
        chip.0[second as usize..][..64].fill(0);
        assert_eq!(list(&mut chip, None).map(|listing| listing.damaged), Ok(0));
        assert_eq!(remove_damaged(&mut chip), Ok(()));
        assert_eq!(verify(&mut chip, &entry), Ok(()));
    }

    #[test]
    fn a_writer_is_alone_until_another_file_is_added() {
        let sectors = Ring { first: 3, set: 1 << 3 };
        let entry = FileEntry {
            kind: FileKind::Log,
            name: Name::default(),
            sequence: 5,
            length: 1,
            crc: 0,
            sectors,
        };
        let newest = Some(Header { entry, replaced: 0 });
        let directory = Directory { newest, files: 1, taken: sectors.set, damaged: 0 };
        for (sector, sequence, leaves) in
            [(4, 6, true), (3, 6, false), (4, 5, false), (4, 4, false), (3, 5, false)]
        {
            let wanted = Ring { first: sector, set: 1 << sector };
            assert_eq!(directory.leaves(wanted, sequence), leaves, "{sector}, {sequence}");
        }
    }
}
