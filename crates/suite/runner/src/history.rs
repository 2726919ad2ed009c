//! Changes over the runs of a suite: new failures, those that are mended, and the slowest
//! traces, read from the JUnit files of the runs.
//!
//! Replays are deterministic, so no trace is called flaky: for each verdict that changed, the
//! history states what differed between the two runs, as far as the files record it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::merge;
use crate::parts::MergeError;
use crate::reporters::junit_merge::{self, CaseResult, JunitRun};
use crate::reporters::wall_time;
use crate::suite::error::FindError;
use crate::suite::find::files_below;
use trace::counted;

/// Maximum number of traces in a list.
const LISTED_MAX: usize = 20;
/// Number of slowest traces that are listed.
const SLOWEST: usize = 5;

/// Why there is no history.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Junit(#[from] MergeError),
    #[error("{}: has {}; a history needs at least two JUnit files, one of each run", folder.display(), counted(*count, "JUnit file"))]
    TooFew { folder: PathBuf, count: usize },
}

/// The verdict of a trace that changed from one run to the next.
struct Turn {
    /// Index of the run with the new verdict.
    run: usize,
    has_failed: bool,
    message: String,
    /// Difference between the two runs.
    why: &'static str,
}

/// The runs of a suite, in order of time.
#[derive(Debug)]
pub struct History {
    runs: Vec<JunitRun>,
}

impl History {
    /// Reads the JUnit files in `folder` and below. Their order is that of their timestamps, and of
    /// their names without one.
    ///
    /// # Errors
    /// If there are fewer than two, or one of them cannot be read.
    pub fn read(folder: &Path) -> Result<Self, HistoryError> {
        let mut runs = Vec::new();
        for path in files_below(folder, &["xml"])? {
            runs.push(junit_merge::read_run(&path, &merge::read(&path)?)?);
        }
        if runs.len() < 2 {
            return Err(HistoryError::TooFew { folder: folder.to_owned(), count: runs.len() });
        }
        runs.sort_by(|one, other| (&one.stamp, &one.path).cmp(&(&other.stamp, &other.path)));
        Ok(Self { runs })
    }

    /// Returns whether a trace fails in the last run.
    pub fn fails(&self) -> bool {
        self.runs.last().is_some_and(|run| run.cases.values().any(|case| case.failed.is_some()))
    }

    /// Returns the report, one line per entry.
    pub fn lines(&self) -> Vec<String> {
        let Some((last, earlier)) = self.runs.split_last() else { return Vec::new() };
        let failed =
            |run: &JunitRun| run.cases.values().filter(|case| case.failed.is_some()).count();
        let mut lines = vec![format!(
            "{}, {} to {}; in the last one {} failed of {}",
            counted(self.runs.len(), "run"),
            self.name(0),
            self.name(earlier.len()),
            failed(last),
            counted(last.cases.len(), "trace"),
        )];
        let turns: BTreeMap<&str, Vec<Turn>> =
            last.cases.keys().map(|trace| (trace.as_str(), self.turns(trace))).collect();
        let of_last = |has_failed: bool| {
            let turns =
                turns.iter().filter_map(move |(trace, turns)| Some((*trace, turns.last()?)));
            turns
                .filter(move |(_, turn)| turn.run == earlier.len() && turn.has_failed == has_failed)
                .map(|(trace, turn)| {
                    let message = Some(&turn.message).filter(|text| !text.is_empty());
                    let message = message.map(|text| format!(": {text}")).unwrap_or_default();
                    format!("{trace}{message}; {}", turn.why)
                })
                .collect::<Vec<_>>()
        };
        list(&mut lines, "new", of_last(true));
        list(&mut lines, "fixed", of_last(false));
        let changed = turns.iter().filter(|(_, turns)| turns.len() > 1).map(|(trace, turns)| {
            let turns: Vec<String> = turns
                .iter()
                .map(|turn| {
                    let word = if turn.has_failed { "failed" } else { "passed" };
                    format!("{word} in {}, {}", self.name(turn.run), turn.why)
                })
                .collect();
            format!("{trace}: {}", turns.join("; "))
        });
        list(&mut lines, "changed more than once", changed.collect());
        let mut by_time: Vec<(&String, Duration)> =
            last.cases.iter().filter_map(|(trace, case)| Some((trace, case.time?))).collect();
        by_time.sort_by_key(|(trace, time)| (std::cmp::Reverse(*time), *trace));
        let before = earlier.last();
        let slowest = by_time.into_iter().take(SLOWEST).map(|(trace, time)| {
            let earlier = before.and_then(|run| run.cases.get(trace)?.time);
            let earlier = earlier.map(|time| format!(", {} before", wall_time(time)));
            format!("{trace}: {}{}", wall_time(time), earlier.unwrap_or_default())
        });
        list(&mut lines, "slowest", slowest.collect());
        lines
    }

