//! Blocks of the log of the game in progress: a game as it stands, or that there is none. [`newest`]
//! finds the one that counts. It writes nothing, and knows no entries: that is `progress`.
//!
//! | bytes of a block | hold |
//! |---|---|
//! | 0 to 3 | `play`, or `over` if no game is in progress |
//! | 4 to 7 | the sequence number, higher than that of every block before it |
//! | 8 to 15 | the totals of its system from now on: Bottom's, Top's |
//! | 16 | the system |
//! | 17 | 0 if there are no totals; else 1, 2 or 3: no player, the bottom player or the top player begins the next game |
//! | 18, 19 | how many bytes the game has |
//! | 20 to 27 | the name under which it was saved or loaded; zeros for none |
//! | 28 to 31 | CRC-32 of the bytes before it, and of the game |
//! | 32 on | the game, filled up to whole entries |
//!
//! Numbers are little-endian. A block begins at a multiple of an entry's bytes.

use embedded_storage::nor_flash::NorFlash;

use super::crc::Crc;
use super::error::{StorageError, flash_error};
use super::layout::{GAME, GAME_MARKS, SECTOR_BYTES};
use super::name::Name;
use crate::game::places::Player;

/// Bytes of an entry, and the unit of room.
pub(super) const ENTRY: u32 = 8;
/// Bytes of a block before its game.
pub(super) const HEAD: u32 = 32;
pub(super) const PLAY: [u8; 4] = GAME_MARKS[0];
pub(super) const OVER: [u8; 4] = GAME_MARKS[1];
/// Sectors of the ring.
pub(super) const SECTORS: u32 = (GAME.end - GAME.start) / SECTOR_BYTES;
const _: () = assert!(SECTORS >= 2, "the game lies in one while the next is erased");

/// Bytes that are programmed or read at once: a part of a page.
pub(super) const CHUNK: usize = 64;
const _: () = assert!(CHUNK.is_multiple_of(HEAD as usize) && 256_usize.is_multiple_of(CHUNK));

/// What goes with a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Number of the system.
    pub system: u8,
    /// What the totals of the system are from this block on, by player, if it changes them. If the
    /// power goes before they are [stored](super::progress::Progress::stored), the log still has them.
    pub totals: Option<[u32; 2]>,
    /// Who begins the next game, as it is stored with the totals; only with them.
    pub begins: Option<Player>,
    /// The name under which it was saved or loaded.
    pub name: Option<Name>,
}

/// A block in flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) sector: u32,
    /// Where it begins in its sector.
    pub(super) at: u32,
    /// 0 if there is none.
    pub(super) sequence: u32,
    /// Of the game.
    pub(super) length: u32,
    pub(super) is_play: bool,
}

impl Block {
    /// Behind it.
    pub(super) const fn end(&self) -> u32 {
        self.at + HEAD + self.length.next_multiple_of(ENTRY)
    }
}

/// The newest block that is whole, if there is one. It writes nothing.
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

/// What goes with the game of a block.
///
/// # Errors
/// The flash failed.
pub(super) fn about<F: NorFlash>(flash: &mut F, block: &Block) -> Result<About, StorageError> {
    let mut head = [0; HEAD as usize];
    flash.read(address(block.sector) + block.at, &mut head).map_err(flash_error)?;
    Ok(about_of(&head))
}

/// Behind the last byte of a sector that is programmed, in whole entries; 0 if it is blank.
///
/// # Errors
/// The flash failed.
pub(super) fn end_of<F: NorFlash>(flash: &mut F, sector: u32) -> Result<u32, StorageError> {
    end_of_sector(&mut reader(flash), sector)
}

/// Where a sector of the log begins in flash.
pub(super) const fn address(sector: u32) -> u32 {
    GAME.start + sector * SECTOR_BYTES
}

pub(super) fn head_of(
    magic: [u8; 4],
    sequence: u32,
    about: &About,
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

/// Takes the newest block of a sector if it is newer.
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
            // Nothing begins in a new sector.
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
/// Reads the flash from an address on. What looks at every byte is compiled once.
type Read<'f> = dyn FnMut(u32, &mut [u8]) -> Result<(), StorageError> + 'f;

fn reader<F: NorFlash>(
    flash: &mut F,
) -> impl FnMut(u32, &mut [u8]) -> Result<(), StorageError> + '_ {
    |at, bytes| flash.read(at, bytes).map_err(flash_error)
}

/// The block that begins there, if it is whole.
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

/// The number whose lowest byte is `head[at]`.
fn word(head: &[u8; HEAD as usize], at: usize) -> u32 {
    let [a, b, c, d, ..] = head[at..] else { return 0 };
    u32::from_le_bytes([a, b, c, d])
}

fn about_of(head: &[u8; HEAD as usize]) -> About {
    let [.., a, b, c, d, e, f, g, h, _, _, _, _] = *head;
    About {
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
    fn what_goes_with_a_game_is_read_as_it_was_written() {
        let about = About {
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
