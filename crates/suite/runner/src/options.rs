//! The options of a run, as the command line gives them.

pub(crate) mod firmware;
pub(crate) mod github;
pub(crate) mod picture_protocol;
pub(crate) mod player;
pub(crate) mod project;
pub(crate) mod result_cache;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use virtual_time::{Instant, Nanos};

use crate::suite::shard::Shard;
use firmware::FirmwareId;
use github::Github;
use host::Interrupt;
use picture_protocol::PictureProtocol;
use player::Player;
use project::Project;
use result_cache::ResultCache;

/// The most that a trace can be repeated.
pub const REPEATS_MAX: u32 = 1_000;

/// The most traces that run at once.
pub const JOBS_MAX: usize = 1_024;

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// Only traces whose path contains this.
    pub filter: Option<String>,
    /// Of these, only this part.
    pub shard: Option<Shard>,
    /// How long traces took earlier, by their path: the parts are to take the same time. Empty: they are
    /// to have the same number of traces.
    pub durations: Vec<(String, Duration)>,
    /// Only print the traces' paths.
    pub list: bool,
    /// Stop each trace at this moment.
    pub until: Option<Instant>,
    /// Whether broken rules of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Whether a trace with a notice fails.
    pub strict: bool,
    /// Write the golden frames that are missing or differ.
    pub bless: bool,
    /// How often each trace is replayed, up to [`REPEATS_MAX`] times; all runs must be the same.
    pub repeat: Option<NonZero<u32>>,
    /// Report nothing after the first trace that does not pass.
    pub fail_fast: bool,
    /// Where each trace gets a folder with its console and pictures.
    pub artifacts: Option<PathBuf>,
    /// Where all screens go as one picture.
    pub contact_sheet: Option<PathBuf>,
    /// Replace a file that is there though it is no earlier report of its kind.
    pub force: bool,
    /// Where the results go as a JUnit file.
    pub junit: Option<PathBuf>,
    /// The folder for the results as a page, `index.html`.
    pub html: Option<PathBuf>,
    /// What plays the traces that failed in that page.
    pub player: Player,
    /// Where GitHub runs this, if it does; then it gets annotations and a summary.
    pub github: Option<Github>,
    /// Print no line for a trace that passed, and no picture.
    pub quiet: bool,
    /// Colour the words PASS and FAIL.
    pub colour: bool,
    /// How the terminal shows pictures; `None` if it cannot.
    pub pictures: Option<PictureProtocol>,
    /// Show the progress on `err`, on a line that is cleared at the end.
    pub progress: bool,
    /// The most wall time that one replay of a trace may take.
    pub timeout: Option<Nanos>,
    /// How many traces run at once; `None`: one per core.
    pub jobs: Option<NonZero<usize>>,
    /// The project that the traces belong to, for attachments and the commands in a report.
    pub project: Option<Project>,
    /// Which firmware the traces run on, for the reports.
    pub firmware: Option<FirmwareId>,
    /// The board that runs the traces, as `--board` names it, for the command that repeats one.
    pub board: Option<String>,
    /// What earlier replays came to; it is not used where [`needs_replays`](Self::needs_replays).
    pub results: Option<ResultCache>,
    /// Once it is set, no more traces begin, those that are running stop, and only the results of
    /// the others are reported.
    pub interrupt: Interrupt,
}

impl ReplayOptions {
    /// Whether the run writes goldens, pictures or reports of the replays themselves, or repeats them: an
    /// earlier result will not do.
    pub fn needs_replays(&self) -> bool {
        self.bless
            || self.repeats() > 1
            || self.artifacts.is_some()
            || self.contact_sheet.is_some()
            || self.junit.is_some()
            || self.html.is_some()
    }

    /// `path` as the commands of a report name it.
    pub(crate) fn named(&self, path: &Path) -> String {
        let project = self.project.as_ref();
        project.map_or_else(|| path.display().to_string(), |project| project.named(path))
    }

    /// How often each trace runs: 1 to [`REPEATS_MAX`].
    pub(crate) fn repeats(&self) -> u32 {
        self.repeat.map_or(1, NonZero::get).min(REPEATS_MAX)
    }
}
