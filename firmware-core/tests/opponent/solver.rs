//! The value of every position with few stones in the cups, by playing all games to their end with
//! the naive rules. The Advanced level is compared with it.

use crate::naive::{Game, System};

/// Number of cups on the board.
const CUPS: usize = 12;
/// Places of the cups, the mover's first, by the player to move.
const PLACES: [[usize; CUPS]; 2] =
    [[0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12], [7, 8, 9, 10, 11, 12, 0, 1, 2, 3, 4, 5]];
/// Value of a position that is not solved yet.
const UNKNOWN: i8 = i8::MIN;

/// Values of all positions with up to `stones` stones in the cups.
pub struct Solver {
    system: System,
    /// `ways[cups][stones]`: number of distributions of up to `stones` stones over `cups` cups.
    ways: Vec<Vec<usize>>,
    values: Vec<i8>,
    stones: usize,
}

impl Solver {
    pub fn new(system: System, stones: usize) -> Self {
        let mut ways = vec![vec![1; stones + 1]];
        for cups in 1..=CUPS {
            let row = (0..=stones).map(|most| ways[cups - 1][..=most].iter().sum()).collect();
            ways.push(row);
        }
        let values = vec![UNKNOWN; ways[CUPS][stones]];
        Self { system, ways, values, stones }
    }

    /// Returns the number of positions, seen from the player to move.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// Returns the position with this number, `turn` to move, both stores empty.
    pub fn position(&self, mut number: usize, turn: usize) -> Game {
        let mut game = Game::new(self.system, 0, turn);
        let mut left = self.stones;
        for (cup, place) in PLACES[turn].into_iter().enumerate() {
            let others = CUPS - 1 - cup;
            let mut held = 0;
            while number >= self.ways[others][left - held] {
                number -= self.ways[others][left - held];
                held += 1;
            }
            game.stones[place] = held as u32;
            left -= held;
        }
        game
    }

    fn number(&self, game: &Game) -> usize {
        let mut left = self.stones;
        let mut number = 0;
        for (cup, place) in PLACES[game.turn].into_iter().enumerate() {
            let others = CUPS - 1 - cup;
            let held = game.stones[place] as usize;
            number += (0..held).map(|fewer| self.ways[others][left - fewer]).sum::<usize>();
            left -= held;
        }
        number
    }

    /// Returns how many stones the player to move will gain over the other with perfect play.
    pub fn value(&mut self, game: &Game) -> i8 {
        if game.is_over() {
            return 0;
        }
        let number = self.number(game);
        if self.values[number] == UNKNOWN {
            let best = game.moves().into_iter().map(|place| self.value_of(game, place)).max();
            self.values[number] = best.expect("a move");
        }
        self.values[number]
    }

    /// Returns the same value after sowing the cup at `place`.
    pub fn value_of(&mut self, game: &Game, place: usize) -> i8 {
        let stores = [6, 13];
        let lead = |game: &Game, player: usize| {
            game.stones[stores[player]] as i8 - game.stones[stores[1 - player]] as i8
        };
        let mut next = game.clone();
        let over = next.play(place).over.is_some();
        let gain = lead(&next, game.turn) - lead(game, game.turn);
        if over {
            gain
        } else if next.turn == game.turn {
            gain + self.value(&next)
        } else {
            gain - self.value(&next)
        }
    }
}
