//! The survey of the records: its result, and the amount of flash that it reads.

extern crate std;

use super::*;
use crate::storage::chip::{Chip, Counted};
use crate::storage::key::Key;
use crate::storage::records;

#[test]
fn the_checksums_are_the_librarys() {
    // Computed by sequential-storage 8.0.2's own functions; the tests in tests/tests/flash read
    // data that the library has written.
    assert_eq!(length_checksum([0xFF, 0xFF]), 0xFFFE);
    assert_ne!(checksum(&[]), 0);
}

#[test]
fn a_record_without_a_number_counts_as_the_oldest() {
    let mut buffer = [0; CONTENT_BYTES];
    assert_eq!(number_of(numbered(0x0403_0201, &[1, 9], &mut buffer)), (0x0403_0201, 5));
    assert_eq!(number_of(&[1, 9]), (0, 0));
    assert_eq!(number_of(&[NUMBERED, 1]), (0, 0));
}

/// Returns the sequence number of the newest settings.
fn newest(chip: &mut Chip) -> Option<u32> {
    survey(chip, None).expect("a flash in memory").of(Key::Settings).map(|copy| copy.sequence)
}

#[test]
fn the_sector_written_last_is_found_from_each_place_of_the_ring() {
    for last in 0..SECTORS as usize {
        let mut states = [State::Closed; SECTORS as usize];
        states[(last + 1) % SECTORS as usize] = State::Open;
        assert_eq!(newest_sector(&states), last as u32, "the last is full, the next not begun");
        states[last] = State::Begun;
        assert_eq!(newest_sector(&states), last as u32, "the last is begun");
    }
    assert_eq!(newest_sector(&[State::Closed; SECTORS as usize]), SECTORS - 1);
}

