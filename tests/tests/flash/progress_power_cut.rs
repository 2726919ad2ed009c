//! Tests the storage of the game in progress: power cuts at every byte that a game programs (and at
//! some bytes of an erase), damaged logs, and wear.
//!
//! The firmware's app plays on `hal-mock`'s flash. After each cut the board must start in the
//! position before the step that was being written, or after it, and it must be possible to
//! continue from there.

use firmware_core::history::History;
use firmware_core::rules::{Player, Position};
use firmware_core::storage::{Scores, Settings, StorageError, format, save, start};
use firmware_core::systems::{Game, SYSTEMS};
use hal_mock::flash::{FlashChip, SECTOR_SIZE, SECTORS};
use nudge_tests::dice::Dice;

use crate::cut::in_every_operation;
use crate::player::Board;

/// Distance of the cuts in an erase in bytes; the first and last 3 bytes are also cut.
const STRIDE: usize = 509;

/// The sectors of the game in progress.
const GAME: std::ops::Range<usize> = 13..16;

/// Creates a board of this system without a game.
fn board_of(game: Game) -> FlashChip {
    let mut chip = FlashChip::factory_new();
    let settings = Settings {
        game,
        first: Some(Player::Bottom),
        sound: false,
        introduced: true,
        ..Settings::default()
    };
    let first = game.system().rules.starting_player;
    let pinned = settings.first.filter(|_| first != firmware_core::rules::StartingPlayer::Bottom);
    save(&mut chip, &Settings { first: pinned, ..settings }).expect("powered");
    chip
}

/// The state of a board after its start: the game in progress, if any, and the totals.
#[derive(Clone, Debug, PartialEq)]
struct StartState {
    game: Option<History>,
    totals: Scores,
}

fn comes_up(chip: &mut FlashChip) -> StartState {
    let game = Board::power_on(chip).game();
    StartState { game, totals: start(chip).scores }
}

