//! A survey of all sectors in which records can be: finds the newest copy of each record, wherever
//! it is, and decides whether the map can continue as it is.
//!
//! sequential-storage repairs a map that it cannot interpret by erasing a sector, and stops at the
//! first hole in a sector. After damage both can destroy undamaged records. So [`survey`] reads the
//! library's layout itself, without writing: it finds each item by its checksums, also after holes
//! and in sectors out of their order, and selects the one with the highest sequence number. The map
//! is written to only while it is [`Survey::sound`].
//!
//! Earlier versions stored records in the sectors of the game too, as the end of the same ring. As
//! long as one of these contains a record the map is not sound: it is rewritten in its own sectors.
//!
//! A sector begins and ends with a mark, a word: the first is set when the sector is taken into
//! use, the second when it is full. Between them are items without gaps: CRC of the content,
//! length, CRC of the length, content, padded to whole words. The content is the key, followed by
//! the record with its sequence number ([`numbered`]).

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::error::{StorageError, flash_error};
use super::key::Key;
use super::layout::{GAME, GAME_MARKS, RECORDS, SECTOR_BYTES};

/// Number of sectors of records.
pub(super) const SECTORS: u32 = (RECORDS.end - RECORDS.start) / SECTOR_BYTES;
/// Number of these sectors and those in which earlier versions stored records.
pub(super) const LEGACY_SECTORS: u32 = (GAME.end - RECORDS.start) / SECTOR_BYTES;

/// Length in bytes of the longest content of an item: a record, its number and its key.
pub(super) const CONTENT_BYTES: usize = 64;

/// Buffer for the content of one item.
pub(super) type Content = [u8; CONTENT_BYTES];

/// First byte of a record that has a sequence number. Records of earlier versions have none and
/// begin with their version, which is a small number; they count as number 0.
const NUMBERED: u8 = 0xFE;
/// Number of bytes that [`numbered`] adds before a record.
pub(super) const NUMBER_BYTES: usize = 5;

const WORD: usize = 4;
const HEADER: usize = 8;
/// Number of zero bits from which a mark counts as set: half a byte, as in the library.
const MARKED: u32 = 4;

/// An undamaged record.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// Sequence number, higher than that of every earlier record of its key.
    pub(super) sequence: u32,
    /// Sector of the record, 0 to [`SECTORS`].
    pub(super) sector: u32,
    /// Address of its item in flash.
    at: u32,
    content: Content,
    record: (u8, u8),
}

impl Found {
    /// Returns the record's bytes.
    pub(super) fn record(&self) -> &[u8] {
        let (from, to) = self.record;
        self.content.get(usize::from(from)..usize::from(to)).unwrap_or_default()
    }
}

/// Result of a survey.
pub(super) struct Survey {
    /// Newest copy of each record, by its key.
    pub(super) newest: Newest,
    /// Whether the library finds the same copies, and can write another one without erasing any of
    /// them.
    pub(super) sound: bool,
    /// Whether all sectors but the first are blank.
    pub(super) is_new: bool,
    /// Whether there are records in the sectors of the game.
    pub(super) is_old: bool,
    /// Address at which the library would write the next item, if that sector has begun, or none
    /// has.
    end: u32,
}

impl Survey {
    /// Returns the places of the newest records, if the map is sound and continues in a sector that
    /// has begun, or has not begun at all.
    pub(super) fn places(&self) -> Option<Places> {
        let place = |copy: &Found| Place { sequence: copy.sequence, at: copy.at };
        let newest = self.newest.each_ref().map(|copy| copy.as_ref().map(place));
        (self.sound && self.end != 0).then_some(Places { newest, end: self.end })
    }

    pub(super) fn of(&self, key: Key) -> Option<&Found> {
        self.newest[key as usize].as_ref()
    }
}

/// Function that reads the flash from an address. As a trait object, so that the code that inspects
/// every byte is compiled once, and not for each kind of flash.
type Read<'f> = dyn FnMut(u32, &mut [u8]) -> Result<(), StorageError> + 'f;

