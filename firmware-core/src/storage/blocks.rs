//! Blocks of the log of the game in progress: a complete game, or the note that there is none.
//! [`newest`] finds the current block. This module writes nothing, and knows no entries: those are
//! in `progress`.
//!
//! | bytes of a block | contents |
//! |---|---|
//! | 0 to 3 | `play`, or `over` if no game is in progress |
//! | 4 to 7 | the sequence number, higher than that of every block before it |
//! | 8 to 15 | the new totals of its system: Bottom's, Top's |
//! | 16 | the system |
//! | 17 | 0 if there are no totals; else 1, 2 or 3: no player, the bottom player or the top player begins the next game |
//! | 18, 19 | the length of the game in bytes |
//! | 20 to 27 | the name under which it was saved or loaded; zeros for none |
//! | 28 to 31 | CRC-32 of the bytes before it, and of the game |
//! | 32 on | the game, padded to whole entries |
//!
//! Numbers are little-endian. A block begins at a multiple of an entry's bytes.

use embedded_storage::nor_flash::NorFlash;

use super::crc::Crc;
use super::error::{StorageError, flash_error};
use super::layout::{GAME, GAME_MARKS, SECTOR_BYTES};
use super::name::Name;
use crate::game::places::Player;

/// Length of an entry in bytes, and the unit of allocation.
pub(super) const ENTRY: u32 = 8;
/// Length of a block's head in bytes, before its game.
pub(super) const HEAD: u32 = 32;
pub(super) const PLAY: [u8; 4] = GAME_MARKS[0];
pub(super) const OVER: [u8; 4] = GAME_MARKS[1];
/// Number of sectors in the ring.
pub(super) const SECTORS: u32 = (GAME.end - GAME.start) / SECTOR_BYTES;
const _: () = assert!(SECTORS >= 2, "the game lies in one while the next is erased");

/// Number of bytes that are programmed or read at once: a part of a page.
pub(super) const CHUNK: usize = 64;
const _: () = assert!(CHUNK.is_multiple_of(HEAD as usize) && 256_usize.is_multiple_of(CHUNK));

/// Data stored with a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockInfo {
    /// Number of the system.
    pub system: u8,
    /// New totals of the system, by player, if this block changes them. If the power is cut before
    /// they are [stored](super::progress::Progress::stored), the log still has them.
    pub totals: Option<[u32; 2]>,
    /// Player who begins the next game, as stored with the totals; only present with them.
    pub begins: Option<Player>,
    /// Name under which the game was saved or loaded.
    pub name: Option<Name>,
}

/// A block in flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) sector: u32,
    /// Offset in its sector.
    pub(super) at: u32,
    /// Sequence number; 0 if there is no block.
    pub(super) sequence: u32,
    /// Length of the game in bytes.
    pub(super) length: u32,
    pub(super) is_play: bool,
}

impl Block {
    /// Returns the offset after the block.
    pub(super) const fn end(&self) -> u32 {
        self.at + HEAD + self.length.next_multiple_of(ENTRY)
    }
}

/// Returns the newest undamaged block, if there is one. Writes nothing.
///
/// # Errors
/// The flash failed.
pub(super) fn newest<F: NorFlash>(flash: &mut F) -> Result<Option<Block>, StorageError> {
    let mut newest = None;
    for sector in 0..SECTORS {
        look_at(&mut newest, &mut reader(flash), sector)?;
    }
    Ok(newest)
}

/// Returns the data stored with the game of a block.
///
/// # Errors
/// The flash failed.
pub(super) fn about<F: NorFlash>(flash: &mut F, block: &Block) -> Result<BlockInfo, StorageError> {
    let mut head = [0; HEAD as usize];
    flash.read(address(block.sector) + block.at, &mut head).map_err(flash_error)?;
    Ok(about_of(&head))
}

/// Returns the offset after the last programmed byte of a sector, in whole entries; 0 if it is
/// blank.
///
/// # Errors
/// The flash failed.
pub(super) fn end_of<F: NorFlash>(flash: &mut F, sector: u32) -> Result<u32, StorageError> {
    end_of_sector(&mut reader(flash), sector)
}

/// Returns the address of a sector of the log in flash.
pub(super) const fn address(sector: u32) -> u32 {
    GAME.start + sector * SECTOR_BYTES
}

