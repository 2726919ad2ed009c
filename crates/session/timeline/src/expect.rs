//! Writes an expectation into the text of a trace, at a time that the user chooses, as a person
//! would write it; and replays the trace to check that the expectation holds and that no other
//! line moves.

use hal_mock::replay::TONE_GRACE;
use ili9341_model::Region;
use thiserror::Error;
use trace::{Action, FrameCheck, Line, RegionText, Trace, When, format, is_name};
use virtual_time::{Instant, Nanos};

use crate::files::Files;
use crate::recording::{LineRun, LineVerdict, Recording, open};
use crate::session::Session;

/// An expectation to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A text on the panel or in a part of it.
    Text(RegionText),
    /// The golden of this name, of the panel or a part of it. The golden need not exist yet.
    Region {
        name: String,
        /// Part of the panel; `None` for all of it.
        region: Option<Region>,
    },
    /// The screen settles.
    Settled,
    /// The tone that sounds, or silence.
    Tone,
}

/// An expectation in the text of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    pub text: String,
    /// Number of the expectation's line, from 1.
    pub line: usize,
}

/// Reason why an expectation is not written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpectError {
    /// No golden can have this name.
    #[error("`{0}` is no name of a golden")]
    Name(String),
    /// The trace's text does not parse any more.
    #[error("the trace cannot be replayed: {0}")]
    Trace(String),
    /// The time is in the middle of an included file.
    #[error("at that time the trace is in the middle of a file that it includes")]
    Included,
    /// The expectation does not hold at that time.
    #[error("it does not hold then: {0}")]
    Fails(String),
    /// Later lines would come at other times.
    #[error("the lines after it would come at other times; choose a time after a line that waits")]
    Moves,
}

/// Time for which a written `settle` waits.
const SETTLE_WITHIN: Nanos = Nanos::from_secs(5);
const MILLISECOND: u64 = 1_000_000;

