//! Failures that the header of a trace expects: how they change its result.

use host::Exit;
use trace::{Date, HeaderEntry, KnownFailure};

use super::{Problem, TraceReport};

/// The known failure that a trace has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownFailure {
    pub known: KnownFailure,
    /// First line of the message of its first problem.
    pub headline: String,
}

impl ShownFailure {
    /// Returns `expected to fail: REASON (until 2027-01-31)`.
    pub fn words(&self) -> String {
        let until = self.known.until.map(|until| format!(" (until {until})")).unwrap_or_default();
        format!("expected to fail: {}{until}", self.known.reason)
    }
}

impl TraceReport {
    /// Judges the report by the line `xfail` of the trace's header. `today` is the day for which
    /// its date is judged; `None`: each date is still to come.
    ///
    /// A trace that could not be replayed remains an error.
    pub(crate) fn expect_failure(&mut self, entry: &HeaderEntry, today: Option<Date>) {
        let Some(known) = KnownFailure::of(&entry.value) else { return };
        match self.exit {
            Exit::Usage | Exit::Bench | Exit::Interrupted => {}
            Exit::Passed => {
                let message = format!(
                    "unexpected pass: the header expects that this trace fails ({}); remove the line \
                     `xfail`",
                    known.reason
                );
                let place = Some(entry.key_place);
                self.add(Exit::Failed, Problem { place, ..Problem::of_trace(message) });
                self.passed_unexpectedly = true;
            }
            Exit::Failed | Exit::Program(_) | Exit::LimitReached => {
                if let (Some(today), Some(until)) = (today, known.until)
                    && !known.holds_on(today)
                {
                    self.notes.push(format!(
                        "`xfail` expected this failure until {until}, and today is {today}: {}",
                        known.reason
                    ));
                    return;
                }
                let headline = self.problems.first().map_or("", Problem::headline).to_owned();
                self.exit = Exit::Passed;
                self.problems.clear();
                self.causes.clear();
                self.expected = Some(ShownFailure { known, headline });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use trace::{XFAIL_KEY, header_entry};

    use super::*;

    fn judged(exit: Exit, value: &str, today: Option<&str>) -> TraceReport {
        let mut report = TraceReport::new(Path::new("a.trace"));
        if exit != Exit::Passed {
            report.add(exit, Problem::of_trace("wrong\nmore".to_owned()));
        }
        let entry = header_entry(&format!("trace 1\nxfail {value}\n"), XFAIL_KEY).unwrap();
        report.expect_failure(&entry, today.map(|today| today.parse().unwrap()));
        report
    }

    #[test]
    fn a_known_failure_passes_until_its_date() {
        let report = judged(Exit::Failed, "\"x\" until 2027-01-31", Some("2027-01-31"));
        let expected = report.expected.unwrap();
        assert_eq!((report.exit, report.problems.len()), (Exit::Passed, 0));
        assert_eq!(expected.words(), "expected to fail: x (until 2027-01-31)");
        assert_eq!(expected.headline, "wrong");
        let report = judged(Exit::Failed, "\"x\" until 2027-01-31", Some("2027-02-01"));
        assert_eq!((report.exit, report.problems.len()), (Exit::Failed, 1));
        assert_eq!(
            report.notes,
            ["`xfail` expected this failure until 2027-01-31, and today is 2027-02-01: x"]
        );
    }

    #[test]
    fn a_pass_is_an_error_and_a_usage_error_stays_one() {
        let report = judged(Exit::Passed, "\"x\"", None);
        assert!(report.problems[0].message.starts_with("unexpected pass: "), "{:?}", report.exit);
        assert_eq!((report.exit, report.passed_unexpectedly), (Exit::Failed, true));
        assert_eq!(report.problems[0].place.map(|place| place.line), Some(2));
        let report = judged(Exit::Usage, "\"x\"", None);
        assert_eq!((report.exit, report.expected), (Exit::Usage, None));
    }
}
