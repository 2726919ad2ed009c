//! Record once, get a test: a recording becomes a trace that a person would want to keep.
//!
//! [`keep`] replays what was recorded and notes what the LCD shows whenever it has settled
//! (`observe`), and what the console says of the moves (`words`). Of that it writes a trace with
//! taps, round relative times, comments and expectations ([`hal_mock::trace::tidy`]), and replays
//! it (`judge`): where the screens or the console are not the recording's to the last pixel and
//! letter, times are rounded less, until they are. The trace is written beside its place and
//! moved there when it is whole.
//!
//! It knows no window; a session in one is tidied from the file that it left.

mod error;
mod judge;
mod observe;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hal_mock::golden::chain::FrameHash;
use hal_mock::text::Reader;
use hal_mock::trace::tidy::{Moment, Stretch, UNITS, stretches, write};
use hal_mock::trace::{self, Action, Trace, spoken};
use hal_mock::{Machine, Nanos};
use output_files::Output;

use boards::BoardFactory;
pub use error::TidyError;
use judge::Judge;
use observe::{Observed, Shot};
use words::{Words, slug, telling};

/// How often a trace is mended before every time in it is made exact.
const MENDINGS: usize = 64;

/// What was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Lines that do something.
    pub done: usize,
    /// Settled screens.
    pub settled: usize,
    /// Golden frames that were written.
    pub goldens: usize,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

/// `34 lines that do something, 35 settled screens, 20 golden frames`.
impl fmt::Display for Kept {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { done, settled, goldens, .. } = self;
        write!(out, "{done} movements, {settled} settled screens, {goldens} golden frames")
    }
}

/// Writes `recording` tidied to `output`, over what is there; with `expect` it expects what was
/// seen, and the golden frames go into the folder beside it.
///
/// # Errors
/// If the recording does not replay, or something cannot be written. Then nothing has changed
/// but goldens.
pub fn keep(
    recording: &Trace,
    output: &Path,
    expect: bool,
    maker: &BoardFactory,
    reader: &Reader,
) -> Result<Kept, TidyError> {
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
    let desk = Desk { recording, maker, reader };
    let tidied = desk.tidy()?;
    let (text, goldens) = desk.carry(&tidied, output, expect)?;
    Output::trace(output).replace(true).write(text.as_bytes())?;
    let mut notes = Vec::new();
    let dropped = recording.lines.iter().filter(|line| line.action.is_expectation()).count();
    if dropped > 0 {
        notes.push(format!("{dropped} expectations of the recording are left out"));
    }
    let exact: Vec<&Stretch> =
        tidied.stretches.iter().filter(|stretch| stretch.unit + 1 == UNITS.len()).collect();
    if let Some(first) = exact.first() {
        notes.push(format!(
            "{} of {} times had to stay exact, the first at {}: any rounding changes what is seen",
            exact.len(),
            tidied.stretches.len(),
            spoken(first.at)
        ));
    }
    let settled = tidied.stretches.iter().map(|stretch| stretch.moments.len()).sum();
    Ok(Kept { done: tidied.stretches.len(), settled, goldens, notes })
}

/// A tidied recording.
struct Tidied {
    stretches: Vec<Stretch>,
    end: Nanos,
    /// What each golden shows.
    frames: HashMap<String, FrameHash>,
}

/// What a recording is tidied with.
struct Desk<'a> {
    recording: &'a Trace,
    maker: &'a BoardFactory,
    reader: &'a Reader,
}