/// Surveys all sectors of records except `except`. Writes nothing.
pub(super) fn survey<F: NorFlash>(
    flash: &mut F,
    except: Option<u32>,
) -> Result<Survey, StorageError> {
    look(&mut |at, bytes| flash.read(at, bytes).map_err(flash_error), except)
}

fn look(flash: &mut Read<'_>, except: Option<u32>) -> Result<Survey, StorageError> {
    let mut states = [State::Open; LEGACY_SECTORS as usize];
    for (sector, state) in (0..).zip(&mut states) {
        *state = State::of(flash, sector)?;
    }
    let mut survey = Survey {
        newest: [None; Key::COUNT as usize],
        sound: true,
        is_new: false,
        is_old: false,
        end: 0,
    };
    for sector in SECTORS..LEGACY_SECTORS {
        survey.is_old |= except != Some(sector) && has_records(flash, sector)?;
    }
    let ring = if survey.is_old { LEGACY_SECTORS } else { SECTORS };
    // The copy that the library considers the newest: the last one in the last sector that has one.
    let mut last: [Option<u32>; Key::COUNT as usize] = [None; Key::COUNT as usize];
    let mut blank = [true; LEGACY_SECTORS as usize];
    let start = newest_sector(&states[..ring as usize]);
    for sector in (0..ring).map(|back| (start + ring - back) % ring) {
        if except == Some(sector) {
            continue;
        }
        let mut here = [None; Key::COUNT as usize];
        let (end, at) = walk(flash, sector, &mut survey, &last, &mut here)?;
        if sector == start && states[sector as usize] == State::Begun {
            survey.end = address(sector) + at as u32;
        }
        survey.sound &= end != End::Hole;
        blank[sector as usize] = end == End::Blank;
        for (last, here) in last.iter_mut().zip(here) {
            *last = last.or(here);
        }
    }
    let is_blank = |at: usize| states[at] == State::Open && blank[at];
    survey.is_new = !survey.is_old && (1..SECTORS as usize).all(is_blank);
    if survey.is_new && is_blank(0) {
        // The library begins with the first sector.
        survey.end = address(0) + WORD as u32;
    }
    survey.sound &= !survey.is_old;
    survey.sound &= match next(&states[..SECTORS as usize], &blank[..SECTORS as usize]) {
        Next::Append => true,
        Next::Redo(sector) if except.is_none() => {
            let others = look(flash, Some(sector))?.newest;
            !has_newer(&survey.newest, &others)
        }
        _ => false,
    };
    for (newest, last) in survey.newest.iter().zip(last) {
        survey.sound &= newest.as_ref().map(|copy| copy.sequence) == last;
    }
    Ok(survey)
}

/// Returns whether there is a record in a sector of the game.
pub(super) fn is_old<F: NorFlash>(flash: &mut F, sector: u32) -> Result<bool, StorageError> {
    has_records(&mut |at, bytes| flash.read(at, bytes).map_err(flash_error), sector)
}

fn has_records(flash: &mut Read<'_>, sector: u32) -> Result<bool, StorageError> {
    let mut mark = [0; WORD];
    flash(address(sector), &mut mark)?;
    if GAME_MARKS.contains(&mark) {
        return Ok(false);
    }
    let newest = [None; Key::COUNT as usize];
    let mut survey = Survey { newest, sound: true, is_new: false, is_old: false, end: 0 };
    let mut here = [None; Key::COUNT as usize];
    walk(flash, sector, &mut survey, &[None; Key::COUNT as usize], &mut here)?;
    Ok(here.iter().any(Option::is_some))
}

/// Returns whether `sector` has a record for which no other sector has an equally new one.
pub(super) fn is_needed<F: NorFlash>(flash: &mut F, sector: u32) -> Result<bool, StorageError> {
    let all = survey(flash, None)?.newest;
    let others = survey(flash, Some(sector))?.newest;
    Ok(has_newer(&all, &others))
}

type Newest = [Option<Found>; Key::COUNT as usize];

/// Returns whether one of `all` is newer than that of `others`, or the only one.
fn has_newer(all: &Newest, others: &Newest) -> bool {
    let number = |copy: &Option<Found>| copy.as_ref().map(|copy| copy.sequence);
    all.iter().zip(others).any(|(all, other)| number(all) > number(other))
}

