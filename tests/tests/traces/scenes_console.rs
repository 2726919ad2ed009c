//! What is typed on the console.

use super::Scene;
use super::played::{Played, Said};
use hal_mock::trace::Action;

pub(super) const SCENES: &[Scene] = &[
    ("a board that is set up over its console", "console/set-up", |played| {
        openings(played) > 6 && typed(played) > 4
    }),
    ("lines on the console that are refused", "console/refused", |played| {
        openings(played) == 2 && typed(played) > 6
    }),
];

fn openings(played: &Played) -> usize {
    played.said.iter().filter(|(_, said)| matches!(said, Said::Opening(_))).count()
}

fn typed(played: &Played) -> usize {
    played.count(|action| matches!(action, Action::Type(_)))
}
