//! What a log has of the game in progress and what it lacks: [`Unlogged`]. This module knows no
//! flash: a log is a number.

use super::{History, Step};

/// How much of a history the log with this number has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logged {
    /// Number of the log; zero for none.
    log: u32,
    /// Number of stored steps, from the first, that the log has.
    steps: u16,
    /// The log has further steps, which were undone.
    cut: bool,
}

/// The state of the log is not part of the game, so it does not affect whether two histories are
/// equal.
impl PartialEq for Logged {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Logged {}

impl Logged {
    /// No log has any step. All bytes are zero.
    pub(super) const NOTHING: Self = Self { log: 0, steps: 0, cut: false };

    /// Records that the steps after the first `count` were undone.
    pub(super) fn cut_to(&mut self, count: usize) {
        if count < usize::from(self.steps) {
            self.steps = count as u16;
            self.cut = true;
        }
    }

    /// Records that the first step is no longer stored.
    pub(super) fn forget_one(&mut self) {
        match self.steps.checked_sub(1) {
            Some(steps) => self.steps = steps,
            None => *self = Self::NOTHING,
        }
    }
}

/// Changes since a log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlogged {
    Nothing,
    /// This step was added.
    Step(Step),
    /// All steps but the first *n* were undone.
    UndoneTo(usize),
    /// Any other change, or the log belongs to another game.
    Rewrite,
}

impl History {
    /// Returns what happened since the log with this number was written.
    pub fn unlogged(&self, log: u32) -> Unlogged {
        let Logged { log: of, steps, cut } = self.logged;
        if log == 0 || of != log {
            return Unlogged::Rewrite;
        }
        match (self.len().checked_sub(steps.into()), cut) {
            (Some(0), false) => Unlogged::Nothing,
            (Some(0), true) => Unlogged::UndoneTo(self.len()),
            (Some(1), false) => match self.back() {
                // Steps of an edit are logged together or not at all, and the end of a game is not
                // appended.
                Some(step @ (Step::Sow(_) | Step::Bidirectional(_))) => Unlogged::Step(step),
                _ => Unlogged::Rewrite,
            },
            _ => Unlogged::Rewrite,
        }
    }

    /// Records that the log with this number now has all steps.
    pub fn mark_logged(&mut self, log: u32) {
        // At most MOST.
        self.logged = Logged { log, steps: self.len() as u16, cut: false };
    }

    /// Undoes all steps but the first `count`, as a log records it. Returns whether there are
    /// `count` steps.
    pub fn undo_to(&mut self, count: usize) -> bool {
        if count > self.len() {
            return false;
        }
        self.steps.truncate(count);
        self.logged.cut_to(count);
        self.replay_all();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Setup;
    use super::*;
    use crate::game::places::{Cup, Player};
    use crate::game::systems::Game;

    fn sow(history: &mut History) -> Step {
        let cup = Cup::all().find(|cup| history.rules().play(&history.position(), *cup).is_ok());
        let step = Step::Sow(cup.expect("a move"));
        assert!(history.push(step));
        step
    }

    #[test]
    fn a_log_lacks_the_steps_since_it_was_written() {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
        let mut history = History::new(setup, setup.rules().start(Player::Bottom));
        sow(&mut history);
        assert_eq!(history.unlogged(7), Unlogged::Rewrite, "it holds nothing");
        history.mark_logged(7);
        assert_eq!(
            (history.unlogged(7), history.unlogged(8)),
            (Unlogged::Nothing, Unlogged::Rewrite)
        );
        let step = sow(&mut history);
        assert_eq!(history.unlogged(7), Unlogged::Step(step));
        sow(&mut history);
        assert_eq!(history.unlogged(7), Unlogged::Rewrite, "two steps");
        history.mark_logged(7);
        assert!(history.undo());
        assert_eq!(history.unlogged(7), Unlogged::UndoneTo(2));
        sow(&mut history);
        assert_eq!(history.unlogged(7), Unlogged::Rewrite, "another step instead");
        history.mark_logged(7);
        assert!(history.push(Step::Bidirectional(true)));
        assert_eq!(history.unlogged(7), Unlogged::Step(Step::Bidirectional(true)));
        history.mark_logged(7);
        let mut edited = history.position();
        edited.turn = edited.turn.opponent();
        assert!(history.edit(&edited));
        assert_eq!(history.unlogged(7), Unlogged::Rewrite, "an edit counts as a whole");
        history.begin(setup, setup.rules().start(Player::Top));
        assert_eq!(history.unlogged(7), Unlogged::Rewrite, "another game");
    }

    #[test]
    fn undo_follows_a_log() {
        let setup = Setup { game: Game::Board, stones: 4, bidirectional: false };
        let mut history = History::new(setup, setup.rules().start(Player::Bottom));
        sow(&mut history);
        let before = history.clone();
        sow(&mut history);
        sow(&mut history);
        assert!(!history.undo_to(4) && history.undo_to(1));
        assert_eq!(history, before);
        assert!(history.undo_to(1), "it has exactly so many steps");
        assert_eq!(history, before);
    }

    #[test]
    fn undoing_an_unlogged_step_leaves_no_change_to_log() {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
        let mut history = History::new(setup, setup.rules().start(Player::Bottom));
        sow(&mut history);
        history.mark_logged(7);
        sow(&mut history);
        assert!(history.undo());
        assert_eq!(history.unlogged(7), Unlogged::Nothing);
    }

    #[test]
    fn a_log_of_a_full_history_lacks_the_next_step() {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
        // One stone on each side: they chase each other around the board.
        let mut start =
            crate::game::rules::Position::of([0; crate::game::places::PLACES], Player::Bottom);
        (start.stones[0], start.stones[7], start.stones[6]) = (1, 1, 46);
        let mut history = History::new(setup, start);
        let sow_last = |history: &mut History| {
            let legal = |cup: &Cup| history.rules().play(&history.position(), *cup).is_ok();
            let step = Step::Sow(Cup::all().filter(legal).last().expect("a move"));
            assert!(history.push(step));
            step
        };
        while history.gone() == 0 {
            sow_last(&mut history);
        }
        history.mark_logged(7);
        let step = sow_last(&mut history);
        assert_eq!(history.unlogged(7), Unlogged::Step(step));
    }
}
