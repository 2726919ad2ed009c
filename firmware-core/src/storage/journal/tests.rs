//! The journal when it is full, and erases that it reports as interrupted.

use super::*;
use crate::storage::chip::Chip;
use crate::storage::files::{self, FileKind, Writer};
use crate::storage::name::Name;
use crate::storage::{RecordsDamage, Settings, save, start};

/// Returns a flash whose journal has this number of free entries, after saves of the settings
/// numbered from 1 on.
fn with_room(free: u32) -> Chip {
    let mut chip = Chip::factory_new();
    for sequence in 1..=ENTRIES - free {
        let noted = note_saved(&mut chip, Key::Settings, sequence as u16);
        assert!(noted.is_ok());
    }
    chip
}

fn journal(chip: &mut Chip) -> Journal {
    read(chip).expect("a flash in memory")
}

fn erase_one(chip: &mut Chip, at: u32) {
    chip.0[at as usize] = 0;
    assert!(erase(chip, at, at + SECTOR_BYTES).is_ok());
    assert_eq!(chip.0[at as usize], 0xFF);
}

/// Writes an entry as if the power had been cut during the erase of this sector, or as if damage
/// had removed the done mark.
fn begin_erase(chip: &mut Chip, at: u32) {
    let next = journal(chip).next;
    assert!(note(chip, next, BEGUN, at / SECTOR_BYTES).is_ok());
}

#[test]
fn an_erase_restarts_a_journal_without_room_for_both_entries() {
    for (free, next) in [(3, ENTRIES - 1), (2, ENTRIES), (1, 3), (0, 3)] {
        let mut chip = with_room(free);
        erase_one(&mut chip, FILES.start);
        let journal = journal(&mut chip);
        assert_eq!((journal.next, journal.begun, journal.torn), (next, None, false), "{free}");
        assert_eq!(journal.saves, [Some((ENTRIES - free) as u16), None], "{free}");
        let records = &chip.0[RECORDS.start as usize..RECORDS.end as usize];
        assert!(records.iter().all(|byte| *byte == 0xFF), "{free}: beyond the journal");
    }
}

#[test]
fn a_save_restarts_a_full_journal() {
    for (free, next) in [(1, ENTRIES), (0, 2)] {
        let mut chip = with_room(free);
        assert!(note_saved(&mut chip, Key::Settings, 9_999).is_ok());
        let journal = journal(&mut chip);
        assert_eq!((journal.next, journal.begun, journal.torn), (next, None, false), "{free}");
        assert_eq!(journal.saves, [Some(9_999), None], "{free}");
    }
}

#[test]
fn a_restarted_journal_retains_the_saves_of_each_record() {
    let mut chip = with_room(1);
    assert!(note_saved(&mut chip, Key::Scores, 7).is_ok());
    erase_one(&mut chip, FILES.start);
    let journal = journal(&mut chip);
    assert_eq!((journal.next, journal.torn), (4, false));
    assert_eq!(journal.saves, [Some((ENTRIES - 1) as u16), Some(7)]);
}

#[test]
fn a_sector_of_a_file_is_not_erased_by_a_damaged_journal() {
    let mut chip = Chip::factory_new();
    let name = Name::new("GAME1").expect("a name");
    let mut writer = Writer::begin(&mut chip, FileKind::Game, name, 5_000).expect("room");
    writer.append(&mut chip, &[0x55; 5_000]).expect("room");
    let entry = writer.finish(&mut chip).expect("a flash in memory");
    for used in [0, 1] {
        begin_erase(&mut chip, FILES.start + used * SECTOR_BYTES);
        let found = files::find(&mut chip, FileKind::Game, name);
        assert_eq!(found, Ok(Some(entry)), "{used}");
        assert_eq!(files::verify(&mut chip, &entry), Ok(()), "{used}");
        assert_eq!(journal(&mut chip).begun, None, "{used}");
    }
    // A sector that no file uses is erased again.
    let free = FILES.start + 2 * SECTOR_BYTES;
    chip.0[free as usize + 100] = 0;
    begin_erase(&mut chip, free);
    assert_eq!(files::find(&mut chip, FileKind::Game, name), Ok(Some(entry)));
    assert_eq!(chip.0[free as usize + 100], 0xFF);
}

