//! A file's header: 44 bytes that describe the file, and two words as marks.
//!
//! | bytes | contents |
//! |---|---|
//! | 0 to 3 | `file` |
//! | 4 | the kind: 0 a game, 1 a log |
//! | 5 to 7 | unused: zeros |
//! | 8 to 15 | the name |
//! | 16 to 19 | the sequence number |
//! | 20 to 23 | the sequence number of a file that this one replaces in addition to that of its name; 0 for none |
//! | 24 to 27 | the length of the content |
//! | 28 to 31 | its CRC-32 |
//! | 32 to 39 | the sectors, a bit each; their order begins with the header's own |
//! | 40 to 43 | the CRC-32 of the bytes 0 to 39 |
//! | 44 to 47 | a mark: the file is finished |
//! | 48 to 51 | a mark: the file is gone |
//!
//! Numbers are little-endian. A mark is a word of ones until it is programmed to zeros; it counts
//! as set once half of its bits are zero, even after a power cut. Header and mark are programmed
//! one after the other, so a header that does not read back although its mark is set was damaged
//! later.

use embedded_storage::nor_flash::NorFlash;

use super::entry::{FileEntry, FileKind};
use super::sectors::{ALL, ROOM, Ring, address, sectors_for};
use crate::storage::crc::Crc;
use crate::storage::error::{StorageError, flash_error};
use crate::storage::name::Name;

const BYTES: usize = 44;
const FINISHED: usize = BYTES;
const GONE: usize = FINISHED + MARK;
const MARK: usize = 4;
const END: usize = GONE + MARK;
const _: () = assert!(END <= ROOM as usize);

const MAGIC: [u8; 4] = *b"file";
const NOTHING: [u8; 3] = [0; 3];

/// Content of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) entry: FileEntry,
    /// Sequence number of a file with another name that is gone since this one is finished; 0 for
    /// none.
    pub(super) replaced: u32,
}

/// Beginning of a sector.
pub(super) enum SectorStart {
    /// No header, or the header of a file that is unfinished or gone.
    Nothing,
    /// The header of a file.
    File(Header),
    /// A header that is no longer readable.
    Damaged,
}

impl Header {
    /// Returns whether `other` is gone since this file is finished.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        let (new, old) = (&self.entry, &other.entry);
        let same = (new.kind, new.name) == (old.kind, old.name);
        old.sequence < new.sequence && (same || old.sequence == self.replaced)
    }

    fn to_bytes(self) -> [u8; BYTES] {
        let entry = &self.entry;
        let kind = match entry.kind {
            FileKind::Game => 0,
            FileKind::Log => 1,
        };
        let mut bytes = [0; BYTES];
        let fields: [&[u8]; 9] = [
            &MAGIC,
            &[kind],
            &NOTHING,
            entry.name.bytes(),
            &entry.sequence.to_le_bytes(),
            &self.replaced.to_le_bytes(),
            &entry.length.to_le_bytes(),
            &entry.crc.to_le_bytes(),
            &entry.sectors.set.to_le_bytes(),
        ];
        let mut rest = &mut bytes[..];
        for field in fields {
            let (here, later) = rest.split_at_mut(field.len());
            here.copy_from_slice(field);
            rest = later;
        }
        let (said, crc) = bytes.split_at_mut(BYTES - 4);
        crc.copy_from_slice(&Crc::of(said).to_le_bytes());
        bytes
    }

    /// Parses the header in `sector`; `None` if the bytes are not a header, or belong to another
    /// sector.
    fn from_bytes(bytes: &[u8; BYTES], sector: u8) -> Option<Self> {
        let (said, crc) = bytes.split_last_chunk()?;
        let (magic, rest) = said.split_first_chunk()?;
        let ([kind], rest) = rest.split_first_chunk()?;
        let (nothing, rest) = rest.split_first_chunk()?;
        let (name, rest) = rest.split_first_chunk()?;
        let (sequence, rest) = rest.split_first_chunk()?;
        let (replaced, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (content, rest) = rest.split_first_chunk()?;
        let set = u64::from_le_bytes(*rest.first_chunk()?);
        if Crc::of(said) != u32::from_le_bytes(*crc) || (*magic, *nothing) != (MAGIC, NOTHING) {
            return None;
        }
        let entry = FileEntry {
            kind: match kind {
                0 => FileKind::Game,
                1 => FileKind::Log,
                _ => return None,
            },
            // A file may be written without a name; its header is not damaged.
            name: if *name == [0; _] { Name::default() } else { Name::from_bytes(*name)? },
            sequence: u32::from_le_bytes(*sequence),
            length: u32::from_le_bytes(*length),
            crc: u32::from_le_bytes(*content),
            sectors: Ring { first: sector, set },
        };
        let fits = set & !ALL == 0
            && set & 1 << sector != 0
            && entry.sectors.count() == sectors_for(entry.length);
        fits.then_some(Self { entry, replaced: u32::from_le_bytes(*replaced) })
    }
}

/// Returns the beginning of `sector`.
pub(super) fn look<F: NorFlash>(flash: &mut F, sector: u8) -> Result<SectorStart, StorageError> {
    let mut bytes = [0; END];
    flash.read(address(sector), &mut bytes).map_err(flash_error)?;
    let made = |mark: usize| {
        bytes[mark..mark + MARK].iter().map(|byte| byte.count_zeros()).sum::<u32>() >= 16
    };
    // No deleted file has a header of zeros: that is damage, and the file may still exist.
    if bytes == [0; END] {
        return Ok(SectorStart::Damaged);
    }
    if !made(FINISHED) || made(GONE) {
        return Ok(SectorStart::Nothing);
    }
    let header = bytes.first_chunk().and_then(|bytes| Header::from_bytes(bytes, sector));
    Ok(header.map_or(SectorStart::Damaged, SectorStart::File))
}

