//! Tests power cuts while a game is saved, a log is written or a file is removed: exhaustively, at
//! every byte of the operation.
//!
//! After each cut the next start must find every other file, the settings and the scores unchanged,
//! and the new file whole or absent; and it must be able to save.

use embedded_storage::nor_flash::NorFlash;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::{
    RecordsDamage, Scores, Settings, StorageError, Stored, files, save, save_scores, start,
};
use firmware_core::systems::Game;
use hal_mock::flash::{FlashChip, SECTOR_SIZE, SECTORS, Tear};

use crate::cut::{Cuts, bytes_of, cut, everywhere};
use crate::stored_files::{File, file, game, stored, write, write_instead_of};

/// Offset of the files; settings and scores are below.
const AREA: usize = 16 * SECTOR_SIZE;

/// The files and records of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    settings: Settings,
    scores: Scores,
    files: Vec<File>,
}

#[track_caller]
fn board<F: NorFlash>(chip: &mut F) -> Board {
    let Stored { settings, scores, damage } = start(chip);
    assert_eq!(damage, RecordsDamage::default());
    Board { settings, scores, files: stored(chip) }
}

/// Cuts the power at every byte of `work`: the next start must find the board as it was before or
/// as it is afterwards, and it must be possible to save a game.
#[track_caller]
pub fn check(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
) -> Cuts {
    let old = board(&mut before.clone());
    let new = {
        let mut chip = before.clone();
        work(&mut chip).expect("nothing cuts this");
        board(&mut chip)
    };
    assert_ne!(old, new, "the work does something");
    let records = before.image()[SECTOR_SIZE..AREA].to_vec();
    let next = game("NEXT", 77);
    let mut outcomes = [0, 0];
    let cuts = everywhere(before, work, |moment, chip| {
        let found = board(chip);
        let is_new = found == new;
        outcomes[usize::from(is_new)] += 1;
        assert!(is_new || found == old, "{moment}: found {found:?}");
        assert!(chip.bytes(SECTOR_SIZE..AREA) == records, "{moment}: the records changed");
        if is_new {
            all_verified(chip);
        }
        let mut wanted = found.files;
        wanted.insert(0, next.clone());
        let mut saved = write(chip, &next);
        if saved == Err(StorageError::Full) {
            // The oldest file is replaced if there is no free slot.
            let listing = files::list(chip, None).expect("powered");
            let oldest = listing.files.last().expect("a full flash has files");
            wanted.pop();
            saved = write_instead_of(chip, &next, oldest);
        }
        assert!(saved.is_ok(), "{moment}: the next save: {saved:?}");
        assert!(stored(chip) == wanted, "{moment}: after the next save");
    });
    assert!(outcomes[0] > 0 && cuts.operations > 0, "{cuts:?}");
    println!("{cuts:?}, as before {}, as after {}", outcomes[0], outcomes[1]);
    cuts
}

/// Checks that each file's content is the one for which its header was written.
#[track_caller]
fn all_verified<F: NorFlash>(chip: &mut F) {
    for entry in files::list(chip, None).expect("powered").files {
        assert_eq!(files::verify(chip, &entry), Ok(()), "{entry:?}");
    }
}

fn saves(file: &File) -> impl Fn(&mut FlashChip) -> Result<(), StorageError> {
    move |chip| write(chip, file).map(drop)
}

/// Creates a board with settings and scores, on which games and logs were written and replaced
/// until no sector is blank; it has eight files in 14 sectors.
pub fn used() -> FlashChip {
    let mut chip = FlashChip::factory_new();
    save(&mut chip, &Settings { seed: 5, stones: 3, ..Settings::default() }).expect("powered");
    let mut scores = Scores::default();
    scores.add(Game::Wari, [20, 28]);
    save_scores(&mut chip, &scores).expect("powered");
    for seed in 0..40 {
        let name = ["A", "B", "C", "D", "E", "F"][seed as usize % 6];
        write(&mut chip, &game(name, seed)).expect("room");
        if seed % 8 == 7 {
            let name = ["LOG-1", "LOG-2"][seed as usize / 8 % 2];
            write(&mut chip, &file(FileKind::Log, name, seed, 13_000)).expect("room");
        }
    }
    let blank = |sector: usize| {
        chip.image()[sector * SECTOR_SIZE..][..SECTOR_SIZE].iter().all(|byte| *byte == 0xFF)
    };
    assert!(!(16..SECTORS).any(blank), "every sector was in use");
    chip
}

/// Creates a board with the maximum number of files.
pub fn full() -> FlashChip {
    let mut chip = used();
    for n in stored(&mut chip).len()..files::MAX_FILES {
        write(&mut chip, &file(FileKind::Game, &format!("X{n}"), n as u64, 600)).expect("room");
    }
    assert_eq!(write(&mut chip, &game("MORE", 1)), Err(StorageError::Full));
    chip
}

#[test]
fn the_first_game_on_a_factory_new_board_is_all_or_nothing() {
    let cuts = check(&FlashChip::factory_new(), saves(&game("A", 1)));
    assert_eq!(cuts.erases, 0, "a blank sector is not erased");
}

