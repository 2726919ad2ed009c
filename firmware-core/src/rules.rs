//! The rules of Mancala: positions, sowing, captures, the end of a game.
//!
//! A game system is a [`Ruleset`]: data, and the few functions that differ. One file
//! a system below this one. The rules know no time, no pixel and no button.

pub mod board;
pub mod family;
pub mod top_bottom;
pub mod wari;

use core::fmt;

use crate::places::Places;

/// Cups on each side of the board.
pub const CUPS_A_SIDE: usize = 6;

/// Places on the board: twelve cups and two stores, counter-clockwise from the
/// bottom player's leftmost cup. Index 6 is the bottom player's store, 13 the top's.
pub const PLACES: usize = 2 * (CUPS_A_SIDE + 1);

/// One of the two players, by the side of the board that is his.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player 0 on the console; cups 0 to 5, store 6.
    Bottom,
    /// Player 1 on the console; cups 7 to 12, store 13.
    Top,
}

impl Player {
    /// Both, bottom first.
    pub const BOTH: [Self; 2] = [Self::Bottom, Self::Top];

    /// 0 for the bottom player, 1 for the top player.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The one across the board.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }

    /// The place of this player's store: 6 or 13.
    pub const fn store(self) -> usize {
        self.first_cup() + CUPS_A_SIDE
    }

    /// The place of this player's first cup: 0 or 7.
    pub const fn first_cup(self) -> usize {
        self.index() * (CUPS_A_SIDE + 1)
    }
}

/// One of the twelve cups that a player sows from: place 0 to 5, or 7 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cup(u8);

impl Cup {
    /// How many there are.
    pub const COUNT: usize = 2 * CUPS_A_SIDE;

    /// The `nth` cup (0 to 5) of `owner`, counter-clockwise; `None` past the sixth.
    pub const fn nth(owner: Player, nth: usize) -> Option<Self> {
        if nth < CUPS_A_SIDE { Some(Self((owner.first_cup() + nth) as u8)) } else { None }
    }

    /// The cup at a place of the board; `None` for a store or past the board.
    pub const fn at(place: usize) -> Option<Self> {
        if place < PLACES && place % (CUPS_A_SIDE + 1) != CUPS_A_SIDE {
            Some(Self(place as u8))
        } else {
            None
        }
    }

    /// All twelve, counter-clockwise from the bottom player's leftmost.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PLACES).filter_map(Self::at)
    }

    /// The six of `owner`, counter-clockwise.
    pub fn of(owner: Player) -> impl Iterator<Item = Self> {
        (0..CUPS_A_SIDE).filter_map(move |nth| Self::nth(owner, nth))
    }

    /// The place on the board.
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// Whose cup it is.
    pub const fn owner(self) -> Player {
        if self.place() < CUPS_A_SIDE { Player::Bottom } else { Player::Top }
    }

    /// How far along its owner's side it lies, 0 to 5, counter-clockwise.
    pub const fn nth_of_owner(self) -> usize {
        self.place() - self.owner().first_cup()
    }

    /// The cup across the board.
    pub const fn opposite(self) -> Self {
        Self((2 * CUPS_A_SIDE - self.place()) as u8)
    }
}

/// Which way stones are sown, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Rising places.
    #[default]
    CounterClockwise,
    /// Falling places.
    Clockwise,
}

impl Direction {
    /// The other one.
    pub const fn reversed(self) -> Self {
        match self {
            Self::CounterClockwise => Self::Clockwise,
            Self::Clockwise => Self::CounterClockwise,
        }
    }

    /// The place that follows `place`, store or cup.
    const fn following(self, place: usize) -> usize {
        match self {
            Self::CounterClockwise if place + 1 == PLACES => 0,
            Self::CounterClockwise => place + 1,
            Self::Clockwise if place == 0 => PLACES - 1,
            Self::Clockwise => place - 1,
        }
    }
}

/// Stones in the cups and stores, who is to move, and which way he sows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Stones at each place.
    pub stones: [u8; PLACES],
    /// Who moves next; meaningless once the game is over.
    pub turn: Player,
    /// The next sowing's direction.
    pub direction: Direction,
}