impl Desk<'_> {
    fn machine(&self) -> Result<Box<dyn Machine>, TidyError> {
        Ok(self.maker.build(self.recording, None)?)
    }

    /// The roughest trace that replays to the same.
    fn tidy(&self) -> Result<Tidied, TidyError> {
        let (movements, end) =
            observe::movements(self.recording, &mut *self.machine()?, self.reader)?;
        let mut stretches = stretches(&movements);
        let observed =
            observe::watch(&movements, &stretches, end, &mut *self.machine()?, self.reader)?;
        let mut frames = HashMap::new();
        tell(&mut stretches, &observed, &mut frames);
        let mut tidied = Tidied { stretches, end, frames };
        for _ in 0..MENDINGS {
            let Some(wrong) = self.differs(&tidied, &observed)? else { return Ok(tidied) };
            mend(&mut tidied.stretches, wrong);
        }
        for stretch in &mut tidied.stretches {
            stretch.unit = UNITS.len() - 1;
        }
        match self.differs(&tidied, &observed)? {
            None => Ok(tidied),
            Some(wrong) => {
                let Stretch { action, at, .. } = &tidied.stretches[wrong];
                Err(TidyError::NotRepeatable { action: action.clone(), at: *at })
            }
        }
    }

    /// The first stretch in which the trace does not do what was recorded, if there is one.
    fn differs(&self, tidied: &Tidied, observed: &Observed) -> Result<Option<usize>, TidyError> {
        let (trace, owners) = self.written(tidied, true)?;
        let mut judge = Judge::new(&tidied.frames);
        Ok(judge.first_difference(&trace, &owners, &mut *self.machine()?, self.reader, observed))
    }

    /// The trace as it is read back.
    fn written(&self, tidied: &Tidied, expect: bool) -> Result<(Trace, Vec<usize>), TidyError> {
        let header = &self.recording.header;
        let (trace, owners) = write(header, &tidied.stretches, tidied.end, expect);
        let mut trace = trace::parse("the tidied trace", &trace.to_string())?;
        trace.folder.clone_from(&self.recording.folder);
        Ok((trace, owners))
    }

    /// The text of the trace; its goldens are written.
    fn carry(
        &self,
        tidied: &Tidied,
        output: &Path,
        expect: bool,
    ) -> Result<(String, usize), TidyError> {
        let (mut trace, _) = self.written(tidied, expect)?;
        trace.above.clone_from(&self.recording.above);
        if !expect {
            return Ok((trace.to_string(), 0));
        }
        let folder = output.with_extension("");
        let goldens = judge::write_goldens(&trace, &mut *self.machine()?, self.reader, &folder)?;
        Ok((trace.to_string(), goldens))
    }
}

/// Rounds less where it shows: in the stretch that is another, or in the last one before it
/// whose times are not exact yet.
fn mend(stretches: &mut [Stretch], wrong: usize) {
    let rough = |stretch: &&mut Stretch| stretch.unit + 1 < UNITS.len();
    if let Some(stretch) = stretches[..=wrong].iter_mut().rev().find(rough) {
        stretch.unit += 1;
    }
}

/// Puts what was seen and said into the stretches; `frames` gets the names of what was seen.
fn tell(stretches: &mut [Stretch], observed: &Observed, frames: &mut HashMap<String, FrameHash>) {
    let mut words = Words::default();
    let mut lines = observed.console.iter().peekable();
    let mut names: HashMap<FrameHash, String> = HashMap::new();
    let mut before: Option<&Shot> = None;
    let next_at: Vec<Nanos> =
        stretches.iter().skip(1).map(|stretch| stretch.at).chain([Nanos::MAX]).collect();
    for ((stretch, shots), next) in stretches.iter_mut().zip(&observed.shots).zip(next_at) {
        for shot in shots {
            let mut said = Vec::new();
            while let Some(line) = lines.next_if(|line| line.at <= shot.at) {
                said.push(line.text.as_str());
            }
            let comments: Vec<String> =
                said.iter().filter_map(|line| words.comment(line)).collect();
            let text = telling(&shot.text, before.map(|shot| &shot.text), &said);
            let known = names.len();
            let frame = names.entry(shot.hash).or_insert_with(|| {
                let slug = slug(text.as_deref().unwrap_or("screen"));
                format!("{:02}-{slug}", known + 1)
            });
            frames.insert(frame.clone(), shot.hash);
            let frame = Some(frame.clone());
            let first = stretch.moments.is_empty();
            let above = if first { Vec::new() } else { comments.clone() };
            stretch.moments.push(Moment { at: shot.at, above, text, frame });
            if first {
                stretch.above.extend(comments);
            }
            before = Some(shot);
        }
        // What was said when nothing settled any more.
        while let Some(line) = lines.next_if(|line| line.at < next) {
            stretch.above.extend(words.comment(&line.text));
        }
    }
}

/// Whether `output` lies in `folder`.
fn same_folder(folder: &Path, output: &Path) -> bool {
    let real = |path: &Path| -> io::Result<PathBuf> {
        fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { path })
    };
    let parent = output.parent().unwrap_or(Path::new(""));
    matches!((real(folder), real(parent)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use hal_mock::trace::Action;

    use super::*;

    #[test]
    fn rounding_is_mended_where_it_shows_or_else_before_it() {
        let stretch = |unit| Stretch {
            at: Nanos::ZERO,
            action: Action::PowerOn,
            above: Vec::new(),
            moments: Vec::new(),
            unit,
        };
        let mut stretches = [stretch(0), stretch(3), stretch(4), stretch(0)];
        mend(&mut stretches, 2);
        mend(&mut stretches, 2);
        mend(&mut stretches, 3);
        assert_eq!(stretches.map(|stretch| stretch.unit), [1, 4, 4, 1]);
    }
}
