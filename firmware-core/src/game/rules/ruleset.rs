//! A game system as data ([`Ruleset`]), and the move that all systems share: sow, capture,
//! pass the turn, end.

use core::cmp::Ordering;

use super::path::{Path, Sowing};
use super::position::{Lanes, Position};
use crate::game::outcome::{Capture, GameResult, MoveOutcome, PlayError};
use crate::game::places::{Cup, PLACES, Places, Player};

/// What sets one game system apart from another.
#[derive(Clone, Copy, Debug)]
pub struct Ruleset {
    /// Stones in each cup at the start.
    pub stones_a_cup: u8,
    /// Who begins.
    pub starting_player: StartingPlayer,
    /// Where stones are sown.
    pub path: Path,
    /// The cups that a sowing whose last stone fell into `last` captures, by the position
    /// before the move and with all its stones sown. Empty is no capture.
    pub captures: fn(before: &Position, sown: Lanes, last: Cup) -> Places,
    /// When the game is over.
    pub ending: Ending,
    /// Whether the stones that are left over at the end go to their owner's store.
    pub sweeps: bool,
    /// Whether the direction of sowing flips, for both players, at every capture.
    pub bidirectional: bool,
}

/// Who begins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartingPlayer {
    /// The bottom player, always.
    Bottom,
    /// The player that the coin shows.
    Coin,
    /// The bottom player the first game, then the loser of the one before; after a draw the
    /// one who began it.
    Loser,
}

/// When a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Either side has no stones.
    EitherSideBare,
    /// The player to move has none.
    MoverBare,
}

impl Ruleset {
    /// The position in which a game begins that `first` opens.
    pub const fn start(&self, first: Player) -> Position {
        Position::start(self.stones_a_cup, first)
    }

    /// The places that a sowing from `cup` visits, stone by stone.
    pub const fn sowing(&self, position: &Position, cup: Cup) -> Sowing {
        self.path.sowing(position, cup)
    }

    /// Whether the game is over in `position`.
    pub fn is_over(&self, position: &Position) -> bool {
        self.ends(position.lanes(), position.turn)
    }

    /// How a finished game stands.
    pub fn result(&self, position: &Position) -> GameResult {
        result_of(position.stones)
    }

    /// Sows `cup` and does all that follows from it.
    ///
    /// # Errors
    /// If the cup is not the mover's, is empty, or the game is over.
    pub fn play(
        &self,
        position: &Position,
        cup: Cup,
    ) -> Result<(Position, MoveOutcome), PlayError> {
        if self.is_over(position) {
            return Err(PlayError::GameOver);
        }
        if cup.owner() != position.turn {
            return Err(PlayError::NotYours);
        }
        if position.in_cup(cup) == 0 {
            return Err(PlayError::Empty);
        }
        Ok(self.sow(position, cup))
    }

    /// [`Self::play`] for a move that is known to be legal: the cup is one of
    /// the mover's with stones in it, and the game goes on.
    // Inlined so that of the outcome only what the caller looks at costs anything.
    #[inline(always)]
    pub fn sow(&self, position: &Position, cup: Cup) -> (Position, MoveOutcome) {
        let &Position { turn: mover, mut direction, .. } = position;
        let (fallen, last) = self.path.sow(cup, direction, position.in_cup(cup));
        let mut lanes = position.lanes().without(cup.place()).and(fallen);
        let free_turn = last == mover.store();
        let turn = if free_turn { mover } else { mover.opponent() };
        let mut capture = None;
        if let Some(last) = Cup::at(last) {
            let cups = (self.captures)(position, lanes, last);
            if !cups.is_empty() {
                let stones;
                (lanes, stones) = lanes.collected(cups, mover);
                capture = Some(Capture { cups, stones });
                if self.bidirectional {
                    direction = direction.reversed();
                }
            }
        }
        let mut swept = [0; 2];
        let mut result = None;
        if self.ends(lanes, turn) {
            (lanes, swept) = if self.sweeps { lanes.swept() } else { (lanes, swept) };
            result = Some(result_of(lanes.stones()));
        }
        let next = Position { stones: lanes.stones(), turn, direction };
        (next, MoveOutcome { cup, mover, free_turn, capture, swept, result })
    }

    /// Whether the game is over when `turn` is to move.
    #[inline(always)]
    fn ends(&self, lanes: Lanes, turn: Player) -> bool {
        match self.ending {
            Ending::EitherSideBare => lanes.is_bare(Player::Bottom) || lanes.is_bare(Player::Top),
            Ending::MoverBare => lanes.is_bare(turn),
        }
    }
}

/// Who has more stones in his store.
fn result_of(stones: [u8; PLACES]) -> GameResult {
    match stones[Player::Bottom.store()].cmp(&stones[Player::Top.store()]) {
        Ordering::Greater => GameResult::Winner(Player::Bottom),
        Ordering::Less => GameResult::Winner(Player::Top),
        Ordering::Equal => GameResult::Draw,
    }
}
