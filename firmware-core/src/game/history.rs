//! History of the game in progress: the latest [`MOST`] steps, a byte each, and the base position
//! that older steps led to. [`History::push`] and [`History::edit`] add steps, [`History::undo`]
//! removes them, [`History::redo`] adds them again, and [`History::replay`] replays them from the base. The current position is stored
//! too.
//!
//! The history knows the rules, which compute the positions between the steps, but no screen, no
//! flash and no clock. It takes about 2.1 KB and never grows.
//!
//! | file | contents |
//! |---|---|
//! | `setup` | [`Setup`]: the system and its options |
//! | `step` | [`Step`], its code, and what it does |
//! | `steps` | the codes of the stored steps and of the undone ones |
//! | `redo` | Undo and Redo |
//! | `replay` | the steps replayed, one by one |
//! | [`saved`] | a game in progress as bytes, for the flash |
//! | [`text`] | a saved game as lines of text, for people |
//! | `logged` | what a log has of the game and what it lacks: [`Unlogged`] |

mod logged;
mod redo;
mod replay;
pub mod saved;
mod setup;
mod step;
mod steps;
pub mod text;

use crate::game::outcome::{GameResult, MoveOutcome};
use crate::game::places::{Cup, PLACES, Player};
use crate::game::rules::{Position, Ruleset};
use crate::game::systems::Game;
use logged::Logged;
pub use logged::Unlogged;
pub use replay::{Cursor, Replay, Replayed};
pub use setup::Setup;
use step::{State, Stopped};
pub use step::{Step, StepError, Stop};
use steps::Steps;

/// Maximum number of stored steps; a longer game drops its oldest ones.
pub const MOST: usize = 2_000;

/// Number of moves that [`History::quiet`] inspects at most: more than any agreement to abandon
/// play requires.
pub const QUIET_WINDOW: u32 = 64;

/// Number of steps of the longest edit: every stone moves, the turn changes, and the edit ends.
pub const MAX_EDIT_STEPS: usize = MOST_STONES as usize + 2;

/// Stones on the fullest board: five in each of twelve cups.
pub const MOST_STONES: u16 = 60;

const _: () = assert!(MAX_EDIT_STEPS < MOST, "an edit never pushes its own beginning out");
const _: () = assert!(size_of::<History>() <= 2_176);

/// Length of the quiet phase: for how long nothing new has happened in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// Moves since the latest capture or edit, or since the game began.
    pub moves_since_capture: u32,
    /// Occurrences of the present position (stones, turn and direction) since then, including the
    /// present one, within the latest [`QUIET_WINDOW`] moves.
    pub repetitions: u32,
}

/// A move's first and last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    pub from: Cup,
    /// The place of the last stone: a cup or a store.
    pub to: u8,
}

/// The steps of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    setup: Setup,
    /// State before the first stored step.
    base: State,
    /// State after the last stored step.
    now: State,
    /// State at which [`Self::quiet`] begins: after the latest capture or edit, at most
    /// [`QUIET_WINDOW`] moves ago.
    recent: State,
    /// Number of stored steps before `recent`.
    recent_at: usize,
    /// The latest stored move, unless the board was edited after it.
    last: Option<Sown>,
    /// Codes of the stored steps, and of the undone ones.
    steps: Steps,
    /// Part of the steps that a log has.
    logged: Logged,
}

impl History {
    /// Creates a game that begins in `position`; the player to move there begins.
    pub const fn new(setup: Setup, position: Position) -> Self {
        Self::of(setup, State::opening(setup, position))
    }

    /// No game. All its bytes are zero, so that a static takes no flash for it.
    pub const NONE: Self = Self::new(
        Setup { game: Game::Board, stones: 0, bidirectional: false },
        Position::start(0, Player::Bottom),
    );

    /// Discards the history and begins another game in `position`.
    pub fn begin(&mut self, setup: Setup, position: Position) {
        self.setup = setup;
        self.base = State::opening(setup, position);
        self.now = self.base;
        self.recent = self.base;
        self.recent_at = 0;
        self.last = None;
        self.steps.clear();
        self.logged = Logged::NOTHING;
    }

