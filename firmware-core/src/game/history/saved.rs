//! A saved game: a history as bytes. [`History::saved_bytes`] writes them, in pieces if necessary;
//! [`History::from_bytes`] reads them and checks everything by playing the steps.
//!
//! | bytes | contents |
//! |---|---|
//! | 0 | the version, 1 |
//! | 1 | the game's number |
//! | 2 | stones a cup |
//! | 3 | flags, see below |
//! | 4 to 17 | stones at each place before the first step |
//! | 18 to 21 | moves before the first step |
//! | 22 to 25 | of these, moves since the latest capture or edit |
//! | 26, 27 | number of steps that follow |
//! | 28 on | the steps' codes, see [`Step::code`] |
//!
//! Numbers are little-endian. Flags from bit 0: bit 0, the game began bidirectional; the others
//! describe the state before the first step: bit 1, the game is bidirectional; bit 2, the top
//! player began or is to begin; bit 3, the top player is to move; bit 4, the direction is
//! clockwise. Bits 5 and 6 are a number: 0 play continues, 1 play was abandoned, 2 the bottom
//! player resigned, 3 the top player resigned. Bit 7 does not belong to the game: it marks a finished
//! game that is no part of the board's totals ([`mark_uncounted`]). The length of the file is known
//! from elsewhere and must match the number of steps exactly.

use core::fmt;

use super::setup::Setup;
use super::step::{State, Step, StepError, Stop, Stopped};
use super::{History, MOST};
use crate::game::places::{Cup, Direction, PLACES, Player};
use crate::game::rules::Position;
use crate::game::systems::Game;

const VERSION: u8 = 1;

/// Length of the head in bytes, before the steps.
pub const HEAD: usize = 28;

/// Length of the longest saved game in bytes.
pub const SAVED_BYTES: usize = HEAD + MOST;

/// Stones a cup that can be chosen, in systems with this option.
const CHOICES: core::ops::RangeInclusive<u8> = 3..=5;

const BEGAN_BIDIRECTIONAL: u8 = 1;
const BIDIRECTIONAL: u8 = 1 << 1;
const TOP_BEGAN: u8 = 1 << 2;
const TOP_TO_MOVE: u8 = 1 << 3;
const CLOCKWISE: u8 = 1 << 4;
const STOPPED: u32 = 5;
const STOPPED_BITS: u8 = 0b11;
const UNCOUNTED: u8 = 1 << 7;
/// Offset of the flags.
const FLAGS: usize = 3;

/// A parse error in a saved game's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedError {
    /// The bytes end before the steps begin.
    CutShort,
    /// Firmware with another format version (this number) wrote the bytes.
    UnknownVersion(u8),
    /// The number of steps differs from the number in the head.
    Length {
        /// Number of steps according to the head.
        stated: u16,
        /// Number of steps found.
        found: usize,
    },
    /// No game has this number.
    UnknownGame(u8),
    /// The state before the first step is impossible.
    Opening(OpeningError),
    /// A step that does not exist, or that cannot follow the steps before it.
    Step {
        /// Number of steps before it.
        index: u16,
        code: u8,
        /// Reason why it cannot follow; `None` if no step has this code.
        error: Option<StepError>,
    },
    /// The last steps are an unfinished edit.
    WithinEdit,
}

impl fmt::Display for SavedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutShort => out.write_str("it is cut short"),
            Self::UnknownVersion(version) => {
                write!(out, "it has format {version}; this firmware reads format {VERSION}")
            }
            Self::Length { stated, found } => {
                write!(out, "it says that it has {stated} steps, at most {MOST}, but has {found}")
            }
            Self::UnknownGame(number) => write!(out, "no game has the number {number}"),
            Self::Opening(error) => error.fmt(out),
            Self::Step { index, code, error: None } => {
                write!(out, "step {index} has the unknown code {code}")
            }
            Self::Step { index, code, error: Some(error) } => {
                write!(out, "step {index} (code {code}) cannot be: {error}")
            }
            Self::WithinEdit => out.write_str("it ends within an edit"),
        }
    }
}

impl core::error::Error for SavedError {}

