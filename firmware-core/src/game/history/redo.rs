//! Undo and Redo: removes the latest player action, and plays it again.
//!
//! Undone steps stay in the ring of steps until another step is played. Whether the game is
//! bidirectional is an option and not an action on the board: both leave it as it is set. If it was
//! switched after the undone action, it is switched again by a step of its own, the *switch back*;
//! the next Undo or Redo removes that step first, so that the redone game is the one that was
//! undone.

use super::History;
use super::step::Step;

impl History {
    /// Undoes the last player action: a move, a whole edit, the agreement to abandon play, or a
    /// resignation. Returns whether the stored steps contained one.
    pub fn undo(&mut self) -> bool {
        let played = self.steps.len() - usize::from(self.steps.is_switched_back());
        let is_switch = |index: usize| matches!(self.at(index), Some(Step::Bidirectional(_)));
        let Some(latest) = (0..played).rev().find(|index| !is_switch(*index)) else { return false };
        let bidirectional = self.now.bidirectional;
        self.drop_the_switch_back();
        let mut first = latest;
        if self.at(latest) == Some(Step::Edited) {
            // An edit begins after the last step that is neither a transfer nor a turn.
            let before = |index: usize| self.at(index).is_some_and(Step::is_within_edit);
            while first.checked_sub(1).is_some_and(before) {
                first -= 1;
            }
        }
        self.steps.undo_to(first);
        self.logged.cut_to(self.steps.len());
        self.replay_all();
        self.switch_back(bidirectional);
        true
    }

    /// Plays the action again that was undone last. Returns whether there is one: another step since
    /// Undo leaves none.
    pub fn redo(&mut self) -> bool {
        if self.steps.undone().is_none() {
            return false;
        }
        let bidirectional = self.now.bidirectional;
        if self.drop_the_switch_back() {
            self.replay_all();
        }
        let mut acted = false;
        while let Some(step) = self.steps.undone().and_then(Step::from_code) {
            let is_switch = matches!(step, Step::Bidirectional(_));
            if acted && !is_switch {
                break;
            }
            if self.take(step).is_err() {
                // An edit whose end was lost: it cannot be played in part.
                break;
            }
            self.steps.redo();
            self.look_back(self.steps.len(), step);
            acted |= !is_switch && !step.is_within_edit();
        }
        if !acted {
            self.steps.forget_undone();
        }
        if self.now.editing {
            self.drop_the_unfinished_edit();
        }
        self.switch_back(bidirectional);
        acted
    }

    /// Leaves [`Self::redo`] nothing to play.
    pub fn forget_undone(&mut self) {
        self.steps.forget_undone();
    }

    /// Returns whether [`Self::redo`] has an action to play.
    pub fn can_redo(&self) -> bool {
        self.steps.undone().is_some()
    }

    /// Sets the option to this value after Undo or Redo. Does nothing if it already has it.
    fn switch_back(&mut self, bidirectional: bool) {
        let switch = Step::Bidirectional(bidirectional);
        if self.take(switch).is_ok() {
            self.steps.switch_back(switch.code());
            self.look_back(self.steps.len(), switch);
        }
    }

    fn drop_the_switch_back(&mut self) -> bool {
        let dropped = self.steps.drop_switch_back();
        if dropped {
            self.logged.cut_to(self.steps.len());
        }
        dropped
    }

    fn drop_the_unfinished_edit(&mut self) {
        while self.back().is_some_and(Step::is_within_edit) {
            self.steps.drop_back();
        }
        self.logged.cut_to(self.steps.len());
        self.replay_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Setup;
    use super::*;
    use crate::game::places::{Cup, Player};
    use crate::game::random::Random;
    use crate::game::systems::Game;

    fn new_game() -> History {
        let setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };
        History::new(setup, setup.rules().start(Player::Bottom))
    }

