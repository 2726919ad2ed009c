//! Tests flash with content that the firmware did not write: the store must report it and stay
//! usable.

use firmware_core::rules::Player;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::{
    RecordsDamage, Scores, Settings, StorageError, files, format, load, load_scores, save,
    save_scores, start,
};
use firmware_core::systems::Game;
use hal_mock::flash::{FLASH_SIZE, FlashChip, SECTOR_SIZE};

use crate::stored_files::{File, content, file, game, noise, stored, write, write_instead_of};

const SOME: Settings = Settings {
    seed: 7,
    sound: false,
    first: Some(Player::Bottom),
    game: Game::Family,
    ..Settings::FACTORY_NEW
};

/// Settings after the loss of all records: the defaults, on a board that is not new and does not
/// offer the introduction.
const LOST: Settings = Settings { introduced: true, ..Settings::FACTORY_NEW };

/// Checks any `image`: no panic, the same result at each start, and a rewrite of everything repairs
/// it and retains what could be read.
#[track_caller]
fn check(image: Vec<u8>) -> Result<Settings, StorageError> {
    let mut chip = FlashChip::from_image(image).expect("the right size");
    // An item over damaged bytes clears other bits than it should; the store must detect it.
    chip.tolerate_set_bits();
    let found = load(&mut chip);
    assert_eq!(load(&mut chip), found, "the second start differs");
    let mut formatted = chip.clone();
    assert_eq!(save(&mut chip, &SOME), Ok(()), "a save over {found:?}");
    assert_eq!(load(&mut chip), Ok(SOME), "after a save over {found:?}");
    assert_eq!(format(&mut formatted), Ok(()));
    assert_eq!(load(&mut formatted), Ok(found.unwrap_or(LOST)));
    assert_eq!(start(&mut formatted).damage, RecordsDamage::default());
    assert_eq!(save(&mut formatted, &SOME), Ok(()));
    assert_eq!(load(&mut formatted), Ok(SOME));
    found
}

fn saved(saves: u64) -> Vec<u8> {
    let mut chip = FlashChip::factory_new();
    for seed in 1..=saves {
        save(&mut chip, &Settings { seed, ..SOME }).expect("powered");
    }
    chip.image().to_vec()
}

#[test]
fn a_factory_new_flash_gives_the_defaults_and_is_not_written() {
    let mut chip = FlashChip::factory_new();
    assert_eq!(load(&mut chip), Ok(Settings::default()));
    assert_eq!(chip.operations(), 0);
}

#[test]
fn the_same_settings_again_are_not_written_again() {
    let mut chip = FlashChip::from_image(saved(3)).expect("the right size");
    save(&mut chip, &Settings { seed: 3, ..SOME }).expect("powered");
    assert_eq!(chip.operations(), 0);
}

#[test]
fn settings_survive_in_the_image() {
    assert_eq!(check(saved(3)), Ok(Settings { seed: 3, ..SOME }));
}

#[test]
fn a_flash_of_zeros_is_damaged() {
    assert_eq!(check(vec![0; FLASH_SIZE]), Err(StorageError::Damaged));
}

#[test]
fn a_flash_full_of_something_else_is_damaged() {
    for seed in 1..60 {
        let image = noise(seed).map(|n| n as u8).take(FLASH_SIZE).collect();
        assert_eq!(check(image), Err(StorageError::Damaged), "noise of seed {seed}");
    }
}

#[test]
fn settings_with_any_bit_flipped_are_damaged_not_the_defaults() {
    let image = saved(1);
    let used = image[SECTOR_SIZE..].iter().rposition(|&byte| byte != 0xFF).expect("one save") + 1;
    // The sector's mark is a word of zeros that tolerates a few flipped bits. The key and the 18
    // bytes of the settings leave one byte of their last word unused.
    let says_nothing = |bit| bit < 32 || bit >= (used - 1) * 8;
    for bit in 0..used * 8 {
        let mut image = image.clone();
        image[SECTOR_SIZE + bit / 8] ^= 1 << (bit % 8);
        let found = check(image);
        let expected = Settings { seed: 1, ..SOME };
        assert!(
            found == Err(StorageError::Damaged) || (says_nothing(bit) && found == Ok(expected)),
            "bit {bit}: {found:?}"
        );
    }
}

