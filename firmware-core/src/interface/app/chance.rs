//! Random numbers: the coin, and the variation of the computer's play.
//!
//! This module knows no source of randomness: [`Start::chance`](super::Start) and
//! [`App::stir`](super::App::stir) bring the numbers that the board has drawn. On a board whose
//! source is constant, the settings' seed decides, and every power-on is the same.

use crate::game::opponent::Variety;
use crate::game::places::Player;
use crate::game::random::Random;

/// Random numbers of one power-on.
#[derive(Clone)]
pub(super) struct Chance {
    random: Random,
    /// Seed of the computer's play in this game. It is constant during the game: the same position
    /// of the same game always gives the same thoughts.
    game: u64,
    /// Whether the board has drawn a number.
    drawn: bool,
}

impl Chance {
    /// Seeds the numbers with the one that the board has drawn at power-on, or with the settings'
    /// seed.
    pub(super) fn new(drawn: Option<u64>, seed: u64) -> Self {
        Self { random: Random::new(drawn.unwrap_or(seed)), game: seed, drawn: drawn.is_some() }
    }

    /// RESET switches on a board that was powered down: without drawn numbers, begins the sequence
    /// again.
    pub(super) fn start_again(&mut self, seed: u64) {
        if !self.drawn {
            *self = Self::new(None, seed);
        }
    }

    /// Mixes in another number that the board has drawn.
    pub(super) fn stir(&mut self, drawn: u64) {
        self.random = Random::new(self.random.number() ^ drawn);
        self.drawn = true;
        self.begin_game();
    }

    /// Begins a game: chooses its seed if the board has drawn a number.
    pub(super) fn begin_game(&mut self) {
        if self.drawn {
            self.game = self.random.number();
        }
    }

    /// Flips the coin.
    pub(super) fn coin(&mut self) -> Player {
        if self.random.heads() { Player::Top } else { Player::Bottom }
    }

    /// Returns the seed of the computer's thoughts about the move after `moves` moves of this game,
    /// and the set of moves among which it chooses.
    pub(super) fn thoughts(&self, moves: u32) -> (u64, Variety) {
        let seed = Random::new(self.game ^ u64::from(moves) << 32).number();
        (seed, if self.drawn { Variety::after(moves) } else { Variety::None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_drawn_number_the_seed_decides_everything() {
        let mut chance = Chance::new(None, 3);
        let coins = |chance: &mut Chance| [0; 20].map(|_| chance.coin());
        let (first, thought) = (coins(&mut chance), chance.thoughts(2));
        assert_eq!(thought.1, Variety::None);
        chance.begin_game();
        assert_eq!(chance.thoughts(2), thought);
        chance.start_again(3);
        assert_eq!(coins(&mut chance), first);
    }

    #[test]
    fn with_a_drawn_number_every_game_differs() {
        let mut chance = Chance::new(Some(3), 0);
        chance.begin_game();
        let thought = chance.thoughts(2);
        assert_eq!(chance.thoughts(2), thought);
        chance.begin_game();
        assert_ne!(chance.thoughts(2), thought);
        let mut again = Chance::new(Some(3), 0);
        again.begin_game();
        assert_eq!(again.thoughts(2), thought);
        again.stir(7);
        assert_ne!(again.thoughts(2), thought, "the first press");
        let before = chance.random.clone().number();
        chance.start_again(0);
        assert_eq!(chance.random.number(), before, "switched on again, it goes on");
    }
}