#[test]
fn a_sector_of_records_is_erased_again_only_without_loss() {
    let mut chip = Chip::factory_new();
    let settings = Settings { sound: false, ..Settings::default() };
    assert_ne!(settings, Settings::default());
    save(&mut chip, &settings).expect("a flash in memory");
    begin_erase(&mut chip, RECORDS.start);
    let stored = start(&mut chip);
    assert_eq!((stored.settings, stored.damage), (settings, RecordsDamage::default()));
    let unused = RECORDS.start + 5 * SECTOR_BYTES;
    chip.0[unused as usize + 100] = 0;
    begin_erase(&mut chip, unused);
    assert_eq!(start(&mut chip).settings, settings);
    assert_eq!(chip.0[unused as usize + 100], 0xFF);
}

/// Changes one byte of the last entry in the journal.
fn damage_last(chip: &mut Chip, byte: u32) {
    let next = journal(chip).next;
    chip.0[(JOURNAL + (next - 1) * ENTRY as u32 + byte) as usize] ^= 0x20;
}

#[test]
fn a_damaged_note_of_a_save_is_ignored() {
    for byte in 0..ENTRY as u32 {
        let mut chip = Chip::factory_new();
        assert!(note_saved(&mut chip, Key::Settings, 5).is_ok());
        assert!(note_saved(&mut chip, Key::Scores, 0x1234).is_ok());
        damage_last(&mut chip, byte);
        assert_eq!(journal(&mut chip).saves, [Some(5), None], "byte {byte}");
    }
}

#[test]
fn a_damaged_note_of_an_erase_is_ignored() {
    for byte in 0..ENTRY as u32 {
        let mut chip = Chip::factory_new();
        begin_erase(&mut chip, FILES.start);
        assert_eq!(journal(&mut chip).begun, Some(FILES.start / SECTOR_BYTES));
        damage_last(&mut chip, byte);
        assert_eq!(journal(&mut chip).begun, None, "byte {byte}");
    }
}

#[test]
fn any_entry_after_a_begun_erase_ends_it() {
    let sector = FILES.start / SECTOR_BYTES;
    for what in [DONE, KEPT, *b"????"] {
        let mut chip = Chip::factory_new();
        begin_erase(&mut chip, FILES.start);
        assert!(note(&mut chip, 1, what, sector).is_ok());
        assert_eq!(journal(&mut chip).begun, None, "{what:?}");
    }
}

#[test]
fn an_entry_names_only_sectors_of_storage() {
    for (sector, counts) in [(0, false), (FIRST, true), (END - 1, true), (END, false)] {
        let mut chip = Chip::factory_new();
        assert!(note(&mut chip, 0, BEGUN, sector).is_ok());
        assert_eq!(journal(&mut chip).begun, counts.then_some(sector), "{sector}");
    }
}

#[test]
fn a_record_of_firmware_without_numbers_counts_as_number_0() {
    for (record, saves) in [(0, [Some(0), None]), (1, [None, Some(0)]), (2, [None, None])] {
        let mut chip = Chip::factory_new();
        assert!(note(&mut chip, 0, KEPT, KEPT_FIRST + record).is_ok());
        assert_eq!(journal(&mut chip).saves, saves, "{record}");
    }
}

#[test]
fn an_unfinished_erase_in_the_last_entry_restarts_the_journal() {
    for needed in [false, true] {
        let mut chip = with_room(1);
        let unfinished = (FILES.start + 5 * SECTOR_BYTES) as usize;
        chip.0[unfinished] = 0;
        begin_erase(&mut chip, unfinished as u32);
        let saves = open(&mut chip, |_, _| Ok(needed));
        assert_eq!(saves, Ok([Some((ENTRIES - 1) as u16), None]));
        assert_eq!(chip.0[unfinished] == 0xFF, !needed);
        let journal = journal(&mut chip);
        assert_eq!((journal.next, journal.begun, journal.torn), (1, None, false));
        let records = &chip.0[RECORDS.start as usize..RECORDS.end as usize];
        assert!(records.iter().all(|byte| *byte == 0xFF), "beyond the journal");
    }
}

