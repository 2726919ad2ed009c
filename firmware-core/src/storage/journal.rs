//! Erases that survive a cut of power, and a note of which records have been saved.
//!
//! A sector whose erase was interrupted can hold anything. It may look full and whole while
//! its items are gone, or erased while a few bits are not. sequential-storage judges a
//! sector by its first and last byte and is misled by both: it may repair by erasing the
//! very copy that it had just made. So this writes down which sector it is about to erase,
//! before, and that it is done, after; [`recover`] erases again what is not marked done.
//! Nothing else touches the sector in between, and erasing twice does no harm.
//!
//! The first save of each record is noted as well. A record that is not there is then known
//! to be lost and not just a first save that lost its power, of which nothing can be expected.
//!
//! An entry is eight bytes: what (four bytes), which sector or record (two bytes), its
//! complement. One that power cut short is neither and is passed over: its erase had not
//! begun, or, if it stands where an erase would be marked done, was over. A journal without
//! room is erased itself, at a moment when no erase is under way.

use embedded_storage::nor_flash::NorFlash;

use super::error::{StorageError, flash_error};
use super::key::Key;
use super::layout::{FILES, FLASH_BYTES, JOURNAL, RECORDS, SECTOR_BYTES};

const ENTRY: usize = 8;
const ENTRIES: u32 = SECTOR_BYTES / ENTRY as u32;
const BEGUN: [u8; 4] = *b"wipe";
const DONE: [u8; 4] = *b"done";
const KEPT: [u8; 4] = *b"kept";

// The sectors that an entry may name.
const FIRST: u32 = RECORDS.start / SECTOR_BYTES;
const END: u32 = FILES.end / SECTOR_BYTES;
const _: () = assert!(RECORDS.end == FILES.start);
/// The number in an entry of [`KEPT`] for the record of key 0; the others follow.
const KEPT_FIRST: u32 = FIRST;
const _: () = assert!(KEPT_FIRST + Key::COUNT <= END && Key::COUNT <= u8::BITS);

/// What comes before everything else: an interrupted erase is done again.
pub(super) fn open<F: NorFlash>(flash: &mut F) -> Result<(), StorageError> {
    const {
        assert!(F::ERASE_SIZE == SECTOR_BYTES as usize, "storage is laid out for 4 KiB sectors");
    }
    if flash.capacity() < FLASH_BYTES as usize {
        return Err(StorageError::TooSmall);
    }
    recover(flash).map_err(flash_error)
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
pub(super) fn recover<F: NorFlash>(flash: &mut F) -> Result<(), F::Error> {
    let journal = read(flash)?;
    if let Some(sector) = journal.begun {
        wipe(flash, sector * SECTOR_BYTES)?;
        if journal.next < ENTRIES {
            return note(flash, journal.next, DONE, sector);
        }
        start_over(flash, &journal)?;
    } else if journal.torn {
        start_over(flash, &journal)?;
    }
    Ok(())
}

/// The records that [`note_saved`] has noted: bit 0 for key 0, and so on.
pub(super) fn saved<F: NorFlash>(flash: &mut F) -> Result<u8, F::Error> {
    Ok(read(flash)?.saved)
}

/// Notes, once, that the record of this key has been saved. Call it after [`recover`].
pub(super) fn note_saved<F: NorFlash>(flash: &mut F, key: Key) -> Result<(), F::Error> {
    let journal = read(flash)?;
    if journal.saved & key.bit() != 0 {
        return Ok(());
    }
    let next = if journal.next == ENTRIES { start_over(flash, &journal)? } else { journal.next };
    note(flash, next, KEPT, KEPT_FIRST + key as u32)
}

/// The contents of the journal.
struct Journal {
    /// The sector whose erase was begun and not marked done.
    begun: Option<u32>,
    /// The records that have been saved, a bit each.
    saved: u8,
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
    let mut journal = Journal { begun: None, saved: 0, next: ENTRIES, torn: false };
    let mut chunk = [0; 32 * ENTRY];
    for start in (0..ENTRIES).step_by(chunk.len() / ENTRY) {
        flash.read(JOURNAL + start * ENTRY as u32, &mut chunk)?;
        for (entry, index) in chunk.chunks_exact(ENTRY).zip(start..) {
            if entry.iter().all(|&byte| byte == 0xFF) {
                journal.next = journal.next.min(index);
                continue;
            }
            journal.torn |= journal.next < index;
            match parse(entry) {
                Some((KEPT, number)) if number < KEPT_FIRST + Key::COUNT => {
                    journal.saved |= 1 << (number - KEPT_FIRST);
                }
                Some((BEGUN, sector)) => journal.begun = Some(sector),
                // Behind a begun erase nothing is written but that it is done: whatever
                // stands there was to say so when the power went, or said so before damage.
                _ => journal.begun = None,
            }
        }
    }
    if journal.torn {
        // The journal is erased only when no other erase is under way.
        journal.begun = None;
    }
    Ok(journal)
}

/// An entry's mark and its sector or record, if the entry is whole.
fn parse(entry: &[u8]) -> Option<([u8; 4], u32)> {
    let &[a, b, c, d, low, high, not_low, not_high] = entry else {
        return None;
    };
    let sector = u32::from(u16::from_le_bytes([low, high]));
    let whole = [!low, !high] == [not_low, not_high];
    (whole && (FIRST..END).contains(&sector)).then_some(([a, b, c, d], sector))
}

/// Erases the journal when no erase is under way, writes again what has to stay in it, and returns
/// the first free entry. A cut in between forgets that records have been saved; the
/// next time that one is read it is noted again.
fn start_over<F: NorFlash>(flash: &mut F, journal: &Journal) -> Result<u32, F::Error> {
    wipe(flash, JOURNAL)?;
    let mut next = 0;
    for number in (0..Key::COUNT).filter(|number| journal.saved & 1 << number != 0) {
        note(flash, next, KEPT, KEPT_FIRST + number)?;
        next += 1;
    }
    Ok(next)
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
