//! The power goes in the middle of a save: at every single byte of it, exhaustively.
//!
//! `firmware-core`'s store meets `hal-mock`'s flash here. Whatever moment the power goes at,
//! the next start must find the old settings whole, or the new ones, and must be able to
//! save again. That holds for bytes that change in order and for cells that tear as silicon
//! does, where an interrupted erase may leave anything.

use std::sync::OnceLock;

use firmware_core::rules::Player;
use firmware_core::storage::{Settings, load, save};
use firmware_core::systems::Game;
use hal_mock::flash::{FlashChip, SECTOR_SIZE, SECTORS, Tear};

/// In order, and torn in several ways.
const TEARS: [Tear; 3] = [Tear::InOrder, Tear::Ragged { seed: 1 }, Tear::Ragged { seed: 2 }];

/// The settings of the `n`th save: no two in a row are alike.
fn settings(n: u64) -> Settings {
    let first = [None, Some(Player::Bottom), Some(Player::Top)][(n % 3) as usize];
    let game = [Game::Board, Game::Family, Game::TopBottom][(n / 2 % 3) as usize];
    let seed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Settings { seed, sound: n.is_multiple_of(2), first, game, ..Settings::default() }
}

/// Saves `new` over `before` with the power cut after each byte in turn, and checks what
/// the next start finds. Says how many cuts that were.
#[track_caller]
fn check(before: &FlashChip, new: &Settings) -> u64 {
    let old = load(&mut before.clone()).expect("the flash is sound before the save");
    let bytes = bytes_of(before, |chip| {
        save(chip, new).expect("nothing cuts this save");
    });
    for tear in TEARS {
        for cut in 0..bytes {
            let mut chip = cut_save(before, new, tear, cut);
            let found = load(&mut chip);
            assert!(
                found == Ok(old) || found == Ok(*new),
                "{tear:?}, cut after {cut} of {bytes} bytes: found {found:?}, neither {old:?} nor {new:?}"
            );
            assert_eq!(
                load(&mut chip),
                found,
                "{tear:?}, cut after {cut}: the second start differs"
            );
            let next = settings(77);
            assert_eq!(save(&mut chip, &next), Ok(()), "{tear:?}, cut after {cut}: the next save");
            assert_eq!(load(&mut chip), Ok(next), "{tear:?}, cut after {cut}: after the next save");
        }
    }
    bytes
}

/// The same, and the power goes once more while the board starts and saves again: after
/// every seventh byte of that, from another one on for each first cut.
#[track_caller]
fn check_twice(before: &FlashChip, new: &Settings, cuts: impl Iterator<Item = u64>) {
    let old = load(&mut before.clone()).expect("the flash is sound before the save");
    for cut in cuts {
        let tear = Tear::Ragged { seed: cut };
        let torn = cut_save(before, new, tear, cut);
        let found = load(&mut torn.clone()).expect("one cut");
        let next = settings(78);
        let bytes = bytes_of(&torn, |chip| save(chip, &next).expect("one cut"));
        for again in (cut % 7..bytes).step_by(7) {
            let mut chip = cut_save(&torn, &next, tear, again);
            let last = load(&mut chip);
            assert!(
                last == Ok(found) || last == Ok(next),
                "cut after {cut} and again after {again}: found {last:?}, neither {found:?} nor {next:?}"
            );
            assert!(found == old || found == *new, "cut after {cut}: found {found:?}");
        }
    }
}

/// `before` after a save of `new` that lost its power after `cut` bytes; powered again.
fn cut_save(before: &FlashChip, new: &Settings, tear: Tear, cut: u64) -> FlashChip {
    let mut chip = before.clone();
    chip.set_tear(tear);
    chip.cut_after(cut);
    assert!(save(&mut chip, new).is_err(), "a save that loses its power says so");
    chip.restore_power();
    chip
}

/// How many bytes `work` programs and erases, starting from `before`.
fn bytes_of(before: &FlashChip, work: impl FnOnce(&mut FlashChip)) -> u64 {
    let mut chip = before.clone();
    work(&mut chip);
    chip.bytes_changed() - before.bytes_changed()
}

/// Erases of `chip` so far, in all sectors but the journal's.
fn erases(chip: &FlashChip) -> u32 {
    (1..SECTORS).filter_map(|sector| chip.wear(sector)).sum()
}

