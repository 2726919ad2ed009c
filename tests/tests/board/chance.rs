//! Tests randomness on the whole board: a trace's seed determines the random numbers at each
//! power-on, and without a seed every power-on is the same.

use std::collections::HashSet;
use std::fmt::Display;

use nudge_tests::session::{Session, header};
use trace::Button;
use virtual_time::Nanos;

/// Number of power-ons.
const COLD_STARTS: usize = 9;

/// Returns the console's position lines after each of the cold starts: those within `span`, after
/// the press of `pressed`, if there is one.
fn cold_starts(
    settings: &[(&str, &dyn Display)],
    pressed: Option<Button>,
    span: Nanos,
) -> Vec<Vec<String>> {
    let mut session = Session::turned_on(header(settings));
    (0..COLD_STARTS)
        .map(|nth| {
            if nth > 0 {
                session.power_on();
            }
            session.wait(Nanos::from_millis(300));
            if let Some(button) = pressed {
                session.tap(button);
            }
            session.wait(span);
            let mut lines = session.take_lines();
            lines.retain(|line| line.starts_with("position "));
            session.power_off();
            session.wait(Nanos::from_millis(100));
            lines
        })
        .collect()
}

/// Returns whether the top player begins, for each cold start.
fn coins(game: &str, seed: Option<u64>) -> Vec<bool> {
    let mut settings: Vec<(&str, &dyn Display)> = vec![("game", &game)];
    if let Some(seed) = &seed {
        settings.push(("seed", seed));
    }
    let starts = cold_starts(&settings, None, Nanos::from_millis(50));
    starts.iter().map(|lines| lines[0].contains(" turn=1 ")).collect()
}

#[test]
fn nine_cold_starts_show_both_sides_of_the_coin_for_every_seed() {
    for game in ["family", "top-bottom"] {
        let mut tops = 0;
        for seed in 1..=9 {
            let coins = coins(game, Some(seed));
            assert!(coins.contains(&true) && coins.contains(&false), "seed {seed}: {coins:?}");
            tops += coins.iter().filter(|top| **top).count();
        }
        assert!((25..=56).contains(&tops), "{game}: {tops} of 81");
    }
}

#[test]
fn the_first_coins_of_nine_seeds_show_both_sides() {
    let firsts: HashSet<_> = (1..=9).map(|seed| coins("family", Some(seed))[0]).collect();
    assert_eq!(firsts.len(), 2);
}

#[test]
fn without_a_seed_every_cold_start_is_the_same() {
    let coins = coins("family", None);
    assert!(coins.iter().all(|coin| *coin == coins[0]), "{coins:?}");
    let settings: [(&str, &dyn Display); 2] = [("game", &"board"), ("players", &"demo")];
    let games = cold_starts(&settings, None, Nanos::from_secs(10));
    assert!(games[0].len() > 5 && games.iter().all(|game| *game == games[0]), "{games:?}");
}

#[test]
fn the_demo_plays_another_game_at_each_cold_start() {
    // The level Advanced varies only its first moves, and only among those that are almost as good
    // as the best, so two of its games may coincide.
    let levels =
        [("novice", COLD_STARTS), ("intermediate", COLD_STARTS), ("proficient", COLD_STARTS)];
    for (level, least) in levels.into_iter().chain([("advanced", COLD_STARTS - 2)]) {
        let settings: [(&str, &dyn Display); 4] =
            [("game", &"board"), ("players", &"demo"), ("level", &level), ("seed", &5)];
        let games = cold_starts(&settings, None, Nanos::from_secs(40));
        let different: HashSet<_> = games.iter().collect();
        assert!(different.len() >= least, "{level}: {} of {COLD_STARTS}", different.len());
        assert_eq!(games, cold_starts(&settings, None, Nanos::from_secs(40)), "a seed repeats all");
    }
}

#[test]
fn the_same_press_gets_different_answers_of_the_computer() {
    // The level "advanced" is tested by the trace computer/moves-after-power-on.
    for level in ["novice", "intermediate", "proficient"] {
        let settings: [(&str, &dyn Display); 4] =
            [("game", &"board"), ("players", &"one"), ("level", &level), ("seed", &3)];
        let games = cold_starts(&settings, Some(Button::B6), Nanos::from_secs(12));
        let different: HashSet<_> = games.iter().collect();
        assert!(different.len() >= 2, "{level}: {games:?}");
    }
}
