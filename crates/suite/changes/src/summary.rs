//! The result of a comparison: groups of equal differences over all traces with their counts, and
//! sums of the other differences.
//!
//! Memory is bounded: a group stores one example and the names of its first traces, and the number
//! of groups is limited.

use std::collections::{HashMap, HashSet};

use virtual_time::Instant;

use crate::compare::{ConsoleChange, Example, TraceChange};
use crate::difference::What;

/// Maximum number of groups of differing frames.
pub const GROUPS_MAX: usize = 500;
/// Maximum number of groups of differing console lines.
const CONSOLE_MAX: usize = 200;
/// Maximum number of traces that are named per group.
const NAMED_MAX: usize = 5;
/// Maximum number of traces that are listed.
const TRACES_MAX: usize = 5_000;

/// A group of equal differences.
#[derive(Clone, Debug)]
pub struct Group {
    pub what: What,
    /// Number of frames with the difference.
    pub frames: u64,
    /// Number of traces with the difference.
    pub traces: u64,
    /// Paths of the first of these traces.
    pub named: Vec<String>,
    /// First occurrence.
    pub example: Example,
}

/// A group of equal changes of console lines.
#[derive(Clone, Debug)]
pub struct ConsoleGroup {
    /// The line on each side.
    pub change: ConsoleChange,
    /// Number of changed lines.
    pub lines: u64,
    /// Number of traces with the change.
    pub traces: u64,
    /// Path of the first of these traces.
    pub first: String,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Name of the firmware on each side.
    pub firmware: [String; 2],
    /// Number of traces that were compared.
    pub traces: u64,
    /// Number of traces that differ.
    pub traces_changed: u64,
    /// Number of settled frames, including removed ones.
    pub frames: u64,
    /// Number of settled frames that differ, were added or were removed.
    pub frames_changed: u64,
    /// Number of settled frames that are preceded by different frames.
    pub between_changed: u64,
    /// Groups of differing frames, most frequent first after [`Collector::finish`].
    pub groups: Vec<Group>,
    /// Number of differences that are in no group.
    pub groups_left_out: u64,
    /// Groups of differing console lines, most frequent first after [`Collector::finish`].
    pub console: Vec<ConsoleGroup>,
    /// Number of changed lines that are in no group.
    pub console_left_out: u64,
    /// Number of bytes on the LCD's bus, on each side.
    pub bytes: [u64; 2],
    /// Traces that differ, in order, without their frames.
    pub changes: Vec<TraceChange>,
    /// Number of traces that differ and are not listed.
    pub changes_left_out: u64,
    /// Traces that one side could not replay, with the side and the reason.
    pub not_compared: Vec<(String, usize, String)>,
    /// Number of traces that were never started.
    pub not_run: u64,
}

/// Collects differences and groups them.
#[derive(Default)]
pub struct Collector {
    summary: Summary,
    groups: HashMap<What, usize>,
    console: HashMap<ConsoleChange, usize>,
}

impl Collector {
    /// Creates a collector for a comparison of these two firmwares.
    pub fn new(firmware: [String; 2]) -> Self {
        Self { summary: Summary { firmware, ..Summary::default() }, ..Self::default() }
    }

    /// Returns whether an example of the difference is needed.
    pub fn wants(&self, what: &What) -> bool {
        !self.groups.contains_key(what) && self.groups.len() < GROUPS_MAX
    }

    /// Records that a side cannot replay the trace at `path`.
    pub fn cannot(&mut self, path: String, side: usize, message: String) {
        self.summary.not_compared.push((path, side, message));
    }

    /// Adds a trace. The traces must be added in order.
    pub fn add(&mut self, mut change: TraceChange) {
        let summary = &mut self.summary;
        summary.traces += 1;
        // Removed frames count as well, so that there are never more differing frames than frames.
        summary.frames += change.frames[0].max(change.frames[1]);
        summary.frames_changed += change.frames_changed;
        summary.between_changed += change.between_changed;
        for (sum, bytes) in summary.bytes.iter_mut().zip(change.bytes) {
            *sum += bytes;
        }
        if change.is_empty() {
            return;
        }
        summary.traces_changed += 1;
        summary.groups_left_out += change.kinds_left_out;
        for (what, frames, example) in change.kinds.drain(..) {
            match self.groups.get(&what) {
                Some(index) => {
                    let group = &mut summary.groups[*index];
                    group.frames += frames;
                    group.traces += 1;
                    if group.named.len() < NAMED_MAX {
                        group.named.push(change.path.clone());
                    }
                }
                None if summary.groups.len() < GROUPS_MAX => {
                    self.groups.insert(what.clone(), summary.groups.len());
                    let named = vec![change.path.clone()];
                    summary.groups.push(Group { what, frames, traces: 1, named, example });
                }
                None => summary.groups_left_out += 1,
            }
        }
        let mut in_this_trace = HashSet::new();
        for line in change.console.drain(..) {
            let is_first = in_this_trace.insert(line.clone());
            match self.console.get(&line) {
                Some(index) => {
                    let group = &mut summary.console[*index];
                    group.lines += 1;
                    group.traces += u64::from(is_first);
                }
                None if summary.console.len() < CONSOLE_MAX => {
                    self.console.insert(line.clone(), summary.console.len());
                    let first = change.path.clone();
                    summary.console.push(ConsoleGroup { change: line, lines: 1, traces: 1, first });
                }
                None => summary.console_left_out += 1,
            }
        }
        if summary.changes.len() < TRACES_MAX {
            summary.changes.push(change);
        } else {
            summary.changes_left_out += 1;
        }
    }

