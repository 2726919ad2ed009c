//! A trace as data: its header and its lines, each with its place in the file.

use std::path::PathBuf;

use super::action::Action;
use super::limits::VERSION;
use super::place::{IncludedPlace, Place};
use virtual_time::{Instant, Nanos};

/// A whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The format's version; [`VERSION`].
    pub version: u32,
    /// The full-line comments above `trace 1`, without their `#`.
    pub above: Vec<String>,
    /// The comment behind `trace 1`.
    pub comment: Option<String>,
    /// The settings at power-on, in the order of the file; no key stands twice.
    pub header: Vec<HeaderEntry>,
    /// The timed lines; the first is `power on`.
    pub lines: Vec<Line>,
    /// The full-line comments below the last line.
    pub closing: Vec<String>,
    /// The folder of the file that it was read from: files that its header names lie there.
    pub folder: Option<PathBuf>,
}

impl Trace {
    /// The header entry of that key.
    pub fn get(&self, key: &str) -> Option<&HeaderEntry> {
        self.header.iter().find(|entry| entry.key == key)
    }

    /// The trace with included lines as if they were its own, as `Display` writes it. Their places
    /// remain those of the lines that include them.
    #[must_use]
    pub fn expanded(mut self) -> Self {
        self.lines.iter_mut().for_each(|line| line.included = None);
        self
    }
}

/// A trace of the present version with nothing in it.
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
    /// The rest of the line up to a comment, without the blanks around it; never empty.
    pub value: String,
    /// Where the key stands.
    pub key_place: Place,
    /// Where the value begins.
    pub value_place: Place,
    /// The full-line comments above it.
    pub above: Vec<String>,
    /// The comment behind it.
    pub comment: Option<String>,
}

impl HeaderEntry {
    /// An entry that does not come from a file.
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
    /// Its time.
    pub when: When,
    /// What happens then.
    pub action: Action,
    /// Where its verb stands; if it is included, where the trace includes it.
    pub place: Place,
    /// Where it stands in an included file.
    pub included: Option<IncludedPlace>,
    /// The full-line comments above it.
    pub above: Vec<String>,
    /// The comment behind it.
    pub comment: Option<String>,
}

impl Line {
    /// A line that does not come from a file.
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
    /// A moment.
    At(Instant),
    /// Since the line above: after a `tap` since its press, after a `wait` or `settle`
    /// since the moment it was met.
    After(Nanos),
}
