//! Firmware that is rebuilt while a session runs. The command builds and compares it; a view
//! shows it.

use std::sync::Arc;

use ili9341_model::Frame;
use virtual_time::Instant;

use super::Live;
use super::files::RecordingFiles;
use super::input_log::InputLog;

/// Firmware that is rebuilt when its sources are saved.
pub trait Rebuilds {
    /// Called when the session has begun: its firmware records into these files.
    fn begun(&mut self, recording_files: &RecordingFiles);

    /// Returns the next event since the last call.
    fn news(&mut self) -> Option<FirmwareNews>;

    /// Called when the session continues in the firmware that was ready last. Its and the
    /// previous firmware's replays of `input_log` are compared in the background.
    fn taken_over(&mut self, input_log: Arc<InputLog>);

    /// Called when the firmware's process has ended by itself. Starts the previous firmware
    /// again; returns whether there is one.
    fn fall_back(&mut self) -> bool;

    /// Returns what the previous and the present firmware showed at `at`; without a time, where
    /// they first differ. `None` while nothing is compared.
    fn both(&mut self, at: Option<Instant>) -> Option<Both>;

    /// Returns the recording up to `end`; `None` if it cannot be read.
    fn recorded(&self, end: Instant) -> Option<InputLog>;
}

/// Event of a build.
pub enum FirmwareNews {
    /// The build has begun.
    Building,
    /// Number of units of the build that are compiled, and of all.
    Progress { done: u32, all: u32 },
    /// The build has a file, and its firmware replays the session.
    Built,
    /// The build failed: the first error, and the whole output.
    Failed {
        /// The error in one line.
        headline: String,
        /// Output, line by line.
        lines: Vec<String>,
    },
    /// The new firmware equals the present one.
    Same,
    /// New firmware has replayed the session, and waits to take over.
    Ready {
        live: Live,
        /// Description of the firmware and the session, in a few words.
        identity: String,
        /// Message for the user.
        words: String,
    },
    /// The new firmware does not run, with the reason. The old one continues.
    Unfit(String),
    /// Difference of the two firmwares, in a sentence.
    Compared(String),
}

/// Frames of two firmwares.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    pub at: Instant,
    /// Frames of the previous and the present firmware.
    pub frames: [Frame; 2],
    /// Identity of each firmware, and where they first differ.
    pub words: [String; 3],
}
