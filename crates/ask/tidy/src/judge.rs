//! Compares a tidied trace with the recording, and writes its golden frames.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use hal_mock::{
    Machine,
    replay::{self, Goldens, ReplayOutcome, ReplaySettings, Verdict},
};
use host::output_files::{Output, OutputError};
use ili9341_model::Frame;
use reading::{
    golden::{GoldenError, chain::FrameHash, encode_png},
    text::Reader,
};
use trace::{FrameCheck, Trace};

use super::error::TidyError;
use super::observe::Observation;

/// Settings of every replay in this module. Violations of the datasheet are part of the recording,
/// so they are allowed.
const OPTIONS: ReplaySettings =
    ReplaySettings { allow_violations: true, limit: replay::LIMIT, until: None };

/// Replays `trace` with the settings of this module.
pub(super) fn replay(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    goldens: &mut dyn Goldens,
) -> ReplayOutcome {
    replay::replay(trace, machine, reader, goldens, &OPTIONS)
}

/// Compares frames with the screens of the recording.
pub(super) struct ScreenJudge<'a> {
    frames: &'a HashMap<String, FrameHash>,
}

impl<'a> ScreenJudge<'a> {
    pub(super) fn new(frames: &'a HashMap<String, FrameHash>) -> Self {
        Self { frames }
    }

    /// Returns the first stretch in which a screen or a console line of `trace` differs from the
    /// observation. `owners` has the stretch of each line.
    pub(super) fn first_difference(
        &mut self,
        trace: &Trace,
        owners: &[usize],
        machine: &mut dyn Machine,
        reader: &Reader,
        observed: &Observation,
    ) -> Option<usize> {
        let outcome = replay(trace, machine, reader, self);
        let owner = |line: usize| owners.get(line).or(owners.last()).copied().unwrap_or_default();
        let failed = match &outcome.verdict {
            Verdict::Passed => None,
            Verdict::Failed(failures) => {
                let place = failures.first().and_then(|failure| failure.place);
                Some(trace.lines.iter().position(|line| Some(line.place) == place))
            }
            Verdict::LimitReached { .. } | Verdict::Broken(_) => Some(None),
        };
        if let Some(line) = failed {
            return Some(owner(line.unwrap_or(outcome.lines.saturating_sub(1))));
        }
        let board = machine.board();
        let said = board.console_lines();
        let same = said.iter().zip(&observed.console).take_while(|(is, was)| is.text == was.text);
        let same = same.count();
        if same < said.len().max(observed.console.len()) {
            // Uses the time of the recording, in which the stretches were observed.
            let at = observed.console.get(same).map(|line| line.at);
            let screens = observed.screens.iter().enumerate().rev();
            let mut begun = screens.filter_map(|(nth, screens)| Some((nth, screens.first()?.at)));
            let stretch = begun.find(|(_, first)| at.is_some_and(|at| *first <= at));
            return Some(match (at, stretch) {
                (Some(_), Some((nth, _))) => (nth + 1).min(observed.screens.len() - 1),
                (Some(_), None) => 0,
                (None, _) => observed.screens.len().saturating_sub(1),
            });
        }
        let last = FrameHash::of(&board.frame_at(outcome.ended_at));
        (last != observed.last).then(|| owner(owners.len()))
    }
}

impl Goldens for ScreenJudge<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        if self.frames.get(&expected.name) == Some(&FrameHash::of(actual)) {
            Ok(())
        } else {
            Err(format!("{} is another", expected.name).into())
        }
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}

/// Folder into which golden frames are written.
#[derive(Clone, Copy)]
pub(super) struct GoldenFolder<'a> {
    pub path: &'a Path,
    /// Whether existing files are replaced.
    pub force: bool,
}

/// Replays `trace` and writes each of its golden frames into `folder`. Returns their number.
pub(super) fn write_goldens(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    folder: GoldenFolder<'_>,
) -> Result<usize, TidyError> {
    let mut writer = GoldenWriter { folder, written: BTreeSet::new(), failed: None };
    replay(trace, machine, reader, &mut writer);
    match writer.failed {
        Some(error) => Err(error.into()),
        None => Ok(writer.written.len()),
    }
}

struct GoldenWriter<'a> {
    folder: GoldenFolder<'a>,
    written: BTreeSet<String>,
    failed: Option<OutputError>,
}

impl Goldens for GoldenWriter<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        if self.written.insert(expected.name.clone()) {
            let golden = Output::golden(self.folder.path.join(format!("{}.png", expected.name)));
            let golden = golden.replace(self.folder.force);
            if let Err(error) = golden.write(&encode_png(actual)) {
                self.failed.get_or_insert(error);
            }
        }
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}
