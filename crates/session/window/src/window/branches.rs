//! The list of branches over the window.

use live::{Branch, Command, clock};
use sdl2::keyboard::Scancode;

use super::error::RunError;
use super::event_loop::EventLoop;
use super::screen::Over;
use crate::face::row_at;

impl EventLoop<'_> {
    /// Shows the list of branches, or hides it.
    pub(super) fn toggle_branches(&mut self) -> Result<(), RunError> {
        if matches!(self.screen.over(), Some(Over::Branches(..))) {
            return self.screen.set_over(None).map_err(RunError::Window);
        }
        if self.session.branches.is_empty() {
            let what = "no branches yet: a press in the past begins one".to_owned();
            self.session.open.say(what);
            return Ok(());
        }
        let rows = rows(&self.session.branches);
        // The one that was left last is the likeliest.
        let last = rows.len() - 1;
        self.screen.set_over(Some(Over::Branches(rows, last))).map_err(RunError::Window)
    }

    /// Updates the list if it is shown.
    pub(super) fn refresh_branches(&mut self) -> Result<(), RunError> {
        let Some(Over::Branches(_, chosen)) = self.screen.over() else { return Ok(()) };
        let (rows, chosen) = (rows(&self.session.branches), *chosen);
        let last = rows.len().checked_sub(1);
        let over = last.map(|last| Over::Branches(rows, chosen.min(last)));
        self.screen.set_over(over).map_err(RunError::Window)
    }

    /// Handles a key while the list is shown. No other key has an effect.
    pub(super) fn key_in_branches(&mut self, scancode: Scancode) -> Result<(), RunError> {
        let Some(Over::Branches(rows, chosen)) = self.screen.over() else { return Ok(()) };
        let (rows, chosen) = (rows.clone(), *chosen);
        let last = rows.len().saturating_sub(1);
        let over = match scancode {
            Scancode::Up => Some(Over::Branches(rows, chosen.saturating_sub(1))),
            Scancode::Down => Some(Over::Branches(rows, (chosen + 1).min(last))),
            Scancode::Return | Scancode::KpEnter => return self.go_to_branch(chosen),
            Scancode::Escape => None,
            _ => return Ok(()),
        };
        self.screen.set_over(over).map_err(RunError::Window)
    }

    /// Handles a click at the height `y` while a list of `count` branches is shown, of which `chosen`
    /// is marked.
    pub(super) fn click_on_branch(
        &mut self,
        y: i32,
        (count, chosen): (usize, usize),
    ) -> Result<(), RunError> {
        match row_at(self.screen.pixels(), (count, chosen), self.screen.pixel_row(y)) {
            Some(chosen) => self.go_to_branch(chosen),
            None => self.screen.set_over(None).map_err(RunError::Window),
        }
    }

    fn go_to_branch(&mut self, chosen: usize) -> Result<(), RunError> {
        self.screen.set_over(None).map_err(RunError::Window)?;
        match self.session.branches.get(chosen) {
            Some(branch) => self.send(Command::GoTo(branch.number)),
            None => Ok(()),
        }
    }
}

/// Returns the rows of the list: number, first different input, presses and end.
fn rows(branches: &[Branch]) -> Vec<[String; 3]> {
    let row = |Branch { number, at, first, presses, end }: &Branch| {
        let first = if first.is_empty() { "no other press" } else { first };
        [
            format!("{number}"),
            format!("{} {first}", clock(*at)),
            format!("{}, to {}", trace::counted(*presses, "press"), clock(*end)),
        ]
    };
    branches.iter().map(row).collect()
}
