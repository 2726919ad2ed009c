//! What a log of the game in progress has been told, and what is [`News`] to it. It knows no flash: a log is
//! a number.

use super::{History, Step};

/// How much of a history the log of this number has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    /// The log; zero for none.
    log: u32,
    /// The first steps that are kept are those that it was told.
    steps: u16,
    /// It was told more, which were taken back.
    cut: bool,
}

/// It is no part of the game: two histories are equal whatever is known of them elsewhere.
impl PartialEq for Told {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Told {}

impl Told {
    /// No log knows any of it. All bytes are zero.
    pub(super) const NOTHING: Self = Self { log: 0, steps: 0, cut: false };

    /// The steps behind the first `count` were taken back.
    pub(super) fn cut_to(&mut self, count: usize) {
        if count < usize::from(self.steps) {
            self.steps = count as u16;
            self.cut = true;
        }
    }

    /// The first step is kept no longer.
    pub(super) fn forget_one(&mut self) {
        match self.steps.checked_sub(1) {
            Some(steps) => self.steps = steps,
            None => *self = Self::NOTHING,
        }
    }
}

/// What happened since a log was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing.
    Nothing,
    /// This step.
    Step(Step),
    /// All steps but the first so many were taken back.
    BackTo(usize),
    /// Something else, or the log is of another game.
    Much,
}

impl History {
    /// What happened since the log of this number was told.
    pub fn news(&self, log: u32) -> News {
        let Told { log: told, steps, cut } = self.told;
        if log == 0 || told != log {
            return News::Much;
        }
        match (self.len().checked_sub(steps.into()), cut) {
            (Some(0), false) => News::Nothing,
            (Some(0), true) => News::BackTo(self.len()),
            (Some(1), false) => match self.back() {
                // Steps of an edit count together or not at all, and what has ended is no news.
                Some(step @ (Step::Sow(_) | Step::Bidirectional(_))) => News::Step(step),
                _ => News::Much,
            },
            _ => News::Much,
        }
    }

    /// The log of this number has all of it now.
    pub fn tell(&mut self, log: u32) {
        // At most MOST.
        self.told = Told { log, steps: self.len() as u16, cut: false };
    }

    /// Takes all steps but the first `count` back, as a log notes it; whether there are so many.
    pub fn take_back_to(&mut self, count: usize) -> bool {
        if count > self.len() {
            return false;
        }
        self.steps.truncate(count);
        self.told.cut_to(count);
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
    fn a_log_is_told_what_happened_since() {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
        let mut history = History::new(setup, setup.rules().start(Player::Bottom));
        sow(&mut history);
        assert_eq!(history.news(7), News::Much, "it was told nothing");
        history.tell(7);
        assert_eq!((history.news(7), history.news(8)), (News::Nothing, News::Much));
        let step = sow(&mut history);
        assert_eq!(history.news(7), News::Step(step));
        sow(&mut history);
        assert_eq!(history.news(7), News::Much, "two steps");
        history.tell(7);
        assert!(history.undo());
        assert_eq!(history.news(7), News::BackTo(2));
        sow(&mut history);
        assert_eq!(history.news(7), News::Much, "another step instead");
        history.tell(7);
        assert!(history.push(Step::Bidirectional(true)));
        assert_eq!(history.news(7), News::Step(Step::Bidirectional(true)));
        history.tell(7);
        let mut edited = history.position();
        edited.turn = edited.turn.opponent();
        assert!(history.edit(&edited));
        assert_eq!(history.news(7), News::Much, "an edit counts as a whole");
        history.begin(setup, setup.rules().start(Player::Top));
        assert_eq!(history.news(7), News::Much, "another game");
    }

    #[test]
    fn a_history_is_taken_back_as_a_log_notes_it() {
        let setup = Setup { game: Game::Board, stones: 4, bidirectional: false };
        let mut history = History::new(setup, setup.rules().start(Player::Bottom));
        sow(&mut history);
        let before = history.clone();
        sow(&mut history);
        sow(&mut history);
        assert!(!history.take_back_to(4) && history.take_back_to(1));
        assert_eq!(history, before);
    }
}
