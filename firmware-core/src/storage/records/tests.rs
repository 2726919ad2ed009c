//! Numbers of records, erased and unerased sectors, and the sectors of the game, where earlier
//! versions stored records.

extern crate std;

use std::vec::Vec;

use super::*;
use crate::storage::chip::{Chip, Counted};
use crate::storage::layout::GAME;

fn newest(flash: &mut Chip, key: Key) -> Option<Found> {
    survey(flash, None).expect("a flash in memory").of(key).copied()
}

fn record(flash: &mut Chip, key: Key) -> Option<Vec<u8>> {
    newest(flash, key).map(|copy| copy.record().to_vec())
}

/// Returns a copy with this number.
fn numbered_copy(sequence: u32) -> Found {
    let mut flash = Chip::factory_new();
    assert!(save(&mut flash, &mut None, Key::Settings, &[1]).is_ok());
    let mut copy = newest(&mut flash, Key::Settings).expect("it was saved");
    copy.sequence = sequence;
    copy
}

#[test]
fn a_new_record_has_a_higher_number_than_all_earlier_ones() {
    assert_eq!(next_sequence(None, None), 1);
    // The newest copy is lost; the journal still has the last number.
    assert_eq!(next_sequence(None, Some(41)), 42);
    let mut flash = Chip::factory_new();
    let mut numbers = Vec::new();
    for value in 0..300_u16 {
        assert!(save(&mut flash, &mut None, Key::Scores, &value.to_le_bytes()).is_ok());
        numbers.push(newest(&mut flash, Key::Scores).map(|copy| copy.sequence));
    }
    assert!(numbers.into_iter().eq((1..=300).map(Some)));
}

#[test]
fn the_next_number_exceeds_the_copy_and_the_journals_note() {
    for (copy, saved, next) in [
        (3, None, 4),
        (3, Some(3), 4),
        // The note is older than the copy.
        (3, Some(2), 4),
        // The note is newer: the copy that it notes is lost.
        (3, Some(5), 6),
        (0x1_FFFF, Some(1), 0x2_0002),
        (0x2_0001, Some(0xFFFF), 0x2_0002),
    ] {
        assert_eq!(next_sequence(Some(&numbered_copy(copy)), saved), next, "{copy} {saved:?}");
    }
}

#[test]
fn a_copy_is_older_only_than_a_note_of_a_later_save() {
    for (copy, saved, behind) in
        [(3, 5, true), (5, 3, false), (5, 5, false), (0xFFFF, 0, true), (0x1_0000, 0xFFFF, false)]
    {
        assert_eq!(is_older(copy, saved), behind, "{copy} {saved}");
    }
}

#[test]
fn a_blank_sector_is_not_erased_and_one_with_a_byte_is() {
    for byte in [0, 63, 64, SECTOR_BYTES - 1] {
        let mut flash = Counted::new(Chip::factory_new());
        assert!(wipe(&mut flash, 3).is_ok());
        assert!(flash.erased.is_empty());
        flash.chip.0[(address(3) + byte) as usize] = 0x7F;
        assert!(wipe(&mut flash, 2).is_ok() && wipe(&mut flash, 4).is_ok());
        assert!(flash.erased.is_empty(), "its neighbours, {byte}");
        assert!(wipe(&mut flash, 3).is_ok());
        assert_eq!(flash.erased, [address(3)], "{byte}");
    }
}

/// Writes a record into the ring of an earlier version, which included the sectors of the game.
fn store_in_all(flash: &mut Chip, key: Key, sequence: u32, record: &[u8]) {
    type MapCache = Cache<
        ArrayPageStates<{ LEGACY_SECTORS as usize }>,
        ArrayPagePointers<{ LEGACY_SECTORS as usize }>,
        ArrayKeyPointers<u8, { Key::COUNT as usize }>,
        u8,
    >;
    let seen: MapCache =
        Cache::new(ArrayPageStates::new(), ArrayPagePointers::new(), ArrayKeyPointers::new());
    let config = MapConfig::try_new(RECORDS.start..GAME.end).expect("whole sectors");
    let mut map = MapStorage::<u8, _, _>::new(Blocking(flash), config, seen);
    let (mut value, mut buffer): (Content, Content) = ([0; _], [0; _]);
    let value = numbered(sequence, record, &mut value);
    assert!(poll_once(map.store_item(&mut buffer, &(key as u8), &value)).is_ok());
}

