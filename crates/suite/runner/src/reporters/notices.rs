//! Texts for a report in addition to its problems: notices, and that repeated runs were the same.
//! Each reporter places and escapes these lines for its readers.

use crate::report::TraceReport;
use crate::report::causes::causes_of;

/// Returns `win.trace:7:6: notice: …`, one line per notice.
pub(crate) fn lines(report: &TraceReport) -> impl Iterator<Item = String> {
    report.notices.iter().map(|notice| {
        let place = notice.place.map(|place| format!(":{place}")).unwrap_or_default();
        format!("{}{place}: {notice}", report.path)
    })
}

/// Returns `expected to fail: REASON; expected text …`, or `None` if the trace did not fail as its
/// header expects.
pub(super) fn expected(report: &TraceReport) -> Option<String> {
    let shown = report.expected.as_ref()?;
    Some(format!("{}; {}", shown.words(), shown.headline))
}

/// Returns `, 5 runs were equal`, or an empty text if the trace was not repeated.
pub(super) fn equal_runs(report: &TraceReport) -> String {
    report.equal_runs.map(|runs| format!(", {runs} runs were equal")).unwrap_or_default()
}

/// Returns the properties of a test case: names and values.
pub(super) fn properties(report: &TraceReport) -> impl Iterator<Item = (&'static str, String)> {
    let equal = report.equal_runs.map(|runs| ("equal-runs", runs.to_string()));
    let notices = report.notices.iter().map(|notice| {
        let place = notice.place.map(|place| format!("{place}: ")).unwrap_or_default();
        ("notice", format!("{place}{}", notice.kind))
    });
    let causes = causes_of(report).into_iter().map(|cause| ("cause", cause.kind.to_string()));
    equal.into_iter().chain(notices).chain(causes)
}
