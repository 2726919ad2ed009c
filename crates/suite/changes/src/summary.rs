//! What is known at the end of a comparison: equal differences of all traces as groups with their counts,
//! and sums of what differs elsewhere.
//!
//! Memory is bounded: a group keeps one example and the names of its first traces, and there are so
//! many groups at most.

use std::collections::{HashMap, HashSet};

use virtual_time::Instant;

use crate::compare::{ConsoleChange, Example, TraceChange};
use crate::difference::What;

/// Groups of differing frames.
pub const GROUPS_MAX: usize = 500;
/// Groups of differing console lines.
const CONSOLE_MAX: usize = 200;
/// Traces of a group that are named.
const NAMED_MAX: usize = 5;
/// Traces that are listed.
const TRACES_MAX: usize = 5_000;

/// Equal differences.
#[derive(Clone, Debug)]
pub struct Group {
    /// What differs.
    pub what: What,
    /// Frames.
    pub frames: u64,
    /// Traces.
    pub traces: u64,
    /// The first of them.
    pub named: Vec<String>,
    /// Where it was seen first.
    pub example: Example,
}

/// Equal changes of console lines.
#[derive(Clone, Debug)]
pub struct ConsoleGroup {
    /// The line on each side.
    pub change: ConsoleChange,
    /// Lines.
    pub lines: u64,
    /// Traces.
    pub traces: u64,
    /// The first of them.
    pub first: String,
}

/// All differences.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Which firmware runs on each side.
    pub firmware: [String; 2],
    /// Traces that were compared.
    pub traces: u64,
    /// Those that differ.
    pub traces_changed: u64,
    /// Settled frames, and how many differ.
    pub frames: u64,
    /// Settled frames that differ, came in or went away.
    pub frames_changed: u64,
    /// Settled frames before which something else came and went.
    pub between_changed: u64,
    /// Most frequent first, once it is finished.
    pub groups: Vec<Group>,
    /// Differences that are in no group.
    pub groups_left_out: u64,
    /// Most frequent first.
    pub console: Vec<ConsoleGroup>,
    /// Changes of lines that are in no group.
    pub console_left_out: u64,
    /// Bytes on the LCD's bus.
    pub bytes: [u64; 2],
    /// Traces that differ, without their frames; in order.
    pub changes: Vec<TraceChange>,
    /// Traces that differ and are not listed.
    pub changes_left_out: u64,
    /// Traces that one side could not replay: the side, and why.
    pub not_compared: Vec<(String, usize, String)>,
    /// Traces that were not begun.
    pub not_run: u64,
}

/// Puts what comes into groups.
#[derive(Default)]
pub struct Collector {
    summary: Summary,
    groups: HashMap<What, usize>,
    console: HashMap<ConsoleChange, usize>,
}

impl Collector {
    /// Between these.
    pub fn new(firmware: [String; 2]) -> Self {
        Self { summary: Summary { firmware, ..Summary::default() }, ..Self::default() }
    }

    /// Whether an example of it is needed.
    pub fn wants(&self, what: &What) -> bool {
        !self.groups.contains_key(what) && self.groups.len() < GROUPS_MAX
    }

    /// The trace at `path` cannot be replayed on a side.
    pub fn cannot(&mut self, path: String, side: usize, message: String) {
        self.summary.not_compared.push((path, side, message));
    }

    /// Adds a trace; those before it have been added.
    pub fn add(&mut self, mut change: TraceChange) {
        let summary = &mut self.summary;
        summary.traces += 1;
        // Those that are gone count as well, so that no more differ than there are.
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

    /// The summary; `not_run` traces were not begun.
    pub fn finish(self, not_run: u64) -> Summary {
        let mut summary = self.summary;
        summary.not_run = not_run;
        // The sort is stable: of equally frequent ones the first that was seen comes first.
        summary.groups.sort_by_key(|group| std::cmp::Reverse(group.frames));
        summary.console.sort_by_key(|group| std::cmp::Reverse(group.lines));
        summary
    }
}

impl Summary {
    /// Whether anything differs.
    pub fn has_changes(&self) -> bool {
        self.traces_changed > 0
    }

    /// The traces with the greatest difference of what `of` says, at most `count` of them.
    pub fn most(&self, count: usize, of: impl Fn(&TraceChange) -> u64) -> Vec<&TraceChange> {
        let mut traces: Vec<&TraceChange> = self.changes.iter().filter(|one| of(one) > 0).collect();
        traces.sort_by_key(|trace| std::cmp::Reverse(of(trace)));
        traces.truncate(count);
        traces
    }
}

/// How far two sides are apart.
pub fn apart([before, after]: [u64; 2]) -> u64 {
    before.abs_diff(after)
}

/// How far the times of a trace are apart, in nanoseconds.
pub fn time_apart(change: &TraceChange) -> u64 {
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
    fn equal_differences_are_one_group_with_its_counts_and_its_first_example() {
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
    fn the_memory_for_groups_is_bounded_and_what_has_none_is_counted() {
        let mut collector = Collector::default();
        for nth in 0..GROUPS_MAX + 20 {
            collector.add(change(&format!("{nth}"), &[(&format!("text {nth}"), 1)]));
        }
        let summary = collector.finish(0);
        assert_eq!((summary.groups.len(), summary.groups_left_out), (GROUPS_MAX, 20));
        assert_eq!(summary.frames_changed as usize, GROUPS_MAX + 20);
    }
}
