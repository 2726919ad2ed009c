//! Makes a maintainable trace of a recording.
//!
//! [`tidy`] replays the recording and records the screen whenever it has settled (`observe`), and
//! the console lines. From these it writes a trace with taps, round relative times, comments and
//! expectations ([`trace::tidy`]), including expectations of tones and console lines (`proposals`)
//! and of the duration of messages (`lasting`), and replays it (`judge`). Golden frames are named
//! by the words on them (`names`); the firmware's [`ConsoleWords`], if there are any, make comments.
//! Where a screen or a console line differs from the recording, times are rounded less,
//! until nothing differs. The trace is written completely or not at all.
//!
//! This crate knows no board, no firmware and no window; a session of the window is tidied from its
//! recording.

mod error;
mod judge;
mod kept;
mod lasting;
mod names;
mod observe;
mod proposals;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hal_mock::{
    Machine,
    replay::{Unjudged, Verdict},
    setup::MachineFactory,
};
use host::output_files::{Output, goldens_of};
use insight::{ConsoleComments, ConsoleWords};
use reading::{golden::chain::FrameHash, text::Reader};
use trace::{
    Action, Trace, counted,
    tidy::{NewScreen, RecordedLine, UNITS, recorded_lines, write},
};
use virtual_time::{Instant, spoken};

pub use error::TidyError;
use judge::{GoldenFolder, ScreenJudge};
use kept::EndComments;
use names::{new_text, slug};
use observe::{Observation, SettledScreen};
use proposals::Proposals;

/// Number of refinements after which every time of the trace is made exact.
const REFINEMENTS_MAX: usize = 64;

/// Summary of a tidied trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TidySummary {
    /// Number of lines that press a button or switch the power.
    pub movements: usize,
    /// Number of settled screens.
    pub settled: usize,
    /// Number of golden frames that were written.
    pub goldens: usize,
    /// Messages for the user.
    pub notes: Vec<String>,
}

/// Prints `34 movements, 35 settled screens, 20 golden frames`.
impl fmt::Display for TidySummary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { movements, settled, goldens, .. } = self;
        write!(out, "{movements} movements, {settled} settled screens, {goldens} golden frames")
    }
}

/// Tidies `recording` and writes the result to `output`. Existing files are replaced only if
/// `force` is set. With `expect` the result expects the screens of the recording; their golden
/// frames are written into the folder beside it. `words` are those of the firmware that was recorded.
///
/// # Errors
/// If the recording does not replay, or something cannot be written. `output` is then unchanged;
/// golden frames may have been written.
pub fn tidy(
    recording: &Trace,
    output: &Path,
    force: bool,
    expect: bool,
    boards: MachineFactory<'_>,
    words: Option<&dyn ConsoleWords>,
    reader: &Reader,
) -> Result<TidySummary, TidyError> {
    let name = output.file_name().and_then(|name| name.to_str());
    if name.is_none_or(|name| !name.ends_with(".trace")) {
        return Err(TidyError::NoTraceName(output.to_owned()));
    }
    if let (Some(flash), Some(folder)) = (recording.get("flash"), &recording.folder)
        && !same_folder(folder, output)
    {
        let (file, folder) = (flash.value.clone(), folder.clone());
        return Err(TidyError::FlashElsewhere { file, folder });
    }
    if let Some(line) = recording.lines.iter().find(|line| matches!(line.action, Action::Fault(_)))
    {
        return Err(TidyError::Fault { line: line.place.line, action: line.action.clone() });
    }
    // Opened before the replays, which may take minutes.
    let mut file = Output::trace(output).replace(force).create()?;
    let tidying = Tidying { recording, boards, words, reader };
    let tidied = tidying.tidy()?;
    let goldens = goldens_of(output)?;
    let goldens = expect.then_some(GoldenFolder { path: &goldens, force });
    let (text, goldens) = tidying.finish(&tidied, goldens)?;
    file.fill(text.as_bytes())?;
    file.commit()?;
    let mut notes = Vec::new();
    let dropped = recording.lines.iter().filter(|line| line.action.is_expectation()).count();
    if dropped > 0 {
        notes.push(format!("left out of the recording: {}", counted(dropped, "expectation")));
    }
    let exact: Vec<&RecordedLine> =
        tidied.stretches.iter().filter(|stretch| stretch.unit + 1 == UNITS.len()).collect();
    if let Some(first) = exact.first() {
        notes.push(format!(
            "{} of {} times had to stay exact, the first at {}: any rounding changes what is seen",
            exact.len(),
            tidied.stretches.len(),
            spoken(first.at.since_start())
        ));
    }
    let settled = tidied.stretches.iter().map(|stretch| stretch.screens.len()).sum();
    Ok(TidySummary { movements: tidied.stretches.len(), settled, goldens, notes })
}

