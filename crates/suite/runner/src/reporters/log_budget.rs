//! Bounds the log of a run: what a line of it may take, so that the causes at its end are not far
//! below the first failure. Reports that are left out are named or counted at the end.

use crate::report::causes::SUMMARY_LINES_MAX;

/// Lines at the end beside the causes and the names: firmware, files, what is left out, the sum.
const END_LINES: usize = 5;

/// The lines that the reports of a run may still take.
#[derive(Debug)]
pub(crate) struct LogBudget {
    /// `None` without a limit.
    room: Option<usize>,
    /// Lines that passed traces may still take.
    passed: usize,
    pub passed_left_out: usize,
    pub failed_left_out: usize,
    has_failed: bool,
}

impl LogBudget {
    /// Creates the budget of a log of at most `lines` lines for `total` traces. The report of a
    /// single trace is never cut.
    pub fn new(lines: Option<usize>, total: usize) -> Self {
        // Each failed trace has at most three lines at the end: a cause, its example, its name.
        let summary = SUMMARY_LINES_MAX.min(3 * total + 3) + END_LINES;
        let room = lines.filter(|_| total > 1).map(|lines| lines.saturating_sub(summary));
        let passed = room
            .map_or(usize::MAX, |room| if total <= room { total.max(room / 2) } else { room / 4 });
        Self { room, passed, passed_left_out: 0, failed_left_out: 0, has_failed: false }
    }

    /// Returns how many lines of a report of `lines` lines are written; 0 if it is left out.
    pub fn take(&mut self, lines: usize, has_passed: bool) -> usize {
        let Some(room) = &mut self.room else { return lines };
        if lines == 0 {
            return 0;
        }
        if has_passed {
            let fits = lines <= self.passed && lines <= *room;
            self.passed_left_out += usize::from(!fits);
            let taken = if fits { lines } else { 0 };
            self.passed -= taken;
            *room -= taken;
            return taken;
        }
        // The first failure is cut rather than left out.
        let taken = match (lines <= *room, self.has_failed) {
            (true, _) => lines,
            (false, false) => *room,
            (false, true) => 0,
        };
        self.has_failed = true;
        self.failed_left_out += usize::from(taken < lines);
        *room -= taken;
        taken
    }

    /// Returns the line that reports what is left out; `None` if nothing is.
    pub fn left_out(&self) -> Option<String> {
        let parts = [(self.failed_left_out, "failed"), (self.passed_left_out, "passed")];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let parts = Some(parts.join(" and ")).filter(|parts| !parts.is_empty())?;
        Some(format!("left out above: the reports of {parts} traces; --all prints them"))
    }
}

/// Returns the first `count` lines of a text. A group of GitHub's that begins in it is closed.
pub(crate) fn first_lines(text: &str, count: usize) -> String {
    let mut cut: String = text.split_inclusive('\n').take(count).collect();
    if cut.len() < text.len() && cut.contains("::group::") && !cut.contains("::endgroup::") {
        cut += "::endgroup::\n";
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_red_traces_take_less_than_sixty_lines() {
        let mut budget = LogBudget::new(Some(60), 1_000);
        let mut lines = 0;
        for nth in 0..1_000 {
            lines += budget.take(if nth % 2 == 0 { 1 } else { 40 }, nth % 2 == 0);
        }
        assert!(lines + SUMMARY_LINES_MAX + END_LINES <= 60, "{lines}");
        assert!(lines >= 15, "{lines}");
        assert_eq!(budget.failed_left_out, 500);
        let left_out = budget.left_out().unwrap();
        assert!(
            left_out.starts_with("left out above: the reports of 500 failed and 49"),
            "{left_out}"
        );
    }

    #[test]
    fn one_trace_and_a_run_without_a_limit_are_printed_whole() {
        assert_eq!(LogBudget::new(Some(60), 1).take(500, false), 500);
        assert_eq!(LogBudget::new(None, 9).take(500, false), 500);
        let mut few = LogBudget::new(Some(60), 3);
        assert_eq!([few.take(15, false), few.take(1, true), few.take(15, false)], [15, 1, 15]);
        assert_eq!(few.left_out(), None);
    }

    #[test]
    fn a_cut_report_ends_its_group() {
        let text = "FAIL x\n::group::details\n  a\n  b\n::endgroup::\n";
        assert_eq!(first_lines(text, 3), "FAIL x\n::group::details\n  a\n::endgroup::\n");
        assert_eq!(first_lines(text, 5), text);
    }
}
