//! Lists over the window, of which the user chooses a row: the branches of the session, and the
//! recent sessions.

use live::keymap::Control;
use live::{Branch, Command, RecentSession, clock};
use sdl2::keyboard::Scancode;

use super::error::RunError;
use super::event_loop::EventLoop;
use super::list::List;
use super::screen::Over;
use crate::face::row_at;

impl EventLoop<'_> {
    /// Shows the list of branches, or hides it.
    pub(super) fn toggle_branches(&mut self) -> Result<(), RunError> {
        let rows = branch_rows(&self.session.branches);
        // The one that was left last is the likeliest.
        let last = rows.len().saturating_sub(1);
        self.toggle_list(
            List::Branches,
            rows,
            last,
            "no branches yet: a press in the past begins one",
        )
    }

    /// Shows the list of recent sessions, or hides it.
    pub(super) fn toggle_recent(&mut self) -> Result<(), RunError> {
        self.session.recent = self.services.recent();
        let rows = recent_rows(&self.session.recent);
        self.toggle_list(List::Recent, rows, 0, "no recent sessions yet: --record or drop a file")
    }

    /// Reports how the last session can be opened, if its file still exists.
    pub(super) fn say_last_session(&mut self) {
        let recent = self.services.recent();
        let Some(last) = recent.iter().find(|recent| recent.is_there) else { return };
        let key = self.key_of(Control::Recent);
        let name = last.path.file_name().unwrap_or_default().to_string_lossy();
        self.session.open.say(format!("{key} lists the recent sessions; the last one is {name}"));
    }

    fn toggle_list(
        &mut self,
        list: List,
        rows: Vec<[String; 3]>,
        chosen: usize,
        empty: &str,
    ) -> Result<(), RunError> {
        let over = match self.screen.over() {
            Some(Over::List(shown, ..)) if *shown == list => None,
            _ if rows.is_empty() => {
                self.session.open.say(empty.to_owned());
                return Ok(());
            }
            _ => Some(Over::List(list, rows, chosen)),
        };
        self.screen.set_over(over).map_err(RunError::Window)
    }

    /// Updates the list of branches if it is shown.
    pub(super) fn refresh_branches(&mut self) -> Result<(), RunError> {
        let Some(Over::List(List::Branches, _, chosen)) = self.screen.over() else {
            return Ok(());
        };
        let (rows, chosen) = (branch_rows(&self.session.branches), *chosen);
        let last = rows.len().checked_sub(1);
        let over = last.map(|last| Over::List(List::Branches, rows, chosen.min(last)));
        self.screen.set_over(over).map_err(RunError::Window)
    }

    /// Handles a key while a list is shown. No other key has an effect.
    pub(super) fn key_in_list(&mut self, scancode: Scancode) -> Result<(), RunError> {
        let Some(Over::List(list, rows, chosen)) = self.screen.over() else { return Ok(()) };
        let (list, rows, chosen) = (*list, rows.clone(), *chosen);
        let last = rows.len().saturating_sub(1);
        let over = match scancode {
            Scancode::Up => Some(Over::List(list, rows, chosen.saturating_sub(1))),
            Scancode::Down => Some(Over::List(list, rows, (chosen + 1).min(last))),
            Scancode::Return | Scancode::KpEnter => return self.choose(list, chosen),
            Scancode::Escape => None,
            _ => return Ok(()),
        };
        self.screen.set_over(over).map_err(RunError::Window)
    }

    /// Handles a click at the height `y` while a list of `count` rows is shown, of which `chosen`
    /// is marked.
    pub(super) fn click_on_list(
        &mut self,
        list: List,
        y: i32,
        (count, chosen): (usize, usize),
    ) -> Result<(), RunError> {
        match row_at(self.screen.pixels(), (count, chosen), self.screen.pixel_row(y)) {
            Some(chosen) => self.choose(list, chosen),
            None => self.screen.set_over(None).map_err(RunError::Window),
        }
    }

    fn choose(&mut self, list: List, chosen: usize) -> Result<(), RunError> {
        self.screen.set_over(None).map_err(RunError::Window)?;
        match list {
            List::Branches => match self.session.branches.get(chosen) {
                Some(branch) => self.send(Command::GoTo(branch.number)),
                None => Ok(()),
            },
            List::Recent => {
                if let Some(recent) = self.session.recent.get(chosen).cloned() {
                    self.open_recent(&recent);
                }
                Ok(())
            }
        }
    }

    /// Opens a recent session in place of the present one.
    fn open_recent(&mut self, recent: &RecentSession) {
        match self.services.reopen(recent) {
            Ok(start) => self.dropped = Some((recent.path.clone(), Box::new(start))),
            Err(error) => self.refuse(&recent.path, &error.to_string()),
        }
    }
}

/// Returns the rows of the list: number, first different input, presses and end.
fn branch_rows(branches: &[Branch]) -> Vec<[String; 3]> {
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

/// Returns the rows of the list: number, name of the file, board and folder.
fn recent_rows(recent: &[RecentSession]) -> Vec<[String; 3]> {
    let row = |(nth, RecentSession { path, board, is_there }): (usize, &RecentSession)| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let folder = path.parent().unwrap_or(path).display();
        let gone = if *is_there { "" } else { " (gone)" };
        [format!("{}", nth + 1), format!("{name}{gone}"), format!("{board}, in {folder}")]
    };
    recent.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recent_file_that_is_gone_is_shown_as_gone() {
        let recent = |path: &str, is_there| RecentSession {
            path: path.into(),
            board: "native".to_owned(),
            is_there,
        };
        let rows = recent_rows(&[recent("/home/ada/w.trace", true), recent("/tmp/x.trace", false)]);
        assert_eq!(rows[0], ["1", "w.trace", "native, in /home/ada"]);
        assert_eq!(rows[1], ["2", "x.trace (gone)", "native, in /tmp"]);
    }
}
