//! Tests power cuts while damaged settings and scores are rewritten: by [`format()`], and by the
//! save that follows damage. Records that were whole before must be whole at the next start.
//!
//! For each kind of damage the power is cut in every flash access of the repair: at every byte of a
//! program, and of an erase at its first and last 3 bytes and at every 509th between (a repair
//! erases up to 12 sectors; all their bytes would be 184,000 cuts per case), torn in three ways.

use firmware_core::rules::Player;
use firmware_core::storage::{
    Damage, RecordsDamage, Scores, Settings, StorageError, Stored, format, save, save_scores, start,
};
use firmware_core::systems::Game;
use hal_mock::flash::{FlashChip, SECTOR_SIZE};

use crate::cut::{Cuts, bytes_of, in_every_operation};

/// Distance of the cuts in an erase in bytes.
const STRIDE: usize = 509;

/// The sectors of records.
const RECORDS: std::ops::Range<usize> = SECTOR_SIZE..16 * SECTOR_SIZE;

/// The settings of a board that has lost its own and is not new.
const DEFAULTS: Settings = Settings { introduced: true, ..Settings::FACTORY_NEW };

fn settings(seed: u64) -> Settings {
    Settings { seed, game: Game::Wari, first: Some(Player::Top), ..DEFAULTS }
}

/// Returns scores in which Bottom has captured 31 and Top 17.
fn scores() -> Scores {
    let mut scores = Scores::default();
    scores.add(Game::Wari, [31, 17]);
    scores
}

/// Creates a board whose scores were saved before the last `saves` of its settings.
fn board(saves: u64) -> FlashChip {
    let mut chip = FlashChip::factory_new();
    save(&mut chip, &settings(0)).expect("powered");
    save_scores(&mut chip, &scores()).expect("powered");
    for seed in 1..=saves {
        save(&mut chip, &settings(seed)).expect("powered");
    }
    FlashChip::from_image(chip.image().to_vec()).expect("the right size")
}

/// Returns a copy of `chip` with changed bytes.
fn damaged(chip: &FlashChip, damage: impl Fn(&mut [u8])) -> FlashChip {
    let mut image = chip.image().to_vec();
    damage(&mut image);
    FlashChip::from_image(image).expect("the right size")
}

/// Returns the end of the last item in a sector of records.
fn end_of(image: &[u8], sector: usize) -> usize {
    let start = sector * SECTOR_SIZE;
    let items = &image[start..start + SECTOR_SIZE - 4];
    start + items.iter().rposition(|byte| *byte != 0xFF).expect("items") + 1
}

