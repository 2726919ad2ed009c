//! Erases that survive a power cut, and notes of the saved records and their number.
//!
//! A sector whose erase was interrupted can contain anything. It may look full and undamaged
//! although its items are gone, or erased although a few bits are not. sequential-storage judges a
//! sector by its first and last byte and is misled by both: its repair may erase the very copy that
//! it had just made. So the journal notes which sector is about to be erased, and afterwards that
//! the erase is done; [`recover`] repeats an erase that is not marked done. Nothing else changes
//! the sector in between, and erasing twice does no harm. Damage can make an erase look unfinished
//! that was done long ago: a sector that is in use again is not erased.
//!
//! Each save of a record is noted as well, with the record's sequence number. A missing record is
//! then known to be lost, and distinguishable from a save during which the power was cut, which
//! guarantees nothing. The note is far from the record: damage of a few bytes does not affect both.
//!
//! An entry is eight bytes: the kind (four bytes), the sector or record (two bytes), and its
//! complement. In a note of a save the last two bytes of the kind are the low half of the sequence
//! number; the record, its complement, and that of the number follow. Firmware without sequence
//! numbers wrote `kept`. An entry that a power cut truncated is invalid and is skipped: its erase
//! had not begun, or, if it is in the place of a done mark, was finished. A full journal is itself
//! erased, while no other erase is in progress.

use embedded_storage::nor_flash::NorFlash;

use super::error::{StorageError, flash_error};
use super::key::Key;
use super::layout::{FILES, FLASH_BYTES, GAME, JOURNAL, RECORDS, SECTOR_BYTES};

const ENTRY: usize = 8;
const ENTRIES: u32 = SECTOR_BYTES / ENTRY as u32;
const BEGUN: [u8; 4] = *b"wipe";
const DONE: [u8; 4] = *b"done";
/// Note of a saved record, from firmware with sequence numbers.
const SAVED: [u8; 2] = *b"kp";
/// Note of a saved record, from firmware without sequence numbers.
const KEPT: [u8; 4] = *b"kept";

// Sectors that an entry may name.
const FIRST: u32 = RECORDS.start / SECTOR_BYTES;
const END: u32 = FILES.end / SECTOR_BYTES;
const _: () = assert!(RECORDS.end == GAME.start && GAME.end == FILES.start);
/// Number in a note for the record with key 0; the others follow.
const KEPT_FIRST: u32 = FIRST;
const _: () = assert!(KEPT_FIRST + Key::COUNT <= END);

/// Low half of the sequence number of each record's last save, by key.
pub(super) type Saves = [Option<u16>; Key::COUNT as usize];

/// First step of every access: repeats an interrupted erase, unless its sector `is_needed`. Returns
/// the noted saves.
///
/// # Errors
/// The flash failed or is too small.
pub(super) fn open<F: NorFlash>(
    flash: &mut F,
    is_needed: impl FnOnce(&mut F, u32) -> Result<bool, StorageError>,
) -> Result<Saves, StorageError> {
    const {
        assert!(F::ERASE_SIZE == SECTOR_BYTES as usize, "storage is laid out for 4 KiB sectors");
    }
    if flash.capacity() < FLASH_BYTES as usize {
        return Err(StorageError::TooSmall);
    }
    let journal = read(flash).map_err(flash_error)?;
    let needed = match journal.begun {
        Some(sector) => is_needed(flash, sector * SECTOR_BYTES)?,
        None => false,
    };
    recover(flash, &journal, needed).map_err(flash_error)?;
    Ok(journal.saves)
}

/// Erases the sectors `from..to`, with a note before and after each.
pub(super) fn erase<F: NorFlash>(flash: &mut F, from: u32, to: u32) -> Result<(), F::Error> {
    let mut at = from;
    while at < to {
        let sector = at / SECTOR_BYTES;
        // Both entries need room; otherwise the second one could not be written.
        let journal = read(flash)?;
        let next =
            if ENTRIES - journal.next < 2 { start_over(flash, &journal)? } else { journal.next };
        note(flash, next, BEGUN, sector)?;
        erase_unjournalled(flash, at)?;
        note(flash, next + 1, DONE, sector)?;
        at += SECTOR_BYTES;
    }
    Ok(())
}

/// Erases the sectors `from..to` as [`erase`] does, and reads them back: a flash may ignore an erase.
///
/// # Errors
/// The flash failed; [`StorageError::Damaged`] if a sector is not blank.
pub(super) fn erase_checked<F: NorFlash>(
    flash: &mut F,
    from: u32,
    to: u32,
) -> Result<(), StorageError> {
    erase(flash, from, to).map_err(flash_error)?;
    if is_blank(flash, from, to)? { Ok(()) } else { Err(StorageError::Damaged) }
}

