//! What happened in the game in progress: the latest [`MOST`] steps, a byte each, behind a
//! base position that older steps were played onto. [`History::push`] and
//! [`History::edit`] add to it, [`History::undo`] takes back, [`History::replay`] replays it
//! from the base; the position at the end is stored too.
//!
//! It knows the rules, which make the positions between the steps, but no screen, no flash
//! and no clock. It takes about 2.1 KB and never grows.
//!
//! | file | holds |
//! |---|---|
//! | `setup` | [`Setup`]: the system and its options |
//! | `step` | [`Step`], its code, and what it does |
//! | `replay` | the steps replayed, one by one |
//! | [`saved`] | a game in progress as bytes, for the flash |
//! | [`text`] | a saved game as lines of text, for people |
//! | `logged` | what of the game a log holds, and what it lacks: [`Unlogged`] |

mod logged;
mod replay;
pub mod saved;
mod setup;
mod step;
pub mod text;

use heapless::Deque;

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

/// Steps that are kept; of a longer game the first ones go.
pub const MOST: usize = 2_000;

/// Moves that [`History::quiet`] looks back at, at most: more than any agreement to abandon
/// play asks for.
pub const LOOKS_BACK: u32 = 64;

/// Steps of the longest edit: every stone moves, the turn changes, and it is done.
pub const LONGEST_EDIT: usize = MOST_STONES as usize + 2;

/// Stones on the fullest board: five in each of twelve cups.
pub const MOST_STONES: u16 = 60;

const _: () = assert!(LONGEST_EDIT < MOST, "an edit never pushes its own beginning out");
const _: () = assert!(size_of::<History>() <= 2_176);

/// How long nothing new has come up in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// Moves since the latest capture or edit, or since the game began.
    pub moves_since_capture: u32,
    /// How often the players were in the present position (stones, turn and direction)
    /// since then, now included, as far as the latest [`LOOKS_BACK`] moves show.
    pub repetitions: u32,
}

/// Where a move began and where its last stone fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// The cup that was sown.
    pub from: Cup,
    /// The place of the last stone: a cup or a store.
    pub to: u8,
}

/// The steps of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    setup: Setup,
    /// Before the first step that is kept.
    base: State,
    /// After the last.
    now: State,
    /// Where [`Self::quiet`] begins to look: after the latest capture or edit, at most
    /// [`LOOKS_BACK`] moves ago.
    recent: State,
    /// How many of the steps come before `recent`.
    recent_at: usize,
    /// The latest move among the steps that are kept, unless the board was edited after it.
    last: Option<Sown>,
    /// The steps' codes.
    steps: Deque<u8, MOST>,
    /// What of them is in a log.
    logged: Logged,
}

impl History {
    /// A game that begins in `position`, by the player whose turn it is there.
    pub const fn new(setup: Setup, position: Position) -> Self {
        Self::of(setup, State::opening(setup, position))
    }

    /// No game. All its bytes are zero, so that a static takes no flash for it.
    pub const NONE: Self = Self::new(
        Setup { game: Game::Board, stones: 0, bidirectional: false },
        Position::start(0, Player::Bottom),
    );

    /// Forgets what happened: another game begins in `position`.
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

    /// A game of which the first step that is kept follows `base`.
    const fn of(setup: Setup, base: State) -> Self {
        Self {
            setup,
            base,
            now: base,
            recent: base,
            recent_at: 0,
            last: None,
            steps: Deque::new(),
            logged: Logged::NOTHING,
        }
    }

    /// Adds a move, an option that was switched, or the end by agreement or resignation; whether it
    /// can follow. What cannot (a cup that is not to be sown, anything in a game that is over or
    /// was stopped, an option that is so already) changes nothing. So do the steps of an edit:
    /// [`Self::edit`] adds them.
    pub fn push(&mut self, step: Step) -> bool {
        !step.is_within_edit() && self.append(step).is_ok()
    }

    /// Adds a step of any kind, as a saved game holds them: the steps of an edit one by one, too.
    /// What it did if it was a move.
    ///
    /// # Errors
    /// The step cannot follow; then nothing changes.
    pub fn append(&mut self, step: Step) -> Result<Option<MoveOutcome>, StepError> {
        let outcome = self.take(step)?;
        if self.steps.is_full() {
            self.forget_oldest();
        }
        // There is room now.
        let _ = self.steps.push_back(step.code());
        self.look_back(self.steps.len(), step);
        Ok(outcome)
    }

    /// Adds an edit that leads to the stones and the turn of `after`, in as few steps as it
    /// takes, none if they are so already. Whether they are so now: an edit after play was
    /// stopped, or one that makes or loses stones, changes nothing. The direction is no
    /// matter of an edit.
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
        // The totals are the same: there is a place short of a stone for each with one too
        // many, and no transfer is wasted.
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