/// Repairs `before` by [`format()`] and by the next save of settings and of scores, with the power
/// cut in every access: each start must find `found`, or the record that was just saved.
#[track_caller]
fn check(before: &FlashChip, found: Stored) {
    let first = start(&mut before.clone());
    assert_eq!(first, found, "what is whole is found");
    let mut more = found.scores;
    more.add(Game::Wari, [1, 2]);
    type Work<'a> = &'a dyn Fn(&mut FlashChip) -> Result<(), StorageError>;
    let works: [(&str, Work<'_>); 3] = [
        ("format", &|chip| format(chip)),
        ("save", &|chip| save(chip, &settings(99))),
        ("save of scores", &|chip| save_scores(chip, &more)),
    ];
    for (name, work) in works {
        let cuts = in_every_operation(before, STRIDE, work, |moment, chip| {
            let left = start(chip);
            let same = |stored: &Stored| (stored.settings, stored.scores);
            assert!(
                same(&left) == same(&found)
                    || (name == "save" && same(&left) == (settings(99), found.scores))
                    || (name == "save of scores" && same(&left) == (found.settings, more)),
                "{name}, {moment}: {left:?}"
            );
            let lost = |damage| matches!(damage, Some(Damage::Lost(_)));
            assert!(
                lost(found.damage.scores) || !lost(left.damage.scores),
                "{name}, {moment}: {left:?}"
            );
            assert_eq!(format(chip), Ok(()), "{name}, {moment}: the next repair");
            let repaired = start(chip);
            assert_eq!(same(&repaired), same(&left), "{name}, {moment}: after the next repair");
            assert_eq!(repaired.damage, RecordsDamage::default(), "{name}, {moment}");
        });
        println!("{name}: {cuts:?}");
        let Cuts { operations, .. } = cuts;
        assert!(operations > 2, "{name}: {cuts:?}");
    }
    let mut repaired = before.clone();
    assert_eq!(format(&mut repaired), Ok(()));
    let after = start(&mut repaired);
    assert_eq!(after, Stored { damage: RecordsDamage::default(), ..found });
    let bytes = bytes_of(&repaired, |chip| save(chip, &settings(98)));
    assert!(bytes < 100, "the map goes on without a repair: {bytes} bytes");
}

const NO_DAMAGE: RecordsDamage = RecordsDamage { settings: None, scores: None };
const LOST: Option<Damage> = Some(Damage::Lost(StorageError::Damaged));

#[test]
fn scores_survive_while_lost_settings_are_repaired() {
    let chip = damaged(&board(0), |image| image[SECTOR_SIZE + 20] ^= 4);
    let damage = RecordsDamage { settings: LOST, scores: None };
    check(&chip, Stored { settings: DEFAULTS, scores: scores(), damage });
}

#[test]
fn settings_survive_while_lost_scores_are_repaired() {
    let mut chip = FlashChip::factory_new();
    save(&mut chip, &settings(1)).expect("powered");
    let settings_end = end_of(chip.image(), 1);
    save_scores(&mut chip, &scores()).expect("powered");
    let end = end_of(chip.image(), 1);
    let chip = damaged(&chip, |image| image[settings_end..end].fill(0));
    let damage = RecordsDamage { settings: None, scores: LOST };
    check(&chip, Stored { settings: settings(1), scores: Scores::default(), damage });
}

#[test]
fn an_older_record_survives_in_place_of_the_damaged_newest() {
    let chip = board(9);
    let end = end_of(chip.image(), 1);
    let chip = damaged(&chip, |image| image[end - 5] ^= 1);
    let damage = RecordsDamage { settings: Some(Damage::Older), scores: None };
    check(&chip, Stored { settings: settings(8), scores: scores(), damage });
}

#[test]
fn a_newest_record_that_was_erased_is_known_to_be_lost() {
    let chip = board(9);
    let end = end_of(chip.image(), 1);
    let chip = damaged(&chip, |image| image[end - 24..end].fill(0xFF));
    let damage = RecordsDamage { settings: Some(Damage::Older), scores: None };
    check(&chip, Stored { settings: settings(8), scores: scores(), damage });
}

#[test]
fn records_after_a_hole_survive() {
    let chip = damaged(&board(9), |image| image[SECTOR_SIZE + 128..SECTOR_SIZE + 200].fill(0xFF));
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
}

#[test]
fn records_survive_in_a_sector_that_lost_its_mark() {
    let chip = damaged(&board(9), |image| image[SECTOR_SIZE..SECTOR_SIZE + 4].fill(0xFF));
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
}

#[test]
fn records_survive_in_a_sector_that_looks_closed() {
    let end = 2 * SECTOR_SIZE;
    let chip = damaged(&board(9), |image| image[end - 4..end].fill(0));
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
    let chip = damaged(&board(9), |image| image[end..end + 300].fill(0x5A));
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
    let chip = damaged(&board(9), |image| image[end + 4092..end + 4096].fill(0));
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
}

#[test]
fn records_survive_sectors_that_changed_places() {
    // The second sector is in use.
    let chip = board(150);
    for (one, other) in [(1, 2), (2, 3), (1, 9), (2, 15)] {
        let chip = damaged(&chip, |image| {
            let (low, high) = image.split_at_mut(other * SECTOR_SIZE);
            low[one * SECTOR_SIZE..][..SECTOR_SIZE].swap_with_slice(&mut high[..SECTOR_SIZE]);
        });
        check(&chip, Stored { settings: settings(150), scores: scores(), damage: NO_DAMAGE });
    }
}

#[test]
fn records_survive_noise_in_all_sectors_but_their_own() {
    let chip = damaged(&board(9), |image| {
        let mut state = 1_u32;
        for byte in &mut image[2 * SECTOR_SIZE..RECORDS.end] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
    });
    check(&chip, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
}

#[test]
fn records_of_a_worn_board_survive() {
    // All sectors but one were in use.
    let chip = board(1500);
    let chip = damaged(&chip, |image| {
        for sector in [3, 7] {
            image[sector * SECTOR_SIZE + 1000..sector * SECTOR_SIZE + 1400].fill(0xFF);
        }
    });
    let found = start(&mut chip.clone());
    assert_eq!((found.settings, found.scores), (settings(1500), scores()));
    check(&chip, found);
}

#[test]
fn a_damaged_note_of_a_finished_erase_loses_no_record() {
    let mut chip = board(9);
    // A note that the erase of the records' first sector has begun, without one that it has ended.
    let free =
        chip.image()[..SECTOR_SIZE].iter().rposition(|byte| *byte != 0xFF).map_or(0, |at| at + 1);
    let note = [b'w', b'i', b'p', b'e', 1, 0, !1, !0];
    chip.program(free.next_multiple_of(8) as u32, &note).expect("free");
    let found = start(&mut chip);
    assert_eq!(found, Stored { settings: settings(9), scores: scores(), damage: NO_DAMAGE });
}
