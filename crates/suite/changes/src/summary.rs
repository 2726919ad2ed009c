//! The result of a comparison: groups of equal differences over all traces with their counts, and
//! sums of the other differences.
//!
//! Memory is bounded: a group stores one example and the names of its first traces, and the number
//! of groups is limited.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use causes::Cause;
use virtual_time::Instant;

use crate::compare::{ConsoleChange, Example, SeenCause, TraceChange};

/// Maximum number of groups of differing frames.
pub const GROUPS_MAX: usize = 500;
/// Maximum number of groups of differing console lines.
const CONSOLE_MAX: usize = 200;
/// Maximum number of traces that are named per group.
const NAMED_MAX: usize = 5;
/// Number of times that a cause must be more frequent than another one that only occurs with it.
const RARE: u64 = 10;
/// Maximum number of examples per group.
const EXAMPLES_MAX: usize = 5;
/// Maximum number of traces that are listed.
const TRACES_MAX: usize = 5_000;

/// A group of differences that have one cause.
#[derive(Clone, Debug)]
pub struct Group {
    pub cause: Cause,
    /// The first different differences of the group, for people.
    pub examples: Vec<String>,
    /// Number of examples that are not among these, counted once a trace.
    pub more_examples: u64,
    /// Number of frames with the difference.
    pub frames: u64,
    /// Number of traces with the difference.
    pub traces: u64,
    /// Paths of the first of these traces.
    pub named: Vec<String>,
    /// First occurrence.
    pub example: Example,
    /// Rare causes that occur only in traces with this one, and their number of traces.
    pub companions: Vec<(Cause, u64)>,
    /// Number of traces that have another group too, by its index before the groups are sorted.
    together: BTreeMap<usize, u64>,
}

impl Group {
    /// Creates the group of a cause that was first seen in the trace at `path`.
    pub(crate) fn new(seen: SeenCause, path: &str) -> Self {
        Self {
            cause: seen.cause,
            examples: vec![seen.what],
            more_examples: 0,
            frames: seen.frames,
            traces: 1,
            named: vec![path.to_owned()],
            example: seen.example,
            companions: Vec::new(),
            together: BTreeMap::new(),
        }
    }
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
    /// Number of causes in traces that are in no group.
    pub groups_left_out: u64,
    /// Number of differing frames after the first divergence of a trace's behaviour.
    pub frames_after: u64,
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
    console: HashMap<ConsoleChange, usize>,
}

impl Collector {
    /// Creates a collector for a comparison of these two firmwares.
    pub fn new(firmware: [String; 2]) -> Self {
        Self { summary: Summary { firmware, ..Summary::default() }, ..Self::default() }
    }

