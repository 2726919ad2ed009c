//! How to run: everything that the command line says.

pub(crate) mod github;
pub(crate) mod picture_protocol;

use std::num::NonZero;
use std::path::PathBuf;

use hal_mock::Nanos;

use crate::interrupt::Interrupt;
use crate::suite::shard::Shard;
use github::Github;
use picture_protocol::PictureProtocol;

/// The most that a trace can be repeated.
pub const REPEATS_MAX: u32 = 1_000;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// Only traces whose path contains this.
    pub filter: Option<String>,
    /// Of these, only this part.
    pub shard: Option<Shard>,
    /// Only say which traces these are.
    pub list: bool,
    /// Stop each trace at this moment.
    pub until: Option<Nanos>,
    /// Whether broken rules of the LCD's datasheet may pass.
    pub allow_violations: bool,
    /// Write the golden frames that are missing or differ.
    pub bless: bool,
    /// Replay each trace so often, up to [`REPEATS_MAX`] times; all runs must be the same.
    pub repeat: Option<NonZero<u32>>,
    /// TraceReport nothing behind the first trace that does not pass.
    pub fail_fast: bool,
    /// Where each trace gets a folder with its console and pictures.
    pub artifacts: Option<PathBuf>,
    /// Where all screens go as one picture.
    pub contact_sheet: Option<PathBuf>,
    /// Where the results go as a JUnit file.
    pub junit: Option<PathBuf>,
    /// The folder for the results as a page, `index.html`.
    pub html: Option<PathBuf>,
    /// What GitHub is told, if it runs this.
    pub github: Option<Github>,
    /// Print no line for a trace that passed, and no picture.
    pub quiet: bool,
    /// Colour the words PASS and FAIL.
    pub colour: bool,
    /// How the terminal takes pictures; `None` = it does not.
    pub pictures: Option<PictureProtocol>,
    /// Say on `err`, on a line that is taken away again, how far it is.
    pub progress: bool,
    /// How many traces at once; `None` = as many as the computer has cores.
    pub jobs: Option<NonZero<usize>>,
    /// The board that runs the traces, as `--board` names it, for the command that repeats one.
    pub board: Option<String>,
    /// Once it is set, no more traces begin, those under way are given up, and the others'
    /// results are told.
    pub interrupt: Interrupt,
}

impl ReplayOptions {
    /// How often each trace runs: 1 to [`REPEATS_MAX`].
    pub(crate) fn repeats(&self) -> u32 {
        self.repeat.map_or(1, NonZero::get).min(REPEATS_MAX)
    }
}
