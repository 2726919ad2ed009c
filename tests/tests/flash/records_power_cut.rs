//! Tests power cuts while settings or scores are saved: exhaustively, at every byte of the
//! operation.
//!
//! `firmware-core`'s store runs on `hal-mock`'s flash. After each cut the next start must find the
//! old or the new settings and scores, whole; it must be able to save again; and no file may have
//! changed. That must be true for bytes that change in order, and for cells that tear like silicon,
//! where an interrupted erase may leave any content.

use std::sync::OnceLock;

use embedded_storage::nor_flash::NorFlash;
use firmware_core::name::Name;
use firmware_core::opponent::{Level, Players};
use firmware_core::rules::Player;
use firmware_core::sound::Volume;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::files::Writer;
use firmware_core::storage::{
    self, ChanceSource, Damage, Scores, Settings, StorageError, save, save_scores, start,
};
use firmware_core::systems::Game;
use hal_mock::flash::{FLASH_SIZE, FlashChip, SECTOR_SIZE, SECTORS, Tear};
use nudge_tests::part::Part;

use crate::cut::{Cuts, bytes_of, cut, everywhere};

/// Offset of the files.
const AREA: usize = 16 * SECTOR_SIZE;

const GAMES: [Game; 4] = [Game::Board, Game::Family, Game::Wari, Game::TopBottom];

/// Returns the settings of the `n`th save; consecutive ones differ.
fn settings(n: u64) -> Settings {
    Settings {
        seed: n.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        chance: [ChanceSource::Noise, ChanceSource::Still, ChanceSource::Seeded][(n % 3) as usize],
        sound: n.is_multiple_of(2),
        first: [None, Some(Player::Bottom), Some(Player::Top)][(n % 3) as usize],
        game: GAMES[(n / 2 % 4) as usize],
        stones: 3 + (n / 3 % 3) as u8,
        bidirectional: (n / 4).is_multiple_of(2),
        players: [Players::One, Players::Two, Players::Demo][(n / 5 % 3) as usize],
        before_demo: Players::Two,
        level: Level::ALL[(n / 6 % 4) as usize],
        thoughts: (n / 7).is_multiple_of(2),
        introduced: (n / 8).is_multiple_of(2),
        side: Player::BOTH[(n / 2 % 2) as usize],
        sows_at_once: (n / 3).is_multiple_of(2),
        volume: Volume::ALL[(n / 4 % 3) as usize],
    }
}

/// Returns the scores after `n` games.
fn scores(n: u64) -> Scores {
    let mut scores = Scores::default();
    for game in GAMES {
        scores.add(game, [n as u32 * 24, n as u32 * (1 + game as u32)]);
    }
    scores
}

type Records = (Settings, Scores);

fn records<F: NorFlash>(chip: &mut F) -> Result<Records, StorageError> {
    let stored = start(chip);
    for damage in [stored.damage.settings, stored.damage.scores] {
        match damage {
            None => {}
            Some(Damage::Older) => return Err(StorageError::Damaged),
            Some(Damage::Lost(error)) => return Err(error),
        }
    }
    Ok((stored.settings, stored.scores))
}

/// Executes save number `n`; every third one saves scores.
fn nth_save(chip: &mut FlashChip, n: u64) -> Result<(), StorageError> {
    if n.is_multiple_of(3) { save_scores(chip, &scores(n)) } else { save(chip, &settings(n)) }
}

/// Executes save number `n` on a board that remembers the position of the records.
fn nth_save_of(
    kept: &mut storage::Records,
    chip: &mut FlashChip,
    n: u64,
) -> Result<(), StorageError> {
    match n.is_multiple_of(3) {
        true => kept.save_scores(chip, &scores(n)),
        false => kept.save(chip, &settings(n)),
    }
}