impl Position {
    /// The board set up with `stones_a_cup` in every cup and both stores empty.
    pub const fn start(stones_a_cup: u8, turn: Player) -> Self {
        let mut stones = [stones_a_cup; PLACES];
        stones[Player::Bottom.store()] = 0;
        stones[Player::Top.store()] = 0;
        Self { stones, turn, direction: Direction::CounterClockwise }
    }

    /// Stones in `cup`.
    pub const fn in_cup(&self, cup: Cup) -> u8 {
        self.stones[cup.place()]
    }

    /// Stones in the store of `player`.
    pub const fn in_store(&self, player: Player) -> u8 {
        self.stones[player.store()]
    }

    /// Stones in the six cups of `player`.
    pub fn on_side(&self, player: Player) -> u8 {
        self.side(player).iter().sum()
    }

    /// Whether `player` has no stone in his cups.
    pub fn is_bare(&self, player: Player) -> bool {
        self.side(player).iter().fold(0, |any, stones| any | stones) == 0
    }

    fn side(&self, player: Player) -> &[u8] {
        let first = player.first_cup();
        &self.stones[first..first + CUPS_A_SIDE]
    }

    /// Moves the stones of `cups` to the store of `player`; how many.
    fn collect(&mut self, cups: Places, player: Player) -> u8 {
        let mut collected = 0;
        for place in cups.iter() {
            collected += core::mem::take(&mut self.stones[place]);
        }
        self.stones[player.store()] += collected;
        collected
    }
}

/// What sets one game system apart from another.
#[derive(Clone, Copy, Debug)]
pub struct Ruleset {
    /// Stones in each cup at the start.
    pub stones_a_cup: u8,
    /// Who begins.
    pub beginner: Beginner,
    /// Where stones are sown.
    pub path: Path,
    /// The cups that a sowing whose last stone fell into `last` captures, by the position
    /// before the move and with all its stones sown. Empty is no capture.
    pub captures: fn(before: &Position, sown: &Position, last: usize) -> Places,
    /// When the game is over.
    pub ending: Ending,
    /// Whether the stones that are left over at the end go to their owner's store.
    pub sweeps: bool,
    /// Whether the direction of sowing flips, for both players, at every capture.
    pub bidirectional: bool,
}

/// Who begins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginner {
    /// The bottom player, always.
    Bottom,
    /// Whoever the coin shows.
    Coin,
    /// The bottom player the first game, then the loser of the one before; after a draw the
    /// one who began it.
    Loser,
}

/// Where stones are sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Every cup and the mover's own store; the source as well, on a lap.
    OwnStore,
    /// The twelve cups but the source.
    CupsOnly,
}

/// When a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Either side has no stones.
    EitherSideBare,
    /// The player to move has none.
    MoverBare,
}

/// Stones that a sowing captured, all of them now in the mover's store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The cups that were emptied.
    pub cups: Places,
    /// Stones moved into the store.
    pub stones: u8,
}

/// How a finished game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This player has more stones in his store.
    Winner(Player),
    /// Both have the same.
    Draw,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The cup that was sown.
    pub cup: Cup,
    /// Who sowed it.
    pub mover: Player,
    /// The last stone fell into the mover's own store.
    pub free_turn: bool,
    /// What was captured.
    pub capture: Option<Capture>,
    /// Stones left over that went to their owner's store, by [`Player::index`].
    pub swept: [u8; 2],
    /// Set if the move ended the game.
    pub result: Option<GameResult>,
}

/// Why a cup cannot be sown. The position stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The cup belongs to the player who is not to move.
    NotYours,
    /// There is nothing in the cup to sow.
    Empty,
    /// No move is legal any more.
    GameOver,
}

impl fmt::Display for PlayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NotYours => "the cup is the opponent's",
            Self::Empty => "the cup is empty",
            Self::GameOver => "the game is over",
        })
    }
}

impl core::error::Error for PlayError {}

