//! The number of games, ply by ply, from the start position of each system. A second program that
//! walks the board stone by stone computed the counts.

use super::super::{board, family, top_bottom, wari};
use super::*;

#[track_caller]
fn check(rules: &Ruleset, counts: &[u64]) {
    let start = rules.start(Player::Bottom);
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(rules.perft(&start, depth), *count, "depth {depth}");
    }
}

#[test]
fn board_has_its_number_of_games() {
    check(&board::RULES, &[6, 35, 185, 942, 4_690, 23_233, 114_430]);
}

#[test]
fn family_has_its_number_of_games() {
    check(&family::RULES, &[6, 35, 185, 942, 4_685, 23_169, 113_959]);
}

#[test]
fn wari_has_its_number_of_games() {
    check(&wari::RULES, &[6, 36, 190, 1_014, 5_219, 27_332, 139_157]);
    let three = Ruleset { stones_a_cup: 3, ..wari::RULES };
    check(&three, &[6, 36, 186, 971, 4_756, 23_555]);
    let five = Ruleset { stones_a_cup: 5, ..wari::RULES };
    check(&five, &[6, 36, 195, 1_090, 5_841, 31_743]);
}

#[test]
fn bidirectional_wari_has_its_number_of_games() {
    let rules = Ruleset { bidirectional: true, ..wari::RULES };
    check(&rules, &[6, 36, 190, 1_014, 5_219, 27_271, 139_415]);
}

#[test]
fn top_bottom_has_its_number_of_games() {
    check(&top_bottom::RULES, &[6, 35, 185, 942, 4_685, 23_169, 113_959]);
}
