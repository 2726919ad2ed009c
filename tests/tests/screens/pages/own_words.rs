//! Checks that no page of a system uses a word that only another system has.

use std::collections::BTreeSet;

use firmware_core::menu::Entry;
use firmware_core::systems::Game;
use nudge_tests::own_words::foreign_word;

use super::*;

/// Returns whether `entry` belongs to another system than `game`: it is dim there, or describes
/// that system.
fn is_of_another_system(entry: Entry, game: Game) -> bool {
    match entry {
        Entry::System(other) => other != game,
        Entry::Bidirectional | Entry::ThreeStones | Entry::FourStones | Entry::FiveStones => {
            game != Game::Wari
        }
        _ => false,
    }
}

/// Returns whether `element` of `page` names another system than `game`, or a feature of another
/// one.
fn is_about_another_system(page: &Page, element: Element, game: Game) -> bool {
    let nth = match (page, element) {
        (Page::Menu { .. }, Element::Row(nth)) => Some(usize::from(nth)),
        (Page::Menu { cursor, .. }, Element::Aside) => Some(usize::from(*cursor)),
        _ => None,
    };
    match page {
        Page::Menu { menu, .. } => nth
            .and_then(|nth| menu.entry(nth))
            .is_some_and(|entry| is_of_another_system(entry, game)),
        Page::Question(Question::System(other))
        | Page::Notice(Notice::NotHere(other) | Notice::TouchMove(other))
        | Page::Scores { game: other, .. } => *other != game,
        Page::Question(Question::Stones(_)) => game != Game::Wari,
        // These pages list saved games and logs of all systems.
        Page::Files { .. } | Page::Log { .. } | Page::Review { .. } => {
            matches!(element, Element::Row(_))
        }
        // The drawing has digits and labels, below the text.
        Page::HowToPlay { game: other, .. } => {
            *other != game || matches!(element, Element::Row(nth) if nth > 0)
        }
        _ => false,
    }
}

#[test]
fn every_system_uses_its_own_words_on_every_page() {
    let mut foreign = BTreeSet::new();
    for system in SYSTEMS {
        let game = system.game;
        for page in pages() {
            for (element, _) in elements(&view(system, page), PANEL) {
                if is_about_another_system(&page, element, game) {
                    continue;
                }
                let text = expected(&page, element, system.style());
                if let Some(word) = foreign_word(&text, game) {
                    foreign.insert(format!("{word:?} of {text:?} in {}", system.name));
                }
            }
        }
    }
    assert_eq!(foreign, BTreeSet::new());
}
