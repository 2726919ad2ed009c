//! Tests saved games and logs in the board's flash: listings, free space, the cost of each call.

use firmware_core::name::Name;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::files::{
    self, FileEntry, MAX_FILES, MOST_BYTES, SECTOR_CONTENT, Writer,
};
use firmware_core::storage::{Scores, Settings, StorageError, format, load, load_scores, save};
use hal_mock::flash::{FlashChip, FlashOperation, SECTORS};

use crate::stored_files::{File, content, file, game, stored, write, write_instead_of};

/// Returns the names of the files, newest first.
fn names(chip: &mut FlashChip, kind: Option<FileKind>) -> Vec<String> {
    let listing = files::list(chip, kind).expect("powered");
    listing.files.iter().map(|entry| entry.name.to_string()).collect()
}

/// Checks that the files are exactly `expected`, newest first, and whole.
#[track_caller]
fn check(chip: &mut FlashChip, expected: &[File]) {
    assert_eq!(stored(chip), expected);
    for entry in files::list(chip, None).expect("powered").files {
        assert_eq!(files::verify(chip, &entry), Ok(()));
        assert_eq!(files::find(chip, entry.kind, entry.name), Ok(Some(entry)));
    }
}

fn find(chip: &mut FlashChip, file: &File) -> FileEntry {
    files::find(chip, file.kind, file.name).expect("powered").expect("it is there")
}

/// Fills the flash with logs until one sector is left, which is reserved for the replacement of a
/// file.
fn filled(chip: &mut FlashChip) {
    for n in 0.. {
        let room = files::list(chip, None).expect("powered").room;
        if room == 0 {
            return;
        }
        let log = file(FileKind::Log, &format!("FILL-{n}"), n, room.min(40 * 1024) as usize);
        write(chip, &log).expect("there is room");
    }
}

#[test]
fn a_factory_new_flash_has_no_files_and_is_not_written() {
    let mut chip = FlashChip::factory_new();
    let listing = files::list(&mut chip, None).expect("powered");
    assert_eq!((listing.files.len(), listing.damaged, listing.room), (0, 0, MOST_BYTES));
    assert_eq!(files::find(&mut chip, FileKind::Game, Name::new("A").expect("a name")), Ok(None));
    assert_eq!(chip.operations(), 0);
}

#[test]
fn files_are_listed_by_kind_and_newest_first() {
    let mut chip = FlashChip::factory_new();
    for n in 0..4 {
        write(&mut chip, &game(&format!("GAME-{n}"), n)).expect("room");
        write(&mut chip, &file(FileKind::Log, &format!("LOG-{n}"), n, 9000)).expect("room");
    }
    write(&mut chip, &game("GAME-1", 9)).expect("room");
    assert_eq!(names(&mut chip, Some(FileKind::Game)), ["GAME-1", "GAME-3", "GAME-2", "GAME-0"]);
    assert_eq!(names(&mut chip, Some(FileKind::Log)), ["LOG-3", "LOG-2", "LOG-1", "LOG-0"]);
    assert_eq!(names(&mut chip, None).len(), 8);
}

#[test]
fn a_file_of_any_length_is_read_as_written() {
    let sector = SECTOR_CONTENT as usize;
    let lengths = [0, 1, 191, 192, 193, 448, sector - 1, sector, sector + 1, 2 * sector, 40_960];
    let mut chip = FlashChip::factory_new();
    let mut expected = Vec::new();
    for (n, length) in lengths.into_iter().enumerate() {
        let file = file(FileKind::Log, &format!("L{length}"), n as u64, length);
        write(&mut chip, &file).expect("room");
        expected.insert(0, file);
    }
    check(&mut chip, &expected);
}

#[test]
fn content_is_read_from_any_offset_to_the_end() {
    let mut chip = FlashChip::factory_new();
    let log = file(FileKind::Log, "LOG", 1, 9000);
    let entry = write(&mut chip, &log).expect("room");
    for (offset, asked) in [(0, 10), (4030, 5), (4032, 4032), (8990, 64), (8999, 1), (9000, 1)] {
        let mut bytes = vec![0; asked];
        let read = files::read(&mut chip, &entry, offset, &mut bytes).expect("powered");
        let expected = &log.content[offset as usize..(offset as usize + asked).min(9000)];
        assert_eq!(bytes[..read], *expected, "{asked} from {offset}");
    }
    assert_eq!(files::read(&mut chip, &entry, u32::MAX, &mut [0; 8]), Ok(0));
}