/// A flash that has been saved to until the next save has to erase, and that save's number.
fn worn() -> &'static (FlashChip, u64) {
    static WORN: OnceLock<(FlashChip, u64)> = OnceLock::new();
    WORN.get_or_init(|| {
        let mut chip = FlashChip::factory_new();
        (1..)
            .find_map(|n| {
                let before = chip.clone();
                save(&mut chip, &settings(n)).expect("powered");
                (erases(&chip) > 0).then_some((before, n))
            })
            .expect("a save that erases comes before the numbers end")
    })
}

#[test]
fn the_first_save_of_a_factory_new_board_is_all_or_nothing() {
    let cuts = check(&FlashChip::factory_new(), &settings(1));
    assert!(cuts > 20, "a save writes more than {cuts} bytes");
}

#[test]
fn a_first_save_that_loses_its_power_again_and_again_leaves_a_factory_new_board() {
    let mut chip = FlashChip::factory_new();
    for cut in 0..40 {
        chip = cut_save(&chip, &settings(1), Tear::Ragged { seed: cut }, cut % 13);
        assert_eq!(load(&mut chip), Ok(Settings::default()), "after {cut} cuts");
    }
    assert_eq!(save(&mut chip, &settings(1)), Ok(()));
    assert_eq!(load(&mut chip), Ok(settings(1)));
}

#[test]
fn a_change_of_settings_is_all_or_nothing() {
    let mut chip = FlashChip::factory_new();
    for n in 1..5 {
        save(&mut chip, &settings(n)).expect("powered");
        check(&chip, &settings(n + 1));
    }
}

#[test]
fn a_save_that_moves_on_to_the_next_sector_is_all_or_nothing() {
    let mut chip = FlashChip::factory_new();
    let mut n = 0;
    loop {
        let before = chip.clone();
        n += 1;
        save(&mut chip, &settings(n)).expect("powered");
        if chip.image()[2 * SECTOR_SIZE] != 0xFF {
            check(&before, &settings(n));
            return;
        }
    }
}

#[test]
fn a_save_that_erases_a_sector_is_all_or_nothing() {
    let (chip, n) = worn();
    let cuts = check(chip, &settings(*n));
    assert!(cuts > SECTOR_SIZE as u64, "{cuts} bytes are no erase");
}

#[test]
fn power_that_goes_again_while_a_save_is_repaired_loses_nothing() {
    let (chip, n) = worn();
    let bytes = bytes_of(chip, |chip| save(chip, &settings(*n)).expect("powered"));
    // Every byte outside of the erase (it alone has 4096), and some inside.
    let outside = bytes - SECTOR_SIZE as u64;
    let cuts = (0..outside)
        .chain((1..8).map(|part| part * SECTOR_SIZE as u64 / 8))
        .chain(bytes - outside..bytes);
    check_twice(chip, &settings(*n), cuts);
}

#[test]
fn a_save_that_erases_the_full_journal_is_all_or_nothing() {
    let (mut chip, mut n) = worn().clone();
    // The journal's free entries, taken by others of no meaning: all but one.
    let free: Vec<u32> = (0..SECTOR_SIZE as u32)
        .step_by(8)
        .filter(|&at| chip.image()[at as usize..][..8].iter().all(|&byte| byte == 0xFF))
        .collect();
    for &at in &free[..free.len() - 1] {
        chip.program(at, &[0; 8]).expect("free");
    }
    let journal_erases = chip.wear(0);
    let before = chip.clone();
    save(&mut chip, &settings(n)).expect("powered");
    assert_ne!(chip.wear(0), journal_erases, "this save erases the journal");
    let cuts = check(&before, &settings(n));
    assert!(cuts > 2 * SECTOR_SIZE as u64, "{cuts} bytes are not two erases");
    n += 1;
    save(&mut chip, &settings(n)).expect("powered");
    assert_eq!(load(&mut chip), Ok(settings(n)));
}

#[test]
fn wear_is_spread_over_all_sectors_of_records() {
    let (mut chip, n) = worn().clone();
    for n in n..n + 6000 {
        save(&mut chip, &settings(n)).expect("powered");
    }
    let wear: Vec<u32> = (1..16).filter_map(|sector| chip.wear(sector)).collect();
    let (least, most) = (wear.iter().min(), wear.iter().max());
    assert!(least >= Some(&1) && most <= Some(&4), "wear by sector: {wear:?}");
    assert_eq!(chip.wear(16), Some(0), "sectors beyond the records are not touched");
}