#[test]
fn erased_records_are_damaged_and_not_the_defaults() {
    let mut image = saved(5);
    image[SECTOR_SIZE..16 * SECTOR_SIZE].fill(0xFF);
    assert_eq!(check(image), Err(StorageError::Damaged));
}

#[test]
fn random_damage_never_yields_settings_that_were_not_saved() {
    let image = saved(400);
    for seed in 1..300 {
        let mut image = image.clone();
        let mut random = noise(seed);
        for _ in 0..1 + seed % 64 {
            let at = random.next().unwrap_or(0) as usize % (16 * SECTOR_SIZE);
            image[at % (3 * SECTOR_SIZE)] = random.next().unwrap_or(0) as u8;
        }
        if let Ok(found) = check(image) {
            let known =
                (1..=400).contains(&found.seed) && found == Settings { seed: found.seed, ..SOME };
            assert!(known, "noise of seed {seed}: {found:?}");
        }
    }
}

/// Offset of the files.
const AREA: usize = 16 * SECTOR_SIZE;

fn scores() -> Scores {
    let mut scores = Scores::default();
    scores.add(Game::Wari, [30, 18]);
    scores
}

/// Creates a board with settings, scores and files, newest first, without damage.
fn board() -> (Vec<u8>, Vec<File>) {
    let mut chip = FlashChip::factory_new();
    save(&mut chip, &SOME).expect("powered");
    save_scores(&mut chip, &scores()).expect("powered");
    for seed in 0..60 {
        write(&mut chip, &game(&format!("GAME-{}", seed % 9), seed)).expect("room");
    }
    for seed in 0..2 {
        write(&mut chip, &file(FileKind::Log, &format!("LOG-{seed}"), seed, 20_000)).expect("room");
    }
    let files = stored(&mut chip);
    (chip.image().to_vec(), files)
}

/// Starts a board whose files area is damaged. Settings and scores must be unchanged; each of
/// `files` must be unchanged, reported as damaged, or counted as lost; and it must be possible to
/// save a game. Returns the number of whole files.
#[track_caller]
fn check_files(image: Vec<u8>, files: &[File], what: &str) -> usize {
    let mut chip = FlashChip::from_image(image).expect("the right size");
    chip.tolerate_set_bits();
    assert_eq!((load(&mut chip), load_scores(&mut chip)), (Ok(SOME), Ok(scores())), "{what}");
    let listing = files::list(&mut chip, None).expect("damage is no error");
    let whole: Vec<_> =
        listing.files.iter().filter(|entry| files::verify(&mut chip, entry).is_ok()).collect();
    for entry in &whole {
        let found = content(&mut chip, entry);
        assert!(files.contains(&found), "{what}: {found:?} was never written like this");
    }
    let damaged = listing.files.len() - whole.len() + usize::from(listing.damaged);
    assert!(whole.len() + damaged >= files.len(), "{what}: {whole:?} and {damaged} damaged");
    let mut wanted: Vec<_> = whole.iter().map(|entry| content(&mut chip, entry)).collect();
    let new = game("NEW", 1);
    let saved = match (write(&mut chip, &new), listing.files.last()) {
        (Err(StorageError::Full), Some(oldest)) => {
            wanted.retain(|file| (file.kind, file.name) != (oldest.kind, oldest.name));
            write_instead_of(&mut chip, &new, oldest)
        }
        (saved, _) => saved,
    };
    let entry = saved.unwrap_or_else(|error| panic!("{what}: the next save: {error}"));
    assert_eq!(content(&mut chip, &entry), new, "{what}");
    for entry in files::list(&mut chip, None).expect("powered").files {
        if files::verify(&mut chip, &entry).is_ok() {
            wanted.retain(|file| *file != content(&mut chip, &entry));
        }
    }
    assert_eq!(wanted, [], "{what}: the next save took these away");
    assert_eq!(files::remove_all(&mut chip), Ok(()), "{what}");
    assert_eq!(stored(&mut chip), [], "{what}");
    whole.len()
}

