//! Options of a session's start.

use std::sync::Arc;

use host::clock::Speed;
use reading::text::Reader;
use trace::HeaderEntry;

use super::debugger::Debugger;
use super::input_log::{InputLog, RecordingStore, Sink};

/// Requirements of going back in time.
pub struct Rewinding {
    pub reader: Reader,
    /// Store of the abandoned futures.
    pub recording_files: Box<dyn RecordingStore>,
}

/// Options of a session's start.
#[derive(Default)]
pub struct Setup {
    /// Speed of virtual time.
    pub speed: Speed,
    /// Output of the recording, and its header.
    pub recording: Option<(Sink, Vec<HeaderEntry>)>,
    /// Requirements of going back in time; `None` if the session cannot go back.
    pub rewinding: Option<Rewinding>,
    /// Inputs that are given at once before the session begins.
    pub before: Option<InputLog>,
    /// Debugger of the firmware.
    pub debugger: Option<Arc<dyn Debugger>>,
    /// Whether virtual time is then stopped until the session takes over from another one.
    pub waits: bool,
}
