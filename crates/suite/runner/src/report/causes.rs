//! The causes of all failed traces of a run, counted. Memory is bounded by the number of causes.

use causes::Cause;
use trace::counted;

use super::{Problem, TraceReport};

/// Maximum number of causes that are distinguished.
const CAUSES_MAX: usize = 200;
/// Maximum number of causes that are listed.
const LISTED_MAX: usize = 10;
/// Maximum number of examples of a cause.
const EXAMPLES_MAX: usize = 3;
/// Maximum number of failed traces that are named.
const NAMED_MAX: usize = 25;
/// Maximum number of lines of the causes and of the names.
pub(crate) const SUMMARY_LINES_MAX: usize = 35;
/// Maximum number of characters in a line of a cause.
const LETTERS_MAX: usize = 200;

/// The reason why a trace failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// Frames differ from their goldens.
    Frames(Cause),
    /// Another line failed.
    Line {
        /// Its message without numbers, up to what was found: equal in all lines of the kind.
        pattern: String,
        /// The message with its numbers, as long as all lines have the same.
        text: String,
    },
}

impl FailureKind {
    /// Returns the kind of a problem that is not about the pixels of a golden.
    pub fn of_line(problem: &Problem) -> Self {
        let headline = problem.headline();
        let wanted = headline
            .split("; ")
            .next()
            .and_then(|text| text.split(", but ").next())
            .unwrap_or(headline);
        Self::Line { pattern: causes::without_numbers(wanted), text: wanted.to_owned() }
    }

    /// Returns the kind of all failures with this sentence.
    pub fn line(text: &str) -> Self {
        Self::Line { pattern: text.to_owned(), text: text.to_owned() }
    }

    /// Joins a kind with another one that is the same. Returns whether it is.
    pub fn joins(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Frames(cause), Self::Frames(other)) => cause.joins(other),
            (Self::Line { pattern, text }, Self::Line { pattern: other, text: its_text })
                if pattern == other =>
            {
                if text != its_text {
                    text.clone_from(pattern);
                }
                true
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for FailureKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Frames(cause) => write!(out, "frames: {cause}"),
            Self::Line { text, .. } => out.write_str(text),
        }
    }
}

/// A kind of failure in one trace, with its first example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailureCause {
    pub kind: FailureKind,
    pub example: String,
}

/// Returns the causes of a trace's failure: of its frames, or else its first line that failed.
pub(crate) fn causes_of(report: &TraceReport) -> Vec<FailureCause> {
    match report.problems.first() {
        Some(first) if report.causes.is_empty() => {
            vec![FailureCause { kind: FailureKind::of_line(first), example: String::new() }]
        }
        _ => report.causes.clone(),
    }
}

/// The failures of a run by their causes.
#[derive(Debug, Default)]
pub(crate) struct CauseCounts {
    groups: Vec<Group>,
    /// Number of causes in traces that are in no group.
    left_out: usize,
    failed: usize,
    /// Number of goldens that differ or are missing.
    unmet: usize,
    /// Paths of the first failed traces, each with the line of its first failure.
    named: Vec<String>,
}

#[derive(Debug)]
struct Group {
    kind: FailureKind,
    traces: usize,
    examples: Vec<String>,
    /// Path of the first trace.
    first: String,
}

impl CauseCounts {
    /// Adds a trace that did not pass.
    pub fn add(&mut self, report: &TraceReport) {
        self.failed += 1;
        self.unmet += report.unmet_goldens;
        if self.named.len() < NAMED_MAX {
            let place = report.problems.first().and_then(|problem| problem.place);
            let line = place.map(|place| format!(":{}", place.line)).unwrap_or_default();
            self.named.push(report.path.clone() + &line);
        }
        for cause in causes_of(report) {
            self.add_cause(&cause, &report.path);
        }
    }

    fn add_cause(&mut self, FailureCause { kind, example }: &FailureCause, path: &str) {
        match self.groups.iter_mut().position(|group| group.kind.joins(kind)) {
            Some(known) => {
                let group = &mut self.groups[known];
                group.traces += 1;
                let is_new = !example.is_empty() && !group.examples.contains(example);
                if is_new && group.examples.len() < EXAMPLES_MAX {
                    group.examples.push(example.clone());
                }
            }
            None if self.groups.len() < CAUSES_MAX => {
                let examples = Some(example.clone()).filter(|text| !text.is_empty());
                self.groups.push(Group {
                    kind: kind.clone(),
                    traces: 1,
                    examples: examples.into_iter().collect(),
                    first: path.to_owned(),
                });
            }
            None => self.left_out += 1,
        }
    }

    /// Returns the causes, the most frequent first, one a line; no line if at most one trace failed.
    pub fn causes(&self) -> Vec<String> {
        if self.failed < 2 {
            return Vec::new();
        }
        let failed = counted(self.failed, "failed trace");
        let mut lines = self.listed(&format!("{failed}, {}:", self.counted()));
        if self.unmet > 0 {
            lines.push(format!(
                "--bless would write {}; `nudge review` shows a cause at a time",
                counted(self.unmet, "golden")
            ));
        }
        lines
    }

