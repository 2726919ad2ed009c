//! What is left to chance: the coin, and what the computer's play varies by.
//!
//! It knows no source: [`Start::chance`](super::Start) and [`App::stir`](super::App::stir) bring
//! the numbers that the board has drawn. On a board whose source stands still the settings' seed
//! decides, and every power-on is the same.

use crate::game::opponent::Variety;
use crate::game::places::Player;
use crate::game::random::Random;

/// The chance of a power-on.
#[derive(Clone)]
pub(super) struct Chance {
    random: Random,
    /// What the computer's play varies by in this game. It stays the same as long as the game
    /// does: the same position of the same game is always thought about in the same way.
    game: u64,
    /// Whether the board has drawn a number.
    drawn: bool,
}

impl Chance {
    /// From the number that the board has drawn at power-on, or from the settings' seed.
    pub(super) fn new(drawn: Option<u64>, seed: u64) -> Self {
        Self { random: Random::new(drawn.unwrap_or(seed)), game: seed, drawn: drawn.is_some() }
    }

    /// RESET switches a board on that was powered down.
    pub(super) fn start_again(&mut self, seed: u64) {
        if !self.drawn {
            *self = Self::new(None, seed);
        }
    }

    /// The board has drawn another number.
    pub(super) fn stir(&mut self, drawn: u64) {
        self.random = Random::new(self.random.number() ^ drawn);
        self.drawn = true;
        self.begin_game();
    }

    /// A game begins.
    pub(super) fn begin_game(&mut self) {
        if self.drawn {
            self.game = self.random.number();
        }
    }

    /// Flips the coin.
    pub(super) fn coin(&mut self) -> Player {
        if self.random.heads() { Player::Top } else { Player::Bottom }
    }

    /// The seed of the computer's thoughts about the move after so many others of this game, and
    /// among which moves it chooses.
    pub(super) fn thoughts(&self, moves: u32) -> (u64, Variety) {
        let seed = Random::new(self.game ^ u64::from(moves) << 32).number();
        (seed, if self.drawn { Variety::after(moves) } else { Variety::None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_number_everything_follows_from_the_seed() {
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
    fn with_a_number_every_game_is_another_one() {
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