/// Cuts the power at every byte of `work`: the next start must find the records as they were before
/// or as they are afterwards, it must be possible to save both kinds, and the files must be
/// unchanged.
#[track_caller]
fn check(before: &FlashChip, work: impl Fn(&mut FlashChip) -> Result<(), StorageError>) -> Cuts {
    let old = records(&mut before.clone()).expect("the flash is sound before");
    let new = {
        let mut chip = before.clone();
        work(&mut chip).expect("nothing cuts this");
        records(&mut chip).expect("the flash is sound afterwards")
    };
    assert_ne!(old, new, "the work does something");
    let next = (settings(77), scores(77));
    let cuts = everywhere(before, work, |moment, chip| {
        let found = records(chip);
        assert!(found == Ok(old) || found == Ok(new), "{moment}: found {found:?}");
        assert_eq!(records(chip), found, "{moment}: the second start differs");
        assert!(
            chip.bytes(AREA..FLASH_SIZE) == &before.image()[AREA..],
            "{moment}: a file changed"
        );
        assert_eq!(save(chip, &next.0), Ok(()), "{moment}: the next save");
        assert_eq!(save_scores(chip, &next.1), Ok(()), "{moment}: the next save of scores");
        assert_eq!(records(chip), Ok(next), "{moment}: after the next saves");
    });
    println!("{cuts:?}");
    cuts
}

/// Does the same with a second cut while the board starts and saves again: after every 17th byte,
/// with another first byte for each first cut.
#[track_caller]
fn check_twice(
    before: &FlashChip,
    work: impl Fn(&mut FlashChip) -> Result<(), StorageError>,
    cuts: impl Iterator<Item = u64>,
) {
    let next = settings(78);
    for first in Part::of_this_run().pick(cuts) {
        let tear = Tear::Ragged { seed: first };
        let torn = cut(before, &work, tear, first);
        let found = records(&mut torn.clone()).expect("one cut");
        let bytes = bytes_of(&torn, |chip| save(chip, &next));
        for again in (first % 17..bytes).step_by(17) {
            let mut chip = cut(&torn, |chip| save(chip, &next), tear, again);
            let last = records(&mut chip);
            assert!(
                last == Ok(found) || last == Ok((next, found.1)),
                "cut after {first} and again after {again}: found {last:?}, not {found:?}"
            );
        }
    }
}

/// Creates a board with a file, which no save of records may change.
fn new_board() -> FlashChip {
    let mut chip = FlashChip::factory_new();
    let name = Name::new("GAME").expect("a name");
    let mut writer = Writer::begin(&mut chip, FileKind::Game, name, 6000).expect("room");
    writer.append(&mut chip, &[0x5A; 6000]).expect("powered");
    writer.finish(&mut chip).expect("powered");
    chip
}

/// Returns the number of erases of `chip` so far, in all sectors except the journal's.
fn erases(chip: &FlashChip) -> u32 {
    (1..SECTORS).filter_map(|sector| chip.wear(sector)).sum()
}

/// Returns a flash on which the next save has to erase, and that save's number.
fn worn() -> &'static (FlashChip, u64) {
    static WORN: OnceLock<(FlashChip, u64)> = OnceLock::new();
    WORN.get_or_init(|| {
        let mut chip = new_board();
        (1..)
            .find_map(|n| {
                let before = chip.clone();
                nth_save(&mut chip, n).expect("powered");
                (erases(&chip) > 0).then_some((before, n))
            })
            .expect("a save that erases comes before the numbers end")
    })
}

#[test]
fn the_first_save_of_a_factory_new_board_is_all_or_nothing() {
    for board in [FlashChip::factory_new(), new_board()] {
        let cuts = check(&board, |chip| save(chip, &settings(1)));
        assert!(cuts.operations >= 4, "the sector's mark, a header, the settings, the journal");
    }
}

#[test]
fn the_first_scores_of_a_factory_new_board_are_all_or_nothing() {
    check(&new_board(), |chip| save_scores(chip, &scores(1)));
}

#[test]
fn repeated_cuts_of_the_first_save_leave_a_factory_new_board() {
    let mut chip = FlashChip::factory_new();
    for n in 0..40 {
        let tear = Tear::Ragged { seed: n };
        chip = cut(&chip, |chip| save(chip, &settings(1)), tear, n % 13);
        chip = cut(&chip, |chip| save_scores(chip, &scores(1)), tear, n % 11);
        assert_eq!(records(&mut chip), Ok(Records::default()), "after {n} cuts");
    }
    assert_eq!(save(&mut chip, &settings(1)), Ok(()));
    assert_eq!(records(&mut chip), Ok((settings(1), Scores::default())));
}