/// Returns the text of `session`'s trace with `wanted` at `at`.
///
/// # Errors
/// If the expectation cannot be there, or does not hold.
pub fn expect(
    session: &Session,
    files: &Files,
    at: Instant,
    wanted: &Wanted,
) -> Result<Inserted, ExpectError> {
    if let Wanted::Region { name, .. } = wanted
        && !is_name(name)
    {
        return Err(ExpectError::Name(name.clone()));
    }
    let name = session.recording().map_or("live.trace", |recording| &recording.opened.name);
    let text = session.save(files);
    let before = Place::find(replayed(session, files, name, &text)?, at)?;
    let action = before.action(session, at, wanted);
    let offset = match wanted {
        Wanted::Settled => Nanos::ZERO,
        _ => at.saturating_since(before.clock),
    };
    // A person writes whole milliseconds. If the expectation does not hold then, the exact time
    // is written.
    let rounded = Nanos(offset.0.next_multiple_of(MILLISECOND));
    let mut last = ExpectError::Moves;
    for offset in [rounded, offset] {
        match before.with(session, files, &Line::new(When::After(offset), action.clone())) {
            Ok(inserted) => return Ok(inserted),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn replayed(
    session: &Session,
    files: &Files,
    name: &str,
    text: &str,
) -> Result<Session, ExpectError> {
    let parts = session.board().parts();
    let opened = open(name, text, files, Some(&parts))
        .map_err(|errors| ExpectError::Trace(errors.to_string()))?;
    Session::replay(session.setup(), opened, files)
        .map_err(|error| ExpectError::Trace(error.to_string()))
}

/// Place of a new line in a trace.
struct Place {
    replayed: Session,
    /// Number of timed lines before it.
    lines: usize,
    /// Number of lines of the text before it.
    rows: usize,
    /// Time at which the line above was over.
    clock: Instant,
}

impl Place {
    fn find(replayed: Session, at: Instant) -> Result<Self, ExpectError> {
        let Some(recording) = replayed.recording().cloned() else {
            return Err(ExpectError::Trace("it is none".to_owned()));
        };
        let over = |run: &&LineRun| run.over.is_some_and(|over| over <= at);
        let lines = recording.lines.iter().take_while(over).count();
        let runs = &recording.lines[..lines];
        let clock = runs.last().and_then(|run| run.over).unwrap_or_default();
        let trace = recording.trace();
        let row = |index: usize| trace.lines.get(index).map(|line| line.place.line);
        let above = lines.checked_sub(1).and_then(row);
        let below = row(lines);
        if above.is_some() && above == below {
            return Err(ExpectError::Included);
        }
        let rows = above.or(below.map(|below| below - 1)).unwrap_or_default() as usize;
        Ok(Self { replayed, lines, rows, clock })
    }

    fn recording(&self) -> Option<&Recording> {
        self.replayed.recording().map(|recording| &**recording)
    }

    fn action(&self, session: &Session, at: Instant, wanted: &Wanted) -> Action {
        match wanted {
            Wanted::Text(text) => Action::ExpectText(text.clone().into()),
            Wanted::Region { name, region } => Action::ExpectFrame(FrameCheck {
                region: *region,
                ..FrameCheck::from(name.as_str())
            }),
            Wanted::Settled => Action::Settle { display: None, within: SETTLE_WITHIN },
            Wanted::Tone => {
                let tones = &session.history().tones;
                let by_then = tones.partition_point(|tone| tone.at <= at);
                let sounded =
                    tones.range(..by_then).rev().take(2).find_map(|tone| Some((tone.at, tone.hz?)));
                let last = tones.range(..by_then).next_back();
                let ended = last.filter(|last| last.hz.is_none()).map(|last| last.at);
                match sounded {
                    Some((_, hertz))
                        if ended.is_none_or(|ended| ended.saturating_add(TONE_GRACE) >= at) =>
                    {
                        Action::ExpectTone { hertz, lasted: None }
                    }
                    _ => Action::ExpectNoTone { silent_for: None },
                }
            }
        }
    }

    /// Returns the text with `line` here. The next line stays at its time.
    fn with(&self, session: &Session, files: &Files, line: &Line) -> Result<Inserted, ExpectError> {
        let Some(recording) = self.recording() else { return Err(ExpectError::Moves) };
        let (name, text) = (&recording.opened.name, &recording.opened.text);
        let rows: Vec<&str> = text.lines().collect();
        let mut head: String = rows.iter().take(self.rows).map(|row| format!("{row}\n")).collect();
        head += &format!("{line}\n");
        // Time at which the line is over; the lines below are not in the text yet.
        let alone = replayed(session, files, name, &head)?;
        let alone =
            alone.recording().and_then(|recording| recording.lines.get(self.lines).cloned());
        let Some(run) = alone else { return Err(ExpectError::Moves) };
        let Some(over) = run.over.filter(|_| run.verdict != Some(LineVerdict::Failed)) else {
            return Err(ExpectError::Fails(run.message.unwrap_or_default()));
        };
        let below = recording.trace().lines.get(self.lines);
        let mut tail: Vec<String> =
            rows.iter().skip(self.rows).map(|row| (*row).to_owned()).collect();
        if let Some(below) = below.filter(|below| matches!(below.when, When::After(_))) {
            if below.included.is_some() {
                return Err(ExpectError::Included);
            }
            let came = time_of(recording.trace(), &recording.lines, self.lines, self.clock);
            let row = (below.place.line as usize).checked_sub(1 + self.rows);
            let Some(row) = row.and_then(|row| tail.get_mut(row)) else {
                return Err(ExpectError::Moves);
            };
            let time = When::After(came.saturating_since(over)).to_string();
            let old = row.split_whitespace().next().unwrap_or_default().to_owned();
            *row = row.replacen(&old, &time, 1);
        }
        let tail: String = tail.iter().map(|row| format!("{row}\n")).collect();
        let text = head + &tail;
        let text = format(name, text.as_bytes(), &mut files.clone())
            .map_err(|errors| ExpectError::Trace(errors.to_string()))?;
        self.check(session, files, &text)
    }

    /// Returns whether the other lines of `text` keep their times and verdicts.
    fn check(&self, session: &Session, files: &Files, text: &str) -> Result<Inserted, ExpectError> {
        let Some(before) = self.recording() else { return Err(ExpectError::Moves) };
        let after = replayed(session, files, &before.opened.name, text)?;
        let Some(after) = after.recording() else { return Err(ExpectError::Moves) };
        let Some(own) = after.trace().lines.get(self.lines) else { return Err(ExpectError::Moves) };
        let mut others = after.lines.clone();
        if self.lines < others.len() {
            others.remove(self.lines);
        }
        let alike = |(one, other): (&LineRun, &LineRun)| {
            // A waiting line may begin to wait later.
            one.over == other.over && one.verdict == other.verdict
        };
        let same =
            others.len() == before.lines.len() && others.iter().zip(&before.lines).all(alike);
        if !same || after.outcome.ended_at != before.outcome.ended_at {
            return Err(ExpectError::Moves);
        }
        Ok(Inserted { text: text.to_owned(), line: own.place.line as usize })
    }
}

/// Returns the time of the line, or the time that it would have had if it had been executed.
fn time_of(trace: &Trace, runs: &[LineRun], line: usize, clock: Instant) -> Instant {
    match (runs.get(line), trace.lines.get(line).map(|line| line.when)) {
        (Some(run), _) => run.at,
        (None, Some(When::After(span))) => clock.saturating_add(span),
        (None, Some(When::At(at))) => at,
        (None, None) => clock,
    }
}
