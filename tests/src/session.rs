//! A person at the native board: presses buttons, waits, and reads the console.
//!
//! Every action is recorded in a trace, so that a failure can be saved as a file for `nudge
//! replay`. This module knows no rules and reads no pixels.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use firmware_board::native;
use hal_mock::{Machine, VirtualBoard, board::SETTLED_AFTER, log::Log};
use host::heap::HEAP_METER;
use trace::{Action, Button, HeaderEntry, Line, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

/// Maximum time for which a screen may move after the last press: two laps and a notice.
pub const LONGEST_MOVEMENT: Nanos = Nanos::from_secs(10);

/// Time without a change after which the LCD shows the whole of its picture: longer than the pauses
/// while a picture is drawn, shorter than those of a movement.
const SHOWN_AFTER: Nanos = Nanos::from_millis(25);

/// Distance of the next action from now: an edge must not be in the past.
const NEXT: Nanos = Nanos::from_millis(1);

/// A native board with a trace of all actions.
pub struct Session {
    machine: Box<dyn Machine>,
    trace: Trace,
    lines_taken: usize,
    touched: Instant,
}

/// Creates the header of a trace with these settings.
pub fn header(entries: &[(&str, &dyn Display)]) -> Vec<HeaderEntry> {
    entries.iter().map(|(key, value)| HeaderEntry::new(*key, value.to_string())).collect()
}

/// Builds a native machine for `trace`, powered off.
///
/// # Panics
/// If the trace's header is wrong.
pub fn machine(trace: &Trace) -> Box<dyn Machine> {
    native::build_metered(trace, None, Some(HEAP_METER)).expect("the header is right")
}

impl Session {
    /// Creates a board that is turned on and shows its first frame.
    ///
    /// # Panics
    /// If the board does not start.
    pub fn new(header: Vec<HeaderEntry>) -> Self {
        let mut session = Self::turned_on(header);
        session.settle();
        session
    }

    /// Creates a board at power-on, before its first frame.
    ///
    /// # Panics
    /// If the board does not start.
    pub fn turned_on(header: Vec<HeaderEntry>) -> Self {
        let trace = Trace { header, ..Trace::default() };
        let machine = machine(&trace);
        let mut session = Self { machine, trace, lines_taken: 0, touched: Instant::START };
        session.power_on();
        session
    }

    /// Returns the recorded actions so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    pub fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    /// Returns the board's current time.
    pub fn now(&self) -> Instant {
        self.board().now()
    }

    /// Turns the power on.
    ///
    /// # Panics
    /// If the board does not start.
    pub fn power_on(&mut self) {
        self.note(self.now(), Action::PowerOn);
        self.machine.power_on().expect("the board starts");
        self.touched = self.now();
    }

    pub fn power_off(&mut self) {
        self.note(self.now(), Action::PowerOff);
        self.machine.power_off();
    }

    /// Taps `button` now for 80 ms, and waits until its release; returns the time of the release.
    pub fn tap(&mut self, button: Button) -> Instant {
        self.hold(&[button], TAP_HOLD)
    }

    /// Presses all of `buttons` at once, holds them for `span`, and returns the time of their
    /// release.
    pub fn hold(&mut self, buttons: &[Button], span: Nanos) -> Instant {
        let at = self.now().saturating_add(NEXT);
        let until = at.saturating_add(span);
        for &button in buttons {
            self.board().press(at, button);
            self.board().release(until, button);
            self.note(at, Action::Tap { button, hold: Some(span) });
        }
        self.touched = until;
        self.run_until(until);
        until
    }

    pub fn wait(&mut self, span: Nanos) {
        self.run_until(self.now().saturating_add(span));
    }

    /// Waits until the LCD and the buttons have not changed for 100 ms.
    ///
    /// # Panics
    /// If that takes longer than [`LONGEST_MOVEMENT`].
    #[track_caller]
    pub fn settle(&mut self) {
        self.settle_within(LONGEST_MOVEMENT);
    }

    /// Waits as [`Self::settle`] does, with another limit, for example while the computer thinks
    /// and moves.
    ///
    /// # Panics
    /// If that takes longer than `most`.
    #[track_caller]
    pub fn settle_within(&mut self, most: Nanos) {
        self.wait_until_still(SETTLED_AFTER, most);
    }

    /// Waits until the LCD shows the result of the last press, or a whole picture of its movement.
    /// A press that begins earlier does not count.
    ///
    /// # Panics
    /// If that takes longer than [`LONGEST_MOVEMENT`].
    #[track_caller]
    pub fn wait_until_shown(&mut self) {
        self.wait_until_still(SHOWN_AFTER, LONGEST_MOVEMENT);
    }

    /// Waits until the LCD and the buttons have not changed for `span`.
    #[track_caller]
    fn wait_until_still(&mut self, span: Nanos, most: Nanos) {
        let patience = self.now().saturating_add(most);
        loop {
            let still_since = self.board().last_change().max(self.touched);
            if still_since.saturating_add(span) <= self.now() {
                return;
            }
            assert!(self.now() < patience, "the LCD does not settle");
            self.run_until(still_since.saturating_add(span));
        }
    }

    /// Returns the console's lines since the last call.
    pub fn take_lines(&mut self) -> Vec<String> {
        let lines = self.board().console_lines_from(self.lines_taken);
        self.lines_taken = self.board().with_console(Log::end);
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Records the expectation that the console has printed `line` by now.
    pub fn expect_line(&mut self, line: &str) {
        self.note(self.now(), Action::ExpectConsole(line.to_owned()));
    }

    /// Saves the recorded actions in the file `name`.trace in `folder`; returns its path.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn save(&self, folder: &str, name: &str) -> PathBuf {
        save(&self.trace, folder, name)
    }

    #[track_caller]
    fn run_until(&mut self, until: Instant) {
        if let Err(error) = self.machine.run_until(until) {
            panic!("the board stopped {error}\n{}", self.trace);
        }
    }

    fn note(&mut self, at: Instant, action: Action) {
        self.trace.lines.push(Line::new(When::At(at), action));
    }
}

/// Writes `trace` to the file `name`.trace in `folder`; returns its path.
///
/// # Panics
/// If the file cannot be written.
pub fn save(trace: &Trace, folder: &str, name: &str) -> PathBuf {
    let path = Path::new(folder).join(format!("{name}.trace"));
    fs::create_dir_all(folder).expect("the folder for traces can be made");
    fs::write(&path, trace.to_string()).expect("the trace can be written");
    path
}