/// Writes `header` into its sector, and then the mark that its file is finished.
///
/// # Errors
/// The flash failed; [`StorageError::Damaged`] if the header does not read back (the file is then
/// unfinished).
pub(super) fn write<F: NorFlash>(flash: &mut F, header: &Header) -> Result<(), StorageError> {
    const { assert!(MARK.is_multiple_of(F::WRITE_SIZE), "marks are whole words to write") };
    let at = address(header.entry.sectors.first);
    let wanted = header.to_bytes();
    let mut found = [0; BYTES];
    flash.write(at, &wanted).map_err(flash_error)?;
    flash.read(at, &mut found).map_err(flash_error)?;
    if found != wanted {
        return Err(StorageError::Damaged);
    }
    flash.write(at + FINISHED as u32, &[0; MARK]).map_err(flash_error)
}

/// Marks the file whose header is in `sector` as gone, and looks whether it is.
pub(super) fn mark_gone<F: NorFlash>(flash: &mut F, sector: u8) -> Result<(), StorageError> {
    flash.write(address(sector) + GONE as u32, &[0; MARK]).map_err(flash_error)?;
    match look(flash, sector)? {
        SectorStart::File(_) => Err(StorageError::Damaged),
        SectorStart::Nothing | SectorStart::Damaged => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::chip::Chip;
    use crate::storage::files::{list, remove_all};

    const SECTOR: u8 = 47;

    fn some() -> Header {
        let entry = FileEntry {
            kind: FileKind::Log,
            name: Name::new("LOG-1").expect("a name"),
            sequence: 0x0403_0201,
            length: 4033,
            crc: 0x0807_0605,
            sectors: Ring { first: SECTOR, set: 1 << SECTOR | 1 << 2 },
        };
        Header { entry, replaced: 7 }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let bytes = some().to_bytes();
        assert_eq!(bytes[..16], *b"file\x01\0\0\0LOG-1\0\0\0");
        assert_eq!(bytes[16..32], [1, 2, 3, 4, 7, 0, 0, 0, 0xC1, 0x0F, 0, 0, 5, 6, 7, 8]);
        assert_eq!(Header::from_bytes(&bytes, SECTOR), Some(some()));
    }

    #[test]
    fn a_header_with_a_flipped_bit_is_rejected() {
        for bit in 0..BYTES * 8 {
            let mut bytes = some().to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Header::from_bytes(&bytes, SECTOR), None, "bit {bit}");
        }
    }

    #[test]
    fn a_header_with_the_wrong_sectors_is_rejected() {
        assert_eq!(Header::from_bytes(&some().to_bytes(), 3), None, "another's sector");
        let mut longer = some();
        longer.entry.length *= 2;
        let mut outside = some();
        outside.entry.sectors.set ^= 1 << 2 | 1 << 48;
        for header in [longer, outside] {
            assert_eq!(Header::from_bytes(&header.to_bytes(), SECTOR), None, "{header:?}");
        }
    }

    #[test]
    fn a_file_replaces_older_ones_of_its_name_and_one_more() {
        let new = some();
        let mut old = some();
        assert!(!new.replaces(&old), "itself");
        old.entry.sequence -= 1;
        assert!(new.replaces(&old) && !old.replaces(&new));
        old.entry.kind = FileKind::Game;
        assert!(!new.replaces(&old), "another kind");
        old.entry.sequence = new.replaced;
        assert!(new.replaces(&old));
    }

    #[test]
    fn a_header_of_zeros_is_damaged_and_a_gone_one_is_ignored() {
        let mut chip = Chip::factory_new();
        let at = address(3) as usize;
        chip.0[at..at + END].fill(0);
        assert!(matches!(look(&mut chip, 3), Ok(SectorStart::Damaged)));
        assert_eq!(list(&mut chip, None).map(|listing| listing.damaged), Ok(1));
        // It cannot be marked, so its sector is erased.
        assert_eq!(remove_all(&mut chip), Ok(()));
        assert!(chip.0[at..at + END].iter().all(|byte| *byte == 0xFF));
        for byte in 0..END {
            let mut chip = Chip::factory_new();
            chip.0[at..at + END].fill(0);
            chip.0[at + byte] = 1;
            assert!(matches!(look(&mut chip, 3), Ok(SectorStart::Nothing)), "byte {byte}");
        }
    }

    #[test]
    fn a_mark_counts_as_set_from_half_of_its_bits() {
        let mut header = some();
        header.entry.sectors.first = 3;
        header.entry.sectors.set = 1 << 3 | 1 << 4;
        let at = address(3) as usize;
        for (finished, gone, is_file) in [
            (0xFFFF_0000_u32, 0xFFFF_FFFF_u32, true),
            (0xFFFF_0001, 0xFFFF_FFFF, false),
            (0, 0xFFFF_0001, true),
            (0, 0xFFFF_0000, false),
        ] {
            let mut chip = Chip::factory_new();
            chip.0[at..at + BYTES].copy_from_slice(&header.to_bytes());
            chip.0[at + FINISHED..at + GONE].copy_from_slice(&finished.to_le_bytes());
            chip.0[at + GONE..at + END].copy_from_slice(&gone.to_le_bytes());
            let found = match look(&mut chip, 3) {
                Ok(SectorStart::File(found)) => Some(found),
                Ok(SectorStart::Nothing) => None,
                _ => panic!("{finished:#x} {gone:#x}"),
            };
            assert_eq!(found, is_file.then_some(header), "{finished:#x} {gone:#x}");
        }
    }
}