/// A tidied recording.
struct Tidied {
    stretches: Vec<RecordedLine>,
    end: Instant,
    /// Hash of the frame for each golden.
    frames: HashMap<String, FrameHash>,
    /// Comments at the end of the recording.
    comments: EndComments,
}

/// The recording and the means to replay it.
struct Tidying<'a> {
    recording: &'a Trace,
    boards: MachineFactory<'a>,
    words: Option<&'a dyn ConsoleWords>,
    reader: &'a Reader,
}

impl Tidying<'_> {
    fn machine(&self) -> Result<Box<dyn Machine>, TidyError> {
        Ok((self.boards)(self.recording)?)
    }

    /// Returns the trace with the roundest times that replays to the same screens and console
    /// lines.
    fn tidy(&self) -> Result<Tidied, TidyError> {
        let recorded = observe::movements(self.recording, &mut *self.machine()?, self.reader)?;
        let (movements, end) = (&recorded.movements, recorded.end);
        let mut stretches = recorded_lines(movements);
        let observed =
            observe::watch(movements, &stretches, end, &mut *self.machine()?, self.reader)?;
        let mut frames = HashMap::new();
        let words = self.words.map(ConsoleWords::comments);
        annotate(&mut stretches, &observed, words, &mut frames);
        let comments = kept::keep(self.recording, &recorded, &mut stretches);
        let mut tidied = Tidied { stretches, end, frames, comments };
        self.measure_messages(&mut tidied, &observed)?;
        for _ in 0..REFINEMENTS_MAX {
            let Some(wrong) = self.first_difference(&tidied, &observed)? else { return Ok(tidied) };
            refine(&mut tidied.stretches, wrong);
        }
        set_unit(&mut tidied.stretches, UNITS.len() - 1);
        match self.first_difference(&tidied, &observed)? {
            None => Ok(tidied),
            Some(wrong) => {
                let RecordedLine { action, at, .. } = &tidied.stretches[wrong];
                Err(TidyError::NotRepeatable { action: action.clone(), at: *at })
            }
        }
    }

    /// Adds expectations of the durations of messages.
    fn measure_messages(
        &self,
        tidied: &mut Tidied,
        observed: &Observation,
    ) -> Result<(), TidyError> {
        lasting::candidates(&mut tidied.stretches, &observed.screens);
        // Uses the recorded times, because a message may end at a release.
        set_unit(&mut tidied.stretches, UNITS.len() - 1);
        let (trace, _) = self.written(tidied, true)?;
        set_unit(&mut tidied.stretches, 0);
        let outcome = judge::replay(&trace, &mut *self.machine()?, self.reader, &mut Unjudged);
        let failures = match &outcome.verdict {
            Verdict::Failed(failures) => failures.as_slice(),
            Verdict::Passed | Verdict::LimitReached { .. } | Verdict::Broken(_) => &[],
        };
        lasting::measured(&mut tidied.stretches, &trace, failures);
        Ok(())
    }

    /// Returns the first stretch in which the trace differs from the recording, if there is one.
    fn first_difference(
        &self,
        tidied: &Tidied,
        observed: &Observation,
    ) -> Result<Option<usize>, TidyError> {
        let (trace, owners) = self.written(tidied, true)?;
        let mut judge = ScreenJudge::new(&tidied.frames);
        Ok(judge.first_difference(&trace, &owners, &mut *self.machine()?, self.reader, observed))
    }

    /// Returns the trace after writing and parsing it.
    fn written(&self, tidied: &Tidied, expect: bool) -> Result<(Trace, Vec<usize>), TidyError> {
        let header = &self.recording.header;
        let (trace, owners) = write(header, &tidied.stretches, tidied.end, expect);
        let mut trace = trace::parse_written("the tidied trace", &trace.to_string(), &trace)?;
        trace.folder.clone_from(&self.recording.folder);
        Ok((trace, owners))
    }

    /// Returns the text of the trace and the number of golden frames. If a folder for goldens is
    /// given, the trace expects its screens, and the goldens are written.
    fn finish(
        &self,
        tidied: &Tidied,
        goldens: Option<GoldenFolder<'_>>,
    ) -> Result<(String, usize), TidyError> {
        let (mut trace, _) = self.written(tidied, goldens.is_some())?;
        trace.above.clone_from(&self.recording.above);
        trace.comment.clone_from(&self.recording.comment);
        if let Some(end) = trace.lines.last_mut() {
            end.above.clone_from(&tidied.comments.above);
            end.comment.clone_from(&tidied.comments.behind);
        }
        trace.closing.clone_from(&tidied.comments.closing);
        let Some(folder) = goldens else { return Ok((trace.to_string(), 0)) };
        let goldens = judge::write_goldens(&trace, &mut *self.machine()?, self.reader, folder)?;
        Ok((trace.to_string(), goldens))
    }
}

