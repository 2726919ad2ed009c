//! A step of a game, its code of one byte, and its effect on the state of a game.

use core::fmt;

use super::setup::Setup;
use crate::game::outcome::{MoveOutcome, PlayError};
use crate::game::places::{Cup, Direction, PLACES, Player};
use crate::game::rules::{Position, Ruleset};

/// One entry of a game's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The player to move sows this cup: a move.
    Sow(Cup),
    /// Edit Board moved one stone between two places, 0 to 13, stores included.
    Transfer {
        /// Place that lost the stone.
        from: u8,
        /// Place that received the stone.
        to: u8,
    },
    /// Edit Board passed the turn to the other player.
    Turn,
    /// The edit is done: it consists of the transfers and turns directly before this step. If the
    /// game is over on the edited board, its stones are settled ([`Ruleset::settled`]).
    Edited,
    /// The bidirectional option was switched; switching it off resets the direction to
    /// counter-clockwise.
    Bidirectional(bool),
    /// Both players agreed to abandon play.
    Abandon,
    Resign(Player),
}

const PLACES_CODED: u8 = PLACES as u8;
const TRANSFERS: u8 = PLACES_CODED;
const TURN: u8 = TRANSFERS + PLACES_CODED * PLACES_CODED;
const EDITED: u8 = TURN + 1;
const ONE_WAY: u8 = TURN + 2;
const BOTH_WAYS: u8 = TURN + 3;
const ABANDON: u8 = TURN + 4;
const BOTTOM_RESIGNS: u8 = TURN + 5;
const TOP_RESIGNS: u8 = TURN + 6;

impl Step {
    /// Returns the code: 0 to 13 for a sown cup, 14 + 14 × from + to for transfers, then the others
    /// in the order of [`Step`]. The codes are never given another meaning.
    pub const fn code(self) -> u8 {
        match self {
            Self::Sow(cup) => cup.place() as u8,
            // Places past the board wrap to some other code; no history accepts such a step.
            Self::Transfer { from, to } => {
                TRANSFERS.wrapping_add(from.wrapping_mul(PLACES_CODED)).wrapping_add(to)
            }
            Self::Turn => TURN,
            Self::Edited => EDITED,
            Self::Bidirectional(false) => ONE_WAY,
            Self::Bidirectional(true) => BOTH_WAYS,
            Self::Abandon => ABANDON,
            Self::Resign(Player::Bottom) => BOTTOM_RESIGNS,
            Self::Resign(Player::Top) => TOP_RESIGNS,
        }
    }

    /// Returns the step with this code, or `None` if there is none.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            ..TRANSFERS => match Cup::at(code as usize) {
                Some(cup) => Self::Sow(cup),
                None => return None,
            },
            TRANSFERS..TURN => {
                let pair = code - TRANSFERS;
                Self::Transfer { from: pair / PLACES_CODED, to: pair % PLACES_CODED }
            }
            TURN => Self::Turn,
            EDITED => Self::Edited,
            ONE_WAY => Self::Bidirectional(false),
            BOTH_WAYS => Self::Bidirectional(true),
            ABANDON => Self::Abandon,
            BOTTOM_RESIGNS => Self::Resign(Player::Bottom),
            TOP_RESIGNS => Self::Resign(Player::Top),
            _ => return None,
        })
    }

    /// Returns whether this step belongs to an edit that is not done yet.
    pub(crate) const fn is_within_edit(self) -> bool {
        matches!(self, Self::Transfer { .. } | Self::Turn)
    }
}

/// How players ended a game that is not over by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Both agreed to abandon play.
    Abandoned,
    Resigned(Player),
}

/// Whether the players stopped the game. Unlike in an `Option<Stop>`, all bits of the first variant
/// are zero: see `History::NONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Stopped {
    No = 0,
    Abandoned,
    BottomResigned,
    TopResigned,
}

impl Stopped {
    pub const fn of(stop: Option<Stop>) -> Self {
        match stop {
            None => Self::No,
            Some(Stop::Abandoned) => Self::Abandoned,
            Some(Stop::Resigned(Player::Bottom)) => Self::BottomResigned,
            Some(Stop::Resigned(Player::Top)) => Self::TopResigned,
        }
    }

    pub const fn stop(self) -> Option<Stop> {
        match self {
            Self::No => None,
            Self::Abandoned => Some(Stop::Abandoned),
            Self::BottomResigned => Some(Stop::Resigned(Player::Bottom)),
            Self::TopResigned => Some(Stop::Resigned(Player::Top)),
        }
    }
}

/// Reason why a step cannot follow those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The rules do not allow the move.
    Play(PlayError),
    /// Play was abandoned or a player resigned: only the options can change.
    Stopped,
    /// An edit has begun and is not done: only transfers, turns and its end can follow.
    WithinEdit,
    /// The end of an edit that never began.
    NoEdit,
    /// A transfer from or to a place that the board does not have.
    NoSuchPlace,
    /// A transfer from a place without stones.
    NothingThere,
    /// A transfer to the place that the stone comes from.
    SamePlace,
    /// The system has no bidirectional option.
    NoChoice,
    /// The option already has this value.
    AlreadySo,
}