    /// Returns whether an example of the difference is needed.
    pub fn wants(&self, cause: &Cause) -> bool {
        let groups = &self.summary.groups;
        groups.len() < GROUPS_MAX && !groups.iter().any(|group| group.cause.clone().joins(cause))
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
        summary.frames_after += change.frames_after;
        // Lines after a divergence only follow from it.
        if change.causes.iter().any(|seen| matches!(seen.cause, Cause::Behaviour(_))) {
            change.console.truncate(1);
        }
        change.kinds.clear();
        let mut in_this_trace = BTreeSet::new();
        for seen in change.causes.drain(..) {
            summary.add_cause(seen, &change.path, &mut in_this_trace);
        }
        for one in &in_this_trace {
            let group = &mut summary.groups[*one];
            for other in in_this_trace.iter().filter(|other| *other != one) {
                *group.together.entry(*other).or_default() += 1;
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
        summary.fold_companions();
        // The sort is stable: among equally frequent groups the one that was seen first comes
        // first.
        summary.groups.sort_by_key(|group| std::cmp::Reverse((group.traces, group.frames)));
        summary.console.sort_by_key(|group| std::cmp::Reverse(group.lines));
        summary
    }
}

impl Summary {
    /// Adds a cause in the trace at `path` to its group, and the group's index to `in_this_trace`.
    fn add_cause(&mut self, seen: SeenCause, path: &str, in_this_trace: &mut BTreeSet<usize>) {
        let known = self.groups.iter_mut().position(|group| group.cause.joins(&seen.cause));
        let Some(known) = known else {
            if self.groups.len() < GROUPS_MAX {
                in_this_trace.insert(self.groups.len());
                self.groups.push(Group::new(seen, path));
            } else {
                self.groups_left_out += 1;
            }
            return;
        };
        let group = &mut self.groups[known];
        group.frames += seen.frames;
        if !group.examples.contains(&seen.what) {
            if group.examples.len() < EXAMPLES_MAX {
                group.examples.push(seen.what);
            } else {
                group.more_examples += 1;
            }
        }
        // Two causes of one trace may have been joined.
        if in_this_trace.insert(known) {
            group.traces += 1;
            if group.named.len() < NAMED_MAX {
                group.named.push(path.to_owned());
            }
        }
    }

    /// Moves rare causes that occur only together with a frequent one below it.
    fn fold_companions(&mut self) {
        let traces: Vec<u64> = self.groups.iter().map(|group| group.traces).collect();
        let leader = |group: &Group| {
            let always = |(_, count): &(&usize, &u64)| **count == group.traces;
            let is_rare = |other: &usize| group.traces * RARE <= traces[*other];
            let leaders = group.together.iter().filter(always).map(|(other, _)| *other);
            leaders.filter(is_rare).max_by_key(|other| traces[*other])
        };
        let mut leaders: Vec<Option<usize>> = self.groups.iter().map(leader).collect();
        // Where something is drawn or done otherwise in most traces, other times and bytes in the
        // rest follow from frames that did not stay.
        let strong = (0..traces.len()).filter(|at| !self.groups[*at].cause.is_weak());
        if let Some(strongest) = strong.max_by_key(|at| traces[*at]) {
            // Which screens are others is unspecific: they follow from what is done otherwise.
            let is_behaviour = matches!(self.groups[strongest].cause, Cause::Behaviour(_));
            for (at, group) in self.groups.iter().enumerate() {
                let follows =
                    group.cause.is_weak() || is_behaviour && group.cause == Cause::Screens;
                if follows && traces[at] <= traces[strongest] {
                    leaders[at] = Some(strongest);
                }
            }
            leaders[strongest] = None;
            // Where nearly all traces are the same at other times, what differs in a few of them was
            // shown or sounded at the time of a line.
            let mut others = (0..traces.len()).filter(|at| *at != strongest);
            let is_time = |at: &usize| matches!(self.groups[*at].cause, Cause::Time { .. });
            if let Some(time) =
                others.find(|at| is_time(at) && traces[strongest] * RARE <= traces[*at])
            {
                leaders.fill(Some(time));
                leaders[time] = None;
            }
        }
        for (at, leader) in leaders.iter().enumerate() {
            // A leader that has a leader itself occurs only with that one, too.
            let top = |mut at: usize| {
                while let Some(leader) = leaders[at] {
                    at = leader;
                }
                at
            };
            if let Some(leader) = leader.map(top) {
                let companion = (self.groups[at].cause.clone(), self.groups[at].traces);
                self.groups[leader].companions.push(companion);
            }
        }
        let mut at = 0;
        self.groups.retain(|_| {
            at += 1;
            leaders[at - 1].is_none()
        });
    }

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
    use causes::console::Token;
    use ili9341_model::Region;

    use super::*;

    fn words(after: &str) -> Cause {
        Cause::Words { before: String::new(), after: after.to_owned() }
    }

    fn change(path: &str, kinds: &[(&str, u64)]) -> TraceChange {
        let example = |path: &str| Example {
            line: path.len() as u32,
            at: Instant::START,
            region: Region::PANEL,
            pictures: [None, None],
        };
        let cause = |(text, frames): &(&str, u64)| SeenCause {
            cause: words(text),
            frames: *frames,
            what: format!("{text}!"),
            example: example(path),
        };
        TraceChange {
            path: path.to_owned(),
            frames: [10, 10],
            frames_changed: kinds.iter().map(|(_, frames)| frames).sum(),
            causes: kinds.iter().map(cause).collect(),
            ..TraceChange::default()
        }
    }

    #[test]
    fn equal_differences_are_one_group_with_counts_and_example() {
        let mut collector = Collector::default();
        collector.add(change("same", &[]));
        collector.add(change("a", &[("x", 1), ("y", 2)]));
        collector.add(change("bb", &[("y", 5)]));
        assert!(!collector.wants(&words("y")));
        assert!(collector.wants(&words("z")));
        let summary = collector.finish(0);
        let groups = summary.groups.iter().map(|group| {
            (
                group.cause.to_string(),
                group.frames,
                group.traces,
                group.named.join(" "),
                group.example.line,
            )
        });
        assert_eq!(
            groups.collect::<Vec<_>>(),
            [
                ("the text “y” is new".into(), 7, 2, "a bb".into(), 1),
                ("the text “x” is new".into(), 1, 1, "a".into(), 1),
            ]
        );
        assert_eq!((summary.traces, summary.traces_changed, summary.frames_changed), (3, 2, 8));
    }

    #[test]
    fn a_rare_cause_that_occurs_only_with_a_frequent_one_is_its_companion() {
        let mut collector = Collector::default();
        for nth in 0..10 {
            let rare: &[(&str, u64)] =
                if nth == 3 { &[("often", 2), ("rare", 1)] } else { &[("often", 2)] };
            collector.add(change(&format!("{nth}"), rare));
        }
        collector.add(change("alone", &[("seldom", 1)]));
        let groups = collector.finish(0).groups;
        let names: Vec<&Cause> = groups.iter().map(|group| &group.cause).collect();
        assert_eq!(names, [&words("often"), &words("seldom")]);
        assert_eq!(groups[0].companions, [(words("rare"), 1)]);
    }

    fn caused(path: &str, cause: Cause) -> TraceChange {
        let mut change = change(path, &[("x", 1)]);
        change.causes[0].cause = cause;
        change
    }

    fn groups(changes: impl IntoIterator<Item = Cause>) -> Vec<(Cause, usize)> {
        let mut collector = Collector::default();
        for (nth, cause) in changes.into_iter().enumerate() {
            collector.add(caused(&nth.to_string(), cause));
        }
        let groups = collector.finish(0).groups;
        groups.into_iter().map(|group| (group.cause, group.companions.len())).collect()
    }

    #[test]
    fn what_few_traces_show_follows_from_other_times_in_nearly_all() {
        let time = Cause::Time { is_later: false };
        let tone = Cause::Tone([Some(880), Some(0)]);
        let few = [tone.clone(), Cause::Screens];
        let many = (0..20).map(|_| time.clone()).chain(few.clone());
        assert_eq!(groups(many), [(time.clone(), 2)]);
        // A tone in more traces is a change of its own.
        let many = (0..20).map(|_| time.clone()).chain((0..3).map(|_| tone.clone()));
        assert_eq!(groups(many), [(time, 0), (tone, 0)]);
    }

    #[test]
    fn other_screens_follow_from_another_behaviour() {
        let token = |text: &str| Some(text.to_owned());
        let other = Cause::Behaviour(Token([token("event=capture:N"), None]));
        let many = [other.clone(), other.clone(), Cause::Screens, words("x")];
        assert_eq!(groups(many), [(other, 1), (words("x"), 0)]);
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
