//! One trace on two boards, side by side: when each line that waits for the LCD was over.
//!
//! [`compare`] replays a trace on both and keeps, for each `settle`, `wait`, `expect frame` and
//! `screenshot`, the virtual time at which it was over and how many frames were complete by then. What
//! the trace expects is judged as ever; goldens are not compared. [`Timing::write`] is the table for a
//! person. It knows no board: it is given machines. `docs/boards.md` says why times differ.

use std::io::{self, Write};

use hal_mock::replay::{Options, Outcome, Unjudged, Verdict, replay_watched};
use hal_mock::text::Reader;
use hal_mock::trace::{Action, Line, Place, Trace};
use hal_mock::{Machine, Nanos};

/// What a board had come to when a line was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The virtual time since the first power-on.
    pub at: Nanos,
    /// Complete frames by then.
    pub frames: u64,
}

/// A line of the trace on both boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the line stands.
    pub place: Place,
    /// What it does, as in the trace.
    pub what: String,
    /// When it was over on each board; `None` on a board that did not come so far.
    pub over: [Option<Moment>; 2],
}

/// A trace on two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The lines that wait or look, in order.
    pub rows: Vec<Row>,
    /// How each replay went.
    pub outcomes: [Outcome; 2],
}

/// Replays `trace` on both machines, which are fresh.
pub fn compare(
    trace: &Trace,
    machines: [&mut dyn Machine; 2],
    reader: &Reader,
    options: &Options,
) -> Timing {
    let told = |line: &&Line| what(&line.action).is_some();
    let [first, second] = machines.map(|machine| moments(trace, machine, reader, options));
    let rows = trace.lines.iter().filter(told).enumerate().map(|(number, line)| Row {
        place: line.place,
        what: what(&line.action).unwrap_or_default(),
        over: [first.0.get(number).copied(), second.0.get(number).copied()],
    });
    Timing { rows: rows.collect(), outcomes: [first.1, second.1] }
}

fn moments(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
    options: &Options,
) -> (Vec<Moment>, Outcome) {
    let mut moments = vec![];
    let outcome =
        replay_watched(trace, machine, reader, &mut Unjudged, options, &mut |line, at, board| {
            if what(&line.action).is_some() {
                moments.push(Moment { at, frames: board.frame_count_at(at) });
            }
        });
    (moments, outcome)
}

/// A line that waits for the LCD or looks at a frame, in words.
fn what(action: &Action) -> Option<String> {
    match action {
        Action::Settle { .. } => Some("settle".into()),
        Action::WaitText { text, .. } => Some(format!("wait text {text:?}")),
        Action::ExpectFrame(name) => Some(format!("expect frame {name}")),
        Action::Screenshot(name) => Some(format!("screenshot {name}")),
        _ => None,
    }
}

impl Timing {
    /// The table, with the boards' names above their columns.
    ///
    /// # Errors
    /// `out` takes no more.
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
        let ends = ends.map(|end| Some(Moment { at: end.ended_at, frames: end.frames }));
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

fn columns(out: &mut dyn Write, over: [Option<Moment>; 2]) -> io::Result<()> {
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

fn milliseconds(at: Nanos) -> f64 {
    at.0 as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native;
    use hal_mock::trace;

    const TRACE: &str = "trace 1\ngame board\n0ms power on\n+0ms settle within 5s\n\
                         +10ms tap B1\n+0ms settle within 5s\n+0ms expect frame moved\n\
                         +0ms expect text \"Player\"\n+1s end\n";

    fn compared(text: &str, other: &str) -> Timing {
        let parsed = |text| trace::parse("x.trace", text).unwrap();
        let build = |text| native::build(&parsed(text), None).unwrap();
        let (mut one, mut two) = (build(text), build(other));
        let reader = Reader::new(native::fonts());
        let options = Options::default();
        compare(&parsed(text), [one.as_mut(), two.as_mut()], &reader, &options)
    }

    #[test]
    fn the_lines_that_wait_or_look_stand_in_order_and_one_board_is_like_itself() {
        let timing = compared(TRACE, TRACE);
        let lines: Vec<_> = timing.rows.iter().map(|row| (row.place.line, &*row.what)).collect();
        assert_eq!(lines, [(4, "settle"), (6, "settle"), (7, "expect frame moved")]);
        for row in &timing.rows {
            assert_eq!(row.over[0], row.over[1]);
        }
        let at = |row: usize| timing.rows[row].over[0].unwrap().at;
        assert!(at(0) < at(1) && at(1) == at(2), "a settle takes time, a look none");
        assert!(timing.rows[0].over[0].unwrap().frames >= 1);
    }

    #[test]
    fn a_board_that_does_not_come_so_far_has_no_time_and_says_why() {
        let timing = compared(
            "trace 1\ngame board\n0ms power on\n+0ms settle within 5s\n\
             +0ms wait text \"no such text\" within 1s\n+0ms settle within 5s\n",
            TRACE,
        );
        assert_eq!(timing.rows[2].over, [None, None]);
        let mut text = vec![];
        timing.write(["here", "there"], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let cut = text.lines().find(|line| line.starts_with("     6  settle")).unwrap();
        assert!(cut.ends_with('-'), "{text}");
        assert!(text.contains("  there: 5:"), "{text}");
    }

    #[test]
    fn a_table_has_both_times_and_their_difference() {
        let mut timing = compared(TRACE, TRACE);
        timing.rows.truncate(1);
        let moment = |ms, frames| Some(Moment { at: Nanos::from_millis(ms), frames });
        timing.rows[0].over = [moment(400, 1), moment(433, 2)];
        let mut text = vec![];
        timing.write(["native", "pico"], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let row = text.lines().nth(1).unwrap();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(
            words,
            ["4", "settle", "400.0", "ms", "433.0", "ms", "+33.0", "ms", "1", "/", "2"],
            "{text}"
        );
    }
}