#[test]
fn a_game_of_a_new_name_is_all_or_nothing() {
    let cuts = check(&used(), saves(&game("NEW", 1)));
    assert_eq!(cuts.erases, 1);
}

#[test]
fn a_game_over_one_of_its_name_is_the_old_or_the_new() {
    for name in ["A", "F"] {
        check(&used(), saves(&game(name, 1)));
    }
}

#[test]
fn a_game_in_place_of_the_oldest_is_one_of_the_two() {
    let chip = full();
    let listing = files::list(&mut chip.clone(), None).expect("powered");
    let oldest = *listing.files.last().expect("it is full");
    let new = game("NEW", 1);
    check(&chip, |chip| write_instead_of(chip, &new, &oldest).map(drop));
}

#[test]
fn a_log_of_several_sectors_is_all_or_nothing() {
    let log = file(FileKind::Log, "LOG-3", 1, 9000);
    let cuts = check(&used(), saves(&log));
    assert_eq!(cuts.erases, 3);
}

#[test]
fn a_replaced_log_on_blank_sectors_is_the_old_or_the_new() {
    let mut chip = FlashChip::factory_new();
    write(&mut chip, &game("A", 1)).expect("room");
    write(&mut chip, &file(FileKind::Log, "LOG-1", 2, 5000)).expect("room");
    check(&chip, saves(&file(FileKind::Log, "LOG-1", 3, 9000)));
}

#[test]
fn an_empty_file_is_all_or_nothing() {
    check(&used(), saves(&file(FileKind::Log, "NOTHING", 0, 0)));
}

#[test]
fn a_removed_file_is_present_or_absent() {
    let chip = used();
    for entry in files::list(&mut chip.clone(), None).expect("powered").files {
        check(&chip, |chip| files::remove(chip, &entry));
    }
}

/// The removed file had replaced another; a power cut prevented the mark on the replaced one.
#[test]
fn a_removed_file_does_not_restore_the_one_it_replaced() {
    let chip = used();
    let new = game("A", 1);
    let bytes = bytes_of(&chip, saves(&new));
    // The last word of a save marks the old file.
    let chip = cut(&chip, saves(&new), Tear::InOrder, bytes - 4);
    let entry = files::find(&mut chip.clone(), FileKind::Game, new.name).expect("powered");
    let entry = entry.expect("the new one is there");
    let names = |chip: &mut FlashChip| {
        stored(chip)
            .iter()
            .filter(|file| (file.kind, file.name) == (FileKind::Game, new.name))
            .count()
    };
    assert_eq!(names(&mut chip.clone()), 1);
    let cuts = check(&chip, |chip| files::remove(chip, &entry));
    assert_eq!(cuts.operations, 2, "a mark for the old one and one for the new");
}

#[test]
fn a_save_that_erases_the_full_journal_is_all_or_nothing() {
    let mut chip = used();
    // The journal's free entries, all but one filled with meaningless ones.
    let free: Vec<u32> = (0..SECTOR_SIZE as u32)
        .step_by(8)
        .filter(|&at| chip.image()[at as usize..][..8].iter().all(|&byte| byte == 0xFF))
        .collect();
    for &at in &free[..free.len() - 1] {
        chip.program(at, &[0; 8]).expect("free");
    }
    let cuts = check(&chip, saves(&game("NEW", 1)));
    assert_eq!(cuts.erases, 2, "the journal's and the file's");
}

#[test]
fn files_are_removed_one_by_one() {
    let chip = used();
    let old = board(&mut chip.clone());
    everywhere(&chip, files::remove_all, |moment, chip| {
        let found = board(chip);
        assert_eq!((found.settings, found.scores), (old.settings, old.scores), "{moment}");
        assert!(found.files.iter().all(|file| old.files.contains(file)), "{moment}");
        assert_eq!(files::remove_all(chip), Ok(()), "{moment}");
        assert_eq!(stored(chip), [], "{moment}");
    });
}

/// Cuts the power a second time while the board starts and saves again: after every 61st byte, with
/// another first byte for each first cut; the first cut is after every 53rd byte.
#[test]
fn power_that_goes_again_while_a_save_is_repaired_loses_nothing() {
    let chip = used();
    let old = board(&mut chip.clone());
    let (first, second) = (game("A", 1), game("B", 2));
    let bytes = bytes_of(&chip, saves(&first));
    for at in (0..bytes).step_by(53) {
        let tear = Tear::Ragged { seed: at };
        let torn = cut(&chip, saves(&first), tear, at);
        let found = board(&mut torn.clone());
        let more = bytes_of(&torn, saves(&second));
        for again in (at % 61..more).step_by(61) {
            let mut chip = cut(&torn, saves(&second), tear, again);
            let last = board(&mut chip);
            let mut with = found.files.clone();
            with.retain(|file| file.name != second.name);
            with.insert(0, second.clone());
            assert!(
                last.files == found.files || last.files == with,
                "cut after {at} and again after {again}: {last:?}"
            );
            assert_eq!((last.settings, last.scores), (old.settings, old.scores));
        }
    }
}
