//! The use of the flash sectors: see the table in [`storage`](crate::storage).

use core::ops::Range;

/// Number of flash bytes that the board reserves for storage.
pub const FLASH_BYTES: u32 = 256 * 1024;
/// Size of a sector in bytes, the unit of erasing.
pub const SECTOR_BYTES: u32 = 4096;

/// Address of the journal's sector.
pub const JOURNAL: u32 = 0;
/// Addresses of the sectors of settings and scores.
pub const RECORDS: Range<u32> = SECTOR_BYTES..13 * SECTOR_BYTES;
/// Addresses of the sectors of the game in progress. Earlier versions had records there.
pub const GAME: Range<u32> = 13 * SECTOR_BYTES..16 * SECTOR_BYTES;
/// First word of a sector of the game: a game, or the note that none is in progress.
pub(super) const GAME_MARKS: [[u8; 4]; 2] = [*b"play", *b"over"];
/// Addresses of the sectors of files.
pub const FILES: Range<u32> = 16 * SECTOR_BYTES..FLASH_BYTES;

const _: () = assert!(JOURNAL + SECTOR_BYTES <= RECORDS.start);
const _: () = assert!(RECORDS.end == GAME.start && GAME.end <= FILES.start);