/// Returns a flash of an earlier version, whose newest settings and scores are in a sector of the
/// game.
fn of_an_earlier_version() -> Chip {
    let mut flash = Chip::factory_new();
    for sequence in 1..6_000 {
        let value = [7, sequence as u8];
        store_in_all(&mut flash, Key::Settings, sequence, &value);
        if sequence.is_multiple_of(100) {
            store_in_all(&mut flash, Key::Scores, sequence, &value);
            let in_the_game =
                |key| newest(&mut flash, key).is_some_and(|copy| copy.sector >= SECTORS);
            if Key::ALL.into_iter().all(in_the_game) {
                return flash;
            }
        }
    }
    panic!("the ring never comes to the sectors of the game");
}

#[test]
fn records_in_the_sectors_of_the_game_are_moved() {
    let mut flash = of_an_earlier_version();
    let before = Key::ALL.map(|key| record(&mut flash, key));
    assert!(before.iter().all(Option::is_some));
    assert!(survey(&mut flash, None).is_ok_and(|survey| survey.is_old && !survey.sound));
    assert!(move_out_of_game_sectors(&mut flash).is_ok());
    assert_eq!(Key::ALL.map(|key| record(&mut flash, key)), before);
    let survey = survey(&mut flash, None).expect("a flash in memory");
    assert!(!survey.is_old && survey.sound);
    assert!(flash.0[GAME.start as usize..GAME.end as usize].iter().all(|byte| *byte == 0xFF));
}

#[test]
fn a_save_moves_records_out_of_the_sectors_of_the_game() {
    let mut flash = of_an_earlier_version();
    let scores = record(&mut flash, Key::Scores);
    let mut places = None;
    assert!(save(&mut flash, &mut places, Key::Settings, &[9, 9]).is_ok());
    assert_eq!(record(&mut flash, Key::Settings), Some([9, 9].to_vec()));
    assert_eq!(record(&mut flash, Key::Scores), scores);
    assert!(survey(&mut flash, None).is_ok_and(|survey| !survey.is_old && survey.sound));
}

#[test]
fn records_in_their_own_sectors_are_not_moved() {
    let mut flash = Chip::factory_new();
    assert!(save(&mut flash, &mut None, Key::Scores, &[4, 2]).is_ok());
    // A game in its sectors is not a record.
    flash.0[GAME.start as usize..][..4].copy_from_slice(b"play");
    let before = flash.0.clone();
    assert!(move_out_of_game_sectors(&mut flash).is_ok());
    assert!(flash.0 == before);
}

#[test]
fn the_same_record_again_costs_no_write() {
    let mut flash = Chip::factory_new();
    let mut places = None;
    assert!(save(&mut flash, &mut places, Key::Settings, &[1, 2]).is_ok());
    let before = flash.0.clone();
    assert!(save(&mut flash, &mut places, Key::Settings, &[1, 2]).is_ok());
    assert!(save(&mut flash, &mut None, Key::Settings, &[1, 2]).is_ok());
    assert!(flash.0 == before);
}

#[test]
fn a_missing_note_is_written_when_its_record_is_read() {
    let mut flash = Chip::factory_new();
    assert!(save(&mut flash, &mut None, Key::Settings, &[1, 2]).is_ok());
    // The power was cut before the note: the journal is blank.
    flash.0[..SECTOR_BYTES as usize].fill(0xFF);
    let mut places = None;
    assert!(load(&mut flash, &mut places).is_ok());
    let noted = flash.0.clone();
    assert!(noted[..SECTOR_BYTES as usize].iter().any(|byte| *byte != 0xFF));
    assert!(load(&mut flash, &mut places).is_ok());
    assert!(flash.0 == noted, "once");
}

#[test]
fn library_errors_map_to_flash_full_or_damaged() {
    use embedded_storage::nor_flash::NorFlashErrorKind;

    use crate::storage::chip::NoError;
    type Error = sequential_storage::Error<NoError>;
    let flash = storage_error(Error::Storage { value: NoError });
    assert_eq!(flash, StorageError::Flash(NorFlashErrorKind::Other));
    assert_eq!(storage_error(Error::FullStorage), StorageError::Full);
    assert_eq!(storage_error(Error::BufferTooSmall(9)), StorageError::Damaged);
}
