//! Courses of a session that it has left, and can go back to. This module knows no machine and no
//! file.

use std::sync::Arc;

use trace::Action;
use virtual_time::Instant;

use super::input_log::{INPUT_LOG_MAX, InputLog};

/// Maximum number of branches in the list. The oldest is dropped first; its file retains it.
pub const BRANCHES_MAX: usize = 99;

/// A course that the session has left, as a user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of the branch in this session; the first course is 1.
    pub number: u32,
    /// Time of its first press that the present course does not have.
    pub at: Instant,
    /// The press as a trace words it, or another input if there is no press; empty if the present
    /// course has all inputs of the branch.
    pub first: String,
    /// Number of presses from there on.
    pub presses: usize,
    /// End of the branch.
    pub end: Instant,
}

/// A course with all of its inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    pub number: u32,
    pub input_log: InputLog,
}

/// The courses that a session has left, in the order in which it did.
#[derive(Debug)]
pub(super) struct Branches {
    left: Vec<Course>,
    /// Number of the present course.
    present: u32,
    next: u32,
    /// Number of inputs of the present course that its file has already.
    saved: usize,
    shown: Arc<Vec<Branch>>,
}

impl Default for Branches {
    fn default() -> Self {
        Self::of(Vec::new(), 1)
    }
}

impl Branches {
    /// Returns the branches of another session, whose present course has the number `present`.
    pub(super) fn of(left: Vec<Course>, present: u32) -> Self {
        let present = present.max(1);
        let last = left.iter().map(|course| course.number).max().unwrap_or(0).max(present);
        Self { left, present, next: last.saturating_add(1), saved: 0, shown: Arc::default() }
    }

    /// Returns whether a file has the present course, which has `inputs` inputs.
    pub(super) fn is_saved(&self, inputs: usize) -> bool {
        self.saved == inputs
    }

    pub(super) fn present(&self) -> u32 {
        self.present
    }

    pub(super) fn left(&self) -> &[Course] {
        &self.left
    }

    pub(super) fn find(&self, number: u32) -> Option<&Course> {
        self.left.iter().find(|course| course.number == number)
    }

    /// Adds the present course, whose inputs are `whole`; another one begins.
    pub(super) fn leave(&mut self, whole: InputLog) {
        self.push(whole);
        self.present = self.next;
        self.next = self.next.saturating_add(1);
        self.saved = 0;
    }

    /// Makes the course `number` the present one. `whole` are the inputs of the course that is
    /// left, if it has any that the other one does not have.
    pub(super) fn go_to(&mut self, number: u32, whole: Option<InputLog>) {
        let Some(place) = self.left.iter().position(|course| course.number == number) else {
            return;
        };
        let course = self.left.remove(place);
        if let Some(whole) = whole {
            self.push(whole);
        }
        (self.present, self.saved) = (number, course.input_log.events.len());
    }

    fn push(&mut self, input_log: InputLog) {
        self.left.push(Course { number: self.present, input_log });
        let inputs = |left: &[Course]| -> usize {
            left.iter().map(|course| course.input_log.events.len()).sum()
        };
        while self.left.len() > BRANCHES_MAX
            || (self.left.len() > 1 && inputs(&self.left) > INPUT_LOG_MAX)
        {
            self.left.remove(0);
        }
    }

    /// Compares all branches with `present`, the inputs of the present course.
    pub(super) fn compare(&mut self, present: &[(Instant, Action)]) {
        let branch = |Course { number, input_log }: &Course| {
            let events = &input_log.events[common(&input_log.events, present)..];
            let first = events.iter().find(|(_, action)| is_press(action)).or(events.first());
            Branch {
                number: *number,
                at: first.map_or(input_log.end, |(at, _)| *at),
                first: first.map_or(String::new(), |(_, action)| action.to_string()),
                presses: events.iter().filter(|(_, action)| is_press(action)).count(),
                end: input_log.end,
            }
        };
        self.shown = Arc::new(self.left.iter().map(branch).collect());
    }

    /// Returns the branches as they were last compared.
    pub(super) fn shown(&self) -> Arc<Vec<Branch>> {
        Arc::clone(&self.shown)
    }
}

/// Returns the number of inputs that two courses have in common from their beginning on.
pub(super) fn common(one: &[(Instant, Action)], other: &[(Instant, Action)]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns whether a user made the input in one moment: a press, or a switch of the power.
pub(super) fn is_press(action: &Action) -> bool {
    matches!(action, Action::Press(_) | Action::Move { .. } | Action::PowerOff | Action::Type(_))
}

/// Returns a time as minutes, seconds and milliseconds, rounded.
pub fn clock(at: Instant) -> String {
    let millis = at.0.saturating_add(500_000) / 1_000_000;
    format!("{}:{:02}.{:03}", millis / 60_000, millis / 1_000 % 60, millis % 1_000)
}

#[cfg(test)]
mod tests {
    use trace::Button;

    use super::*;

    fn course(presses: &[(u64, Button)]) -> InputLog {
        let press =
            |(at, button): &(u64, Button)| (Instant::from_millis(*at), Action::Press(*button));
        let events: Vec<_> = presses.iter().map(press).collect();
        InputLog { events, end: Instant::from_secs(9) }
    }

    #[test]
    fn a_branch_is_named_by_its_first_different_press() {
        let one = course(&[(1_000, Button::B1), (2_000, Button::B2), (3_000, Button::B3)]);
        let other = course(&[(1_000, Button::B1), (2_000, Button::T2)]);
        let mut branches = Branches::default();
        branches.leave(one.clone());
        branches.compare(&other.events);
        let expected = Branch {
            number: 1,
            at: Instant::from_secs(2),
            first: "press B2".into(),
            presses: 2,
            end: Instant::from_secs(9),
        };
        assert_eq!((branches.shown().to_vec(), branches.present()), (vec![expected], 2));
        // Back to the first course: the second is now the branch.
        branches.go_to(1, Some(other));
        branches.compare(&one.events);
        let shown = branches.shown();
        assert_eq!((shown[0].number, shown[0].first.as_str()), (2, "press T2"));
        assert!(branches.present() == 1 && branches.is_saved(3) && !branches.is_saved(4));
        branches.leave(one);
        assert_eq!(branches.present(), 3);
    }

    #[test]
    fn the_number_of_branches_is_bounded() {
        let mut branches = Branches::default();
        for _ in 0..200 {
            branches.leave(course(&[(1, Button::B1)]));
        }
        assert_eq!(branches.left().len(), BRANCHES_MAX);
        assert_eq!(branches.left()[0].number, 102);
    }
}
