//! Scenes of RESET: short or long, its bar, the hint, the games that Undo and the end of the demo
//! restore.

use trace::Action;

use super::Scene;
use super::played::Played;

pub(super) const SCENES: &[Scene] = &[
    ("RESET short and long, by the dates of its edges", "reset/boundary", |played| {
        let holds = |from: u64, to: u64| {
            played.count(|action| match action {
                Action::Tap { hold: Some(hold), .. } => {
                    (from * 1_000_000..to * 1_000_000).contains(&hold.0)
                }
                _ => false,
            })
        };
        // The first game, and one more for each short RESET.
        holds(900, 1_000) == 8
            && holds(1_000, 1_100) == 8
            && played.openings().len() == 9
            && played.readings("Load Game") == 8
    }),
    ("RESET goes down in the middle of a drawing", "reset/pressed-while-drawing", |played| {
        let holds = |nanos: u64| {
            let held = |action: &Action| matches!(action, Action::Tap { hold: Some(hold), .. } if hold.0 == nanos);
            played.count(held)
        };
        holds(1_000_100_000) == 11 && holds(999_900_000) == 4 && played.openings().len() == 16
    }),
    ("edges of RESET that come back at once", "reset/edges-that-come-back", |played| {
        // One press of 1000.1 ms, which opens the menu, and one of 999.9 ms, which restarts.
        let fingers =
            played.count(|action| matches!(action, Action::Press(_) | Action::Release(_)));
        fingers == 8 && played.readings("Load Game") == 1 && played.openings().len() == 2
    }),
    ("the bar that fills while RESET is held", "reset/bar", |played| {
        played.reads(&["Hold: menu", "Hold: keys", "Game restarted", "Undo: RESET + T6"])
            && played.openings().len() == 2
            && played.screenshots.len() == 2
    }),
    ("the hint at power-on, at the first turn and after a minute", "reset/hint", |played| {
        played.readings("Hold RESET: menu") == 5 && played.refuses("not-yours")
    }),
    ("Undo of a restart in board", "reset/undo-board", |played| {
        restores(played, 1) && played.changes("undo").len() == 2
    }),
    ("Undo of a restart after the end", "reset/undo-after-the-end", |played| {
        restores(played, 1)
            && played.changes("restored")[0].to.turn.is_none()
            && played.reads(&["Player 1 is ahead by 34"])
    }),
    ("Undo of a restart in family, and of nothing else", "reset/undo-family", |played| {
        played.plays("family")
            && restores(played, 1)
            && played.changes("undo").is_empty()
            && played.reads(&["Not possible now"])
    }),
    ("Undo of a restart in top-bottom", "reset/undo-top-bottom", |played| {
        played.plays("top-bottom") && restores(played, 1) && played.changes("undo").len() == 1
    }),
    ("Undo of all that takes a game's place in wari", "reset/undo-wari", |played| {
        restores(played, 3)
            && played.wrote(&["restored", "option stones=3", "restored", "option game=board"])
            && played.boots() == 2
    }),
    ("the demo asks, counts nothing, and gives the game back", "reset/demo-gives-back", |played| {
        restores(played, 1)
            && played.wrote(&["option players=demo", "game-over", "option players=two", "restored"])
            && played.reads(&[
                "Your game waits.",
                "YES brings your game back",
                "Both have the same",
            ])
    }),
];

/// Returns whether `count` games are restored, each as it was after some move.
fn restores(played: &Played, count: usize) -> bool {
    let restored = played.changes("restored");
    restored.len() == count
        && restored.iter().all(|change| played.moves().any(|said| said.to == change.to))
}