/// Cuts the power at every byte of `work` on a board that starts with `before`.
#[track_caller]
fn check(what: &str, before: &FlashChip, work: impl Fn(&mut Board<'_>)) -> FlashChip {
    let run = |chip: &mut FlashChip| {
        let mut board = Board::power_on(chip);
        work(&mut board);
        if chip.is_powered() { Ok(()) } else { Err(StorageError::Full) }
    };
    let mut after = before.clone();
    run(&mut after).expect("nothing cuts this");
    let (old, new) = (comes_up(&mut before.clone()), comes_up(&mut after.clone()));
    let cuts = in_every_operation(before, STRIDE, run, |moment, flash| {
        let chip = flash.chip();
        let found = comes_up(chip);
        assert!(found == old || found == new, "{what}: {moment}: {found:?}\n{old:?}\n{new:?}");
        assert_eq!(comes_up(chip), found, "{what}: {moment}: the second start differs");
        let mut board = Board::power_on(chip);
        let played = board.play_any();
        let now = board.game();
        drop(board);
        assert!(!played || comes_up(chip).game == now, "{what}: {moment}: it does not go on");
    });
    assert!(cuts.operations > 0, "{what}: nothing is written");
    after
}

#[test]
fn a_move_is_all_or_nothing_in_every_system() {
    for system in SYSTEMS {
        let mut chip = board_of(system.game);
        for turn in 0..200 {
            let what = format!("{} turn {turn}", system.name);
            let before = comes_up(&mut chip.clone());
            if turn > 0 && before.game.is_none() {
                assert!(before.totals.of(system.game) != [0; 2], "{what}: it was counted");
                break;
            }
            // Testing every move would take too long: tests the first, each seventh, and the one
            // that ends the game.
            let moves = before.game.as_ref().map_or(0, History::moves);
            let ends = !Board::power_on(&mut chip.clone()).play_any();
            if moves < 2 || moves.is_multiple_of(7) || ends {
                chip = check(&what, &chip, |board| {
                    board.play_any();
                });
            } else {
                Board::power_on(&mut chip).play_any();
            }
        }
    }
}

#[test]
fn a_move_that_continues_in_the_next_sector_is_all_or_nothing() {
    let mut chip = board_of(Game::Board);
    let mut board = Board::power_on(&mut chip);
    let mut sectors = 0;
    let mut dice = Dice::new(5);
    for _ in 0..100_000 {
        let before = board.flash().clone();
        if !board.play(&mut dice) {
            board.tap("RESET");
        }
        let start =
            |chip: &FlashChip, sector: usize| chip.image()[sector * SECTOR_SIZE..][..8].to_vec();
        let after = board.flash();
        let is_begun = |sector| {
            let begins = start(after, sector);
            begins != start(&before, sector) && begins != [0xFF; 8]
        };
        if GAME.into_iter().any(is_begun) {
            sectors += 1;
            drop(board);
            chip = check(&format!("sector {sectors}"), &before, |board| {
                board.play_any();
            });
            if sectors == 3 {
                return;
            }
            board = Board::power_on(&mut chip);
        }
    }
    panic!("the log never moves on");
}

#[test]
fn undo_works_after_a_power_cycle_as_before_it() {
    for system in SYSTEMS.iter().filter(|system| system.game != Game::Family) {
        let mut chip = board_of(system.game);
        let mut board = Board::power_on(&mut chip);
        let mut dice = Dice::new(9);
        for _ in 0..9 {
            board.play(&mut dice);
        }
        let whole = board.game().expect("a game");
        drop(board);
        assert_eq!(comes_up(&mut chip).game, Some(whole.clone()), "{}", system.name);
        let after = check(&format!("{} undo", system.name), &chip, |board| board.undo());
        let mut expected = whole;
        assert!(expected.undo());
        assert_eq!(comes_up(&mut after.clone()).game, Some(expected), "{}", system.name);
    }
}

#[test]
fn a_restart_leaves_the_old_game_or_none() {
    let mut chip = board_of(Game::Board);
    let mut board = Board::power_on(&mut chip);
    board.play(&mut Dice::new(2));
    drop(board);
    let after = check("restart", &chip, |board| board.tap("RESET"));
    assert_eq!(comes_up(&mut after.clone()).game, None);
}

/// Damages any byte of a log: the board must start in a position that existed, or with a new board.
#[test]
fn a_damaged_log_never_yields_a_position_that_did_not_exist() {
    let mut chip = board_of(Game::Wari);
    let mut board = Board::power_on(&mut chip);
    let mut dice = Dice::new(3);
    for _ in 0..12 {
        board.play(&mut dice);
    }
    drop(board);
    let whole = comes_up(&mut chip.clone()).game.expect("a game");
    let mut known: Vec<Position> = whole.replay().map(|step| step.after).collect();
    known.push(whole.base());
    let image = chip.image().to_vec();
    let start = GAME.start * SECTOR_SIZE;
    let end = image[start..GAME.end * SECTOR_SIZE]
        .iter()
        .rposition(|byte| *byte != 0xFF)
        .map_or(start, |at| start + at + 1);
    let mut lost = 0;
    for at in start..end {
        for value in [image[at] ^ 1, image[at] ^ 0x80, 0, 0xFF, 0x5E] {
            let mut damaged = image.clone();
            damaged[at] = value;
            let mut chip = FlashChip::from_image(damaged).expect("the right size");
            chip.tolerate_set_bits();
            let found = comes_up(&mut chip).game;
            lost += u32::from(found.is_none());
            if let Some(game) = &found {
                assert!(known.contains(&game.position()), "byte {at:#x} is {value:#04x}");
            }
            // The game must continue from there.
            let mut board = Board::power_on(&mut chip);
            board.play_any();
            let now = board.game();
            drop(board);
            assert_eq!(comes_up(&mut chip).game, now, "byte {at:#x} is {value:#04x}");
        }
    }
    assert!(lost > 0, "a block that is damaged is none");
}

#[test]
fn noise_in_the_sectors_of_the_game_is_survived() {
    for seed in 0..300 {
        let mut chip = board_of(Game::Board);
        let mut board = Board::power_on(&mut chip);
        let mut dice = Dice::new(seed);
        for _ in 0..seed % 40 {
            board.play(&mut dice);
        }
        drop(board);
        let mut image = chip.image().to_vec();
        for _ in 0..1 + dice.below(30) {
            let at = GAME.start * SECTOR_SIZE + dice.below(3 * SECTOR_SIZE as u64) as usize;
            let length = dice.below(40) as usize;
            let end = (at + length).min(GAME.end * SECTOR_SIZE);
            let value = dice.below(256) as u8;
            image[at..end].fill(value);
        }
        let mut chip = FlashChip::from_image(image).expect("the right size");
        chip.tolerate_set_bits();
        let mut board = Board::power_on(&mut chip);
        board.play(&mut dice);
        let now = board.game();
        drop(board);
        assert_eq!(comes_up(&mut chip).game, now, "seed {seed}");
    }
}

#[test]
fn damaged_settings_and_totals_leave_the_game_whole() {
    for seed in 0..20 {
        let mut chip = board_of(Game::Wari);
        let mut board = Board::power_on(&mut chip);
        let mut dice = Dice::new(seed);
        for _ in 0..10 {
            board.play(&mut dice);
        }
        drop(board);
        let whole = comes_up(&mut chip.clone()).game;
        assert!(whole.is_some());
        let mut image = chip.image().to_vec();
        for byte in &mut image[..GAME.start * SECTOR_SIZE] {
            *byte = dice.below(256) as u8;
        }
        let mut chip = FlashChip::from_image(image).expect("the right size");
        chip.tolerate_set_bits();
        assert_eq!(comes_up(&mut chip).game, whole, "seed {seed}");
        assert_eq!(format(&mut chip), Ok(()));
        assert_eq!(comes_up(&mut chip).game, whole, "seed {seed}, repaired");
    }
}

#[test]
fn a_damaged_note_of_an_erase_loses_no_game() {
    let mut chip = board_of(Game::Board);
    Board::power_on(&mut chip).play_any();
    let whole = comes_up(&mut chip).game;
    assert!(whole.is_some());
    // A note that the erase of the game's first sector has begun, without one that it has ended.
    let free =
        chip.image()[..SECTOR_SIZE].iter().rposition(|byte| *byte != 0xFF).map_or(0, |at| at + 1);
    let note = [b'w', b'i', b'p', b'e', GAME.start as u8, 0, !(GAME.start as u8), !0];
    chip.program(free.next_multiple_of(8) as u32, &note).expect("free");
    assert_eq!(comes_up(&mut chip).game, whole);
}

/// An earlier version has left records in the sectors of the game, the newest among them.
#[test]
fn records_of_an_earlier_version_survive_the_start_of_a_game() {
    let mut chip = board_of(Game::TopBottom);
    for seed in 0..150 {
        save(
            &mut chip,
            &Settings { seed, game: Game::TopBottom, introduced: true, ..Settings::default() },
        )
        .expect("powered");
    }
    let mut image = chip.image().to_vec();
    // The ring wrapped around, so its first sectors are at the place of its last ones.
    let records = image[SECTOR_SIZE..4 * SECTOR_SIZE].to_vec();
    image[SECTOR_SIZE..4 * SECTOR_SIZE].fill(0xFF);
    image[13 * SECTOR_SIZE..16 * SECTOR_SIZE].copy_from_slice(&records);
    let chip = FlashChip::from_image(image).expect("the right size");
    let settings = start(&mut chip.clone()).settings;
    assert_eq!((settings.seed, settings.game), (149, Game::TopBottom));
    let after = check("the first move", &chip, |board| {
        board.play_any();
    });
    let stored = start(&mut after.clone());
    assert_eq!((stored.settings, stored.damage.is_any()), (settings, false));
    assert!(comes_up(&mut after.clone()).game.is_some());
}

#[test]
fn wear_of_a_hundred_games() {
    let mut chip = board_of(Game::Board);
    let mut board = Board::power_on(&mut chip);
    let mut dice = Dice::new(1);
    let mut moves = 0;
    for game in 0..100 {
        while board.play(&mut dice) {
            moves += 1;
        }
        assert_eq!(board.game(), None, "game {game} is over");
        board.tap("RESET");
    }
    drop(board);
    let of = |sectors: std::ops::Range<usize>| -> u32 {
        sectors.filter_map(|sector| chip.wear(sector)).sum()
    };
    let most = (0..SECTORS).filter_map(|sector| chip.wear(sector)).max().unwrap_or(0);
    let (journal, records, game) = (of(0..1), of(1..13), of(GAME));
    let days = 100_000 / u64::from(most) * 100 / 10;
    println!(
        "100 games, {moves} moves: {} erases (journal {journal}, records {records}, game {game}), \
         the most worn sector {most}; 100,000 erases of it at ten games a day: {} years",
        journal + records + game,
        days / 365
    );
    assert!(game <= 15 && records <= 3 && journal <= 1, "docs/budgets.md states the figures");
}
