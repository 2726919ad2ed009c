//! The reason for a move, in one word and a number: what it gains at once, or what it prevents. It
//! looks one move ahead of either player, not further, and knows no search.

use super::outcome::{GameResult, MoveOutcome};
use super::places::{Cup, Player};
use super::rules::{Position, Ruleset};

/// What a move does for the player who makes it; the first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the only move.
    Only,
    /// It ends the game, and wins it.
    Wins,
    /// It captures this many stones.
    Captures(u8),
    /// It gives another turn.
    MovesAgain,
    /// The opponent's next capture can take this many stones fewer than without the move.
    Saves(u8),
    /// The next own capture can take this many stones, unless the opponent prevents it.
    Threatens(u8),
    /// None of these: its advantage comes later.
    Later,
}

impl Reason {
    /// Returns the reason for sowing `cup`. A move that the rules do not allow has no advantage at
    /// once.
    pub fn of(rules: &Ruleset, position: &Position, cup: Cup) -> Self {
        let mover = position.turn;
        let moves = Cup::of(mover).filter(|cup| rules.play(position, *cup).is_ok()).count();
        let Ok((after, outcome)) = rules.play(position, cup) else { return Self::Later };
        let MoveOutcome { capture, free_turn, result, .. } = outcome;
        if moves == 1 {
            return Self::Only;
        }
        match (result, capture) {
            (Some(GameResult::Winner(winner)), _) if winner == mover => return Self::Wins,
            (_, Some(capture)) => return Self::Captures(capture.stones),
            _ if free_turn => return Self::MovesAgain,
            _ => {}
        }
        let danger = |position| most_captured(rules, position, mover.opponent());
        let chance = |position| most_captured(rules, position, mover);
        match (danger(position), danger(&after)) {
            (before, left) if left < before => return Self::Saves(before - left),
            _ => {}
        }
        match (chance(position), chance(&after)) {
            (before, next) if next > before => Self::Threatens(next),
            _ => Self::Later,
        }
    }
}

/// Returns the number of stones of the largest capture if `player` were to move.
fn most_captured(rules: &Ruleset, position: &Position, player: Player) -> u8 {
    let position = Position { turn: player, ..*position };
    let captured = |cup| {
        let (_, outcome) = rules.play(&position, cup).ok()?;
        outcome.capture.map(|capture| capture.stones)
    };
    Cup::of(player).filter_map(captured).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::places::PLACES;
    use crate::game::systems::Game;

    #[track_caller]
    fn check(game: Game, stones: [u8; PLACES], cup: usize, expected: Reason) {
        let position = Position::of(stones, Player::Bottom);
        let cup = Cup::at(cup).expect("a cup");
        assert_eq!(Reason::of(game.system().rules, &position, cup), expected);
    }

    #[test]
    fn a_gain_at_once_is_the_reason() {
        let start = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0];
        check(Game::Board, start, 2, Reason::MovesAgain);
        check(Game::Board, start, 0, Reason::Later);
        let capture = [2, 4, 0, 6, 6, 1, 5, 5, 0, 6, 5, 4, 1, 3];
        check(Game::Board, capture, 0, Reason::Captures(6));
        let won = [0, 0, 0, 0, 0, 1, 30, 3, 0, 2, 0, 0, 1, 11];
        check(Game::Board, won, 5, Reason::Only);
        let two = [0, 0, 0, 0, 1, 1, 29, 0, 0, 0, 0, 0, 1, 16];
        check(Game::Board, two, 5, Reason::MovesAgain);
        let wari = [0, 2, 0, 1, 0, 1, 23, 1, 0, 0, 0, 0, 0, 20];
        check(Game::Wari, wari, 5, Reason::Wins);
    }

    /// The strategies of the Wari program's manual.
    #[test]
    fn a_defence_saves_stones_and_a_counter_attack_threatens_some() {
        let flight = [0, 0, 3, 0, 2, 1, 15, 3, 0, 4, 1, 0, 5, 14];
        check(Game::Wari, flight, 4, Reason::Saves(3));
        check(Game::Wari, flight, 2, Reason::Saves(3));
        let overkill = [0, 0, 3, 0, 2, 6, 12, 3, 0, 4, 1, 0, 5, 12];
        check(Game::Wari, overkill, 5, Reason::Saves(3));
        let threat = [2, 2, 0, 4, 1, 0, 14, 4, 3, 2, 0, 5, 1, 10];
        check(Game::Wari, threat, 1, Reason::Threatens(3));
    }
}
