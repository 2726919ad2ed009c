//! Messages of a session for its user. This module knows no window and no terminal.

use std::sync::mpsc;
use std::time::Duration;

/// Time for which a passing message is shown.
const SHOWN_FOR: Duration = Duration::from_secs(8);
/// Maximum number of warnings that are queued for the error stream.
const WARNINGS_MAX: usize = 64;

/// Messages for the user: passing ones, and those that stay while their condition holds.
pub struct Messages {
    /// The reason why the firmware has stopped, while it is stopped.
    pub stopped: Option<String>,
    /// The reason why the flash cannot be saved, while it cannot be.
    pub(super) lasting: Option<String>,
    /// State of a build, while there is something to report.
    pub build: Option<String>,
    /// A message, and the time until which it is shown.
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
    /// Shows `what` for [`SHOWN_FOR`] from `now` on.
    pub(super) fn say(&mut self, what: String, now: Duration) {
        self.passing = Some((what, now.saturating_add(SHOWN_FOR)));
    }

    /// Shows why the firmware has stopped. Replaces a passing message.
    pub fn stops(&mut self, what: String) {
        self.stopped = Some(what);
        self.passing = None;
    }

    /// Shows a problem until it is solved. Adds one warning.
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

    /// Returns a function with which another thread reports a message. The session may have ended
    /// by then.
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
        // A problem that existed before the firmware stopped still exists when it runs again.
        messages.stops("stopped".into());
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("stopped"));
        messages.stopped = None;
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("wrong"));
    }
}
