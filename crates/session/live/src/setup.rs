//! What a session starts with.

use host::clock::Speed;
use reading::text::Reader;
use trace::HeaderEntry;

use super::input_log::{InputLog, RecordingStore, Sink};

/// What a session needs to go back in time.
pub struct Rewinding {
    /// Reads text on the LCD.
    pub reader: Reader,
    /// Where its futures are kept.
    pub recording_files: Box<dyn RecordingStore>,
}

/// What a session starts with.
#[derive(Default)]
pub struct Setup {
    /// How fast virtual time runs.
    pub speed: Speed,
    /// Where the session is written as a trace, and that trace's header.
    pub recording: Option<(Sink, Vec<HeaderEntry>)>,
    /// What it needs to go back in time; without it, it cannot.
    pub rewinding: Option<Rewinding>,
    /// What is done before the session begins, at once.
    pub before: Option<InputLog>,
    /// Whether time stands still then, until it takes over from another session.
    pub waits: bool,
}
