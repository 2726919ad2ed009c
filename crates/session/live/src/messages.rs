//! Messages of a session for its user. It knows no window and no terminal.

use std::sync::mpsc;
use std::time::Duration;

/// How long a passing message is shown.
const SHOWN_FOR: Duration = Duration::from_secs(8);
/// Most warnings that wait until the view writes them to the error stream.
const WARNINGS_MAX: usize = 64;

/// Messages for the user: passing ones, and those that stay while their condition holds.
pub struct Messages {
    /// Why the firmware has stopped, for as long as it has.
    pub stopped: Option<String>,
    /// Why the flash is not in its file, for as long as it is not.
    pub(super) lasting: Option<String>,
    /// State of a build, while there is something to report.
    pub build: Option<String>,
    /// A message, and until when it is shown.
    passing: Option<(String, Duration)>,
    /// Messages of other threads.
    received: mpsc::Receiver<String>,
    sender: mpsc::Sender<String>,
    warnings: Vec<String>,
}

impl Default for Messages {
    fn default() -> Self {
        let (sender, received) = mpsc::channel();
        let warnings = Vec::new();
        Self {
            stopped: None,
            lasting: None,
            build: None,
            passing: None,
            received,
            sender,
            warnings,
        }
    }
}

impl Messages {
    /// Shows `what` from `now` on for a few seconds.
    pub(super) fn say(&mut self, what: String, now: Duration) {
        self.passing = Some((what, now.saturating_add(SHOWN_FOR)));
    }

    /// Shows why the firmware has stopped, instead of what happened before.
    pub fn stops(&mut self, what: String) {
        self.stopped = Some(what);
        self.passing = None;
    }

    /// Shows what is wrong until it is not. It is a warning once.
    pub(super) fn set_lasting(&mut self, what: Option<String>) {
        if let Some(what) = what.as_ref().filter(|what| self.lasting.as_ref() != Some(*what)) {
            self.warn(format!("warning: {what}"));
        }
        self.lasting = what;
    }

    /// Adds a line for the error stream.
    pub(super) fn warn(&mut self, line: String) {
        if self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(line);
        }
    }

    /// Returns the lines that the view has to write to the error stream once it can.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns what another thread calls with a message. The session may have ended by then.
    pub(super) fn reporter(&self) -> Box<dyn Fn(String) + Send> {
        let sender = self.sender.clone();
        Box::new(move |what| {
            let _ = sender.send(what);
        })
    }

    /// Returns the message that is shown at `now`.
    pub(super) fn now(&mut self, now: Duration) -> Option<String> {
        if let Ok(received) = self.received.try_recv() {
            self.say(received, now);
        }
        self.passing = self.passing.take().filter(|(_, until)| now < *until);
        let passing = self.passing.as_ref().map(|(what, _)| what.clone());
        let lasting = self.stopped.as_ref().or(self.lasting.as_ref()).or(self.build.as_ref());
        passing.or_else(|| lasting.cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_passes_and_what_is_wrong_stays() {
        let mut messages = Messages::default();
        messages.set_lasting(Some("wrong".into()));
        messages.set_lasting(Some("wrong".into()));
        assert_eq!(messages.take_warnings(), ["warning: wrong"]);
        messages.say("saved".into(), Duration::ZERO);
        assert_eq!(messages.now(Duration::from_secs(7)).as_deref(), Some("saved"));
        assert_eq!(messages.now(Duration::from_secs(8)).as_deref(), Some("wrong"));
        messages.reporter()("open".into());
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("open"));
        // What was wrong before the firmware stopped is wrong still when it runs again.
        messages.stops("stopped".into());
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("stopped"));
        messages.stopped = None;
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("wrong"));
    }
}
