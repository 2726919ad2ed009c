//! A person at the native board: presses buttons, waits, reads the console.
//!
//! Every action is recorded in a trace, so that a failure can be saved as a file for
//! `nudge replay`. It knows no rule and reads no pixel.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use boards::native;
use hal_mock::{Machine, VirtualBoard, board::SETTLED_AFTER};
use host::heap::HEAP_METER;
use trace::{Action, Button, HeaderEntry, Line, TAP_HOLD, Trace, When};
use virtual_time::{Instant, Nanos};

/// The longest that a screen may move after the last press: two laps and a notice.
pub const LONGEST_MOVEMENT: Nanos = Nanos::from_secs(10);

/// From now to the next action: no edge comes in the past.
const NEXT: Nanos = Nanos::from_millis(1);

/// A native board with the trace of everything that is done to it.
pub struct Session {
    machine: Box<dyn Machine>,
    trace: Trace,
    heard: usize,
    touched: Instant,
}

/// The header of a trace with these settings.
pub fn header(entries: &[(&str, &dyn Display)]) -> Vec<HeaderEntry> {
    entries.iter().map(|(key, value)| HeaderEntry::new(*key, value.to_string())).collect()
}

/// A fresh native machine for `trace`, its power off.
///
/// # Panics
/// If the trace's header is wrong.
pub fn machine(trace: &Trace) -> Box<dyn Machine> {
    native::build_metered(trace, None, Some(HEAP_METER)).expect("the header is right")
}

impl Session {
    /// A board that has been turned on and shows its first frame.
    ///
    /// # Panics
    /// If the board does not start.
    pub fn new(header: Vec<HeaderEntry>) -> Self {
        let mut session = Self::turned_on(header);
        session.settle();
        session
    }

    /// A board that has just been turned on, and may go on by itself.
    ///
    /// # Panics
    /// If the board does not start.
    pub fn turned_on(header: Vec<HeaderEntry>) -> Self {
        let trace = Trace { header, ..Trace::default() };
        let machine = machine(&trace);
        let mut session = Self { machine, trace, heard: 0, touched: Instant::START };
        session.power_on();
        session
    }

    /// What was done so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The board.
    pub fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    /// The board's time.
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

    /// Turns the power off.
    pub fn power_off(&mut self) {
        self.note(self.now(), Action::PowerOff);
        self.machine.power_off();
    }

    /// Taps `button` now and returns after its release, 80 ms later; the time of the release.
    pub fn tap(&mut self, button: Button) -> Instant {
        self.hold(&[button], TAP_HOLD)
    }

    /// Presses all of `buttons` in one moment and holds them for `span`.
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

    /// Waits for `span`.
    pub fn wait(&mut self, span: Nanos) {
        self.run_until(self.now().saturating_add(span));
    }

    /// Waits until nothing has moved on the LCD for 100 ms, and no button.
    ///
    /// # Panics
    /// If that takes longer than [`LONGEST_MOVEMENT`].
    #[track_caller]
    pub fn settle(&mut self) {
        self.settle_within(LONGEST_MOVEMENT);
    }

    /// The same with another limit, for example while the computer thinks and moves.
    ///
    /// # Panics
    /// If that takes longer than `most`.
    #[track_caller]
    pub fn settle_within(&mut self, most: Nanos) {
        let patience = self.now().saturating_add(most);
        loop {
            let still_since = self.board().last_change().max(self.touched);
            if still_since.saturating_add(SETTLED_AFTER) <= self.now() {
                return;
            }
            assert!(self.now() < patience, "the LCD does not settle");
            self.run_until(still_since.saturating_add(SETTLED_AFTER));
        }
    }

    /// The console's lines since it was last asked.
    pub fn heard(&mut self) -> Vec<String> {
        let lines = self.board().console_lines_from(self.heard);
        self.heard += lines.len();
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Writes down that the console must have said `line` by now.
    pub fn must_have_said(&mut self, line: &str) {
        self.note(self.now(), Action::ExpectConsole(line.to_owned()));
    }

    /// Writes what was done to the file `name`.trace in `folder`; says where it is.
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

/// Writes `trace` to the file `name`.trace in `folder`; says where it is.
///
/// # Panics
/// If the file cannot be written.
pub fn save(trace: &Trace, folder: &str, name: &str) -> PathBuf {
    let path = Path::new(folder).join(format!("{name}.trace"));
    fs::create_dir_all(folder).expect("the folder for traces can be made");
    fs::write(&path, trace.to_string()).expect("the trace can be written");
    path
}
