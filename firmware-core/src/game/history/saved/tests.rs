//! Saved games: round trips through bytes, and bytes that are not a saved game.

extern crate std;
use std::vec;
use std::vec::Vec;

use super::super::tests::naive::random_history;
use super::*;
use crate::game::outcome::PlayError;
use crate::game::random::Random;
use crate::game::systems::SYSTEMS;

/// `wari`, bidirectional, four stones a cup; cup 0 was sown and the option switched off.
const SOME: [u8; HEAD + 2] = [
    1, 2, 4, 0b11, // version, game, stones, flags
    4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0, // stones
    0, 0, 0, 0, 0, 0, 0, 0, // moves gone, quiet ones
    2, 0, // steps
    0, 212,
];

fn saved(history: &History) -> Vec<u8> {
    let mut bytes = vec![0; SAVED_BYTES];
    let length = history.saved_bytes(0, &mut bytes);
    bytes.truncate(length);
    bytes
}

/// Checks that `SOME`, with other bytes from offset `at`, is refused with this error.
#[track_caller]
fn check(at: usize, bytes: &[u8], error: SavedError) {
    let mut damaged = SOME;
    damaged[at..at + bytes.len()].copy_from_slice(bytes);
    assert_eq!(History::from_bytes(&damaged), Err(error), "{bytes:?} at {at}");
}

#[test]
fn a_saved_game_has_a_head_and_a_byte_a_step() {
    let setup = Setup { game: Game::Wari, stones: 4, bidirectional: true };
    let mut history = History::new(setup, setup.rules().start(Player::Bottom));
    assert!(history.push(Step::Sow(Cup::at(0).expect("a cup"))));
    assert!(history.push(Step::Bidirectional(false)));
    assert_eq!(saved(&history), SOME);
    assert_eq!(history.saved_len(), SOME.len());
    assert_eq!(History::from_bytes(&SOME), Ok(history));
}

#[test]
fn random_games_come_back_as_they_were_saved() {
    let mut gone = 0;
    for seed in 0..4 {
        for system in SYSTEMS {
            for actions in [0, 1, 100, 3_000] {
                let history = random_history(system.game, seed, actions);
                let bytes = saved(&history);
                gone += usize::from(history.gone() > 0);
                assert_eq!(bytes.len(), history.saved_len(), "{}, seed {seed}", system.name);
                assert_eq!(
                    History::from_bytes(&bytes),
                    Ok(history),
                    "{}, seed {seed}",
                    system.name
                );
            }
        }
    }
    assert!(gone > 4, "only {gone} games lost their beginnings");
}

/// Each option has its own flag in the file.
#[test]
fn each_flag_is_restored_independently() {
    let (bottom, top) = (Player::Bottom, Player::Top);
    let opening = |turn, first, clockwise, bidirectional, stopped| {
        let mut position = Position::of([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0], turn);
        if clockwise {
            position.direction = Direction::Clockwise;
        }
        Opening { position, moves: 9, quiet: 3, first, bidirectional, stopped }
    };
    for (flags, began, opening) in [
        (0, false, opening(bottom, bottom, false, false, None)),
        (1, true, opening(bottom, bottom, false, false, None)),
        (2, false, opening(bottom, bottom, false, true, None)),
        (4, false, opening(bottom, top, false, false, None)),
        (8, false, opening(top, bottom, false, false, None)),
        (16 + 2, false, opening(bottom, bottom, true, true, None)),
        (32, false, opening(bottom, bottom, false, false, Some(Stop::Abandoned))),
        (64, false, opening(bottom, bottom, false, false, Some(Stop::Resigned(bottom)))),
        (96, false, opening(bottom, bottom, false, false, Some(Stop::Resigned(top)))),
    ] {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: began };
        let history = History::resume(setup, opening).expect("it can stand so");
        let bytes = saved(&history);
        assert_eq!(bytes[3], flags);
        let loaded = History::from_bytes(&bytes).expect("it was saved");
        assert_eq!((loaded.opening(), &loaded), (opening, &history), "flags {flags}");
    }
}

#[test]
fn a_saved_game_can_be_written_in_pieces() {
    let history = random_history(Game::Wari, 1, 500);
    let whole = saved(&history);
    for piece in [1, 7, 28, 256] {
        let mut bytes: Vec<u8> = Vec::new();
        let mut buffer = vec![0; piece];
        loop {
            let length = history.saved_bytes(bytes.len(), &mut buffer);
            bytes.extend(&buffer[..length]);
            if length < piece {
                break;
            }
        }
        assert_eq!(bytes, whole, "in pieces of {piece}");
    }
}

#[test]
fn bytes_of_the_wrong_length_are_refused() {
    for length in 0..HEAD {
        assert_eq!(History::from_bytes(&SOME[..length]), Err(SavedError::CutShort), "{length}");
    }
    for found in [0, 1] {
        let error = SavedError::Length { stated: 2, found };
        assert_eq!(History::from_bytes(&SOME[..HEAD + found]), Err(error));
    }
    let mut longer = SOME.to_vec();
    longer.push(7);
    let error = SavedError::Length { stated: 2, found: 3 };
    assert_eq!(History::from_bytes(&longer), Err(error));
    // More steps than a history has room for, even if the head states the number correctly.
    longer.resize(HEAD + MOST + 1, 7);
    longer[26..28].copy_from_slice(&(MOST as u16 + 1).to_le_bytes());
    let error = SavedError::Length { stated: MOST as u16 + 1, found: MOST + 1 };
    assert_eq!(History::from_bytes(&longer), Err(error));
}

