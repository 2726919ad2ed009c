//! Which sectors of the flash hold what: see the table in [`storage`](crate::storage).

use core::ops::Range;

/// Bytes of flash that the board keeps for storage.
pub const FLASH_BYTES: u32 = 256 * 1024;
/// Bytes of a sector, the unit of erasing.
pub const SECTOR_BYTES: u32 = 4096;

/// The first byte of the sector of the journal.
pub const JOURNAL: u32 = 0;
/// The bytes of the sectors of settings and scores.
pub const RECORDS: Range<u32> = SECTOR_BYTES..13 * SECTOR_BYTES;
/// The bytes of the sectors of the game in progress. Earlier versions had records there.
pub const GAME: Range<u32> = 13 * SECTOR_BYTES..16 * SECTOR_BYTES;
/// What a sector of the game begins with: a game, or that none is in progress.
pub(super) const GAME_MARKS: [[u8; 4]; 2] = [*b"play", *b"over"];
/// The bytes of the sectors of files.
pub const FILES: Range<u32> = 16 * SECTOR_BYTES..FLASH_BYTES;

const _: () = assert!(JOURNAL + SECTOR_BYTES <= RECORDS.start);
const _: () = assert!(RECORDS.end == GAME.start && GAME.end <= FILES.start);