#[test]
fn a_file_replaces_one_of_its_kind_and_name() {
    let mut chip = FlashChip::factory_new();
    let (old, new) = (game("A", 1), game("A", 2));
    let log = file(FileKind::Log, "A", 3, 500);
    for file in [&old, &log, &new] {
        write(&mut chip, file).expect("room");
    }
    check(&mut chip, &[new.clone(), log.clone()]);
    let entry = find(&mut chip, &new);
    assert_eq!(files::remove(&mut chip, &entry), Ok(()));
    check(&mut chip, &[log]);
}

#[test]
fn a_file_that_is_not_finished_does_not_exist() {
    let mut chip = FlashChip::factory_new();
    let old = game("A", 1);
    write(&mut chip, &old).expect("room");
    {
        let mut writer = Writer::begin(&mut chip, old.kind, old.name, 20_000).expect("room");
        writer.append(&mut chip, &[7; 15_000]).expect("announced");
    }
    check(&mut chip, std::slice::from_ref(&old));
    let new = game("B", 2);
    write(&mut chip, &new).expect("room");
    check(&mut chip, &[new, old]);
}

#[test]
fn data_beyond_the_announced_length_is_refused() {
    let mut chip = FlashChip::factory_new();
    let name = Name::new("A").expect("a name");
    let mut writer = Writer::begin(&mut chip, FileKind::Log, name, 10).expect("room");
    assert_eq!(writer.append(&mut chip, b"12345678"), Ok(()));
    assert_eq!(writer.append(&mut chip, b"9AB"), Err(StorageError::Full));
    assert_eq!(writer.append(&mut chip, b"90"), Ok(()));
    let entry = writer.finish(&mut chip).expect("powered");
    assert_eq!(content(&mut chip, &entry).content, b"1234567890");
}

#[test]
fn removing_a_missing_file_removes_no_other() {
    let mut chip = FlashChip::factory_new();
    let old = write(&mut chip, &game("A", 1)).expect("room");
    files::remove(&mut chip, &old).expect("powered");
    let new = game("B", 2);
    write(&mut chip, &new).expect("room");
    assert_eq!(files::remove(&mut chip, &old), Ok(()));
    check(&mut chip, std::slice::from_ref(&new));
    let other = game("C", 3);
    write_instead_of(&mut chip, &other, &old).expect("room");
    check(&mut chip, &[other, new]);
}

#[test]
fn two_files_written_at_once_are_not_mixed() {
    for first_one_first in [true, false] {
        let mut chip = FlashChip::factory_new();
        let (a, b) = (game("A", 1), game("B", 2));
        let mut one = Writer::begin(&mut chip, a.kind, a.name, 2300).expect("room");
        let mut two = Writer::begin(&mut chip, b.kind, b.name, 2300).expect("room");
        chip.tolerate_set_bits();
        for (one_part, two_part) in a.content.chunks(700).zip(b.content.chunks(700)) {
            one.append(&mut chip, one_part).expect("powered");
            two.append(&mut chip, two_part).expect("powered");
        }
        let writers = if first_one_first { [one, two] } else { [two, one] };
        for writer in writers {
            assert_eq!(writer.finish(&mut chip), Err(StorageError::Damaged));
        }
        check(&mut chip, &[]);
    }
}

#[test]
fn a_finished_file_survives_one_begun_before_it() {
    let (a, b) = (game("A", 1), file(FileKind::Log, "B", 2, 6000));
    for before in (0..6000).step_by(250) {
        let mut chip = FlashChip::factory_new();
        let mut early = Writer::begin(&mut chip, b.kind, b.name, 6000).expect("room");
        early.append(&mut chip, &b.content[..before]).expect("alone so far");
        write(&mut chip, &a).expect("this one is not disturbed");
        let later = early.append(&mut chip, &b.content[before..]);
        let finished = early.finish(&mut chip);
        assert_eq!(finished, Err(StorageError::Damaged), "{before}, {later:?}");
        check(&mut chip, std::slice::from_ref(&a));
    }
}

#[test]
fn the_maximum_number_of_files_can_be_written_and_replaced() {
    let mut chip = FlashChip::factory_new();
    let mut expected = Vec::new();
    for n in 0..MAX_FILES {
        let file = game(&format!("GAME-{n}"), n as u64);
        write(&mut chip, &file).expect("room");
        expected.insert(0, file);
    }
    assert_eq!(files::list(&mut chip, None).expect("powered").room, 0);
    let new = game("NEW", 99);
    assert_eq!(write(&mut chip, &new), Err(StorageError::Full));
    check(&mut chip, &expected);

    let same = game("GAME-3", 98);
    write(&mut chip, &same).expect("it takes the place of one of its name");
    expected.retain(|file| file.name != same.name);
    expected.insert(0, same);
    check(&mut chip, &expected);

    let oldest = expected.pop().expect("many");
    let entry = find(&mut chip, &oldest);
    write_instead_of(&mut chip, &new, &entry).expect("it takes the oldest's place");
    expected.insert(0, new);
    check(&mut chip, &expected);
}