#[test]
fn another_format_is_named_even_if_it_is_short() {
    check(0, &[2], SavedError::UnknownVersion(2));
    assert_eq!(History::from_bytes(&[9]), Err(SavedError::UnknownVersion(9)));
}

#[test]
fn a_finished_game_counts_on_this_board_unless_it_is_marked() {
    let mut bytes = SOME;
    assert!(is_counted(&bytes) && !is_counted(&[]));
    mark_uncounted(&mut bytes);
    mark_uncounted(&mut []);
    assert!(!is_counted(&bytes));
    assert_eq!(History::from_bytes(&bytes), History::from_bytes(&SOME), "it is the same game");
}

#[test]
fn an_impossible_opening_is_refused() {
    check(1, &[4], SavedError::UnknownGame(4));
    check(2, &[6], SavedError::Opening(OpeningError::Stones(6)));
    check(1, &[0, 5], SavedError::Opening(OpeningError::Stones(5)));
    check(1, &[0], SavedError::Opening(OpeningError::NotBidirectional));
    let total = |found, expected| SavedError::Opening(OpeningError::Total { found, expected });
    check(4, &[5], total(49, 48));
    check(2, &[5], total(48, 60));
    check(4, &[255; PLACES], total(255 * 14, 48));
    check(3, &[BEGAN_BIDIRECTIONAL | CLOCKWISE], SavedError::Opening(OpeningError::Clockwise));
    check(22, &[1], SavedError::Opening(OpeningError::Moves));
    check(3, &[0b11 | TOP_BEGAN], SavedError::Opening(OpeningError::Moves));
    check(3, &[0b11 | TOP_TO_MOVE], SavedError::Opening(OpeningError::Moves));
    let mut over = [0; PLACES];
    over[13] = 48;
    for stopped in 1..=3 {
        let mut flags_and_stones = vec![0b11 | stopped << STOPPED];
        flags_and_stones.extend(over);
        check(3, &flags_and_stones, SavedError::Opening(OpeningError::Over));
    }
}

#[test]
fn steps_that_cannot_follow_are_refused() {
    let step = |index, code, error| SavedError::Step { index, code, error };
    let play = |error| Some(StepError::Play(error));
    check(HEAD, &[7], step(0, 7, play(PlayError::NotYours)));
    check(HEAD + 1, &[0], step(1, 0, play(PlayError::NotYours)));
    check(HEAD, &[6], step(0, 6, None));
    check(HEAD, &[255], step(0, 255, None));
    check(HEAD, &[213], step(0, 213, Some(StepError::AlreadySo)));
    check(HEAD + 1, &[211], step(1, 211, Some(StepError::NoEdit)));
    // From the empty store, and from a cup to itself.
    check(HEAD, &[14 + 6 * 14], step(0, 98, Some(StepError::NothingThere)));
    check(HEAD, &[14], step(0, 14, Some(StepError::SamePlace)));
    check(HEAD, &[210, 0], step(1, 0, Some(StepError::WithinEdit)));
    for stops in 214..=216 {
        check(HEAD, &[stops, 0], step(1, 0, Some(StepError::Stopped)));
    }
    check(HEAD, &[217], step(0, 217, None));
    check(HEAD + 1, &[210], SavedError::WithinEdit);
}

#[test]
fn damaged_bytes_are_an_error_or_another_whole_game() {
    let bytes = saved(&random_history(Game::Wari, 3, 60));
    for at in 0..bytes.len() {
        for value in 0..=u8::MAX {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            if let Ok(history) = History::from_bytes(&damaged) {
                // The game itself does not have this mark.
                damaged[FLAGS] &= !UNCOUNTED;
                assert_eq!(saved(&history), damaged, "{value} at {at}");
            }
        }
    }
}

#[test]
fn random_bytes_after_a_good_head_never_panic() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let steps = random.number() as u16 % 40;
        let mut bytes = SOME[..HEAD].to_vec();
        bytes[26..28].copy_from_slice(&steps.to_le_bytes());
        bytes.extend((0..steps).map(|_| random.number() as u8));
        if let Ok(history) = History::from_bytes(&bytes) {
            assert_eq!(saved(&history), bytes, "seed {seed}");
        }
    }
}

#[test]
fn flags_of_a_one_way_system_are_checked() {
    for flags in [BEGAN_BIDIRECTIONAL, BIDIRECTIONAL] {
        let error = SavedError::Opening(OpeningError::NotBidirectional);
        check(1, &[0, 4, flags], error);
    }
}

#[test]
fn every_error_has_a_message() {
    use std::string::ToString as _;
    let says = |error: SavedError, words: &str| assert_eq!(error.to_string(), words);
    says(SavedError::UnknownGame(9), "no game has the number 9");
    let total = OpeningError::Total { found: 47, expected: 48 };
    says(SavedError::Opening(total), "there are 47 stones on the board, not 48");
    let step = |error| SavedError::Step { index: 3, code: 7, error };
    says(step(None), "step 3 has the unknown code 7");
    says(
        step(Some(StepError::SamePlace)),
        "step 3 (code 7) cannot be: the stone stays where it is",
    );
    let empty = Some(StepError::Play(PlayError::Empty));
    says(step(empty), "step 3 (code 7) cannot be: the cup is empty");
}