    /// Returns the changes of a trace's verdict, in order of time.
    fn turns(&self, trace: &str) -> Vec<Turn> {
        let cases = self.runs.iter().enumerate();
        let cases = cases.filter_map(|(run, of)| Some((run, of.cases.get(trace)?)));
        let cases: Vec<(usize, &CaseResult)> = cases.filter(|(_, case)| case.has_run).collect();
        let mut turns = Vec::new();
        for pair in cases.windows(2) {
            let [(_, was), (run, is)] = [pair[0], pair[1]];
            if was.failed.is_some() == is.failed.is_some() {
                continue;
            }
            turns.push(Turn {
                run,
                has_failed: is.failed.is_some(),
                message: is.failed.clone().unwrap_or_default(),
                why: what_differed(was, is),
            });
        }
        // A trace that is new and fails has no run before.
        if let (true, Some((run, is))) = (turns.is_empty() && cases.len() == 1, cases.first())
            && let Some(message) = &is.failed
        {
            let why = "the trace is new";
            turns.push(Turn { run: *run, has_failed: true, message: message.clone(), why });
        }
        turns
    }

    /// Returns the name of a run: its time, or its file.
    fn name(&self, run: usize) -> String {
        let Some(run) = self.runs.get(run) else { return String::new() };
        match &run.stamp {
            Some(stamp) => stamp.clone(),
            None => run.path.display().to_string(),
        }
    }
}

/// Returns what the files of two runs record as different.
fn what_differed(was: &CaseResult, is: &CaseResult) -> &'static str {
    let firmware = was.firmware != is.firmware;
    let inputs = was.inputs != is.inputs;
    match (firmware, inputs, is.inputs.is_some()) {
        (true, true, _) => "the firmware and the trace's files or options differ",
        (true, false, _) => "the firmware differs",
        (false, true, _) => "the trace's files or options differ",
        (false, false, true) => {
            "firmware, files and options are the same: compare the versions of nudge"
        }
        (false, false, false) => {
            "the firmware is the same, and the files of the trace are not recorded"
        }
    }
}

/// Adds a list, if it has an entry.
fn list(lines: &mut Vec<String>, title: &str, entries: Vec<String>) {
    if entries.is_empty() {
        return;
    }
    lines.push(format!("{title}: {}", counted(entries.len(), "trace")));
    let more = entries.len().saturating_sub(LISTED_MAX);
    lines.extend(entries.into_iter().take(LISTED_MAX).map(|entry| format!("  {entry}")));
    if more > 0 {
        lines.push(format!("  and {more} more"));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Writes the JUnit file of a run in which `traces` had these verdicts, with their inputs.
    fn run(folder: &Path, hour: u32, firmware: &str, traces: &[(&str, bool, &str)]) {
        let cases: String = traces
            .iter()
            .map(|(trace, passed, inputs)| {
                let failure = if *passed { "" } else { "<failure message=\"red\" type=\"x\"/>" };
                format!(
                    "<testcase name=\"{trace}\" file=\"{trace}.trace\" time=\"0.00{hour}\"><properties>\
                     <property name=\"inputs\" value=\"{inputs}\"/></properties>{failure}</testcase>"
                )
            })
            .collect();
        let text = format!(
            "<?xml version=\"1.0\"?><testsuites name=\"nudge replay\" tests=\"1\" failures=\"0\" errors=\"0\">\
             <testsuite name=\".\" tests=\"1\" disabled=\"0\" errors=\"0\" failures=\"0\" \
             timestamp=\"2026-11-28T0{hour}:00:00+00:00\"><properties>\
             <property name=\"firmware\" value=\"{firmware}\"/></properties>{cases}</testsuite></testsuites>"
        );
        fs::write(folder.join(format!("{}.xml", 9 - hour)), text).unwrap();
    }

    #[test]
    fn new_and_fixed_failures_have_what_differed() {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), 1, "A", &[("a", true, "1"), ("b", false, "1"), ("c", true, "1")]);
        run(folder.path(), 2, "B", &[("a", false, "1"), ("b", true, "2"), ("c", true, "1")]);
        let history = History::read(folder.path()).unwrap();
        let lines = history.lines();
        assert!(lines[0].starts_with("2 runs, 2026-11-28T01:00:00"), "{lines:?}");
        assert!(lines[0].ends_with("in the last one 1 failed of 3 traces"), "{lines:?}");
        assert_eq!(lines[1..3], ["new: 1 trace", "  a.trace: red; the firmware differs"]);
        assert_eq!(lines[3], "fixed: 1 trace");
        assert_eq!(lines[4], "  b.trace; the firmware and the trace's files or options differ");
        assert_eq!(lines[6], "  a.trace: 2.0ms, 1.0ms before");
        assert!(history.fails());
    }

    #[test]
    fn a_trace_that_changes_often_is_explained_and_not_called_flaky() {
        let folder = tempfile::tempdir().unwrap();
        for (hour, passed, inputs) in [(1, true, "1"), (2, false, "1"), (3, true, "2")] {
            run(folder.path(), hour, "A", &[("a", passed, inputs)]);
        }
        let lines = History::read(folder.path()).unwrap().lines().join("\n");
        assert!(
            lines.contains("changed more than once: 1 trace\n  a.trace: failed in 2026-"),
            "{lines}"
        );
        assert!(lines.contains("firmware, files and options are the same: compare"), "{lines}");
        assert!(
            lines.contains(
                "passed in 2026-11-28T03:00:00+00:00, the trace's files or options differ"
            ),
            "{lines}"
        );
        assert!(!lines.contains("flaky"), "{lines}");
    }

    #[test]
    fn one_run_is_no_history() {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), 1, "A", &[("a", true, "1")]);
        let error = History::read(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(
            "has 1 JUnit file; a history needs at least two JUnit files, one of each run"
        ));
    }
}
