//! What a session starts with.

use std::io::Write;

use hal_mock::trace::HeaderEntry;
use wall_clock::Speed;

/// The output of a recording; it is written and flushed line by line.
pub type Sink = Box<dyn Write + Send>;

/// What a session starts with.
#[derive(Default)]
pub struct Setup {
    /// How fast virtual time runs.
    pub speed: Speed,
    /// Where the session is written as a trace, and that trace's header.
    pub recording: Option<(Sink, Vec<HeaderEntry>)>,
}
