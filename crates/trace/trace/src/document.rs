//! A trace as data: its header and its lines, each with its place in the file.

use std::path::PathBuf;

use super::action::Action;
use super::button::Buttons;
use super::control::Controls;
use super::display::Displays;
use super::led::Leds;
use super::limits::VERSION;
use super::place::{IncludedPlace, Place};
use virtual_time::{Instant, Nanos};

/// Key of the header line that names the file of the board, relative to the trace's folder.
pub const BOARD_KEY: &str = "board";

/// A whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Version of the format; [`VERSION`].
    pub version: u32,
    /// Full-line comments above `trace 1`, without their `#`.
    pub above: Vec<String>,
    /// Comment after `trace 1` on its line.
    pub comment: Option<String>,
    /// Settings at power-on, in the order of the file; every key is unique.
    pub header: Vec<HeaderEntry>,
    /// The timed lines; the first is `power on`.
    pub lines: Vec<Line>,
    /// Full-line comments after the last line.
    pub closing: Vec<String>,
    /// Folder of the file that the trace was read from; files named in the header are in this
    /// folder.
    pub folder: Option<PathBuf>,
}

impl Trace {
    /// Returns the header entry with that key.
    pub fn get(&self, key: &str) -> Option<&HeaderEntry> {
        self.header.iter().find(|entry| entry.key == key)
    }

    /// Returns the buttons of the trace's board as far as its lines name them; the others are those
    /// of the LCD board.
    pub fn buttons(&self) -> Buttons {
        let mut buttons = Buttons::lcd_board();
        for button in self.lines.iter().filter_map(|line| line.action.button()) {
            buttons.rename(button);
        }
        buttons
    }

    /// Returns the controls and LEDs of the trace's board as far as its lines name them.
    pub fn controls_and_leds(&self) -> (Controls, Leds) {
        let (mut controls, mut leds) = (Controls::default(), Leds::default());
        for action in self.lines.iter().map(|line| &line.action) {
            if let Some(control) = action.control() {
                controls.learn(control);
            }
            if let Some(led) = action.led() {
                leds.learn(led);
            }
        }
        (controls, leds)
    }

    /// Returns the displays of the trace's board as far as its lines name them; the others are
    /// those of the LCD board.
    pub fn displays(&self) -> Displays {
        let mut displays = Displays::lcd_board();
        for display in self.lines.iter().filter_map(|line| line.action.display()) {
            displays.learn(display);
        }
        displays
    }

    /// Returns the trace with included lines as its own, as `Display` writes it. Their places
    /// remain those of the lines that include them.
    #[must_use]
    pub fn expanded(mut self) -> Self {
        self.lines.iter_mut().for_each(|line| line.included = None);
        self
    }
}

/// Returns an empty trace of the current version.
impl Default for Trace {
    fn default() -> Self {
        Self {
            version: VERSION,
            above: Vec::new(),
            comment: None,
            header: Vec::new(),
            lines: Vec::new(),
            closing: Vec::new(),
            folder: None,
        }
    }
}

/// A `key value` line above the first timed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderEntry {
    /// A lower-case letter, then lower-case letters, digits and `-`; never a verb.
    pub key: String,
    /// Rest of the line up to a comment, without the spaces around it; never empty.
    pub value: String,
    /// Place of the key.
    pub key_place: Place,
    /// Place of the value.
    pub value_place: Place,
    /// Full-line comments above the entry.
    pub above: Vec<String>,
    /// Comment at the end of the entry's line.
    pub comment: Option<String>,
}

impl HeaderEntry {
    /// Creates an entry that does not come from a file.
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
            key_place: Place::default(),
            value_place: Place::default(),
            above: Vec::new(),
            comment: None,
        }
    }
}

/// A timed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub when: When,
    pub action: Action,
    /// Place of the verb; for an included line, the place of the `include` in the trace.
    pub place: Place,
    /// Place in the included file, if the line is included.
    pub included: Option<IncludedPlace>,
    /// Full-line comments above the line.
    pub above: Vec<String>,
    /// Comment at the end of the line.
    pub comment: Option<String>,
}

impl Line {
    /// Creates a line that does not come from a file.
    pub fn new(when: When, action: Action) -> Self {
        Self {
            when,
            action,
            place: Place::default(),
            included: None,
            above: Vec::new(),
            comment: None,
        }
    }
}

/// The time of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Absolute time.
    At(Instant),
    /// Time since the line above: after a `tap` since its press, after a `wait` or `settle` since
    /// the time at which it was satisfied.
    After(Nanos),
}