pub(super) fn head_of(
    magic: [u8; 4],
    sequence: u32,
    about: &BlockInfo,
    length: u32,
    game: &dyn Fn(usize, &mut [u8]) -> usize,
) -> [u8; HEAD as usize] {
    let mut head = [0; HEAD as usize];
    head[..4].copy_from_slice(&magic);
    head[4..8].copy_from_slice(&sequence.to_le_bytes());
    if let Some([bottom, top]) = about.totals {
        head[8..12].copy_from_slice(&bottom.to_le_bytes());
        head[12..16].copy_from_slice(&top.to_le_bytes());
        head[17] = match about.begins {
            None => 1,
            Some(Player::Bottom) => 2,
            Some(Player::Top) => 3,
        };
    }
    head[16] = about.system;
    head[18..20].copy_from_slice(&(length as u16).to_le_bytes());
    head[20..28].copy_from_slice(about.name.unwrap_or_default().bytes());
    let mut crc = Crc::NONE;
    crc.add(&head[..28]);
    let mut chunk = [0; CHUNK];
    let mut from = 0;
    while from < length as usize {
        let now = game(from, &mut chunk);
        if now == 0 {
            break;
        }
        crc.add(&chunk[..now]);
        from += now;
    }
    head[28..].copy_from_slice(&crc.sum().to_le_bytes());
    head
}

/// Replaces `newest` by the newest block of a sector if that is newer.
fn look_at(
    newest: &mut Option<Block>,
    read: &mut Read<'_>,
    sector: u32,
) -> Result<(), StorageError> {
    let mut at = 0;
    let mut word = [0; 4];
    while at + HEAD <= SECTOR_BYTES {
        read(address(sector) + at, &mut word)?;
        let found = match word {
            PLAY | OVER => block_at(read, sector, at)?,
            // A blank sector contains no block.
            [0xFF, 0xFF, 0xFF, 0xFF] if at == 0 && end_of_sector(read, sector)? == 0 => {
                return Ok(());
            }
            _ => None,
        };
        match found {
            Some(block) => {
                at = block.end();
                if newest.is_none_or(|newest| newest.sequence < block.sequence) {
                    *newest = Some(block);
                }
            }
            None => at += ENTRY,
        }
    }
    Ok(())
}
/// Function that reads the flash from an address. As a trait object, so that the code that inspects
/// every byte is compiled once.
type Read<'f> = dyn FnMut(u32, &mut [u8]) -> Result<(), StorageError> + 'f;

fn reader<F: NorFlash>(
    flash: &mut F,
) -> impl FnMut(u32, &mut [u8]) -> Result<(), StorageError> + '_ {
    |at, bytes| flash.read(at, bytes).map_err(flash_error)
}

/// Returns the block at this offset, if it is undamaged.
fn block_at(read: &mut Read<'_>, sector: u32, at: u32) -> Result<Option<Block>, StorageError> {
    let mut head = [0; HEAD as usize];
    read(address(sector) + at, &mut head)?;
    let length = u32::from(u16::from_le_bytes([head[18], head[19]]));
    let sequence = word(&head, 4);
    let block = Block { sector, at, sequence, length, is_play: head[..4] == PLAY };
    if block.end() > SECTOR_BYTES || sequence == 0 {
        return Ok(None);
    }
    let mut crc = Crc::NONE;
    crc.add(&head[..28]);
    let mut chunk = [0; CHUNK];
    let mut from = 0;
    while from < length {
        let now = CHUNK.min((length - from) as usize);
        read(address(sector) + at + HEAD + from, &mut chunk[..now])?;
        crc.add(&chunk[..now]);
        from += now as u32;
    }
    Ok((crc.sum() == word(&head, 28)).then_some(block))
}

/// Returns the number whose lowest byte is `head[at]`.
fn word(head: &[u8; HEAD as usize], at: usize) -> u32 {
    let [a, b, c, d, ..] = head[at..] else { return 0 };
    u32::from_le_bytes([a, b, c, d])
}

fn about_of(head: &[u8; HEAD as usize]) -> BlockInfo {
    let [.., a, b, c, d, e, f, g, h, _, _, _, _] = *head;
    BlockInfo {
        system: head[16],
        totals: matches!(head[17], 1..=3).then_some([word(head, 8), word(head, 12)]),
        begins: match head[17] {
            2 => Some(Player::Bottom),
            3 => Some(Player::Top),
            _ => None,
        },
        name: Name::from_bytes([a, b, c, d, e, f, g, h]),
    }
}

fn end_of_sector(read: &mut Read<'_>, sector: u32) -> Result<u32, StorageError> {
    let mut chunk = [0; CHUNK];
    let mut end = SECTOR_BYTES;
    while end > 0 {
        let from = end - CHUNK as u32;
        read(address(sector) + from, &mut chunk)?;
        if let Some(last) = chunk.iter().rposition(|byte| *byte != 0xFF) {
            return Ok((from + last as u32 + 1).next_multiple_of(ENTRY));
        }
        end = from;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_a_block_is_read_as_it_was_written() {
        let about = BlockInfo {
            system: 2,
            totals: Some([0x0102_0304, 0xA1B2_C3D4]),
            begins: Some(Player::Top),
            name: Some(Name::from_bytes(*b"EVENING\0").unwrap()),
        };
        let head = head_of(PLAY, 7, &about, 0, &|_, _| 0);
        assert_eq!(about_of(&head), about);
        assert_eq!([word(&head, 4), word(&head, 8)], [7, 0x0102_0304]);
    }
}
