//! Checks the index for traces of what is restored: a restored state must not be the default one,
//! because firmware that restores nothing has the default state too.

use std::fs;

use super::played::{ConsoleLine, Played};
use super::{README, scenes};

/// Words in a row of the index that claim that something is restored.
const CLAIMS: [&str; 8] = [
    "restores",
    "taken back",
    "gives the game back",
    "a power cut |",
    "Quit |",
    "Load Game |",
    "Save Game |",
    "the power goes",
];

/// Header keys of settings with their defaults.
const DEFAULTS: [(&str, &str); 5] = [
    ("stones", "4"),
    ("bidirectional", "off"),
    ("players", "two"),
    ("level", "novice"),
    ("sound", "on"),
];

#[test]
fn what_is_restored_is_not_the_default_state() {
    let readme = fs::read_to_string(README).unwrap();
    let (mut checked, mut reports) = (0, Vec::new());
    for row in readme.lines().filter(|row| CLAIMS.iter().any(|claim| row.contains(claim))) {
        for stem in stems_of(row) {
            let played = Played::of(stem);
            checked += usize::from(restores_a_game(played));
            if let Some(why) = flaw(played) {
                reports.push(format!("{stem}.trace {why}"));
            }
        }
    }
    assert!(checked > 15, "only {checked} traces restore a game");
    assert!(
        reports.is_empty(),
        "rows of tests/README.md claim that something is restored, but\n{}",
        reports.join("\n")
    );
}

#[test]
fn the_check_reports_a_trace_that_begins_with_the_defaults() {
    let default = Played::of("ends/board-sow");
    assert!(restores_a_game(default));
    assert_eq!(flaw(default), Some("begins with the settings of a new board"));
    // A trace that restores nothing has no flaw.
    assert_eq!(flaw(Played::of("free-turn")), None);
}

/// Returns the traces that a row links to.
fn stems_of(row: &str) -> impl Iterator<Item = &str> {
    let links = row.split("](traces/").skip(1);
    let stems = links.filter_map(|link| link.split_once(".trace)")).map(|(stem, _)| stem);
    stems.filter(|stem| scenes().any(|(_, named, _)| named == stem))
}

fn restores_a_game(played: &Played) -> bool {
    ["resume", "load", "restored"].iter().any(|how| !played.changes(how).is_empty())
}

/// Returns why the trace could pass if nothing were restored.
fn flaw(played: &Played) -> Option<&'static str> {
    if !restores_a_game(played) {
        return None;
    }
    let is_opening = |stones: &[u32; 14]| {
        stones[6] + stones[13] == 0 && stones[..6] == stones[7..13] && stones[0] == stones[5]
    };
    let mut restored = played.said.iter().filter_map(|(_, said)| match said {
        ConsoleLine::Change(change)
            if ["resume", "load", "restored"].contains(&change.how.as_str()) =>
        {
            Some(change.to.stones)
        }
        _ => None,
    });
    if restored.all(|stones| is_opening(&stones)) {
        return Some("restores only the position of an opening; let it make a move before");
    }
    let other = |key: &str, value: &str| {
        key == "flash" || DEFAULTS.iter().any(|(known, default)| *known == key && *default != value)
    };
    let by_header = played.trace.header.iter().any(|entry| other(&entry.key, &entry.value));
    let by_hand =
        played.lines.iter().any(|line| line.starts_with("option ") || line.starts_with("setting "));
    (!by_header && !by_hand).then_some("begins with the settings of a new board")
}