#[test]
fn exactly_the_listed_free_space_can_be_written() {
    let mut chip = FlashChip::factory_new();
    write(&mut chip, &game("A", 1)).expect("room");
    let room = files::list(&mut chip, None).expect("powered").room as usize;
    let more = file(FileKind::Log, "LOG", 2, room + 1);
    assert_eq!(write(&mut chip, &more), Err(StorageError::Full));
    let log = file(FileKind::Log, "LOG", 2, room);
    write(&mut chip, &log).expect("there is room");
    check(&mut chip, &[log, game("A", 1)]);
}

#[test]
fn a_game_can_be_replaced_on_a_full_flash() {
    let mut chip = FlashChip::factory_new();
    write(&mut chip, &game("A", 1)).expect("room");
    filled(&mut chip);
    let fills = stored(&mut chip);
    assert_eq!(write(&mut chip, &game("B", 2)), Err(StorageError::Full));
    for seed in 3..9 {
        write(&mut chip, &game("A", seed)).expect("it takes the place of one of its name");
        let entry = find(&mut chip, &game("A", seed));
        write_instead_of(&mut chip, &game("C", seed), &entry).expect("and so does this");
        let entry = find(&mut chip, &game("C", seed));
        write_instead_of(&mut chip, &game("A", seed), &entry).expect("and this");
    }
    let mut expected = vec![game("A", 8)];
    expected.extend(fills.into_iter().filter(|file| file.kind == FileKind::Log));
    check(&mut chip, &expected);
}

#[test]
fn each_call_is_limited_to_one_erase_and_few_programs() {
    let mut chip = FlashChip::factory_new();
    filled(&mut chip);
    files::remove_all(&mut chip).expect("powered");
    let log = file(FileKind::Log, "LOG", 1, 40 * 1024);
    let mut writer = Writer::begin(&mut chip, log.kind, log.name, 40 * 1024).expect("room");
    let mut erased = 0;
    for chunk in log.content.chunks(1024) {
        chip.start_recording();
        writer.append(&mut chip, chunk).expect("powered");
        let done = chip.take_recording();
        let erases = done.iter().filter(|operation| operation.is_erase()).count();
        // A sector's first page is programmed after the space for a header.
        let programs = done.len() - erases;
        assert!(erases <= 1 && programs <= 5 + 2 * erases, "{erases} erases, {programs} programs");
        erased += erases;
    }
    assert_eq!(erased, 11, "each sector was in use before");
    chip.start_recording();
    writer.finish(&mut chip).expect("powered");
    assert_eq!(chip.take_recording().len(), 3, "the last page, the header and its mark");
}

#[test]
fn writing_a_file_moves_no_other() {
    let mut chip = FlashChip::factory_new();
    for seed in 0..60 {
        write(&mut chip, &game(&format!("G{}", seed % 7), seed)).expect("room");
    }
    chip.start_recording();
    write(&mut chip, &game("NEW", 1)).expect("room");
    let done = chip.take_recording();
    let programmed = |operation: &FlashOperation| {
        if operation.is_erase() { 0 } else { operation.bytes() }
    };
    let bytes: usize = done.iter().map(programmed).sum();
    assert!(bytes < 2300 + 256 + 64 + 16, "{bytes} bytes programmed for 2300");
}

#[test]
fn wear_is_spread_over_all_sectors_of_files() {
    let mut chip = FlashChip::factory_new();
    write(&mut chip, &game("STAYS", 0)).expect("room");
    for seed in 0..2000 {
        write(&mut chip, &game(&format!("G{}", seed % 7), seed)).expect("room");
    }
    let mut wear: Vec<u32> = (16..SECTORS).filter_map(|sector| chip.wear(sector)).collect();
    wear.sort_unstable();
    // One sector belongs to the file that is never replaced.
    assert!(wear[1] >= 38 && wear[47] <= 46, "wear by sector: {wear:?}");
}

#[test]
fn settings_and_files_are_erased_independently() {
    let mut chip = FlashChip::factory_new();
    let some = Settings { seed: 5, ..Settings::default() };
    save(&mut chip, &some).expect("powered");
    write(&mut chip, &game("A", 1)).expect("room");
    assert_eq!(format(&mut chip), Ok(()));
    assert_eq!(load(&mut chip), Ok(some));
    assert_eq!(load_scores(&mut chip), Ok(Scores::default()));
    check(&mut chip, &[game("A", 1)]);
    save(&mut chip, &some).expect("powered");
    assert_eq!(files::remove_all(&mut chip), Ok(()));
    check(&mut chip, &[]);
    assert_eq!(load(&mut chip), Ok(some));
    assert_eq!(files::list(&mut chip, None).expect("powered").room, MOST_BYTES);
}
