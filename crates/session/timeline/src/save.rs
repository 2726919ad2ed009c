//! A session as the text of a trace.
//!
//! In a branch, the trace's lines that were over before it stay as they are in the text, with
//! their comments and waits. After them come the inputs since, as a person would write them:
//! taps, each with its time after the line above.

use trace::{Action, ButtonMap, Line, TAP_HOLD, Trace, When, format};
use virtual_time::Instant;

use crate::files::Files;
use crate::input::{TimedInput, actions_of, finger_of};
use crate::recording::{LineRun, Recording};
use crate::session::Session;

impl Session {
    /// Returns the text of a trace with the inputs of this session, which ends at the latest time
    /// of the session.
    pub fn save(&self, files: &Files) -> String {
        let (Some(left), Some(recording)) = (self.left_at(), &self.recording()) else {
            return match self.recording() {
                Some(recording) => recording.opened.text.clone(),
                None => self.save_live(),
            };
        };
        let kept = Kept::of(recording, self.done(), left);
        let mut text = kept.text(recording);
        for line in self.own_lines(&kept.is_covered(recording, self.done()), kept.clock, false) {
            text += &line.to_string();
            text.push('\n');
        }
        let name = &recording.opened.name;
        // A text that cannot be laid out is no trace; it is returned as it is, with its errors.
        format(name, text.as_bytes(), &mut files.clone()).unwrap_or(text)
    }

    /// Returns the nanoseconds by which presses come after a whole millisecond. A saved branch
    /// continues there, so that each line is whole milliseconds after the one above.
    pub(crate) fn phase(&self) -> u64 {
        let (Some(left), Some(recording)) = (self.left_at(), self.recording()) else { return 0 };
        Kept::of(recording, self.done(), left).clock.0 % 1_000_000
    }

    fn save_live(&self) -> String {
        let lines = self.own_lines(&vec![false; self.done().len()], Instant::START, true);
        let header = self.trace().header.clone();
        let text = Trace { header, lines, ..Trace::default() }.to_string();
        format("live.trace", text.as_bytes(), &mut Files::default()).unwrap_or(text)
    }

    /// Returns a line for each input that is not `covered`, and `end`.
    fn own_lines(&self, covered: &[bool], mut clock: Instant, mut is_first: bool) -> Vec<Line> {
        let own = self.done().iter().zip(covered).filter(|(_, covered)| !**covered);
        let mut actions: Vec<(Instant, Action)> = Vec::new();
        let mut pressed: ButtonMap<Option<usize>> = ButtonMap::default();
        for (at, action) in actions_of(own.map(|(done, _)| done)) {
            match finger_of(&action) {
                Some((button, true)) => *pressed.at(button) = Some(actions.len()),
                Some((button, false)) => {
                    if let Some(press) = pressed.at(button).take()
                        && let Some((since, press)) = actions.get_mut(press)
                    {
                        let hold = at.saturating_since(*since);
                        let hold = Some(hold).filter(|hold| *hold != TAP_HOLD);
                        *press = Action::Tap { button, hold };
                        continue;
                    }
                }
                None => {}
            }
            actions.push((at, action));
        }
        let end = actions.last().map_or(clock, |(at, _)| *at).max(self.reached());
        actions.push((end, Action::End));
        let lines = actions.into_iter().map(|(at, action)| {
            let when = if std::mem::take(&mut is_first) {
                When::At(at)
            } else {
                When::After(at.saturating_since(clock))
            };
            clock = at;
            Line::new(when, action)
        });
        lines.collect()
    }
}

/// Lines of a trace that stay before a branch.
struct Kept {
    /// Number of timed lines.
    lines: usize,
    /// End of the last of them, from which the next line counts.
    clock: Instant,
}

impl Kept {
    /// Returns the lines that were over by `left`, up to a tap whose button went up earlier.
    fn of(recording: &Recording, done: &[TimedInput], left: Instant) -> Self {
        let trace = recording.trace();
        let stays = |run: &&LineRun| {
            if run.over.is_none_or(|over| over > left) {
                return false;
            }
            match trace.lines.get(run.line).map(|line| &line.action) {
                Some(Action::Tap { button, hold }) => {
                    let up = run.at.saturating_add(hold.unwrap_or(TAP_HOLD));
                    let goes_up = |done: &TimedInput| {
                        done.finger() == Some((*button, false)) && done.at() == up
                    };
                    run.at < left && done.iter().any(goes_up)
                }
                Some(action) if action.is_input() && *action != Action::PowerOn => run.at < left,
                Some(Action::Release(_)) => run.at < left,
                action => action.is_some(),
            }
        };
        let lines = recording.lines.iter().take_while(stays).count();
        let clock = recording.lines[..lines].last().and_then(|run| run.over).unwrap_or_default();
        Self { lines, clock }
    }

    /// Returns which of `done` the kept lines give.
    fn is_covered(&self, recording: &Recording, done: &[TimedInput]) -> Vec<bool> {
        let lines = &recording.trace().lines;
        let mut held_by_tap: ButtonMap<Option<Instant>> = ButtonMap::default();
        let covered = done.iter().map(|done| {
            let line = done.line.filter(|line| *line < self.lines);
            let action = line.and_then(|line| lines.get(line)).map(|line| &line.action);
            match (done.finger(), action) {
                (Some((button, true)), Some(Action::Tap { hold, .. })) => {
                    let up = done.at().saturating_add(hold.unwrap_or(TAP_HOLD));
                    *held_by_tap.at(button) = Some(up);
                    true
                }
                (Some((button, false)), action) => {
                    let by_tap = held_by_tap.at(button).take_if(|up| *up == done.at());
                    by_tap.is_some() || matches!(action, Some(Action::Release(_)))
                }
                (_, action) => action.is_some(),
            }
        });
        covered.collect()
    }

    /// Returns the text up to them.
    fn text(&self, recording: &Recording) -> String {
        let (trace, text) = (recording.trace(), &recording.opened.text);
        let Some(next) = trace.lines.get(self.lines) else {
            let mut text = text.trim_end().to_owned();
            text.push('\n');
            return text;
        };
        // If only a part of an included file stays, its lines replace the line that includes it.
        let place = next.place.line;
        let whole = (place as usize).saturating_sub(1);
        let mut kept: String = text.split_inclusive('\n').take(whole).collect();
        if !kept.is_empty() && !kept.ends_with('\n') {
            kept.push('\n');
        }
        for line in trace.lines[..self.lines].iter().filter(|line| line.place.line == place) {
            kept += &format!("{line}\n");
        }
        kept
    }
}
