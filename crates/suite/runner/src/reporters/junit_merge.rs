//! Joins JUnit files of the parts of a suite into one file.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::junit_names::{BOARD_SECONDS, EXPECTED_FAILURE, INPUTS, SHARD, is_junit};
use super::output_file;
use crate::parts::{Joined, MergeError, Part};
use crate::suite::shard::Shard;

/// Joins the files in `inputs` into one at `output`. Suites of one folder become one suite.
///
/// # Errors
/// If a file is not JUnit, or does not belong to the others; if the output cannot be written.
pub(crate) fn merge(
    inputs: &[(PathBuf, String)],
    output: &Path,
    force: bool,
) -> Result<Joined, MergeError> {
    let mut reports = Vec::new();
    for (path, text) in inputs {
        reports.push((path.as_path(), parse(path, text)?));
    }
    let mut parts = Vec::new();
    for (path, report) in &reports {
        let is_empty = report.test_suites.is_empty();
        parts.push(Part { path, shard: shard_of(path, report)?, is_empty });
    }
    Part::check(&parts)?;
    let mut seen = BTreeSet::new();
    let mut whole: Option<Report> = None;
    for (path, report) in reports {
        for case in report.test_suites.iter().flat_map(|suite| &suite.test_cases) {
            let trace = trace_of(case);
            if !seen.insert(trace.clone()) {
                return Err(MergeError::Twice { path: path.to_owned(), trace });
            }
        }
        match &mut whole {
            None => whole = Some(report),
            Some(whole) => report.test_suites.into_iter().for_each(|suite| add(whole, suite)),
        }
    }
    let mut whole = whole.unwrap_or_else(|| Report::new("nudge replay"));
    for suite in &mut whole.test_suites {
        suite.properties.retain(|property| property.name.as_str() != SHARD);
        suite.test_cases.sort_by_key(trace_of);
        count(suite);
    }
    whole.test_suites.sort_by_key(|suite| suite.name.to_string());
    let sum = |count: fn(&TestSuite) -> usize| whole.test_suites.iter().map(count).sum::<usize>();
    let (tests, failures) = (sum(|suite| suite.tests), sum(|suite| suite.failures));
    let (errors, skipped) = (sum(|suite| suite.errors), sum(|suite| suite.disabled));
    let expected = sum(|suite| suite.test_cases.iter().filter(is_expected).count());
    let not_run = skipped - expected;
    (whole.tests, whole.failures, whole.errors) = (tests, failures, errors);
    whole.time = Some(whole.test_suites.iter().filter_map(|suite| suite.time).sum());
    let file = output_file::open(output, is_junit, force)?;
    let path = output_file::finish(file, |out| whole.serialize(out).map_err(io::Error::other))?;
    let passed = tests.saturating_sub(failures + errors + skipped);
    Ok(Joined { path, passed, expected, failed: failures, errors, not_run })
}

/// Returns the duration of each trace in a JUnit file, with the trace's path as written in the
/// file.
///
/// # Errors
/// If the text is not a JUnit file.
pub(crate) fn durations(path: &Path, text: &str) -> Result<Vec<(String, Duration)>, MergeError> {
    let report = parse(path, text)?;
    let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    Ok(cases.filter_map(|case| Some((trace_of(case), case.time?))).collect())
}

/// The results of one run.
#[derive(Debug)]
pub(crate) struct JunitRun {
    pub path: PathBuf,
    /// Date and time of its beginning.
    pub stamp: Option<String>,
    /// Results by the paths of the traces.
    pub cases: BTreeMap<String, CaseResult>,
}

/// The result of a trace in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaseResult {
    /// Message of the failure, if the trace failed.
    pub failed: Option<String>,
    pub has_run: bool,
    /// Wall time.
    pub time: Option<Duration>,
    pub firmware: Option<String>,
    /// Hash of the files and options that the verdict depends on.
    pub inputs: Option<String>,
}