/// Writes `record` with its sequence number to `buffer`.
pub(super) fn numbered<'b>(sequence: u32, record: &[u8], buffer: &'b mut Content) -> &'b [u8] {
    let length = record.len().min(CONTENT_BYTES - NUMBER_BYTES);
    buffer[0] = NUMBERED;
    buffer[1..NUMBER_BYTES].copy_from_slice(&sequence.to_le_bytes());
    buffer[NUMBER_BYTES..NUMBER_BYTES + length].copy_from_slice(&record[..length]);
    &buffer[..NUMBER_BYTES + length]
}

/// Returns the sequence number, and the offset of the record.
fn number_of(value: &[u8]) -> (u32, usize) {
    match value {
        &[NUMBERED, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]), NUMBER_BYTES),
        _ => (0, 0),
    }
}

/// State of a sector according to its marks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Begun,
    Closed,
    /// Closed without having been begun: damage, or an interrupted erase.
    Invalid,
}

impl State {
    fn of(flash: &mut Read<'_>, sector: u32) -> Result<Self, StorageError> {
        let start = address(sector);
        let mut is_marked = |at| {
            let mut word = [0; WORD];
            flash(at, &mut word)?;
            Ok(word.iter().map(|byte| byte.count_zeros()).sum::<u32>() >= MARKED)
        };
        let marks = (is_marked(start)?, is_marked(start + SECTOR_BYTES - WORD as u32)?);
        Ok(match marks {
            (false, false) => Self::Open,
            (true, false) => Self::Begun,
            (true, true) => Self::Closed,
            (false, true) => Self::Invalid,
        })
    }
}

/// Returns the address of a sector of records in flash.
pub(super) const fn address(sector: u32) -> u32 {
    RECORDS.start + sector * SECTOR_BYTES
}

/// Returns the sector that was written last, as the library finds it.
fn newest_sector(states: &[State]) -> u32 {
    let ring = states.len() as u32;
    let first = |state| (0..).zip(states).find(|(_, found)| **found == state).map(|(at, _)| at);
    let before = |sector: u32| (sector + ring - 1) % ring;
    first(State::Begun).or(first(State::Open).map(before)).unwrap_or(ring - 1)
}

/// How the library would continue to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// After the existing items.
    Append,
    /// By first beginning this sector again: a move of records into it was interrupted.
    Redo(u32),
    /// By a repair that may destroy records.
    Unknown,
}

/// Returns how the library continues. Either nothing was ever written; or full sectors precede a
/// begun one, and the one after it is blank. The power may have been cut before that sector was
/// begun, or while records moved into it from the sector after it, which is then full like all
/// others.
fn next(states: &[State], blank: &[bool]) -> Next {
    let is = |sector: u32, state| {
        let at = sector as usize;
        states[at] == state && (state != State::Open || blank[at])
    };
    let all_from = |sector: u32, by: Range<u32>, state| {
        by.clone().all(|by| is((sector + SECTORS - by % SECTORS) % SECTORS, state))
    };
    let last = newest_sector(states);
    let begun = is(last, State::Begun);
    if !begun && all_from(0, 0..SECTORS, State::Open) {
        return Next::Append;
    }
    if begun && all_from(last, 1..SECTORS, State::Closed) {
        return Next::Redo(last);
    }
    // Backwards from the last sector: full ones, then blank ones.
    let first = u32::from(begun);
    let full = (first..SECTORS).take_while(|by| all_from(last, *by..by + 1, State::Closed)).count();
    let full = first + full as u32;
    if (begun || full > 0) && full < SECTORS && all_from(last, full..SECTORS, State::Open) {
        return Next::Append;
    }
    Next::Unknown
}

/// How the items of a sector end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The sector has no items.
    Blank,
    /// Everything after the last item is blank.
    Clean,
    /// There is data after a gap.
    Hole,
}

