//! Firmware that is built anew while a session runs. Who builds and compares is the command's; a view shows it.

use std::sync::Arc;

use ili9341_model::Frame;
use virtual_time::Instant;

use super::Live;
use super::files::RecordingFiles;
use super::input_log::InputLog;

/// Firmware that is built anew when its sources are saved.
pub trait Rebuilds {
    /// The session has begun: its firmware records there.
    fn begun(&mut self, recording_files: &RecordingFiles);

    /// What has happened since the last call, one after another.
    fn news(&mut self) -> Option<FirmwareNews>;

    /// The session goes on in the firmware that was ready last. What it and the one before make of `input_log` is
    /// compared in the background.
    fn taken_over(&mut self, input_log: Arc<InputLog>);

    /// The firmware's process has ended by itself: the one before is started again, if there is one. Says so.
    fn fall_back(&mut self) -> bool;

    /// What the firmware before and the present one showed at `at`; without a moment, where they first differ.
    /// `None` while nothing is compared.
    fn both(&mut self, at: Option<Instant>) -> Option<Both>;

    /// What the recording holds, up to the moment `end`; `None` if it cannot be read.
    fn recorded(&self, end: Instant) -> Option<InputLog>;
}

/// What has become of a build.
pub enum FirmwareNews {
    /// It is under way.
    Building,
    /// There is a file, and its firmware does what the session has done.
    Built,
    /// There is none: the first error, and all that was said.
    Failed {
        /// In a line.
        headline: String,
        /// Everything, line by line.
        lines: Vec<String>,
    },
    /// Nothing that runs has changed.
    Same,
    /// New firmware has done what the session has done, and waits to take over.
    Ready {
        /// Its session.
        live: Live,
        /// What runs, in a few words.
        identity: String,
        /// What is to be said of it.
        words: String,
    },
    /// New firmware does not run: why. The old one goes on.
    Unfit(String),
    /// How the two firmwares differ, in a sentence.
    Compared(String),
}

/// What two firmwares showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    /// When.
    pub at: Instant,
    /// The one before, and the present one.
    pub frames: [Frame; 2],
    /// What runs on each side, and where they first differ.
    pub words: [String; 3],
}