/// Reads the text of the JUnit file of a run.
///
/// # Errors
/// If the text is not a JUnit file.
pub(crate) fn read_run(path: &Path, text: &str) -> Result<JunitRun, MergeError> {
    let report = parse(path, text)?;
    let stamps = report.test_suites.iter().filter_map(|suite| suite.timestamp);
    let stamp = stamps.min().map(|stamp| stamp.to_rfc3339());
    let mut cases = BTreeMap::new();
    for suite in &report.test_suites {
        let firmware = property(&suite.properties, "firmware");
        for case in &suite.test_cases {
            let (failed, has_run) = match &case.status {
                TestCaseStatus::NonSuccess { message, .. } => {
                    (Some(message.as_ref().map_or("failed", |text| text.as_str()).to_owned()), true)
                }
                TestCaseStatus::Skipped { .. } => (None, is_expected(&case)),
                TestCaseStatus::Success { .. } => (None, true),
            };
            let result = CaseResult {
                failed,
                has_run,
                time: case.time,
                firmware: property(&case.properties, "firmware").or_else(|| firmware.clone()),
                inputs: property(&case.properties, INPUTS),
            };
            cases.insert(trace_of(case), result);
        }
    }
    Ok(JunitRun { path: path.to_owned(), stamp, cases })
}

fn property(properties: &[Property], name: &str) -> Option<String> {
    let found = properties.iter().find(|property| property.name.as_str() == name);
    found.map(|property| property.value.to_string())
}

fn parse(path: &Path, text: &str) -> Result<Report, MergeError> {
    Report::deserialize_from_str(text)
        .map_err(|error| MergeError::NotJunit { path: path.to_owned(), source: Box::new(error) })
}

/// Returns the path of the trace that a case reports on.
fn trace_of(case: &TestCase) -> String {
    match case.extra.get("file") {
        Some(file) => file.to_string(),
        None => case.name.to_string(),
    }
}

fn shard_of(path: &Path, report: &Report) -> Result<Option<Shard>, MergeError> {
    let properties = report.test_suites.iter().flat_map(|suite| &suite.properties);
    let shard =
        properties.filter(|property| property.name.as_str() == SHARD).map(|it| &it.value).next();
    let unreadable = |_| MergeError::NotThisVersion { path: path.to_owned() };
    shard.map(|shard| shard.as_str().parse().map_err(unreadable)).transpose()
}

/// Adds a suite to those of `whole`.
fn add(whole: &mut Report, suite: TestSuite) {
    let same = whole.test_suites.iter_mut().find(|other| other.name == suite.name);
    let Some(other) = same else {
        whole.test_suites.push(suite);
        return;
    };
    other.test_cases.extend(suite.test_cases);
    other.timestamp = match (other.timestamp, suite.timestamp) {
        (Some(one), Some(another)) => Some(one.min(another)),
        (one, another) => one.or(another),
    };
    other.time = Some(other.time.unwrap_or_default() + suite.time.unwrap_or_default());
    for property in suite.properties {
        if property.name.as_str() != BOARD_SECONDS && !other.properties.contains(&property) {
            other.properties.push(property);
        }
    }
}

/// Returns whether the trace of a case failed as its header expects.
fn is_expected(case: &&TestCase) -> bool {
    matches!(&case.status, TestCaseStatus::Skipped { ty: Some(ty), .. } if ty.as_str() == EXPECTED_FAILURE)
}

/// Stores the number of cases of each kind in the suite.
fn count(suite: &mut TestSuite) {
    let count = |is: fn(&TestCaseStatus) -> bool| {
        suite.test_cases.iter().filter(|case| is(&case.status)).count()
    };
    let failures = count(|status| {
        matches!(status, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. })
    });
    let errors = count(|status| {
        matches!(status, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. })
    });
    let disabled = count(|status| matches!(status, TestCaseStatus::Skipped { .. }));
    let seconds: f64 = suite
        .test_cases
        .iter()
        .flat_map(|case| &case.properties)
        .filter(|property| property.name.as_str() == BOARD_SECONDS)
        .filter_map(|property| property.value.as_str().parse::<f64>().ok())
        .sum();
    suite.tests = suite.test_cases.len();
    (suite.failures, suite.errors, suite.disabled) = (failures, errors, disabled);
    suite.properties.retain(|property| property.name.as_str() != BOARD_SECONDS);
    suite.properties.push(Property::new(BOARD_SECONDS, format!("{seconds:.3}")));
}