/// Reads all items of a sector. `last` has the keys that a later sector has; `here` receives the
/// numbers of the last items of the other keys. Returns how the sector ends, and the offset of that
/// end.
fn walk(
    flash: &mut Read<'_>,
    sector: u32,
    survey: &mut Survey,
    last: &[Option<u32>; Key::COUNT as usize],
    here: &mut [Option<u32>; Key::COUNT as usize],
) -> Result<(End, usize), StorageError> {
    let mut window = Window::new(address(sector));
    let mut at = WORD;
    // There are few lengths and many items, so the checksum of the latest length is cached.
    let mut lengths = ([0; 2], length_checksum([0; 2]));
    if window.is_blank_from(flash, at)? {
        return Ok((End::Blank, at));
    }
    let mut end = End::Clean;
    while at + HEADER <= Window::END {
        let header = window.get(flash, at..at + HEADER)?;
        if end == End::Clean && header.iter().all(|byte| *byte == 0xFF) {
            if window.is_blank_from(flash, at)? {
                return Ok((End::Clean, at));
            }
            end = End::Hole;
        }
        let header = window.get(flash, at..at + HEADER)?;
        let Some((crc, length)) = header_of(header, &mut lengths) else {
            at += WORD;
            continue;
        };
        let next = at + HEADER + length.next_multiple_of(WORD);
        if next > Window::END {
            at += WORD;
            continue;
        }
        if length > CONTENT_BYTES {
            at = next;
            continue;
        }
        let content = window.get(flash, at + HEADER..at + HEADER + length)?;
        let begins_at = address(sector) + at as u32;
        at = next;
        let Some((key, value)) = content.split_first() else { continue };
        let Some(key) = Key::of(*key) else { continue };
        let (sequence, begins) = number_of(value);
        let nth = key as usize;
        let newest = &mut survey.newest[nth];
        let is_newer = newest.as_ref().is_none_or(|newest| {
            sequence > newest.sequence || (sequence, sector) == (newest.sequence, newest.sector)
        });
        if (is_newer || last[nth].is_none()) && checksum(content) == crc {
            here[nth] = Some(sequence);
            if is_newer {
                let mut copy = [0; CONTENT_BYTES];
                copy[..length].copy_from_slice(content);
                let record = (1 + begins as u8, length as u8);
                let at = begins_at;
                *newest = Some(Found { sequence, sector, at, content: copy, record });
            }
        }
    }
    Ok((end, at))
}

/// Places of the newest records in a map that was sound at its last survey, and of its end. Only
/// [`Places::append`] changes such a map, so it stays sound as long as items are only appended to
/// its last sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    newest: [Option<Place>; Key::COUNT as usize],
    /// Address of the next item.
    end: u32,
}

/// Position of a record in flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    sequence: u32,
    at: u32,
}

impl Places {
    /// Returns the newest record of `key`; `None` if none was ever saved. Call it only if these
    /// places [have room](Self::have_room).
    ///
    /// # Errors
    /// [`StorageError::Damaged`] if it is no longer there, or there is data at the end of the map:
    /// the whole map must be surveyed again. Otherwise the flash failed.
    pub(super) fn newest<F: NorFlash>(
        &self,
        flash: &mut F,
        key: Key,
    ) -> Result<Option<Found>, StorageError> {
        let read = &mut |at, bytes: &mut [u8]| flash.read(at, bytes).map_err(flash_error);
        self.read_newest(read, key)
    }

    fn read_newest(&self, flash: &mut Read<'_>, key: Key) -> Result<Option<Found>, StorageError> {
        let mut header = [0; HEADER];
        flash(self.end, &mut header)?;
        if header != [0xFF; HEADER] {
            return Err(StorageError::Damaged);
        }
        let Some(Place { sequence, at }) = self.newest[key as usize] else { return Ok(None) };
        flash(at, &mut header)?;
        let read = header_of(&header, &mut ([0; 2], length_checksum([0; 2])));
        let Some((crc, length)) = read else { return Err(StorageError::Damaged) };
        let mut content = [0; CONTENT_BYTES];
        let bytes = content.get_mut(..length).ok_or(StorageError::Damaged)?;
        flash(at + HEADER as u32, bytes)?;
        let value = bytes.get(1..).unwrap_or_default();
        let (found, begins) = number_of(value);
        if checksum(bytes) != crc || bytes.first() != Some(&(key as u8)) || found != sequence {
            return Err(StorageError::Damaged);
        }
        let sector = (at - RECORDS.start) / SECTOR_BYTES;
        let record = (1 + begins as u8, length as u8);
        Ok(Some(Found { sequence, sector, at, content, record }))
    }