#[test]
fn a_torn_journal_is_restarted_with_its_saves() {
    let mut chip = Chip::factory_new();
    for sequence in 1..=5 {
        assert!(note_saved(&mut chip, Key::Settings, sequence).is_ok());
    }
    // An interrupted erase of the journal leaves this.
    chip.0[(JOURNAL + 2 * ENTRY as u32) as usize..][..ENTRY].fill(0xFF);
    assert!(journal(&mut chip).torn);
    assert_eq!(open(&mut chip, |_, _| Ok(false)), Ok([Some(5), None]));
    let journal = journal(&mut chip);
    assert_eq!((journal.next, journal.torn, journal.saves), (1, false, [Some(5), None]));
}

#[test]
fn a_noted_save_is_not_noted_again() {
    let mut chip = Chip::factory_new();
    for (sequence, next) in [(3, 1), (3, 1), (4, 2), (3, 3)] {
        assert!(note_saved(&mut chip, Key::Scores, sequence).is_ok());
        let journal = journal(&mut chip);
        assert_eq!((journal.next, journal.saves), (next, [None, Some(sequence)]));
    }
}

#[test]
fn an_erase_is_noted_by_its_sector_before_and_after() {
    let mut chip = Chip::factory_new();
    let at = FILES.start + 7 * SECTOR_BYTES;
    chip.0[(at - SECTOR_BYTES) as usize..(at + 4 * SECTOR_BYTES) as usize].fill(0);
    assert!(erase(&mut chip, at, at + 3 * SECTOR_BYTES).is_ok());
    let is_blank = |nth: i32| {
        let from = (at as i32 + nth * SECTOR_BYTES as i32) as usize;
        chip.0[from..from + SECTOR_BYTES as usize].iter().all(|byte| *byte == 0xFF)
    };
    assert_eq!([-1, 0, 1, 2, 3].map(is_blank), [false, true, true, true, false]);
    let mut expected = Chip::factory_new();
    for nth in 0..3 {
        let sector = at / SECTOR_BYTES + nth;
        assert!(note(&mut expected, 2 * nth, BEGUN, sector).is_ok());
        assert!(note(&mut expected, 2 * nth + 1, DONE, sector).is_ok());
    }
    assert!(chip.0[..SECTOR_BYTES as usize] == expected.0[..SECTOR_BYTES as usize]);
}

#[test]
fn an_unfinished_erase_is_marked_done_after_the_last_entry() {
    let mut chip = with_room(ENTRIES - 3);
    begin_erase(&mut chip, FILES.start);
    assert_eq!(open(&mut chip, |_, _| Ok(false)), Ok([Some(3), None]));
    let journal = journal(&mut chip);
    assert_eq!((journal.next, journal.begun), (5, None));
}

#[test]
fn a_flash_without_room_for_all_sectors_is_refused() {
    for (bytes, fits) in [(-1, false), (0, true), (4_096, true)] {
        let mut chip = Chip::factory_new();
        chip.0.resize((i64::from(FLASH_BYTES) + bytes) as usize, 0xFF);
        let opened = open(&mut chip, |_, _| Ok(false));
        let expected = if fits { Ok([None, None]) } else { Err(StorageError::TooSmall) };
        assert_eq!(opened, expected, "{bytes}");
    }
}

#[test]
fn a_later_sector_of_records_is_not_erased_while_a_record_needs_it() {
    let mut chip = Chip::factory_new();
    let mut settings = Settings::default();
    let holds_something = |chip: &Chip, at: u32| chip.0[at as usize] != 0xFF;
    while !holds_something(&chip, RECORDS.start + SECTOR_BYTES) {
        settings.seed += 1;
        save(&mut chip, &settings).expect("a flash in memory");
    }
    begin_erase(&mut chip, RECORDS.start + SECTOR_BYTES);
    let stored = start(&mut chip);
    assert_eq!((stored.settings, stored.damage), (settings, RecordsDamage::default()));
}