#[test]
fn random_damage_to_files_is_reported_and_others_are_whole() {
    let (image, files) = board();
    for seed in 1..200 {
        let mut image = image.clone();
        let mut random = noise(seed);
        let mut hit = [false; 64];
        for _ in 0..1 + seed % 32 {
            let at = AREA + random.next().unwrap_or(0) as usize % (FLASH_SIZE - AREA);
            // Two marks of one word each follow a header; they tolerate half of their bits flipped.
            if !(44..52).contains(&(at % SECTOR_SIZE)) {
                image[at] = random.next().unwrap_or(0) as u8;
                hit[at / SECTOR_SIZE] = true;
            }
        }
        let whole = check_files(image, &files, &format!("noise of seed {seed}"));
        let hits = hit.iter().filter(|hit| **hit).count();
        assert!(whole + hits >= files.len(), "seed {seed}: {hits} hits, {whole} whole");
    }
}

#[test]
fn a_file_with_a_flipped_header_bit_is_whole_or_reported() {
    let (image, files) = board();
    let header = (16..64)
        .map(|sector| sector * SECTOR_SIZE)
        .find(|&at| image[at..].starts_with(b"file") && image[at + 48..at + 52] == [0xFF; 4])
        .expect("a header");
    for bit in 0..64 * 8 {
        let mut image = image.clone();
        image[header + bit / 8] ^= 1 << (bit % 8);
        let whole = check_files(image, &files, &format!("bit {bit}"));
        assert!(whole + 1 >= files.len(), "bit {bit}: {whole} are whole");
    }
}

#[test]
fn an_area_without_valid_files_can_be_used() {
    for seed in 1..20 {
        let mut image = board().0;
        let random = noise(seed).map(|n| n as u8);
        image[AREA..].iter_mut().zip(random).for_each(|(byte, noise)| *byte = noise);
        check_files(image, &[], &format!("noise of seed {seed}"));
    }
    for byte in [0x00, 0xFF, 0x5A] {
        let mut image = board().0;
        image[AREA..].fill(byte);
        check_files(image, &[], &format!("bytes of {byte:#04x}"));
    }
}

#[test]
fn damaged_settings_leave_the_files_whole() {
    let (image, files) = board();
    for seed in 1..20 {
        let mut image = image.clone();
        let random = noise(seed).map(|n| n as u8);
        image[..AREA].iter_mut().zip(random).for_each(|(byte, noise)| *byte = noise);
        let mut chip = FlashChip::from_image(image).expect("the right size");
        chip.tolerate_set_bits();
        assert_eq!(load(&mut chip), Err(StorageError::Damaged), "noise of seed {seed}");
        assert_eq!(load_scores(&mut chip), Err(StorageError::Damaged), "noise of seed {seed}");
        assert!(stored(&mut chip) == files, "noise of seed {seed}");
        assert_eq!(format(&mut chip), Ok(()));
        assert!(stored(&mut chip) == files, "noise of seed {seed}");
        assert_eq!(load(&mut chip), Ok(LOST));
    }
}

#[test]
fn a_damaged_entry_of_the_journal_loses_nothing() {
    let (image, files) = board();
    let used = image[..SECTOR_SIZE].iter().rposition(|&byte| byte != 0xFF).expect("used") + 1;
    for at in 0..used {
        let mut image = image.clone();
        image[at] ^= 0x10;
        assert_eq!(check_files(image, &files, &format!("journal byte {at}")), files.len());
    }
    for at in (0..used).step_by(8) {
        let mut image = image.clone();
        let random = noise(at as u64 + 1).map(|n| n as u8);
        image[at..at + 8].iter_mut().zip(random).for_each(|(byte, noise)| *byte = noise);
        assert_eq!(check_files(image, &files, &format!("journal entry {at}")), files.len());
    }
}

#[test]
fn scores_with_any_bit_flipped_are_damaged_not_zero() {
    let mut chip = FlashChip::factory_new();
    save_scores(&mut chip, &scores()).expect("powered");
    let image = chip.image().to_vec();
    let used = image[SECTOR_SIZE..].iter().rposition(|&byte| byte != 0xFF).expect("one save") + 1;
    // The same exceptions as for settings: the sector's mark, and an unused byte after the key and
    // the 34 bytes.
    for bit in 32..(used - 1) * 8 {
        let mut image = image.clone();
        image[SECTOR_SIZE + bit / 8] ^= 1 << (bit % 8);
        let mut chip = FlashChip::from_image(image).expect("the right size");
        assert_eq!(load_scores(&mut chip), Err(StorageError::Damaged), "bit {bit}");
        assert_eq!(load(&mut chip), Ok(LOST), "bit {bit}: none were ever saved");
    }
}