impl fmt::Display for StepError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Play(error) => return error.fmt(out),
            Self::Stopped => "play was abandoned, or a player resigned, before",
            Self::WithinEdit => "the edit before it is not done",
            Self::NoEdit => "no stone was moved and no turn changed before it",
            Self::NoSuchPlace => "places are 0 to 13",
            Self::NothingThere => "there is no stone at that place",
            Self::SamePlace => "the stone stays where it is",
            Self::NoChoice => "this system is not bidirectional",
            Self::AlreadySo => "the option is so already",
        })
    }
}

impl core::error::Error for StepError {}

/// State of a game after some of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub position: Position,
    /// Number of moves since the game began.
    pub moves: u32,
    /// Number of moves since the latest capture or edit, or since the game began.
    pub quiet: u32,
    /// Player who made the first move, or is to make it.
    pub first: Player,
    pub bidirectional: bool,
    pub stopped: Stopped,
    /// An edit has begun and is not done.
    pub editing: bool,
}

impl State {
    /// Creates the state of a game that begins in `position`, which must be settled.
    pub const fn opening(setup: Setup, position: Position) -> Self {
        Self {
            position,
            moves: 0,
            quiet: 0,
            first: position.turn,
            bidirectional: setup.bidirectional,
            stopped: Stopped::No,
            editing: false,
        }
    }

    /// Returns the rules that apply now.
    pub fn rules(&self, setup: Setup) -> Ruleset {
        setup.game.system().variant(setup.stones, self.bidirectional)
    }

    /// Applies one step and returns its outcome if it was a move.
    ///
    /// # Errors
    /// The step cannot follow; then nothing changes.
    pub fn take(&mut self, setup: Setup, step: Step) -> Result<Option<MoveOutcome>, StepError> {
        if self.editing && !step.is_within_edit() && step != Step::Edited {
            return Err(StepError::WithinEdit);
        }
        if self.stopped != Stopped::No && !matches!(step, Step::Bidirectional(_)) {
            return Err(StepError::Stopped);
        }
        match step {
            Step::Sow(cup) => return self.sow(setup, cup).map(Some),
            Step::Transfer { from, to } => self.transfer(from, to)?,
            Step::Turn => {
                self.position.turn = self.position.turn.opponent();
                self.editing = true;
            }
            Step::Edited => {
                if !self.editing {
                    return Err(StepError::NoEdit);
                }
                self.editing = false;
                self.quiet = 0;
                self.position = self.rules(setup).settled(&self.position);
                if self.moves == 0 {
                    self.first = self.position.turn;
                }
            }
            Step::Bidirectional(on) => self.switch(setup, on)?,
            Step::Abandon => self.stop(setup, Stop::Abandoned)?,
            Step::Resign(player) => self.stop(setup, Stop::Resigned(player))?,
        }
        Ok(None)
    }

    fn stop(&mut self, setup: Setup, stop: Stop) -> Result<(), StepError> {
        if self.rules(setup).is_over(&self.position) {
            return Err(StepError::Play(PlayError::GameOver));
        }
        self.stopped = Stopped::of(Some(stop));
        Ok(())
    }

    fn sow(&mut self, setup: Setup, cup: Cup) -> Result<MoveOutcome, StepError> {
        let (next, outcome) =
            self.rules(setup).play(&self.position, cup).map_err(StepError::Play)?;
        self.position = next;
        self.moves = self.moves.saturating_add(1);
        self.quiet = if outcome.capture.is_some() { 0 } else { self.quiet.saturating_add(1) };
        Ok(outcome)
    }

    fn transfer(&mut self, from: u8, to: u8) -> Result<(), StepError> {
        let (from, to) = (usize::from(from), usize::from(to));
        let stones = &mut self.position.stones;
        if from == to {
            return Err(StepError::SamePlace);
        }
        let (Some(&left), Some(&got)) = (stones.get(from), stones.get(to)) else {
            return Err(StepError::NoSuchPlace);
        };
        // A place with 255 stones cannot take another, but no system's board has that many.
        let (Some(left), Some(got)) = (left.checked_sub(1), got.checked_add(1)) else {
            return Err(StepError::NothingThere);
        };
        stones[from] = left;
        stones[to] = got;
        self.editing = true;
        Ok(())
    }

    fn switch(&mut self, setup: Setup, on: bool) -> Result<(), StepError> {
        if !setup.game.system().choices {
            return Err(StepError::NoChoice);
        }
        if self.bidirectional == on {
            return Err(StepError::AlreadySo);
        }
        self.bidirectional = on;
        if !on {
            self.position.direction = Direction::CounterClockwise;
        }
        Ok(())
    }
}