    /// Creates a game whose first stored step follows `base`.
    const fn of(setup: Setup, base: State) -> Self {
        Self {
            setup,
            base,
            now: base,
            recent: base,
            recent_at: 0,
            last: None,
            steps: Steps::new(),
            logged: Logged::NOTHING,
        }
    }

    /// Adds a move, a switched option, or the end by agreement or resignation, and returns whether
    /// it can follow. A step that cannot follow changes nothing: a cup that may not be sown, any
    /// step of a game that is over or was stopped, an option that already has this value. The steps
    /// of an edit are refused as well: [`Self::edit`] adds them.
    pub fn push(&mut self, step: Step) -> bool {
        !step.is_within_edit() && self.append(step).is_ok()
    }

    /// Adds a step of any kind, as a saved game contains them, including the single steps of an
    /// edit. Returns the outcome if the step was a move.
    ///
    /// # Errors
    /// The step cannot follow; then nothing changes.
    pub fn append(&mut self, step: Step) -> Result<Option<MoveOutcome>, StepError> {
        let outcome = self.take(step)?;
        if self.steps.is_full() {
            self.forget_oldest();
        }
        // `forget_oldest` has made room.
        self.steps.push(step.code());
        self.look_back(self.steps.len(), step);
        Ok(outcome)
    }

    /// Adds an edit that leads to the stones and the turn of `after`, in the fewest possible steps;
    /// none if they are already so. Returns whether the edit was possible: one after play was
    /// stopped, or one that adds or removes stones, changes nothing. An edit does not affect the
    /// direction. If the game is over in `after`, its stones are then settled.
    pub fn edit(&mut self, after: &Position) -> bool {
        let before = self.now.position;
        let total = before.total();
        if self.now.stopped != Stopped::No || total > MOST_STONES || after.total() != total {
            return false;
        }
        let turns = before.turn != after.turn;
        if !turns && before.stones == after.stones {
            return true;
        }
        // The totals are the same: each place with too few stones has a counterpart with too many,
        // so no transfer is wasted.
        let (mut from, mut to) = (0, 0);
        while from < PLACES && to < PLACES {
            let stones = &self.now.position.stones;
            if stones[from] <= after.stones[from] {
                from += 1;
            } else if stones[to] >= after.stones[to] {
                to += 1;
            } else if self.append(Step::Transfer { from: from as u8, to: to as u8 }).is_err() {
                return false;
            }
        }
        (!turns || self.append(Step::Turn).is_ok()) && self.append(Step::Edited).is_ok()
    }

    /// Returns the position after the last step.
    pub const fn position(&self) -> Position {
        self.now.position
    }

    /// Returns the rules that apply after the last step.
    pub fn rules(&self) -> Ruleset {
        self.now.rules(self.setup)
    }

    /// Returns the setup chosen before the game began.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// Returns the position before the first stored step.
    pub const fn base(&self) -> Position {
        self.base.position
    }

    /// Returns the number of moves before the first stored step; their steps were dropped.
    pub const fn gone(&self) -> u32 {
        self.base.moves
    }

    /// Returns the number of moves of the game, including dropped ones.
    pub const fn moves(&self) -> u32 {
        self.now.moves
    }

    /// Returns the number of stored steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether no step is stored.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns how the players ended the game before its rules did, if they did.
    pub const fn stopped(&self) -> Option<Stop> {
        self.now.stopped.stop()
    }

    /// Returns whether an edit has begun and is not done. Only [`Self::append`] can cause this
    /// state.
    pub const fn is_within_edit(&self) -> bool {
        self.now.editing
    }

    /// Returns whether the game is over, by its rules or because it was stopped.
    pub fn is_over(&self) -> bool {
        self.now.stopped != Stopped::No || self.rules().is_over(&self.now.position)
    }

