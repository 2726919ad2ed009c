//! Whole games, from the opening to the end.

use super::Scene;
use super::played::{Move, Played};

pub(super) const SCENES: &[Scene] = &[
    ("a whole game at a calm pace", "game-1", Played::is_a_calm_whole_game),
    ("another whole game at a calm pace", "game-2", Played::is_a_calm_whole_game),
    ("a whole game of family, swept at the end", "family/game-1", |played| {
        played.is_a_calm_whole_game() && played.ends_by(|said| said.is("game-over"))
    }),
    ("another one, begun by Player B", "family/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1)
    }),
    ("a whole game of top-bottom without a sweep", "top-bottom/game-1", |played| {
        played.is_a_calm_whole_game() && played.ends_by(Move::leaves_seeds)
    }),
    ("another one, begun by Top", "top-bottom/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1) && played.ends_by(Move::leaves_seeds)
    }),
];