    /// Takes back the latest thing that a player did: a move, a whole edit, the agreement
    /// to abandon play, or a resignation. Whether there was one among the steps that are kept.
    ///
    /// Whether the game is bidirectional is an option, nothing that was done on the board:
    /// it stays as it is switched.
    pub fn undo(&mut self) -> bool {
        let is_switch = |step| matches!(step, Some(Step::Bidirectional(_)));
        let switches =
            self.steps.iter().rev().take_while(|code| is_switch(Step::from_code(**code))).count();
        if switches == self.steps.len() {
            return false;
        }
        let bidirectional = self.now.bidirectional;
        self.steps.truncate(self.steps.len() - switches);
        let latest = self.steps.pop_back().and_then(Step::from_code);
        if latest == Some(Step::Edited) {
            // An edit begins after whatever is no transfer and no turn.
            while self.back().is_some_and(Step::is_within_edit) {
                self.steps.pop_back();
            }
        }
        self.logged.cut_to(self.steps.len());
        self.replay_all();
        // It is refused if the option is so already.
        self.push(Step::Bidirectional(bidirectional));
        true
    }

    /// The position at the end.
    pub const fn position(&self) -> Position {
        self.now.position
    }

    /// The rules as they are at the end.
    pub fn rules(&self) -> Ruleset {
        self.now.rules(self.setup)
    }

    /// What was chosen before the game began.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// The position before the first step that is kept.
    pub const fn base(&self) -> Position {
        self.base.position
    }

    /// How many moves went: they were made before the first step that is kept.
    pub const fn gone(&self) -> u32 {
        self.base.moves
    }

    /// How many moves were made, those that went included.
    pub const fn moves(&self) -> u32 {
        self.now.moves
    }

    /// How many steps are kept.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no step is kept.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How the players ended it before its rules did, if they did.
    pub const fn stopped(&self) -> Option<Stop> {
        self.now.stopped.stop()
    }

    /// Whether an edit has begun and is not done, which only [`Self::append`] can leave so.
    pub const fn is_within_edit(&self) -> bool {
        self.now.editing
    }

    /// Whether it is over, by its rules or because it was stopped.
    pub fn is_over(&self) -> bool {
        self.now.stopped != Stopped::No || self.rules().is_over(&self.now.position)
    }

    /// How it came out, if it is over: who resigned has lost, otherwise the stores decide.
    pub fn result(&self) -> Option<GameResult> {
        match self.stopped() {
            Some(Stop::Resigned(player)) => Some(GameResult::Winner(player.opponent())),
            _ => self.is_over().then(|| self.rules().result(&self.now.position)),
        }
    }

    /// Who began the game: who made its first move, or is to make it.
    pub const fn first(&self) -> Player {
        self.now.first
    }

    /// Who made the latest move that is kept.
    pub fn last_mover(&self) -> Option<Player> {
        self.steps.iter().rev().find_map(|code| match Step::from_code(*code) {
            Some(Step::Sow(cup)) => Some(cup.owner()),
            _ => None,
        })
    }

    /// The latest move, if the stones lie as it left them: not after an edit.
    pub const fn last_sown(&self) -> Option<Sown> {
        self.last
    }

    /// How long nothing new has come up. It plays at most [`LOOKS_BACK`] moves again.
    pub fn quiet(&self) -> Quiet {
        let present = self.now.position;
        let mut state = self.recent;
        let mut repetitions = 1;
        for code in self.steps.iter().skip(self.recent_at) {
            let Some(step) = Step::from_code(*code) else { break };
            // The position in which this move was made, whatever was switched before it.
            if matches!(step, Step::Sow(_)) && state.position == present {
                repetitions += 1;
            }
            if state.take(self.setup, step).is_err() {
                break;
            }
        }
        Quiet { moves_since_capture: self.now.quiet, repetitions }
    }

    /// Goes on by one step; what it did if it was a move.
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

    /// Plays the oldest step onto the base; of an edit, all of it.
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

    /// Keeps `recent` where it belongs after the first `count` steps, of which `latest` is
    /// the last.
    fn look_back(&mut self, count: usize, latest: Step) {
        if self.now.quiet == 0 && matches!(latest, Step::Sow(_) | Step::Edited) {
            self.recent = self.now;
            self.recent_at = count;
        }
        while self.now.moves.saturating_sub(self.recent.moves) > LOOKS_BACK {
            let Some(step) = self.at(self.recent_at) else { break };
            let _ = self.recent.take(self.setup, step);
            self.recent_at += 1;
        }
    }

    /// Plays all steps again from the base, after some were taken off the end.
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

    /// The `index`th of the steps that are kept.
    pub(crate) fn at(&self, index: usize) -> Option<Step> {
        self.steps.get(index).copied().and_then(Step::from_code)
    }

    fn back(&self) -> Option<Step> {
        self.steps.back().copied().and_then(Step::from_code)
    }
}

#[cfg(test)]
pub(crate) mod tests;