    /// Plays a random action, or none if it is not possible: returns whether it changed anything.
    fn act(history: &mut History, random: &mut Random) -> bool {
        let draw = random.number();
        match draw % 8 {
            0 => {
                let mut after = history.position();
                after.turn = after.turn.opponent();
                if after.stones[0] > 0 {
                    after.stones[0] -= 1;
                    after.stones[3] += 1;
                }
                history.edit(&after)
            }
            1 => {
                let on = !history.rules().bidirectional;
                history.push(Step::Bidirectional(on));
                false
            }
            _ => {
                let mut cups = [Cup::all().next().expect("a cup"); 12];
                Cup::all().zip(&mut cups).for_each(|(cup, slot)| *slot = cup);
                let from = (draw >> 8) as usize;
                (0..12).any(|nth| history.push(Step::Sow(cups[(from + nth) % 12])))
            }
        }
    }

    #[test]
    fn redo_restores_every_game_that_undo_took_back() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut history = new_game();
            let mut acted = 0;
            for _ in 0..30 {
                acted += usize::from(act(&mut history, &mut random));
            }
            // Options switched after the last action are set back by Redo too.
            let whole = history.clone();
            let mut undone = 0;
            while history.undo() {
                undone += 1;
                assert_eq!(history.rules().bidirectional, whole.rules().bidirectional);
                if random.number().is_multiple_of(3) {
                    assert!(history.redo());
                    assert!(history.undo());
                }
            }
            assert_eq!(undone, acted, "seed {seed}");
            for nth in 0..undone {
                assert!(history.can_redo() && history.redo(), "seed {seed}, action {nth}");
                assert!(!history.is_within_edit());
            }
            assert_eq!(history, whole, "seed {seed}");
            assert!(!history.can_redo() && !history.redo());
        }
    }

    #[test]
    fn another_step_leaves_nothing_to_redo() {
        let mut history = new_game();
        let sow = |nth| Step::Sow(Cup::nth(Player::Bottom, nth).expect("a cup"));
        assert!(history.push(sow(2)) && history.undo() && history.can_redo());
        assert!(history.push(sow(3)));
        assert!(!history.can_redo() && !history.redo());
        assert!(history.undo());
        assert!(history.push(Step::Bidirectional(true)));
        assert!(!history.can_redo());
    }

    #[test]
    fn a_log_lacks_what_was_redone() {
        use super::super::Unlogged;
        let mut history = new_game();
        let sow = |player, nth| Step::Sow(Cup::nth(player, nth).expect("a cup"));
        assert!(history.push(sow(Player::Bottom, 2)) && history.push(sow(Player::Top, 2)));
        history.mark_logged(7);
        assert!(history.undo());
        assert_eq!(history.unlogged(7), Unlogged::UndoneTo(1));
        history.mark_logged(7);
        assert!(history.redo());
        assert_eq!(history.unlogged(7), Unlogged::Step(sow(Player::Top, 2)));
        // Undone and redone before the log was written: the log is written from scratch.
        history.mark_logged(7);
        assert!(history.undo() && history.redo());
        assert_eq!(history.unlogged(7), Unlogged::Rewrite);
    }

    #[test]
    fn redo_in_a_full_history_loses_at_most_the_last_action() {
        let mut history = new_game();
        // One stone on each side: they chase each other around the board.
        let mut start = crate::game::rules::Position::of([0; 14], Player::Bottom);
        (start.stones[0], start.stones[7], start.stones[6]) = (1, 1, 46);
        history.begin(Setup { game: Game::Wari, stones: 4, bidirectional: false }, start);
        while history.gone() < 3 {
            let step = Cup::all()
                .map(Step::Sow)
                .filter(|step| history.clone().push(*step))
                .last()
                .expect("a move");
            assert!(history.push(step));
        }
        let whole = history.clone();
        assert!(history.undo() && history.undo() && history.redo() && history.redo());
        assert_eq!(history, whole);
        let switch = Step::Bidirectional(true);
        assert!(history.push(switch));
        let whole = history.clone();
        assert!(history.undo() && history.undo());
        assert!(history.redo(), "the earlier of two");
        while history.redo() {}
        assert!(!history.is_within_edit() && history.moves() + 1 >= whole.moves());
    }
}
