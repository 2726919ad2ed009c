//! The lines of the console that a view shows, and the line that its user types on it. It knows no
//! window and no terminal.

use std::sync::Arc;

use hal_mock::{board::ConsoleLine, log::Log};

use super::message::Command;
use super::schedule::TYPED_MAX;

/// Number of typed lines that are stored, to be typed again.
const TYPED_LINES_MAX: usize = 100;

/// The console as a view shows it: its lines, the place to which they are scrolled, and the line
/// that is being typed.
#[derive(Debug, Default)]
pub struct ConsoleView {
    lines: Arc<Log<ConsoleLine>>,
    /// Index of the first line below those that are shown; `None` if the newest is shown.
    until: Option<usize>,
    typed: Option<String>,
    /// Lines that were typed before, the newest last, and the one that is shown again.
    before: Vec<String>,
    again: Option<usize>,
}

/// Key of a user who types on the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypingKey {
    Enter,
    Backspace,
    /// Removes the line.
    Clear,
    /// The line that was typed before, or after, the one that is shown.
    Older,
    Newer,
    /// Ends the typing.
    End,
}

impl ConsoleView {
    /// Shows other lines. Lines that the user has scrolled to stay.
    pub fn set_lines(&mut self, lines: &Arc<Log<ConsoleLine>>) {
        if !Arc::ptr_eq(&self.lines, lines) {
            self.lines = Arc::clone(lines);
            self.until = self.until.filter(|until| *until < lines.end());
        }
    }

    /// Returns the shown lines, at most the last `most`, from the oldest on.
    pub fn shown(&self, most: usize) -> Vec<String> {
        let until = self.until();
        let lines = self.lines.range(until.saturating_sub(most)..until);
        lines.map(|line| line.text.clone()).collect()
    }

    /// Returns the number of lines below those that are shown.
    pub fn below(&self) -> usize {
        self.lines.end() - self.until()
    }

    fn until(&self) -> usize {
        self.until.unwrap_or(self.lines.end())
    }

    /// Scrolls by `lines`, back if negative.
    pub fn scroll(&mut self, lines: isize) {
        let oldest = self.lines.first().saturating_add(1).min(self.lines.end());
        let until = self.until().saturating_add_signed(lines).max(oldest);
        self.until = Some(until).filter(|until| *until < self.lines.end());
    }

    /// Shows the newest lines.
    pub fn scroll_to_end(&mut self) {
        self.until = None;
    }

    /// Returns all stored lines as a text, and their number.
    pub fn text(&self) -> (String, usize) {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        (lines.join("\n"), lines.len())
    }

    /// Returns the line that is being typed; `None` if the user does not type.
    pub fn typed(&self) -> Option<&str> {
        self.typed.as_deref()
    }

    /// Begins to type, with an empty line.
    pub fn begin(&mut self) {
        self.typed.get_or_insert_default();
        self.scroll_to_end();
    }

    /// Adds `text` to the line. A newline ends a line, so that lines can be pasted; returns the
    /// commands that type them. Other characters that the board does not take are left out.
    pub fn add(&mut self, text: &str) -> Vec<Command> {
        let mut commands = Vec::new();
        for letter in text.chars() {
            match letter {
                '\n' => commands.extend(self.key(TypingKey::Enter)),
                '\t' => self.push(' '),
                letter => self.push(letter),
            }
        }
        commands
    }

    fn push(&mut self, letter: char) {
        if let Some(typed) = &mut self.typed
            && matches!(letter, ' '..='~')
            && typed.len() < TYPED_MAX
        {
            typed.push(letter);
        }
    }

    /// Handles a key while the user types. Returns the command that types a line.
    pub fn key(&mut self, key: TypingKey) -> Option<Command> {
        let typed = self.typed.as_mut()?;
        match key {
            TypingKey::Enter => {
                let line = std::mem::take(typed);
                self.scroll_to_end();
                self.again = None;
                if line.trim().is_empty() {
                    return None;
                }
                if self.before.last() != Some(&line) {
                    self.before.push(line.clone());
                    let dropped = self.before.len().saturating_sub(TYPED_LINES_MAX);
                    self.before.drain(..dropped);
                }
                return Some(Command::Type(line));
            }
            TypingKey::Backspace => drop(typed.pop()),
            TypingKey::Clear => typed.clear(),
            TypingKey::Older => {
                let next = self.again.unwrap_or(self.before.len()).checked_sub(1);
                if let Some(line) = next.and_then(|next| self.before.get(next)) {
                    typed.clone_from(line);
                    self.again = next;
                }
            }
            TypingKey::Newer => {
                self.again =
                    self.again.map(|again| again + 1).filter(|next| *next < self.before.len());
                let line = self.again.and_then(|next| self.before.get(next));
                *typed = line.cloned().unwrap_or_default();
            }
            TypingKey::End => (self.typed, self.again) = (None, None),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use virtual_time::Instant;

    use super::*;

    fn lines(count: usize) -> Arc<Log<ConsoleLine>> {
        let mut log = Log::with_limit(30_000);
        for nth in 0..count {
            log.push(ConsoleLine { at: Instant(nth as u64), text: format!("{nth}") });
        }
        Arc::new(log)
    }

    #[test]
    fn scrolled_lines_stay_while_others_come() {
        let mut view = ConsoleView::default();
        view.scroll(-3);
        assert_eq!((view.shown(9), view.below()), (Vec::new(), 0));
        view.set_lines(&lines(20));
        assert_eq!(view.shown(2), ["18", "19"]);
        view.scroll(-3);
        view.set_lines(&lines(25));
        assert_eq!((view.shown(2), view.below()), (vec!["15".to_owned(), "16".to_owned()], 8));
        view.scroll(-1_000);
        assert_eq!(view.shown(9), ["0"], "the oldest line is still shown");
        view.scroll(1_000);
        assert_eq!((view.shown(1), view.below()), (vec!["24".to_owned()], 0));
        // The lines of the ring that are dropped are not shown any more.
        view.scroll(-20);
        view.set_lines(&lines(5_000));
        assert_eq!(view.shown(2), Vec::<String>::new());
        view.scroll(-1);
        assert_eq!(view.shown(2).len(), 1, "scrolling goes on at the oldest line");
        assert!(view.text().0.ends_with("4998\n4999"));
    }

    #[test]
    fn a_line_is_typed_corrected_and_typed_again() {
        let mut view = ConsoleView::default();
        assert!(view.add("x").is_empty() && view.typed().is_none());
        assert_eq!(view.key(TypingKey::Enter), None);
        view.begin();
        view.add("get gamé");
        view.key(TypingKey::Backspace);
        view.add("me");
        assert_eq!(view.typed(), Some("get game"));
        assert_eq!(view.key(TypingKey::Enter), Some(Command::Type("get game".into())));
        assert_eq!(view.add("a\nb\tc\n\nd"), ["a", "b c"].map(|line| Command::Type(line.into())));
        view.key(TypingKey::Clear);
        for expected in ["b c", "a", "get game", "get game"] {
            view.key(TypingKey::Older);
            assert_eq!(view.typed(), Some(expected));
        }
        view.key(TypingKey::Newer);
        assert_eq!(view.typed(), Some("a"));
        (0..3).for_each(|_| drop(view.key(TypingKey::Newer)));
        assert_eq!(view.typed(), Some(""));
        view.add(&"x".repeat(9_999));
        assert_eq!(view.typed().map(str::len), Some(TYPED_MAX));
        view.key(TypingKey::End);
        assert_eq!(view.typed(), None);
    }
}