/// Writes an item's header: the checksum of its content, and its length with its own checksum.
fn write_header(chip: &mut Chip, at: usize, checksum: u32, length: usize) {
    let length = (length as u16).to_le_bytes();
    chip.0[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
    chip.0[at + 4..at + 6].copy_from_slice(&length);
    chip.0[at + 6..at + 8].copy_from_slice(&length_checksum(length).to_le_bytes());
}

/// Writes a whole item of the settings: `record`, numbered. Returns the position of the next item.
fn write_item(chip: &mut Chip, at: usize, sequence: u32, record: &[u8]) -> usize {
    let mut item = std::vec![Key::Settings as u8, NUMBERED];
    item.extend(sequence.to_le_bytes());
    item.extend(record);
    write_header(chip, at, checksum(&item), item.len());
    chip.0[at + HEADER..][..item.len()].copy_from_slice(&item);
    at + HEADER + item.len().next_multiple_of(WORD)
}

/// Returns a flash with settings that have number 1, and the position of the next item.
fn with_one() -> (Chip, usize) {
    let mut chip = Chip::factory_new();
    let mut places = None;
    assert!(records::save(&mut chip, &mut places, Key::Settings, &[1]).is_ok());
    (chip, places.expect("places of a sound map").end as usize)
}

#[test]
fn an_item_with_an_excessive_length_hides_no_later_item() {
    for claimed in [SECTOR_BYTES as usize, 5_000, usize::from(u16::MAX)] {
        let (mut chip, end) = with_one();
        write_header(&mut chip, end, 0, claimed);
        write_item(&mut chip, end + HEADER, 7, &[2]);
        assert_eq!(newest(&mut chip), Some(7), "behind an item of {claimed} bytes");
    }
}

#[test]
fn an_item_longer_than_any_record_is_skipped() {
    for bytes in [CONTENT_BYTES - NUMBER_BYTES, 100, 200, 1_000, 3_000] {
        let (mut chip, end) = with_one();
        let next = write_item(&mut chip, end, 8, &std::vec![0x55; bytes]);
        assert_eq!(newest(&mut chip), Some(1), "{bytes} bytes");
        write_item(&mut chip, next, 7, &[2]);
        assert_eq!(newest(&mut chip), Some(7), "behind {bytes} bytes");
    }
}

/// A survey of all sectors takes milliseconds of the board's time; a save after a survey or another
/// save needs none.
#[test]
fn a_save_with_known_places_does_not_read_all_sectors() {
    let mut flash = Counted::new(Chip::factory_new());
    let mut places = None;
    assert!(records::save(&mut flash, &mut places, Key::Settings, &[1, 2, 3]).is_ok());
    assert!(records::load(&mut flash, &mut places).is_ok());
    let survey = {
        flash.bytes = 0;
        assert!(survey(&mut flash, None).is_ok());
        flash.bytes
    };
    for (number, key) in [Key::Settings, Key::Scores, Key::Settings].into_iter().enumerate() {
        flash.bytes = 0;
        assert!(records::save(&mut flash, &mut places, key, &[9, number as u8]).is_ok());
        assert!(flash.bytes < survey / 2, "save {number}: {} bytes of {survey}", flash.bytes);
    }
}

#[test]
fn a_record_that_is_too_long_is_truncated() {
    let mut buffer = [0; CONTENT_BYTES];
    assert_eq!(numbered(1, &[7; CONTENT_BYTES + 9], &mut buffer).len(), CONTENT_BYTES);
}

#[test]
fn an_item_may_end_where_the_mark_of_its_sector_begins() {
    let (mut chip, _) = with_one();
    // Key, number, and five bytes: twelve with padding.
    let item = HEADER + 12;
    let at = address(0) as usize + Window::END - item;
    assert_eq!(write_item(&mut chip, at, 7, &[2; 5]), address(0) as usize + Window::END);
    assert_eq!(newest(&mut chip), Some(7));
}

/// Marks a sector as begun, and optionally as full.
fn mark(chip: &mut Chip, sector: u32, full: bool) {
    let start = address(sector) as usize;
    chip.0[start..start + WORD].fill(0);
    if full {
        chip.0[start + Window::END..][..WORD].fill(0);
    }
}

/// Writes settings without a number, as the first versions did.
fn write_unnumbered(chip: &mut Chip, sector: u32, value: u8) {
    let item = [Key::Settings as u8, 1, value];
    let at = address(sector) as usize + WORD;
    write_header(chip, at, checksum(&item), item.len());
    chip.0[at + HEADER..][..item.len()].copy_from_slice(&item);
}

#[test]
fn without_numbers_the_record_in_the_later_sector_counts() {
    let mut chip = Chip::factory_new();
    mark(&mut chip, 0, true);
    mark(&mut chip, 1, false);
    write_unnumbered(&mut chip, 0, 10);
    write_unnumbered(&mut chip, 1, 11);
    let survey = survey(&mut chip, None).expect("a flash in memory");
    assert_eq!(survey.of(Key::Settings).map(|copy| copy.record().to_vec()), Some([1, 11].into()));
}

#[test]
fn a_higher_number_counts_in_an_earlier_sector_too() {
    let mut chip = Chip::factory_new();
    mark(&mut chip, 0, true);
    mark(&mut chip, 1, false);
    write_item(&mut chip, address(0) as usize + WORD, 7, &[10]);
    write_item(&mut chip, address(1) as usize + WORD, 3, &[11]);
    assert_eq!(newest(&mut chip), Some(7));
    let survey = survey(&mut chip, None).expect("a flash in memory");
    assert!(!survey.sound, "the library would take the other one");
    assert!(survey.places().is_none());
}

#[test]
fn places_are_unknown_until_the_next_sector_has_begun() {
    let mut chip = Chip::factory_new();
    mark(&mut chip, 0, true);
    write_item(&mut chip, address(0) as usize + WORD, 7, &[10]);
    let survey = survey(&mut chip, None).expect("a flash in memory");
    assert!(survey.sound);
    assert!(survey.places().is_none(), "the sector has room, but it is closed");
}

#[test]
fn a_map_with_a_hole_is_not_sound() {
    let (mut chip, end) = with_one();
    assert!(survey(&mut chip, None).is_ok_and(|survey| survey.sound));
    write_item(&mut chip, end + 16, 7, &[2]);
    assert!(survey(&mut chip, None).is_ok_and(|survey| !survey.sound));
}

#[test]
fn a_byte_in_an_unused_sector_means_the_map_is_not_new() {
    let (mut chip, _) = with_one();
    assert!(survey(&mut chip, None).is_ok_and(|survey| survey.is_new));
    chip.0[address(5) as usize + 100] = 0;
    assert!(survey(&mut chip, None).is_ok_and(|survey| !survey.is_new));
}

/// All other sectors are full: the library begins the last sector again, and records that are only
/// there are lost.
#[test]
fn an_interrupted_move_is_repeated_only_if_no_record_is_lost() {
    for copied in [true, false] {
        let mut chip = Chip::factory_new();
        mark(&mut chip, 0, false);
        (1..SECTORS).for_each(|sector| mark(&mut chip, sector, true));
        write_item(&mut chip, address(0) as usize + WORD, 7, &[1]);
        if copied {
            write_item(&mut chip, address(1) as usize + WORD, 7, &[1]);
        }
        let survey = survey(&mut chip, None).expect("a flash in memory");
        assert_eq!(survey.sound, copied);
    }
}
