//! `nudge replay --perfetto`: the timeline of a replay for Perfetto's viewer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use captures::perfetto::{LineKind, TimelineCounts, TimelineFrame, TimelineLine, TimelineRecorder};
use hal_mock::{
    VirtualBoard,
    replay::{Failure, Verdict},
};
use host::{
    Exit,
    output_files::{Output, OutputError, OutputFile},
};
use runner::observe::{ReplayEnd, ReplayObserver, ReplayStart};
use trace::{Action, Line, When, counted};
use virtual_time::Instant;

use crate::refusal::{Refusal, usage};

/// The file of the timeline, and its content after the replay.
pub struct TimelineFile {
    path: PathBuf,
    file: OutputFile,
    written: Mutex<Option<Result<TimelineCounts, Refusal>>>,
}

impl TimelineFile {
    /// Opens the file; an existing file is replaced only if `force` is set.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, force: bool) -> Result<Self, OutputError> {
        let file = Output::new(path).replace(force).create()?;
        Ok(Self { path: path.to_owned(), file, written: Mutex::new(None) })
    }

    /// Returns an observer that records a replay into the file.
    pub fn observer(&self, start: &ReplayStart<'_>) -> Box<dyn ReplayObserver + '_> {
        Box::new(TimelineObserver {
            file: self,
            recorder: Some(TimelineRecorder::attach(start.board)),
            bytes: 0,
            frames: Vec::new(),
            line_ended: Instant::START,
            lines: Vec::new(),
        })
    }

    /// Completes the file; returns `None` if no replay ended.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn finish(self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Option<Exit>> {
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(written) = written else { return Ok(None) };
        let written = written.and_then(|counts| {
            self.file.commit().map_err(usage)?;
            Ok(counts)
        });
        match written {
            Ok(TimelineCounts { lines, frames, left_out }) => {
                if left_out > 0 {
                    writeln!(
                        out,
                        "note: {left_out} events were left out of the timeline: it is full"
                    )?;
                }
                let path = self.path.display();
                writeln!(
                    out,
                    "wrote {path}, {} and {}",
                    counted(lines, "line"),
                    counted(frames, "frame")
                )?;
                Ok(Some(Exit::Passed))
            }
            Err((exit, messages)) => {
                for message in messages {
                    writeln!(err, "nudge: {message}")?;
                }
                Ok(Some(exit))
            }
        }
    }
}

struct TimelineObserver<'a> {
    file: &'a TimelineFile,
    /// `None` after the replay.
    recorder: Option<TimelineRecorder>,
    /// Number of bytes on the bus up to the last frame, since power-on.
    bytes: u64,
    frames: Vec<TimelineFrame>,
    /// End of the last line.
    line_ended: Instant,
    /// The executed lines, with the start and the end of each.
    lines: Vec<(Line, Instant, Instant)>,
}

impl ReplayObserver for TimelineObserver<'_> {
    fn frame_complete(&mut self, _: Instant, board: &VirtualBoard) {
        let total = board.bus().bytes;
        // The count restarts at power-on.
        let bytes = total.checked_sub(self.bytes).unwrap_or(total);
        self.bytes = total;
        let now = board.now();
        // No frame is visible if the power was cut during the frame.
        if let Some((first, last)) = board.frame_span_at(now) {
            self.frames.push(TimelineFrame {
                number: board.frame_count_at(now),
                first,
                last,
                bytes,
            });
        }
    }

    fn line_ended(&mut self, line: &Line, over: Instant, _: &VirtualBoard) {
        let at = match line.when {
            When::At(at) => at,
            When::After(span) => self.line_ended.saturating_add(span),
        };
        self.line_ended = over;
        self.lines.push((line.clone(), at.min(over), over));
    }

    fn ended(&mut self, end: &ReplayEnd<'_>) {
        let Some(recorder) = self.recorder.take() else { return };
        let failures: Vec<&Failure> = end
            .outcome
            .iter()
            .flat_map(|outcome| {
                let failed: &[Failure] = match &outcome.verdict {
                    Verdict::Failed(failures) => failures,
                    _ => &[],
                };
                outcome.failed_before.iter().chain(failed)
            })
            .collect();
        let failure_of = |line: &Line| {
            failures
                .iter()
                .find(|failure| {
                    failure.place == Some(line.place) && failure.included == line.included
                })
                .map(|failure| failure.cause.to_string())
        };
        let mut lines: Vec<TimelineLine> = self
            .lines
            .iter()
            .map(|(line, at, over)| TimelineLine {
                number: line.place.line,
                text: line.action.to_string(),
                kind: kind(&line.action),
                at: *at,
                over: *over,
                failure: failure_of(line),
            })
            .collect();
        lines.extend(self.stopped(end, &failure_of));
        let name = end.path.to_string_lossy();
        let written = self.file.file.writer().map_err(usage).and_then(|mut out| {
            let counts =
                recorder.finish(end.board, end.ended_at, &name, &lines, &self.frames, &mut out);
            let counts = counts.and_then(|counts| out.flush().map(|()| counts));
            counts.map_err(|error| usage(format!("{}: {error}", self.file.path.display())))
        });
        *self.file.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(written);
    }
}

impl TimelineObserver<'_> {
    /// Records the line that stopped the trace, whose end is not reported.
    fn stopped(
        &self,
        end: &ReplayEnd<'_>,
        failure_of: &dyn Fn(&Line) -> Option<String>,
    ) -> Option<TimelineLine> {
        let place = end.outcome.ok()?.stopped_in?;
        let line = end.trace.lines.get(self.lines.len()).filter(|line| line.place == place)?;
        let at = match line.when {
            When::At(at) => at,
            When::After(span) => self.line_ended.saturating_add(span),
        };
        Some(TimelineLine {
            number: line.place.line,
            text: line.action.to_string(),
            kind: kind(&line.action),
            at: at.min(end.ended_at),
            over: end.ended_at,
            failure: Some(failure_of(line).unwrap_or_else(|| "the trace stopped here".into())),
        })
    }
}

fn kind(action: &Action) -> LineKind {
    match action {
        action if action.is_expectation() => LineKind::Expectation,
        Action::WaitText { .. } | Action::WaitConsole { .. } | Action::Settle { .. } => {
            LineKind::Wait
        }
        Action::Screenshot(_) | Action::End => LineKind::Other,
        _ => LineKind::Input,
    }
}