    /// Returns whether the sector has room for a record of this many bytes.
    pub(super) fn have_room(&self, record: usize) -> bool {
        self.end_after(record).is_some()
    }

    /// Returns the places after appending a record with this number and length; `None` if the
    /// sector has no room for it.
    pub(super) fn append(mut self, key: Key, sequence: u32, record: usize) -> Option<Self> {
        let end = self.end_after(record)?;
        self.newest[key as usize] = Some(Place { sequence, at: self.end });
        self.end = end;
        Some(self)
    }

    fn end_after(&self, record: usize) -> Option<u32> {
        let content = 1 + NUMBER_BYTES + record;
        let length = (HEADER + content.next_multiple_of(WORD)) as u32;
        let from = self.end % SECTOR_BYTES;
        (from != 0 && from + length <= Window::END as u32).then_some(self.end + length)
    }
}

/// Returns the CRC and the length of the content, if the length is undamaged.
fn header_of(header: &[u8], last: &mut ([u8; 2], u16)) -> Option<(u32, usize)> {
    let &[a, b, c, d, low, high, crc_low, crc_high] = header else { return None };
    if last.0 != [low, high] {
        *last = ([low, high], length_checksum([low, high]));
    }
    let whole = last.1 == u16::from_le_bytes([crc_low, crc_high]);
    whole.then_some((u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([low, high]).into()))
}

/// Returns the library's CRC of a length: CRC-16F/4.2, with all ones excluded.
fn length_checksum(length: [u8; 2]) -> u16 {
    let mut crc = 0xFFFF_u16;
    for byte in length {
        crc ^= u16::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x1A2E } else { crc >> 1 };
        }
    }
    if crc == 0 { 0xFFFE } else { !crc }
}

/// Returns the library's CRC of a content: Castagnoli's, starting with `EEEEEEEE`, whose lowest
/// byte is neither all zeros nor all ones.
fn checksum(content: &[u8]) -> u32 {
    let mut crc = 0xEEEE_EEEE_u32;
    for byte in content {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
        }
    }
    match !crc {
        0 => 1,
        crc if matches!(crc as u8, 0 | 0xFF) => crc ^ 1,
        crc => crc,
    }
}

/// A part of a sector in memory: a whole sector would take too much of the stack.
struct Window {
    sector: u32,
    from: usize,
    bytes: [u8; 256],
}

impl Window {
    /// Offset of the mark at a sector's end.
    const END: usize = SECTOR_BYTES as usize - WORD;

    const fn new(sector: u32) -> Self {
        Self { sector, from: usize::MAX, bytes: [0; 256] }
    }

    /// Returns the bytes of `range`, which must be at most [`CONTENT_BYTES`] long and end before
    /// the mark.
    fn get(&mut self, flash: &mut Read<'_>, range: Range<usize>) -> Result<&[u8], StorageError> {
        if range.start < self.from || range.end > self.from.saturating_add(self.bytes.len()) {
            self.from = range.start.min(SECTOR_BYTES as usize - self.bytes.len());
            flash(self.sector + self.from as u32, &mut self.bytes)?;
        }
        Ok(self.bytes.get(range.start - self.from..range.end - self.from).unwrap_or_default())
    }

    /// Returns whether nothing was programmed from `at` on, except the mark.
    fn is_blank_from(&mut self, flash: &mut Read<'_>, mut at: usize) -> Result<bool, StorageError> {
        while at < Self::END {
            let until = Self::END.min(at + CONTENT_BYTES);
            if self.get(flash, at..until)? != &[0xFF; CONTENT_BYTES][..until - at] {
                return Ok(false);
            }
            at = until;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod ring_tests;
#[cfg(test)]
mod tests;