/// Returns whether nothing is programmed from address `from` to `to`, in whole sectors.
///
/// # Errors
/// The flash failed.
pub(super) fn is_blank<F: NorFlash>(
    flash: &mut F,
    from: u32,
    to: u32,
) -> Result<bool, StorageError> {
    let mut chunk = [0; 64];
    for at in (from..to).step_by(chunk.len()) {
        flash.read(at, &mut chunk).map_err(flash_error)?;
        if chunk != [0xFF; 64] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Finishes the erase that a power cut interrupted, if there was one.
fn recover<F: NorFlash>(flash: &mut F, journal: &Journal, needed: bool) -> Result<(), F::Error> {
    if let Some(sector) = journal.begun {
        if !needed {
            erase_unjournalled(flash, sector * SECTOR_BYTES)?;
        }
        if journal.next < ENTRIES {
            return note(flash, journal.next, DONE, sector);
        }
        start_over(flash, journal)?;
    } else if journal.torn {
        start_over(flash, journal)?;
    }
    Ok(())
}

/// Notes that the record of this key was saved with this `sequence` number, unless that is already
/// the last note. Call it after [`open`].
pub(super) fn note_saved<F: NorFlash>(
    flash: &mut F,
    key: Key,
    sequence: u16,
) -> Result<(), F::Error> {
    let journal = read(flash)?;
    if journal.saves[key as usize] == Some(sequence) {
        return Ok(());
    }
    let next = if journal.next == ENTRIES { start_over(flash, &journal)? } else { journal.next };
    note_save(flash, next, key as u32, sequence)
}

/// Content of the journal.
struct Journal {
    /// Sector whose erase was begun and not marked done.
    begun: Option<u32>,
    /// Records that have been saved.
    saves: Saves,
    /// First free entry, 0 to [`ENTRIES`].
    next: u32,
    /// Whether a free entry precedes a used one: an erase of the journal was interrupted.
    torn: bool,
}

fn read<F: NorFlash>(flash: &mut F) -> Result<Journal, F::Error> {
    const {
        assert!(ENTRY.is_multiple_of(F::WRITE_SIZE), "an entry is made of whole words to write");
        assert!(ENTRY.is_multiple_of(F::READ_SIZE), "an entry is made of whole words to read");
    }
    let mut journal = Journal { begun: None, saves: [None; _], next: ENTRIES, torn: false };
    let mut chunk = [0; 32 * ENTRY];
    for start in (0..ENTRIES).step_by(chunk.len() / ENTRY) {
        flash.read(JOURNAL + start * ENTRY as u32, &mut chunk)?;
        journal.take(&chunk, start);
    }
    if journal.torn {
        // The journal is erased only while no other erase is in progress.
        journal.begun = None;
    }
    Ok(journal)
}

impl Journal {
    /// Adds the entries in `chunk`; the first one has the index `first`.
    fn take(&mut self, chunk: &[u8], first: u32) {
        for (entry, index) in chunk.chunks_exact(ENTRY).zip(first..) {
            if entry.iter().all(|&byte| byte == 0xFF) {
                self.next = self.next.min(index);
                continue;
            }
            self.torn |= self.next < index;
            match parse(entry) {
                Some(Entry::Saved { record, sequence }) => {
                    if let Some(last) = self.saves.get_mut(record as usize) {
                        *last = Some(sequence);
                    }
                }
                Some(Entry::Begun(sector)) => self.begun = Some(sector),
                // After a begun erase, only the done mark is written: any entry here was that mark,
                // cut off by a power cut or damaged later.
                _ => self.begun = None,
            }
        }
    }
}

/// Content of an entry.
enum Entry {
    Begun(u32),
    Done,
    Saved { record: u32, sequence: u16 },
}

/// Parses an entry; `None` if it is invalid.
fn parse(entry: &[u8]) -> Option<Entry> {
    let &[a, b, c, d, low, high, check_low, check_high] = entry else {
        return None;
    };
    let record = |number: u32| number.checked_sub(KEPT_FIRST).filter(|nth| *nth < Key::COUNT);
    if [a, b] == SAVED && [high, check_low, check_high] == [!low, !c, !d] {
        let sequence = u16::from_le_bytes([c, d]);
        return record(low.into()).map(|record| Entry::Saved { record, sequence });
    }
    let number = u32::from(u16::from_le_bytes([low, high]));
    if [check_low, check_high] != [!low, !high] || !(FIRST..END).contains(&number) {
        return None;
    }
    match [a, b, c, d] {
        BEGUN => Some(Entry::Begun(number)),
        DONE => Some(Entry::Done),
        KEPT => record(number).map(|record| Entry::Saved { record, sequence: 0 }),
        _ => None,
    }
}

/// Erases the journal while no other erase is in progress, and writes its notes again. Returns the
/// first free entry. A power cut in between loses notes of saved records; each is noted again the
/// next time its record is read.
fn start_over<F: NorFlash>(flash: &mut F, journal: &Journal) -> Result<u32, F::Error> {
    erase_unjournalled(flash, JOURNAL)?;
    let mut next = 0;
    for (record, sequence) in (0..).zip(journal.saves) {
        if let Some(sequence) = sequence {
            note_save(flash, next, record, sequence)?;
            next += 1;
        }
    }
    Ok(next)
}

fn note_save<F: NorFlash>(
    flash: &mut F,
    index: u32,
    record: u32,
    sequence: u16,
) -> Result<(), F::Error> {
    let number = (KEPT_FIRST + record) as u8;
    let ([a, b], [c, d]) = (SAVED, sequence.to_le_bytes());
    flash.write(JOURNAL + index * ENTRY as u32, &[a, b, c, d, number, !number, !c, !d])
}

fn note<F: NorFlash>(
    flash: &mut F,
    index: u32,
    what: [u8; 4],
    sector: u32,
) -> Result<(), F::Error> {
    let [low, high, ..] = sector.to_le_bytes();
    let [a, b, c, d] = what;
    flash.write(JOURNAL + index * ENTRY as u32, &[a, b, c, d, low, high, !low, !high])
}

fn erase_unjournalled<F: NorFlash>(flash: &mut F, at: u32) -> Result<(), F::Error> {
    flash.erase(at, at + SECTOR_BYTES)
}

#[cfg(test)]
mod tests;
