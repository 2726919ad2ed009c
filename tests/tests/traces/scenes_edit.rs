//! Scenes of Edit Board.

use trace::Action;

use super::Scene;
use super::played::{ERROR_TONE, Move};

pub(super) const SCENES: &[Scene] = &[
    (
        "Edit Board decides who began, but only before the first move",
        "menu/edit-board-who-began",
        |played| {
            let began: Vec<_> = played.openings().iter().map(|opening| opening.turn).collect();
            began == [Some(0), Some(1), Some(1)] && played.changes("edit").len() == 2
        },
    ),
    ("Edit Board in family, which counts nothing", "menu/edit-board-family", |played| {
        played.plays("family") && played.changes("edit").len() == 1
    }),
    ("the turn blinks while the board is edited", "menu/edit-board-blinks", |played| {
        played.count(|action| matches!(action, Action::ExpectFrame(_))) == 5
            && played.changes("edit").is_empty()
    }),
    ("Edit Board: stones from cup to cup", "menu/edit-board", |played| {
        let edits = played.changes("edit");
        edits.len() == 1
            && moved(edits[0].before, edits[0].to.stones) == 5
            && edits[0].to.stones[0] == 0
            && played.undoes_the_edit()
            && played.sounds(ERROR_TONE)
    }),
    ("Edit Board: stores and turn", "menu/edit-board-stores-and-turn", |played| {
        let edits = played.changes("edit");
        edits.len() == 1
            && edits[0].to.turn == Some(1)
            && edits[0].to.stones == [2, 4, 4, 4, 4, 4, 0, 5, 4, 4, 4, 4, 4, 1]
            && played.moves().map(Move::player).eq([1])
    }),
    ("Edit Board in each system's words", "menu/edit-board-words", |played| {
        let systems = ["game=board", "game=family", "game=wari", "game=top-bottom"];
        played.wrote(&systems)
            && played.changes("edit").is_empty()
            && played.reads(&[
                "From Player A's mancala",
                "Into Bottom's storage cup",
                "the seed go?",
            ])
    }),
    ("Edit Board: UNDO ALL", "menu/edit-board-cancel", |played| {
        played.changes("edit").is_empty()
            && played.reads(&["Edit: put it"])
            && played.moves().map(|said| said.cup).eq([2, 0])
            && played.reads(&["here:"])
    }),
    (
        "an edit after the first move leaves who began",
        "menu/edit-after-a-move-who-began",
        |played| {
            let began: Vec<_> = played.openings().iter().map(|opening| opening.turn).collect();
            let edits = played.changes("edit");
            began == [Some(1), Some(1), Some(1)]
                && edits.len() == 1
                && edits[0].to.turn == Some(0)
                && played.wrote(&["log text=\"began Top\"", "move=abandon", "move=resume"])
        },
    ),
];

/// Returns the number of stones in other places afterwards.
fn moved(before: [u32; 14], after: [u32; 14]) -> u32 {
    before.iter().zip(after).map(|(before, after)| before.saturating_sub(after)).sum()
}
