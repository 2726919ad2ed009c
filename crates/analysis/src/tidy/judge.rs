//! Whether a tidied trace does what was recorded; and its golden frames, once it does.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use hal_mock::golden::chain::FrameHash;
use hal_mock::golden::{self, PngError};
use hal_mock::replay::{self, Goldens, Options, Verdict};
use hal_mock::text::Reader;
use hal_mock::trace::{FrameCheck, Trace};
use hal_mock::{Frame, Machine};

use super::error::TidyError;
use super::observe::Observed;

/// Options of every replay here: what the recording broke of the datasheet's rules stands there.
const OPTIONS: Options = Options { allow_violations: true, limit: replay::LIMIT, until: None };

/// Compares frames with what was seen in the recording.
pub(super) struct Judge<'a> {
    frames: &'a HashMap<String, FrameHash>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(frames: &'a HashMap<String, FrameHash>) -> Self {
        Self { frames }
    }

    /// The first stretch in which `trace`, whose lines belong to `owners`, shows or says
    /// something else than what was observed.
    pub(super) fn first_difference(
        &mut self,
        trace: &Trace,
        owners: &[usize],
        machine: &mut dyn Machine,
        reader: &Reader,
        observed: &Observed,
    ) -> Option<usize> {
        let outcome = replay::replay(trace, machine, reader, self, &OPTIONS);
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
            // In the recording's time, whose stretches begin where they began.
            let at = observed.console.get(same).map(|line| line.at);
            let shots = observed.shots.iter().enumerate().rev();
            let mut begun = shots.filter_map(|(nth, shots)| Some((nth, shots.first()?.at)));
            let stretch = begun.find(|(_, first)| at.is_some_and(|at| *first <= at));
            return Some(match (at, stretch) {
                (Some(_), Some((nth, _))) => (nth + 1).min(observed.shots.len() - 1),
                (Some(_), None) => 0,
                (None, _) => observed.shots.len().saturating_sub(1),
            });
        }
        let last = FrameHash::of(&board.frame_at(outcome.ended_at));
        (last != observed.last).then(|| owner(owners.len()))
    }
}

impl Goldens for Judge<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String> {
        if self.frames.get(&expected.name) == Some(&FrameHash::of(actual)) {
            Ok(())
        } else {
            Err(format!("{} is another", expected.name))
        }
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), String> {
        Ok(())
    }
}

/// Replays `trace` and writes each of its golden frames into `folder`, over what is there; how
/// many there are.
pub(super) fn write_goldens(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    folder: &Path,
) -> Result<usize, TidyError> {
    fs::create_dir_all(folder)
        .map_err(|source| TidyError::Folder { path: folder.to_owned(), source })?;
    let mut writer = Writer { folder, written: BTreeSet::new(), failed: None };
    replay::replay(trace, machine, reader, &mut writer, &OPTIONS);
    match writer.failed {
        Some(error) => Err(error.into()),
        None => Ok(writer.written.len()),
    }
}

struct Writer<'a> {
    folder: &'a Path,
    written: BTreeSet<String>,
    failed: Option<PngError>,
}

impl Goldens for Writer<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String> {
        if self.written.insert(expected.name.clone()) {
            let path = self.folder.join(format!("{}.png", expected.name));
            if let Err(error) = golden::write_png(&path, actual) {
                self.failed.get_or_insert(error);
            }
        }
        Ok(())
    }

    fn screenshot(&mut self, _name: &str, _frame: &Frame) -> Result<(), String> {
        Ok(())
    }
}
