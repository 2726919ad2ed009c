//! Erases that survive a cut of power, and a note of which records have been saved, and how often.
//!
//! A sector whose erase was interrupted can hold anything. It may look full and whole while
//! its items are gone, or erased while a few bits are not. sequential-storage judges a
//! sector by its first and last byte and is misled by both: it may repair by erasing the
//! very copy that it had just made. So this writes down which sector it is about to erase,
//! before, and that it is done, after; [`recover`] erases again what is not marked done.
//! Nothing else touches the sector in between, and erasing twice does no harm. Damage can make
//! an erase look unfinished that was done long ago: a sector that is in use again is left alone.
//!
//! Each save of a record is noted as well, by the record's sequence number. A record that is not
//! there is then known to be lost and not just a save that lost its power, of which nothing can be
//! expected. The note lies far from the record: damage of a few bytes does not reach both.
//!
//! An entry is eight bytes: what (four bytes), which sector or record (two bytes), its
//! complement. In a note of a save the last two bytes of what are the low half of the sequence
//! number; the record, its complement, and that of the number follow. Firmware before sequence
//! numbers wrote `kept`. An entry that power cut short is neither and is passed over: its
//! erase had not begun, or, if it stands where an erase would be marked done, was over. A journal
//! without room is erased itself, at a moment when no erase is under way.

use embedded_storage::nor_flash::NorFlash;

use super::error::{StorageError, flash_error};
use super::key::Key;
use super::layout::{FILES, FLASH_BYTES, GAME, JOURNAL, RECORDS, SECTOR_BYTES};

const ENTRY: usize = 8;
const ENTRIES: u32 = SECTOR_BYTES / ENTRY as u32;
const BEGUN: [u8; 4] = *b"wipe";
const DONE: [u8; 4] = *b"done";
/// A record was saved, by firmware that counts.
const SAVED: [u8; 2] = *b"kp";
/// A record was saved, by firmware that did not count.
const KEPT: [u8; 4] = *b"kept";

// The sectors that an entry may name.
const FIRST: u32 = RECORDS.start / SECTOR_BYTES;
const END: u32 = FILES.end / SECTOR_BYTES;
const _: () = assert!(RECORDS.end == GAME.start && GAME.end == FILES.start);
/// The number in a note for the record of key 0; the others follow.
const KEPT_FIRST: u32 = FIRST;
const _: () = assert!(KEPT_FIRST + Key::COUNT <= END);

/// The low half of the sequence number of each record that was saved last, by key.
pub(super) type Saves = [Option<u16>; Key::COUNT as usize];

/// What comes before everything else: an interrupted erase is done again, unless its sector
/// `is_needed`. Returns the saves that are noted.
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

/// Erases the sectors `from..to`, each noted before and after.
pub(super) fn erase<F: NorFlash>(flash: &mut F, from: u32, to: u32) -> Result<(), F::Error> {
    let mut at = from;
    while at < to {
        let sector = at / SECTOR_BYTES;
        // Room for both entries, or the second would have nowhere to go.
        let journal = read(flash)?;
        let next =
            if ENTRIES - journal.next < 2 { start_over(flash, &journal)? } else { journal.next };
        note(flash, next, BEGUN, sector)?;
        wipe(flash, at)?;
        note(flash, next + 1, DONE, sector)?;
        at += SECTOR_BYTES;
    }
    Ok(())
}

/// Finishes the erase that a cut of power interrupted, if there was one.
fn recover<F: NorFlash>(flash: &mut F, journal: &Journal, needed: bool) -> Result<(), F::Error> {
    if let Some(sector) = journal.begun {
        if !needed {
            wipe(flash, sector * SECTOR_BYTES)?;
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

/// Notes that the record of this key with that `sequence` number has been saved, unless that is
/// the last note already. Call it after [`open`].
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

/// The contents of the journal.
struct Journal {
    /// The sector whose erase was begun and not marked done.
    begun: Option<u32>,
    /// The records that have been saved.
    saves: Saves,
    /// The first entry that is still free, 0 to [`ENTRIES`].
    next: u32,
    /// A free entry comes before a used one: an erase of the journal was interrupted.
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
        // The journal is erased only when no other erase is under way.
        journal.begun = None;
    }
    Ok(journal)
}

impl Journal {
    /// Goes on with the entries in `chunk`, of which the first has this index.
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
                // Behind a begun erase nothing is written but that it is done: whatever
                // stands there was to say so when the power went, or said so before damage.
                _ => self.begun = None,
            }
        }
    }
}

/// What an entry says.
enum Entry {
    Begun(u32),
    Done,
    Saved { record: u32, sequence: u16 },
}

/// An entry, if it is whole.
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

/// Erases the journal when no erase is under way, writes again what has to stay in it, and returns
/// the first free entry. A cut in between forgets that records have been saved; the
/// next time that one is read it is noted again.
fn start_over<F: NorFlash>(flash: &mut F, journal: &Journal) -> Result<u32, F::Error> {
    wipe(flash, JOURNAL)?;
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

fn wipe<F: NorFlash>(flash: &mut F, at: u32) -> Result<(), F::Error> {
    flash.erase(at, at + SECTOR_BYTES)
}

#[cfg(test)]
mod tests;