#[test]
fn a_change_of_settings_or_scores_is_all_or_nothing() {
    let mut chip = new_board();
    for n in 1..8 {
        nth_save(&mut chip, n).expect("powered");
        check(&chip, |chip| nth_save(chip, n + 1));
    }
}

#[test]
fn a_save_at_a_remembered_position_is_all_or_nothing() {
    let mut chip = new_board();
    for n in 1..6 {
        check(&chip, |chip| {
            let mut kept = storage::Records::default();
            kept.start(chip);
            nth_save_of(&mut kept, chip, n)
        });
        nth_save(&mut chip, n).expect("powered");
    }
}

#[test]
fn a_save_at_a_remembered_position_writes_the_same_bytes() {
    let (mut one, mut other) = (new_board(), new_board());
    let mut kept = storage::Records::default();
    for n in 1..2000 {
        nth_save(&mut one, n).expect("powered");
        nth_save_of(&mut kept, &mut other, n).expect("powered");
        assert!(one.image() == other.image(), "save {n}");
    }
}

#[test]
fn a_save_that_continues_in_the_next_sector_is_all_or_nothing() {
    let mut chip = new_board();
    let mut n = 0;
    loop {
        let before = chip.clone();
        n += 1;
        nth_save(&mut chip, n).expect("powered");
        if chip.image()[2 * SECTOR_SIZE] != 0xFF {
            check(&before, |chip| nth_save(chip, n));
            return;
        }
    }
}

#[test]
fn a_save_that_erases_a_sector_is_all_or_nothing() {
    let (chip, n) = worn();
    let cuts = check(chip, |chip| nth_save(chip, *n));
    assert_eq!(cuts.erases, 1);
}

#[test]
fn power_that_goes_again_while_a_save_is_repaired_loses_nothing() {
    let (chip, n) = worn();
    let work = |chip: &mut FlashChip| nth_save(chip, *n);
    let bytes = bytes_of(chip, work);
    // Every byte outside of the erase (which alone has 4096), and some inside.
    let outside = bytes - SECTOR_SIZE as u64;
    let cuts = (0..outside)
        .chain((1..8).map(|part| part * SECTOR_SIZE as u64 / 8))
        .chain(bytes - outside..bytes);
    check_twice(chip, work, cuts);
}

#[test]
fn a_save_that_erases_the_full_journal_is_all_or_nothing() {
    let (mut chip, n) = worn().clone();
    // The journal's free entries, all but one filled with meaningless ones.
    let free: Vec<u32> = (0..SECTOR_SIZE as u32)
        .step_by(8)
        .filter(|&at| chip.image()[at as usize..][..8].iter().all(|&byte| byte == 0xFF))
        .collect();
    for &at in &free[..free.len() - 1] {
        chip.program(at, &[0; 8]).expect("free");
    }
    let cuts = check(&chip, |chip| nth_save(chip, n));
    assert_eq!(cuts.erases, 2, "the journal's and the sector's");
    nth_save(&mut chip, n).expect("powered");
    nth_save(&mut chip, n + 1).expect("powered");
}

#[test]
fn wear_is_spread_over_all_sectors_of_records() {
    let (mut chip, n) = worn().clone();
    for n in n..n + 6000 {
        nth_save(&mut chip, n).expect("powered");
    }
    let wear: Vec<u32> = (1..13).filter_map(|sector| chip.wear(sector)).collect();
    let (least, most) = (wear.iter().min(), wear.iter().max());
    assert!(least >= Some(&1) && most <= Some(&5), "wear by sector: {wear:?}");
    let files = (16..SECTORS).filter_map(|sector| chip.wear(sector)).sum::<u32>();
    assert_eq!(files, 0, "the files' sectors are not touched");
}