    /// Returns the causes of the goldens that `--bless` has written, one a line; no line if there is
    /// none.
    pub fn blessed(&self) -> Vec<String> {
        match self.failed {
            0 => Vec::new(),
            count => {
                self.listed(&format!("blessed {} in {}:", self.counted(), counted(count, "trace")))
            }
        }
    }

    fn counted(&self) -> String {
        counted(self.groups.len(), "cause")
    }

    fn listed(&self, title: &str) -> Vec<String> {
        let mut groups: Vec<&Group> = self.groups.iter().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.traces));
        let mut lines = vec![title.to_owned()];
        for group in groups.iter().take(LISTED_MAX) {
            lines.push(short(format!("  {}: {}", counted(group.traces, "trace"), group.kind)));
            let first = format!("first in {}", group.first);
            let words = group.examples.iter().chain([&first]);
            lines.push(short(format!("      {}", words.cloned().collect::<Vec<_>>().join("; "))));
        }
        let more = groups.len().saturating_sub(LISTED_MAX) + self.left_out;
        if more > 0 {
            lines.push(format!("  and {}", counted(more, "more cause")));
        }
        lines
    }

    /// Returns the names of the failed traces, one a line; no line if at most one trace failed.
    pub fn failed(&self) -> Vec<String> {
        if self.failed < 2 {
            return Vec::new();
        }
        // Fewer causes leave room for more names.
        let room = SUMMARY_LINES_MAX.saturating_sub(self.causes().len() + 1);
        let mut lines: Vec<String> =
            self.named.iter().take(room).map(|name| format!("failed: {name}")).collect();
        let more = self.failed - lines.len();
        if more > 0 {
            lines.push(format!("and {} failed", counted(more, "more trace")));
        }
        lines
    }
}

fn short(mut line: String) -> String {
    if let Some((at, _)) = line.char_indices().nth(LETTERS_MAX) {
        line.truncate(at);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn moved(right: i32) -> FailureKind {
        FailureKind::Frames(Cause::moved(right, 0))
    }

    fn failed(path: &str, causes: &[(FailureKind, &str)], message: &str) -> TraceReport {
        let mut report = TraceReport::new(Path::new(path));
        let cause = |(kind, example): &(FailureKind, &str)| FailureCause {
            kind: kind.clone(),
            example: (*example).to_owned(),
        };
        report.causes = causes.iter().map(cause).collect();
        report.problems.push(Problem::of_trace(message.to_owned()));
        report
    }

    #[test]
    fn a_thousand_red_traces_with_one_cause_are_a_few_lines() {
        let mut counts = CauseCounts::default();
        for nth in 0..1_000 {
            counts.add(&failed(
                &format!("{nth}.trace"),
                &[(moved(1), &format!("the text “{nth}”"))],
                "x",
            ));
        }
        assert_eq!(
            counts.causes(),
            [
                "1000 failed traces, 1 cause:",
                "  1000 traces: frames: moved 1 px to the right",
                "      the text “0”; the text “1”; the text “2”; first in 0.trace",
            ]
        );
        let named = counts.failed();
        assert_eq!((named.len(), &*named[0]), (NAMED_MAX + 1, "failed: 0.trace"));
        assert_eq!(named[NAMED_MAX], "and 975 more traces failed");
    }

    #[test]
    fn other_lines_are_grouped_by_what_they_wanted() {
        let mut counts = CauseCounts::default();
        counts.add(&failed("a", &[], "expected text “BONUS 4” on the LCD; nearest is “B”"));
        counts.add(&failed("b", &[], "expected text “BONUS 12” on the LCD; nearest is “C”"));
        counts.add(&failed("c", &[(moved(1), "x")], "expected frame start, but 3 pixels differ"));
        counts.add(&failed("d", &[], "unknown button `B9`; the buttons are B1…B6"));
        let lines = counts.causes();
        assert_eq!(lines[1], "  2 traces: expected text “BONUS N” on the LCD");
        assert_eq!(lines[3], "  1 trace: frames: moved 1 px to the right");
        assert_eq!(lines[5], "  1 trace: unknown button `B9`");
    }

    #[test]
    fn many_causes_stay_below_sixty_lines() {
        let mut counts = CauseCounts::default();
        for nth in 0..10_000 {
            counts.add(&failed(&format!("{nth}.trace"), &[(moved(nth), "x")], "x"));
        }
        assert!(counts.causes().len() + counts.failed().len() <= SUMMARY_LINES_MAX);
        assert_eq!(counts.causes().last().map(String::as_str), Some("  and 9990 more causes"));
    }

    #[test]
    fn a_single_failed_trace_needs_no_summary() {
        let mut counts = CauseCounts::default();
        counts.add(&failed("a", &[], "x"));
        assert!(counts.causes().is_empty() && counts.failed().is_empty());
    }
}