/// Reason why a game cannot be in this state before its first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// The system does not offer this number of stones a cup.
    Stones(u8),
    /// The system has no bidirectional option.
    NotBidirectional,
    /// The number of stones on the board differs from the number that was set up.
    Total {
        /// Stones on the board.
        found: u16,
        /// Stones set up at the start.
        expected: u16,
    },
    /// The direction is clockwise although the bidirectional option is off.
    Clockwise,
    /// More moves were quiet than were made, or the starting player does not match the player to
    /// move.
    Moves,
    /// Play was abandoned, or a player resigned, although the game was over.
    Over,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stones(stones) => {
                write!(out, "its system is not played with {stones} stones a cup")
            }
            Self::NotBidirectional => out.write_str("its system is not bidirectional"),
            Self::Total { found, expected } => {
                write!(out, "there are {found} stones on the board, not {expected}")
            }
            Self::Clockwise => out.write_str("only a bidirectional game goes clockwise"),
            Self::Moves => out.write_str("the moves that went before cannot have been"),
            Self::Over => out.write_str("a game that was over cannot have been stopped"),
        }
    }
}

impl core::error::Error for OpeningError {}

/// State of a game before the first stored step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    pub position: Position,
    /// Number of moves before the first stored step.
    pub moves: u32,
    /// Moves since the latest capture or edit, or since the game began.
    pub quiet: u32,
    /// Player who made the first move of the game, or is to make it.
    pub first: Player,
    /// Whether the direction flips at captures.
    pub bidirectional: bool,
    /// How the players ended the game, if they did.
    pub stopped: Option<Stop>,
}

impl Opening {
    /// Checks whether a game of `setup` can be in this state.
    ///
    /// # Errors
    /// The state is impossible.
    fn check(&self, setup: Setup) -> Result<(), OpeningError> {
        let system = setup.game.system();
        let stones = setup.stones;
        if !(stones == system.rules.stones_a_cup || system.choices && CHOICES.contains(&stones)) {
            return Err(OpeningError::Stones(stones));
        }
        if (setup.bidirectional || self.bidirectional) && !system.choices {
            return Err(OpeningError::NotBidirectional);
        }
        let found = self.position.total();
        let expected = u16::from(stones) * Cup::COUNT as u16;
        if found != expected {
            return Err(OpeningError::Total { found, expected });
        }
        if self.position.direction == Direction::Clockwise && !self.bidirectional {
            return Err(OpeningError::Clockwise);
        }
        if self.quiet > self.moves || self.moves == 0 && self.first != self.position.turn {
            return Err(OpeningError::Moves);
        }
        if self.stopped.is_some() && setup.rules().is_over(&self.position) {
            return Err(OpeningError::Over);
        }
        Ok(())
    }

    /// Returns the state of a game of `setup`, with the stones of a finished game settled.
    fn state(self, setup: Setup) -> State {
        let Self { position, moves, quiet, first, bidirectional, stopped } = self;
        let position = setup.rules().settled(&position);
        let stopped = Stopped::of(stopped);
        State { position, moves, quiet, first, bidirectional, stopped, editing: false }
    }
}

impl History {
    /// Creates a game of `setup` whose state before its first stored step is `opening`.
    ///
    /// # Errors
    /// The state is impossible.
    pub fn resume(setup: Setup, opening: Opening) -> Result<Self, OpeningError> {
        opening.check(setup)?;
        Ok(Self::of(setup, opening.state(setup)))
    }

    /// Begins again from `opening`, as [`Self::resume`] does, without a second history in memory.
    ///
    /// # Errors
    /// The state is impossible; then nothing changes.
    pub fn begin_at(&mut self, setup: Setup, opening: Opening) -> Result<(), OpeningError> {
        opening.check(setup)?;
        self.begin(setup, opening.position);
        self.base = opening.state(setup);
        self.now = self.base;
        self.recent = self.base;
        Ok(())
    }

    /// Returns the state of the game before the first stored step.
    pub const fn opening(&self) -> Opening {
        let State { position, moves, quiet, first, bidirectional, stopped, .. } = self.base;
        Opening { position, moves, quiet, first, bidirectional, stopped: stopped.stop() }
    }

    /// Returns the length of this game's saved form in bytes, at most [`SAVED_BYTES`].
    pub fn saved_len(&self) -> usize {
        HEAD + self.len()
    }

    /// Writes the bytes of the saved game, beginning at offset `from`, to `out`. Returns the number
    /// of bytes written; it is less than the length of `out` only at the end.
    pub fn saved_bytes(&self, from: usize, out: &mut [u8]) -> usize {
        let head = self.head();
        let bytes = head.iter().copied().chain(self.steps.iter()).skip(from);
        out.iter_mut().zip(bytes).map(|(to, byte)| *to = byte).count()
    }

