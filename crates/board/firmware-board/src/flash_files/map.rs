//! The map of a flash: the content, fill level and erase count of each sector.
//!
//! The order of the areas is the firmware's (`storage`). This module only reads the flash, and
//! formats nothing but names.

use firmware_core::name::Name;
use firmware_core::storage::files::{self, FileKind};
use firmware_core::storage::{FILES, GAME, RECORDS, SECTOR_BYTES};
use hal_mock::flash::{FlashChip, SECTOR_SIZE};

use super::kind::kind_name;

const _: () = assert!(SECTOR_BYTES as usize == SECTOR_SIZE);

/// A sector of the flash: 4 KiB, the unit of erasing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sector {
    /// Number of the sector, from 0.
    pub index: usize,
    /// Offset of the sector in the board's 256 KiB, in bytes.
    pub offset: u32,
    /// Number of erases since the flash was created, or read from a file.
    pub erases: u32,
    /// Number of bytes that are not erased (`0xFF`), of 4,096.
    pub used: u32,
    /// Use of the sector.
    pub content: SectorContent,
}

/// The use of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectorContent {
    /// The journal of erases and saves.
    Journal,
    /// Settings and scores.
    Records,
    /// The game in progress.
    GameInProgress,
    /// Part `part` of the `parts` sectors of a file.
    File {
        kind: FileKind,
        /// Name on the board.
        name: Name,
        /// Number of this part, from 1.
        part: u32,
        /// Number of sectors of the file.
        parts: u32,
    },
    /// Room for files. Any content (`used`) is left over and will be erased.
    Free,
}

impl SectorContent {
    /// Returns `journal`, `records`, `progress`, `game`, `log` or `free`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Journal => "journal",
            Self::Records => "records",
            Self::GameInProgress => "progress",
            Self::File { kind, .. } => kind_name(*kind),
            Self::Free => "free",
        }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::File { name, .. } => Some(name.as_str()),
            _ => None,
        }
    }
}

/// Returns all sectors of `chip`, which is not changed. The sectors of a file whose header is
/// damaged count as free.
pub fn flash_map(chip: &FlashChip) -> Vec<Sector> {
    // Listing requires a writable flash. A copy costs nothing as long as it is not written to.
    let mut files = files::list(&mut chip.clone(), None).map_or_else(
        |_| Vec::new(),
        |listing| {
            let parts = listing.files.iter().flat_map(|entry| {
                let parts = entry.addresses().count() as u32;
                (1..).zip(entry.addresses()).map(move |(part, offset)| {
                    let (kind, name) = (entry.kind, entry.name);
                    (offset, SectorContent::File { kind, name, part, parts })
                })
            });
            parts.collect()
        },
    );
    files.sort_by_key(|(offset, _)| *offset);
    let content = |offset: u32| match offset {
        _ if RECORDS.contains(&offset) => SectorContent::Records,
        _ if GAME.contains(&offset) => SectorContent::GameInProgress,
        _ if FILES.contains(&offset) => files
            .binary_search_by_key(&offset, |(offset, _)| *offset)
            .map_or(SectorContent::Free, |place| files[place].1),
        _ => SectorContent::Journal,
    };
    let sectors = chip.image().chunks(SECTOR_SIZE).enumerate();
    sectors
        .map(|(index, bytes)| {
            let offset = index as u32 * SECTOR_BYTES;
            Sector {
                index,
                offset,
                erases: chip.wear(index).unwrap_or_default(),
                used: bytes.iter().filter(|byte| **byte != 0xFF).count() as u32,
                content: content(offset),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use firmware_core::storage::{self, Settings};

    use super::*;
    use crate::flash_files::{FileContent, FlashFiles, name};

    fn kinds(chip: &FlashChip) -> Vec<(usize, &'static str)> {
        let map = flash_map(chip);
        let mut kinds: Vec<(usize, &'static str)> =
            map.iter().map(|sector| (sector.index, sector.content.kind())).collect();
        assert_eq!(kinds.len(), hal_mock::flash::SECTORS);
        kinds.dedup_by_key(|(_, kind)| *kind);
        kinds
    }

    #[test]
    fn a_new_flash_has_its_areas_and_no_wear() {
        let chip = FlashChip::factory_new();
        let areas = [(0, "journal"), (1, "records"), (13, "progress"), (16, "free")];
        assert_eq!(kinds(&chip), areas);
        assert!(flash_map(&chip).iter().all(|sector| (sector.erases, sector.used) == (0, 0)));
    }

    #[test]
    fn a_file_is_in_each_of_its_sectors_until_it_is_deleted() {
        let mut flash = FlashFiles::factory_new();
        let moves = "   1 Top 1\n".repeat(500);
        let log = FileContent::Log(format!("log of X\n{moves}"));
        flash.put(name("LONG").unwrap(), &log).unwrap();
        let long = |chip: &FlashChip| {
            let map = flash_map(chip).into_iter();
            map.filter(|sector| sector.content.name() == Some("LONG")).collect::<Vec<_>>()
        };
        let sectors = long(&flash.chip);
        let parts: Vec<(u32, u32)> = sectors
            .iter()
            .filter_map(|sector| match sector.content {
                SectorContent::File { part, parts, kind: FileKind::Log, .. } => Some((part, parts)),
                _ => None,
            })
            .collect();
        assert_eq!(parts, [(1, 2), (2, 2)]);
        assert_eq!(sectors[0].offset, sectors[0].index as u32 * 4096);
        assert!(sectors[0].used > 4_000 && sectors[1].used > 1_000, "{sectors:?}");
        flash.delete(FileKind::Log, name("LONG").unwrap()).unwrap();
        assert_eq!(long(&flash.chip), []);
    }

    #[test]
    fn wear_and_bytes_are_those_of_the_chip() {
        let mut chip = FlashChip::factory_new();
        chip.erase(0x2000, 0x4000).unwrap();
        storage::save(&mut chip, &Settings::FACTORY_NEW).unwrap();
        let map = flash_map(&chip);
        assert_eq!([map[2].erases, map[3].erases], [1, 1]);
        assert_eq!(map.iter().map(|sector| sector.erases).sum::<u32>(), 2);
        let records = map.iter().filter(|sector| sector.content == SectorContent::Records);
        assert!((8..100).contains(&records.map(|sector| sector.used).sum::<u32>()));
    }
}