    /// Returns the result if the game is over: a player who resigned has lost, otherwise the stores
    /// decide.
    pub fn result(&self) -> Option<GameResult> {
        match self.stopped() {
            Some(Stop::Resigned(player)) => Some(GameResult::Winner(player.opponent())),
            _ => self.is_over().then(|| self.rules().result(&self.now.position)),
        }
    }

    /// Returns the player who made the first move of the game, or is to make it.
    pub const fn first(&self) -> Player {
        self.now.first
    }

    /// Returns the player who made the latest stored move.
    pub fn last_mover(&self) -> Option<Player> {
        self.steps.iter().rev().find_map(|code| match Step::from_code(code) {
            Some(Step::Sow(cup)) => Some(cup.owner()),
            _ => None,
        })
    }

    /// Returns the latest move if the board still shows its result: `None` after an edit.
    pub const fn last_sown(&self) -> Option<Sown> {
        self.last
    }

    /// Returns for how long nothing new has happened. Replays at most [`QUIET_WINDOW`] moves.
    pub fn quiet(&self) -> Quiet {
        let present = self.now.position;
        let mut state = self.recent;
        let mut repetitions = 1;
        for code in self.steps.iter().skip(self.recent_at) {
            let Some(step) = Step::from_code(code) else { break };
            // The position in which this move was made, after any option switched before it.
            if matches!(step, Step::Sow(_)) && state.position == present {
                repetitions += 1;
            }
            if state.take(self.setup, step).is_err() {
                break;
            }
        }
        Quiet { moves_since_capture: self.now.quiet, repetitions }
    }

    /// Applies one step and returns its outcome if it was a move.
    fn take(&mut self, step: Step) -> Result<Option<MoveOutcome>, StepError> {
        let before = self.now;
        let outcome = self.now.take(self.setup, step)?;
        self.last = match step {
            Step::Sow(cup) => {
                let Position { direction, .. } = before.position;
                let stones = before.position.in_cup(cup);
                let to = before.rules(self.setup).path.last(cup, direction, stones);
                Some(Sown { from: cup, to: to as u8 })
            }
            Step::Transfer { .. } | Step::Turn | Step::Edited => None,
            Step::Bidirectional(_) | Step::Abandon | Step::Resign(_) => self.last,
        };
        Ok(outcome)
    }

    /// Applies the oldest step to the base; of an edit, all its steps.
    fn forget_oldest(&mut self) {
        while let Some(step) = self.steps.pop_front().and_then(Step::from_code) {
            let _ = self.base.take(self.setup, step);
            self.logged.forget_one();
            match self.recent_at.checked_sub(1) {
                Some(at) => self.recent_at = at,
                None => self.recent = self.base,
            }
            if !step.is_within_edit() {
                break;
            }
        }
    }

    /// Updates `recent` after the first `count` steps, the last of which is `latest`.
    fn look_back(&mut self, count: usize, latest: Step) {
        if self.now.quiet == 0 && matches!(latest, Step::Sow(_) | Step::Edited) {
            self.recent = self.now;
            self.recent_at = count;
        }
        while self.now.moves.saturating_sub(self.recent.moves) > QUIET_WINDOW {
            let Some(step) = self.at(self.recent_at) else { break };
            let _ = self.recent.take(self.setup, step);
            self.recent_at += 1;
        }
    }

    /// Replays all steps from the base, after some were removed at the end.
    fn replay_all(&mut self) {
        self.now = self.base;
        self.recent = self.base;
        self.recent_at = 0;
        self.last = None;
        for index in 0..self.steps.len() {
            let Some(step) = self.at(index) else { break };
            let _ = self.take(step);
            self.look_back(index + 1, step);
        }
    }

    /// Returns the stored step at `index`.
    pub(crate) fn at(&self, index: usize) -> Option<Step> {
        self.steps.get(index).and_then(Step::from_code)
    }

    fn back(&self) -> Option<Step> {
        self.steps.back().and_then(Step::from_code)
    }
}

#[cfg(test)]
pub(crate) mod tests;