impl Ruleset {
    /// The position in which a game begins that `first` opens.
    pub const fn start(&self, first: Player) -> Position {
        Position::start(self.stones_a_cup, first)
    }

    /// The places that a sowing from `cup` visits, stone by stone.
    pub fn sowing(&self, position: &Position, cup: Cup) -> Sowing {
        let skipped = match self.path {
            Path::OwnStore => Places::NONE.with(cup.owner().opponent().store()),
            Path::CupsOnly => STORES.with(cup.place()),
        };
        Sowing {
            place: cup.place(),
            direction: position.direction,
            skipped,
            left: position.in_cup(cup),
        }
    }

    /// Whether the game is over in `position`.
    pub fn is_over(&self, position: &Position) -> bool {
        match self.ending {
            Ending::EitherSideBare => {
                position.is_bare(Player::Bottom) || position.is_bare(Player::Top)
            }
            Ending::MoverBare => position.is_bare(position.turn),
        }
    }

    /// How a finished game stands.
    pub fn result(&self, position: &Position) -> GameResult {
        let [bottom, top] = Player::BOTH.map(|player| position.in_store(player));
        match bottom.cmp(&top) {
            core::cmp::Ordering::Greater => GameResult::Winner(Player::Bottom),
            core::cmp::Ordering::Less => GameResult::Winner(Player::Top),
            core::cmp::Ordering::Equal => GameResult::Draw,
        }
    }

    /// Sows `cup` and does all that follows from it.
    ///
    /// # Errors
    /// If the cup is not the mover's, is empty, or the game is over.
    pub fn play(&self, position: &Position, cup: Cup) -> Result<(Position, Outcome), PlayError> {
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

    /// [`Ruleset::play`] where it is known that the move is legal.
    fn sow(&self, position: &Position, cup: Cup) -> (Position, Outcome) {
        let mover = cup.owner();
        let mut next = *position;
        next.stones[cup.place()] = 0;
        let mut last = cup.place();
        for place in self.sowing(position, cup) {
            next.stones[place] += 1;
            last = place;
        }
        let free_turn = last == mover.store();
        let cups = (self.captures)(position, &next, last);
        let capture =
            (!cups.is_empty()).then(|| Capture { cups, stones: next.collect(cups, mover) });
        if !free_turn {
            next.turn = mover.opponent();
        }
        if self.bidirectional && capture.is_some() {
            next.direction = next.direction.reversed();
        }
        let mut swept = [0; 2];
        let result = self.is_over(&next).then(|| {
            if self.sweeps {
                swept = Player::BOTH.map(|player| next.collect(cups_of(player), player));
            }
            self.result(&next)
        });
        (next, Outcome { cup, mover, free_turn, capture, swept, result })
    }

    /// The leaves of the tree of all games from `position`, `depth` sowings deep; a game
    /// that is over is one leaf.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 || self.is_over(position) {
            return 1;
        }
        Cup::of(position.turn)
            .filter(|cup| position.in_cup(*cup) > 0)
            .map(|cup| self.perft(&self.sow(position, cup).0, depth - 1))
            .sum()
    }
}

/// Both stores.
const STORES: Places = Places::NONE.with(Player::Bottom.store()).with(Player::Top.store());

/// The six cups of `player`.
const fn cups_of(player: Player) -> Places {
    let mut cups = Places::NONE;
    let mut nth = 0;
    while nth < CUPS_A_SIDE {
        cups = cups.with(player.first_cup() + nth);
        nth += 1;
    }
    cups
}

/// The places of a sowing, one a stone. See [`Ruleset::sowing`].
#[derive(Clone, Copy, Debug)]
pub struct Sowing {
    place: usize,
    direction: Direction,
    skipped: Places,
    left: u8,
}

impl Iterator for Sowing {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        // At most three places in a row are skipped.
        loop {
            self.place = self.direction.following(self.place);
            if !self.skipped.contains(self.place) {
                return Some(self.place);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.into(), Some(self.left.into()))
    }
}

impl ExactSizeIterator for Sowing {}

#[cfg(test)]
mod tests;
