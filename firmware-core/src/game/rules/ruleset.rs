//! A game system as data ([`Ruleset`]), and the move that all systems share: sow, capture,
//! pass the turn, end.

use core::cmp::Ordering;

use super::path::{Path, Sowing};
use super::position::{Lanes, Position};
use crate::game::outcome::{Capture, GameResult, MoveOutcome, PlayError};
use crate::game::places::{Cup, PLACES, Places, Player};

/// Stones of the smallest capture where stones circle (`wari`: twos and threes).
const FEWEST_CAPTURED: u16 = 2;

/// Differences between the game systems.
#[derive(Clone, Copy, Debug)]
pub struct Ruleset {
    /// Number of stones in each cup at the start.
    pub stones_a_cup: u8,
    pub starting_player: StartingPlayer,
    /// Places that stones are sown into.
    pub path: Path,
    /// Returns the cups captured by a sowing whose last stone fell into `last`, from the position
    /// before the move and the board with all its stones sown. An empty set is no capture.
    pub captures: fn(before: &Position, sown: Lanes, last: Cup) -> Places,
    pub ending: Ending,
    /// Whether the stones left in the cups at the end go to their owner's store.
    pub sweeps: bool,
    /// Whether the direction of sowing flips, for both players, at every capture.
    pub bidirectional: bool,
}

/// Rule for who begins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartingPlayer {
    /// The bottom player, always.
    Bottom,
    /// The player chosen by a coin flip.
    Coin,
    /// The bottom player in the first game, then the loser of the previous one; after a draw, the
    /// player who began it.
    Loser,
}

/// Rule for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game ends when either side has no stones.
    EitherSideBare,
    /// The game ends when the player to move has no stones.
    MoverBare,
}

impl Ruleset {
    /// Returns the position in which a game begins that `first` opens.
    pub const fn start(&self, first: Player) -> Position {
        Position::start(self.stones_a_cup, first)
    }

    /// Returns the places that a sowing from `cup` visits, stone by stone.
    pub const fn sowing(&self, position: &Position, cup: Cup) -> Sowing {
        self.path.sowing(position, cup)
    }

    /// Returns whether the game is over in `position`.
    pub fn is_over(&self, position: &Position) -> bool {
        self.ends(position.lanes(), position.turn)
    }

    /// Returns the result of a finished game.
    pub fn result(&self, position: &Position) -> GameResult {
        result_of(position.stones)
    }

    /// Returns the result of a game that is not over if no move can change it any more and play may
    /// go on without end: where stones circle until a player has none, one player has captured more
    /// than half of them, or a single one is left, which no sowing captures. Where stones are sown
    /// into the stores, the end comes by itself and every stone counts.
    pub fn decided(&self, position: &Position) -> Option<GameResult> {
        let total = position.total();
        let stored = Player::BOTH.map(|player| u16::from(position.in_store(player)));
        let [bottom, top] = stored;
        let certain = 2 * bottom.max(top) > total || total - bottom - top < FEWEST_CAPTURED;
        (self.path == Path::CupsOnly && certain).then(|| self.result(position))
    }

    /// Sows `cup` and applies all consequences.
    ///
    /// # Errors
    /// The cup is not the mover's, is empty, or the game is over.
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

    /// [`Self::play`] for a move that is known to be legal: the cup is one of the mover's, has
    /// stones, and the game is not over.
    // Inlined so that only the parts of the outcome that the caller uses cost anything.
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
        let (lanes, swept, is_over) = self.settle(lanes, turn);
        let result = is_over.then(|| result_of(lanes.stones()));
        let next = Position { stones: lanes.stones(), turn, direction };
        (next, MoveOutcome { cup, mover, free_turn, capture, swept, result })
    }

    /// Returns the position with the stones where the end of a game leaves them: those left in the
    /// cups are swept to their owners' stores if the game is over and the system sweeps. A position
    /// in which play continues stays as it is.
    ///
    /// Every position that is not the result of [`Self::sow`] must pass through this function before
    /// it counts: an edited board, a board that was loaded or imported, the first board of a game.
    #[must_use]
    pub fn settled(&self, position: &Position) -> Position {
        let (lanes, _, _) = self.settle(position.lanes(), position.turn);
        Position { stones: lanes.stones(), ..*position }
    }

    /// Applies the end of the game if it is over when `turn` is to move. Returns the stones, how many
    /// of them were swept to each player, and whether the game is over.
    #[inline(always)]
    fn settle(&self, lanes: Lanes, turn: Player) -> (Lanes, [u8; 2], bool) {
        let is_over = self.ends(lanes, turn);
        let (lanes, swept) = if is_over && self.sweeps { lanes.swept() } else { (lanes, [0; 2]) };
        (lanes, swept, is_over)
    }

    /// Returns whether the game is over when `turn` is to move.
    #[inline(always)]
    fn ends(&self, lanes: Lanes, turn: Player) -> bool {
        match self.ending {
            Ending::EitherSideBare => lanes.is_bare(Player::Bottom) || lanes.is_bare(Player::Top),
            Ending::MoverBare => lanes.is_bare(turn),
        }
    }
}

/// Compares the stores: the player with more stones wins.
fn result_of(stones: [u8; PLACES]) -> GameResult {
    match stones[Player::Bottom.store()].cmp(&stones[Player::Top.store()]) {
        Ordering::Greater => GameResult::Winner(Player::Bottom),
        Ordering::Less => GameResult::Winner(Player::Top),
        Ordering::Equal => GameResult::Draw,
    }
}