    /// Reads a game from exactly these bytes.
    ///
    /// # Errors
    /// The bytes are not a saved game, or describe an impossible one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let (head, steps) = bytes.split_first_chunk::<HEAD>().ok_or(match bytes {
            [] | [VERSION, ..] => SavedError::CutShort,
            [version, ..] => SavedError::UnknownVersion(*version),
        })?;
        let (setup, opening, stated) = parts_of(head)?;
        let mut history = Self::resume(setup, opening).map_err(SavedError::Opening)?;
        if steps.len() != usize::from(stated) || steps.len() > MOST {
            return Err(SavedError::Length { stated, found: steps.len() });
        }
        for (index, &code) in (0..).zip(steps) {
            let wrong = |error| SavedError::Step { index, code, error };
            let step = Step::from_code(code).ok_or(wrong(None))?;
            history.append(step).map_err(|error| wrong(Some(error)))?;
        }
        if history.is_within_edit() {
            return Err(SavedError::WithinEdit);
        }
        Ok(history)
    }

    /// Begins again with the game before its steps, from the head of a saved game, without a second
    /// history in memory. Returns the number of steps that follow.
    ///
    /// # Errors
    /// The head describes an impossible game; then nothing changes.
    pub fn restore(&mut self, head: &[u8; HEAD]) -> Result<usize, SavedError> {
        let (setup, opening, stated) = parts_of(head)?;
        self.begin_at(setup, opening).map_err(SavedError::Opening)?;
        Ok(stated.into())
    }

    fn head(&self) -> [u8; HEAD] {
        let Setup { game, stones, bidirectional } = self.setup;
        let base = &self.base;
        let flag = |set: bool, flag| if set { flag } else { 0 };
        let mut head = [0; HEAD];
        head[0] = VERSION;
        head[1] = game as u8;
        head[2] = stones;
        head[FLAGS] = flag(bidirectional, BEGAN_BIDIRECTIONAL)
            | flag(base.bidirectional, BIDIRECTIONAL)
            | flag(base.first == Player::Top, TOP_BEGAN)
            | flag(base.position.turn == Player::Top, TOP_TO_MOVE)
            | flag(base.position.direction == Direction::Clockwise, CLOCKWISE)
            | (base.stopped as u8) << STOPPED;
        head[4..4 + PLACES].copy_from_slice(&base.position.stones);
        head[18..22].copy_from_slice(&base.moves.to_le_bytes());
        head[22..26].copy_from_slice(&base.quiet.to_le_bytes());
        // At most `MOST`.
        head[26..28].copy_from_slice(&(self.len() as u16).to_le_bytes());
        head
    }
}

/// Marks the saved game that begins with `bytes` as no part of the board's totals: an imported game,
/// or one of the demo.
pub fn mark_uncounted(bytes: &mut [u8]) {
    if let Some(flags) = bytes.get_mut(FLAGS) {
        *flags |= UNCOUNTED;
    }
}

/// Returns whether the saved game in `bytes`, if it is finished, was counted in the board's totals.
pub fn is_counted(bytes: &[u8]) -> bool {
    bytes.get(FLAGS).is_some_and(|flags| flags & UNCOUNTED == 0)
}

/// Parses the head: the game before its steps, and the number of steps.
fn parts_of(head: &[u8; HEAD]) -> Result<(Setup, Opening, u16), SavedError> {
    let [version, game, stones_a_cup, flags, rest @ ..] = *head;
    if version != VERSION {
        return Err(SavedError::UnknownVersion(version));
    }
    let game = Game::from_number(game).ok_or(SavedError::UnknownGame(game))?;
    let is = |flag| flags & flag != 0;
    let player = |top| if is(top) { Player::Top } else { Player::Bottom };
    let (stones, rest) = rest.split_first_chunk::<PLACES>().ok_or(SavedError::CutShort)?;
    let &[m0, m1, m2, m3, q0, q1, q2, q3, s0, s1] = rest else {
        return Err(SavedError::CutShort);
    };
    let mut position = Position::of(*stones, player(TOP_TO_MOVE));
    if is(CLOCKWISE) {
        position.direction = Direction::Clockwise;
    }
    let opening = Opening {
        position,
        moves: u32::from_le_bytes([m0, m1, m2, m3]),
        quiet: u32::from_le_bytes([q0, q1, q2, q3]),
        first: player(TOP_BEGAN),
        bidirectional: is(BIDIRECTIONAL),
        stopped: match flags >> STOPPED & STOPPED_BITS {
            0 => None,
            1 => Some(Stop::Abandoned),
            2 => Some(Stop::Resigned(Player::Bottom)),
            _ => Some(Stop::Resigned(Player::Top)),
        },
    };
    let bidirectional = is(BEGAN_BIDIRECTIONAL);
    let setup = Setup { game, stones: stones_a_cup, bidirectional };
    Ok((setup, opening, u16::from_le_bytes([s0, s1])))
}

#[cfg(test)]
mod tests;