/// Sets the same rounding for all times.
fn set_unit(stretches: &mut [RecordedLine], unit: usize) {
    for stretch in stretches {
        stretch.unit = unit;
    }
}

/// Reduces the rounding in the stretch that differs, or in the last one before it whose times are
/// not exact yet.
fn refine(stretches: &mut [RecordedLine], wrong: usize) {
    let rough = |stretch: &&mut RecordedLine| stretch.unit + 1 < UNITS.len();
    if let Some(stretch) = stretches[..=wrong].iter_mut().rev().find(rough) {
        stretch.unit += 1;
    }
}

/// Adds the observed screens to the stretches, and the console lines in these `words`, and the
/// names of the screens to `frames`.
fn annotate(
    stretches: &mut [RecordedLine],
    observed: &Observation,
    mut words: Option<Box<dyn ConsoleComments>>,
    frames: &mut HashMap<String, FrameHash>,
) {
    let mut proposals = Proposals::default();
    let mut input_at = Instant::START;
    let mut lines = observed.console.iter().peekable();
    let mut names: HashMap<FrameHash, String> = HashMap::new();
    let mut before: Option<&SettledScreen> = None;
    let next_at: Vec<Instant> =
        stretches.iter().skip(1).map(|stretch| stretch.at).chain([Instant::NEVER]).collect();
    for ((stretch, screens), next) in stretches.iter_mut().zip(&observed.screens).zip(next_at) {
        if stretch.action.is_input() {
            input_at = stretch.at;
        }
        for screen in screens {
            let mut heard = Vec::new();
            while let Some(line) = lines.next_if(|line| line.at <= screen.at) {
                heard.push(line);
            }
            let SettledScreen { at, backlit, .. } = *screen;
            let also = proposals.for_screen(at, input_at, &heard, &observed.tones, backlit);
            let (mut comments, mut messages) = (Vec::new(), Vec::new());
            if let Some(words) = &mut words {
                comments.extend(heard.iter().filter_map(|line| words.comment(&line.text)));
                messages.extend(heard.iter().filter_map(|line| words.message(&line.text)));
            }
            let text = new_text(&screen.text, before.map(|screen| &screen.text), &messages);
            let known = names.len();
            let frame = names.entry(screen.hash).or_insert_with(|| {
                let slug = slug(text.as_deref().unwrap_or("screen"));
                format!("{:02}-{slug}", known + 1)
            });
            frames.insert(frame.clone(), screen.hash);
            let frame = Some(frame.clone());
            let first = stretch.screens.is_empty();
            let above = if first { Vec::new() } else { comments.clone() };
            stretch.screens.push(NewScreen { at, above, comment: None, text, also, frame });
            if first {
                stretch.above.extend(comments);
            }
            before = Some(screen);
        }
        // Comments from console lines after the last settled screen.
        while let Some(line) = lines.next_if(|line| line.at < next) {
            let comment = words.as_mut().and_then(|words| words.comment(&line.text));
            stretch.above.extend(comment);
        }
    }
}

/// Returns whether `output` is in `folder`.
fn same_folder(folder: &Path, output: &Path) -> bool {
    let real = |path: &Path| -> io::Result<PathBuf> {
        fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { path })
    };
    let parent = output.parent().unwrap_or(Path::new(""));
    matches!((real(folder), real(parent)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use trace::Action;

    use super::*;

    #[test]
    fn rounding_is_refined_at_or_before_the_difference() {
        let stretch = |unit| RecordedLine {
            at: Instant::START,
            action: Action::PowerOn,
            above: Vec::new(),
            comment: None,
            screens: Vec::new(),
            unit,
        };
        let mut stretches = [stretch(0), stretch(3), stretch(4), stretch(0)];
        refine(&mut stretches, 2);
        refine(&mut stretches, 2);
        refine(&mut stretches, 3);
        assert_eq!(stretches.map(|stretch| stretch.unit), [1, 4, 4, 1]);
    }
}