    /// Returns the summary. `not_run` is the number of traces that were never started.
    pub fn finish(self, not_run: u64) -> Summary {
        let mut summary = self.summary;
        summary.not_run = not_run;
        // The sort is stable: among equally frequent groups the one that was seen first comes
        // first.
        summary.groups.sort_by_key(|group| std::cmp::Reverse(group.frames));
        summary.console.sort_by_key(|group| std::cmp::Reverse(group.lines));
        summary
    }
}

impl Summary {
    /// Returns whether anything differs.
    pub fn has_changes(&self) -> bool {
        self.traces_changed > 0
    }

    /// Returns the traces with the greatest values of `of`, at most `count`.
    pub fn most(&self, count: usize, of: impl Fn(&TraceChange) -> u64) -> Vec<&TraceChange> {
        let mut traces: Vec<&TraceChange> = self.changes.iter().filter(|one| of(one) > 0).collect();
        traces.sort_by_key(|trace| std::cmp::Reverse(of(trace)));
        traces.truncate(count);
        traces
    }
}

/// Returns the difference between two sides.
pub fn apart([before, after]: [u64; 2]) -> u64 {
    before.abs_diff(after)
}

/// Returns the greatest difference of a trace's times, in nanoseconds.
pub fn time_difference(change: &TraceChange) -> u64 {
    let span = |moments: [Instant; 2]| moments[0].0.abs_diff(moments[1].0);
    span(change.ended_at).max(change.shifted.map_or(0, |(_, moments)| span(moments)))
}

#[cfg(test)]
mod tests {
    use ili9341_model::Region;

    use super::*;

    fn change(path: &str, kinds: &[(&str, u64)]) -> TraceChange {
        let example = |path: &str| Example {
            line: path.len() as u32,
            at: Instant::START,
            region: Region::PANEL,
            pictures: [None, None],
        };
        let kind = |(text, frames): &(&str, u64)| {
            (What::TextNew((*text).to_owned()), *frames, example(path))
        };
        TraceChange {
            path: path.to_owned(),
            frames: [10, 10],
            frames_changed: kinds.iter().map(|(_, frames)| frames).sum(),
            kinds: kinds.iter().map(kind).collect(),
            ..TraceChange::default()
        }
    }

    #[test]
    fn equal_differences_are_one_group_with_counts_and_example() {
        let mut collector = Collector::default();
        collector.add(change("same", &[]));
        collector.add(change("a", &[("x", 1), ("y", 2)]));
        collector.add(change("bb", &[("y", 5)]));
        assert!(!collector.wants(&What::TextNew("y".into())));
        assert!(collector.wants(&What::TextNew("z".into())));
        let summary = collector.finish(0);
        let groups = summary.groups.iter().map(|group| {
            (
                group.what.to_string(),
                group.frames,
                group.traces,
                group.named.join(" "),
                group.example.line,
            )
        });
        assert_eq!(
            groups.collect::<Vec<_>>(),
            [
                ("the text “y” appeared".into(), 7, 2, "a bb".into(), 1),
                ("the text “x” appeared".into(), 1, 1, "a".into(), 1),
            ]
        );
        assert_eq!((summary.traces, summary.traces_changed, summary.frames_changed), (3, 2, 8));
    }

    #[test]
    fn groups_are_bounded_and_the_rest_is_counted() {
        let mut collector = Collector::default();
        for nth in 0..GROUPS_MAX + 20 {
            collector.add(change(&format!("{nth}"), &[(&format!("text {nth}"), 1)]));
        }
        let summary = collector.finish(0);
        assert_eq!((summary.groups.len(), summary.groups_left_out), (GROUPS_MAX, 20));
        assert_eq!(summary.frames_changed as usize, GROUPS_MAX + 20);
    }
}
