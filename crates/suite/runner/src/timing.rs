//! Compares one trace on two boards: the time at which each line ended that waits for the LCD.
//!
//! [`compare`] replays a trace on both boards and records, for each `settle`, `wait`, `expect
//! frame` and `screenshot`, the virtual time at which it ended and the number of frames that were
//! complete by then. [`TimingRecorder`] records the same in a replay that runs anyway. Expectations
//! are judged, but goldens are not compared. [`Timing::write`] writes the table. This module does
//! not know boards: the caller passes machines. `docs/boards.md` explains why times differ.

use std::io::{self, Write};

use hal_mock::{
    Machine, VirtualBoard,
    replay::{ReplayOutcome, ReplaySettings, Unjudged, Verdict, replay_watched},
};
use reading::text::Reader;
use trace::{Action, Line, Place, Trace};
use virtual_time::Instant;

use crate::observe::without_goldens;

/// State of a board at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTiming {
    /// Virtual time since the first power-on.
    pub at: Instant,
    /// Number of complete frames up to that time.
    pub frames: u64,
}

/// A line of the trace on both boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub place: Place,
    /// Text of the line's action, as in the trace.
    pub what: String,
    /// End of the line on each board; `None` on a board that did not reach it.
    pub over: [Option<LineTiming>; 2],
}

/// Comparison of a trace on two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The lines that wait or compare, in order.
    pub rows: Vec<Row>,
    /// Outcome of the replay on each board.
    pub outcomes: [ReplayOutcome; 2],
}

/// Replays `trace` on both machines, which must not have been powered on yet.
pub fn compare(
    trace: &Trace,
    machines: [&mut dyn Machine; 2],
    reader: &Reader,
    options: &ReplaySettings,
) -> Timing {
    Timing::of(trace, machines.map(|machine| BoardTiming::measure(trace, machine, reader, options)))
}

/// Times of a trace on one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardTiming {
    /// Times at which each line that waits or compares ended, in order, as far as the trace ran.
    pub moments: Vec<LineTiming>,
    /// Outcome of the replay; goldens are not compared.
    pub outcome: ReplayOutcome,
}

impl BoardTiming {
    /// Replays `trace` on `machine`, which must not have been powered on yet.
    pub fn measure(
        trace: &Trace,
        machine: &mut dyn Machine,
        reader: &Reader,
        options: &ReplaySettings,
    ) -> Self {
        let mut recorder = TimingRecorder::default();
        let mut over =
            |line: &Line, at: Instant, board: &VirtualBoard| recorder.line_ended(line, at, board);
        let outcome = replay_watched(trace, machine, reader, &mut Unjudged, options, &mut over);
        Self { moments: recorder.moments, outcome }
    }
}

/// Records the time at which each line that waits or compares ended in a replay.
#[derive(Clone, Debug, Default)]
pub struct TimingRecorder {
    moments: Vec<LineTiming>,
}

impl TimingRecorder {
    /// Records that a line ended at `at`, as reported by [`replay_watched`] and
    /// [`ReplayObserver`](crate::observe::ReplayObserver).
    pub fn line_ended(&mut self, line: &Line, at: Instant, board: &VirtualBoard) {
        if what(&line.action).is_some() {
            self.moments.push(LineTiming { at, frames: board.frame_count_at(at) });
        }
    }

    /// Returns the recorded times with the outcome of the replay.
    pub fn finish(self, outcome: &ReplayOutcome) -> BoardTiming {
        BoardTiming { moments: self.moments, outcome: without_goldens(outcome) }
    }
}

/// Returns the text of an action that waits for the LCD or the console, or that reads a frame.
fn what(action: &Action) -> Option<String> {
    match action {
        Action::Settle { .. } => Some("settle".into()),
        Action::WaitText { text, display: None, .. } => Some(format!("wait text {text:?}")),
        Action::WaitText { text, display: Some(display), .. } => {
            Some(format!("wait text {text:?} on {}", display.name()))
        }
        Action::WaitConsole { text, .. } => Some(format!("wait console {text:?}")),
        Action::ExpectFrame(name) => Some(format!("expect frame {name}")),
        Action::Screenshot(screenshot) => Some(format!("screenshot {screenshot}")),
        _ => None,
    }
}

impl Timing {
    /// Compares the times of `trace` from replays on two boards.
    pub fn of(trace: &Trace, boards: [BoardTiming; 2]) -> Self {
        let waits_or_looks = |line: &&Line| what(&line.action).is_some();
        let rows =
            trace.lines.iter().filter(waits_or_looks).enumerate().map(|(number, line)| Row {
                place: line.place,
                what: what(&line.action).unwrap_or_default(),
                over: boards.each_ref().map(|board| board.moments.get(number).copied()),
            });
        Self { rows: rows.collect(), outcomes: boards.map(|board| board.outcome) }
    }

    /// Writes the table, with the boards' names above their columns.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
        let [first, second] = names;
        let widest = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        let widest = widest.max("the end".len());
        writeln!(
            out,
            "  line  {:widest$}  {first:>12}  {second:>12}  {:>11}  frames",
            "what", "later by"
        )?;
        for Row { place, what, over } in &self.rows {
            write!(out, "{:>6}  {what:widest$}", place.line)?;
            columns(out, *over)?;
        }
        let ends = self.outcomes.each_ref();
        let ends = ends.map(|end| Some(LineTiming { at: end.ended_at, frames: end.frames }));
        write!(out, "{:>6}  {:widest$}", "", "the end")?;
        columns(out, ends)?;
        for (name, outcome) in names.into_iter().zip(&self.outcomes) {
            match &outcome.verdict {
                Verdict::Passed => {}
                Verdict::Failed(failures) => {
                    for failure in failures {
                        writeln!(out, "  {name}: {failure}")?;
                    }
                }
                Verdict::LimitReached { at } => {
                    writeln!(out, "  {name}: at {at}: the firmware keeps the clock for itself")?;
                }
                Verdict::Broken(error) => {
                    writeln!(out, "  {name}: the firmware cannot go on: {error}")?;
                }
            }
        }
        Ok(())
    }
}

fn columns(out: &mut dyn Write, over: [Option<LineTiming>; 2]) -> io::Result<()> {
    for moment in over {
        match moment {
            Some(moment) => write!(out, "  {:>9.1} ms", milliseconds(moment.at))?,
            None => write!(out, "  {:>12}", "-")?,
        }
    }
    match over {
        [Some(first), Some(second)] => writeln!(
            out,
            "  {:>+8.1} ms  {} / {}",
            milliseconds(second.at) - milliseconds(first.at),
            first.frames,
            second.frames
        ),
        _ => writeln!(out, "  {:>11}", "-"),
    }
}

fn milliseconds(at: Instant) -> f64 {
    at.0 as f64 / 1e6
}
