//! The results as a JUnit file, which every CI reads: one suite per folder, one case per trace.
//!
//! `time` is wall time, as readers of the format expect; the board's own time is the property
//! `board-seconds` of each case. The console is `system-out`, preceded by the pictures of a failure
//! as attachments with paths relative to the project's root. The cases are stored in a temporary
//! file, so a suite's size is not bounded by memory.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{
    Exit,
    output_files::{OutputError, OutputFile},
};
use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};
use virtual_time::spoken;

use super::junit_names::{BOARD_SECONDS, EXPECTED_FAILURE, INPUTS, SHARD, is_junit};
use super::notices;
use super::output_file::{self, cannot_write};
use super::temporary_store::TemporaryStore;
use crate::firmware::FirmwareId;
use crate::options::ReplayOptions;
use crate::report::{Problem, TraceReport};
use escape::xml;

pub(crate) struct JunitReporter<'a> {
    options: &'a ReplayOptions,
    file: OutputFile,
    /// Name of the command that produced the results.
    what: &'static str,
    store: TemporaryStore,
    /// Suites by folder.
    suites: BTreeMap<String, Suite>,
}

#[derive(Default)]
struct Suite {
    /// Ranges of the suite's cases in the store.
    cases: Vec<Range<u64>>,
    tests: usize,
    failures: usize,
    errors: usize,
    /// Number of traces that were left out after the first that did not pass, or after Ctrl-C, and
    /// of those that failed as expected.
    skipped: usize,
    wall: Duration,
    board_seconds: f64,
    /// Whether a trace ran on the board of the command line.
    runs_default: bool,
    /// Whether a trace ran on the board that it names itself.
    runs_own: bool,
}

impl<'a> JunitReporter<'a> {
    /// # Errors
    /// If `path` cannot be written.
    pub fn new(
        path: &Path,
        options: &'a ReplayOptions,
        what: &'static str,
    ) -> Result<Self, OutputError> {
        let file = output_file::open(path, is_junit, options.force)?;
        let store = TemporaryStore::new().map_err(|source| cannot_write(path, source))?;
        Ok(Self { options, file, what, store, suites: BTreeMap::new() })
    }

    /// # Errors
    /// If the store cannot be written.
    pub fn add(&mut self, report: &TraceReport) -> io::Result<()> {
        let folder = folder_of(&report.file);
        let case = case(report, &folder, self.options);
        let suite = self.suites.entry(folder.clone()).or_default();
        suite.tests += 1;
        match report.exit {
            Exit::Passed if report.expected.is_some() => suite.skipped += 1,
            Exit::Passed => {}
            Exit::Failed | Exit::Program(_) | Exit::LimitReached => suite.failures += 1,
            Exit::Usage | Exit::Bench | Exit::Interrupted => suite.errors += 1,
        }
        if let Some((board, wall)) = report.ran {
            suite.wall += wall;
            suite.runs_default |= report.firmware.is_none();
            suite.runs_own |= report.firmware.is_some();
            suite.board_seconds += board.as_secs_f64();
        }
        self.store(folder, case)
    }

    /// Adds a case for the trace at `path`, which did not run.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn skip(&mut self, path: &Path) -> io::Result<()> {
        let folder = folder_of(path);
        let suite = self.suites.entry(folder.clone()).or_default();
        suite.tests += 1;
        suite.skipped += 1;
        let mut status = TestCaseStatus::skipped();
        status.set_message("not run");
        let case = empty_case(path, &folder, status);
        self.store(folder, case)
    }

    fn store(&mut self, folder: String, case: TestCase) -> io::Result<()> {
        let range = self.store.append(within(&serialized(case)?, "<testcase", "</testcase>"))?;
        let cases = &mut self.suites.entry(folder).or_default().cases;
        match cases.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => cases.push(range),
        }
        Ok(())
    }

    /// Writes the JUnit file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<PathBuf, OutputError> {
        let (store, suites, options) = (&mut self.store, &self.suites, self.options);
        let what = self.what;
        output_file::finish(self.file, |out| {
            let sum = |count: fn(&Suite) -> usize| suites.values().map(count).sum();
            let mut whole = quick_junit::Report::new(what);
            whole.tests = sum(|suite| suite.tests);
            whole.failures = sum(|suite| suite.failures);
            whole.errors = sum(|suite| suite.errors);
            whole.set_time(suites.values().map(|suite| suite.wall).sum());
            let frame = whole.to_string().map_err(io::Error::other)?;
            let (head, foot) = frame.split_at(frame.find("</testsuites>").unwrap_or(frame.len()));
            out.write_all(head.as_bytes())?;
            for (name, suite) in suites {
                let text = suite_text(name, suite, options)?;
                let text = within(&text, "<testsuite ", "</testsuite>");
                let end = text.len() - "</testsuite>".len().min(text.len());
                out.write_all(&text[..end])?;
                for cases in &suite.cases {
                    store.copy(cases.clone(), out)?;
                }
                out.write_all(b"</testsuite>\n")?;
            }
            out.write_all(foot.as_bytes())
        })
    }
}

fn suite_text(name: &str, suite: &Suite, options: &ReplayOptions) -> io::Result<String> {
    let mut written = TestSuite::new(name);
    (written.tests, written.failures, written.errors) = (suite.tests, suite.failures, suite.errors);
    written.disabled = suite.skipped;
    if let Some(stamp) = &options.started_at {
        written.extra.insert("timestamp".into(), xml::line(stamp).into());
    }
    written.set_time(suite.wall);
    written.add_property(Property::new(BOARD_SECONDS, format!("{:.3}", suite.board_seconds)));
    if let Some(shard) = options.shard {
        written.add_property(Property::new(SHARD, shard.to_string()));
    }
    // The cases of traces that name their boards themselves name the firmware.
    let names_default = suite.runs_default || !suite.runs_own;
    if let Some(firmware) = options.firmware.as_ref().filter(|_| names_default) {
        for property in firmware_properties(firmware) {
            written.add_property(property);
        }
    }
    let mut report = quick_junit::Report::new("");
    report.test_suites.push(written);
    report.to_string().map_err(io::Error::other)
}

/// Returns the properties that name a firmware.
fn firmware_properties(firmware: &FirmwareId) -> Vec<Property> {
    let property = |name, text: &String| Property::new(name, xml::line(text));
    let note = firmware.note.iter().map(|note| property("firmware-note", note));
    [property("firmware", &firmware.name)].into_iter().chain(note).collect()
}

/// Returns the name of the suite of the trace at `path`.
fn folder_of(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = xml::line(&folder.display().to_string());
    if folder.is_empty() { ".".to_owned() } else { folder }
}

fn empty_case(path: &Path, folder: &str, status: TestCaseStatus) -> TestCase {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut case = TestCase::new(xml::line(&name), status);
    case.set_classname(folder);
    case.extra.insert("file".into(), xml::line(&path.display().to_string()).into());
    case
}

fn case(report: &TraceReport, folder: &str, options: &ReplayOptions) -> TestCase {
    let first = report.problems.first();
    let status = match report.exit {
        Exit::Passed => match notices::expected(report) {
            None => TestCaseStatus::success(),
            Some(message) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(xml::line(&message)).set_type(EXPECTED_FAILURE);
                status
            }
        },
        exit => {
            let (kind, ty) = match exit {
                Exit::Usage => (NonSuccessKind::Error, "error"),
                Exit::Bench => (NonSuccessKind::Error, "bench"),
                Exit::LimitReached => (NonSuccessKind::Failure, "limit"),
                _ if report.passed_unexpectedly => (NonSuccessKind::Failure, "unexpected-pass"),
                _ if report.problems.iter().any(|problem| problem.crash.is_some()) => {
                    (NonSuccessKind::Failure, "panic")
                }
                _ => (NonSuccessKind::Failure, "expectation"),
            };
            let mut status = TestCaseStatus::non_success(kind);
            let headline = first.map_or("failed", |problem| problem.headline());
            status.set_message(xml::line(headline)).set_type(ty);
            status.set_description(xml::text(&description(report)));
            status
        }
    };
    let mut case = empty_case(&report.file, folder, status);
    if let Some(place) = first.and_then(|problem| problem.place) {
        case.extra.insert("line".into(), place.line.to_string().into());
    }
    if let Some((board, wall)) = report.ran {
        case.set_time(wall);
        let seconds = format!("{:.9}", board.as_secs_f64());
        case.add_property(Property::new(BOARD_SECONDS, seconds));
    }
    for property in report.firmware.iter().flat_map(firmware_properties) {
        case.add_property(property);
    }
    if let Some(inputs) = &report.inputs {
        case.add_property(Property::new(INPUTS, inputs.as_str()));
    }
    for (name, value) in notices::properties(report) {
        case.add_property(Property::new(name, xml::line(&value)));
    }
    // GitLab shows only the first picture, so the pictures come before the console.
    let pictures = report.problems.iter().flat_map(Problem::pictures);
    let pictures = pictures.filter_map(|path| options.project.as_ref()?.below(path));
    let mut output: String = pictures.map(|path| xml::attachment(&path)).collect();
    output += &xml::output(report.console.as_deref().unwrap_or_default());
    if !output.is_empty() {
        case.set_system_out(output);
    }
    case
}

/// Returns the case of a report, for tests.
#[cfg(test)]
pub(crate) fn junit_case(report: &TraceReport, options: &ReplayOptions) -> TestCase {
    case(report, ".", options)
}

/// Returns the whole report as text.
fn description(report: &TraceReport) -> String {
    let mut text = String::new();
    for problem in &report.problems {
        text += &format!("{}{}\n", report.place_of(problem), problem.message);
        if let Some(quote) = &problem.quote {
            text += &format!("  {quote}\n");
        }
        for call in problem.crash.iter().flat_map(|crash| &crash.calls) {
            text += &format!("  called from {call}\n");
        }
        if let Some(lines) = &problem.before {
            text += "  the frame before it showed:\n";
            lines.iter().for_each(|line| text += &format!("    | {line}\n"));
        }
        if let Some(lines) = &problem.shown {
            text += match problem.before {
                Some(_) => "  the frame itself showed:\n",
                None => "  the LCD showed:\n",
            };
            lines.iter().for_each(|line| text += &format!("    | {line}\n"));
        }
        for (at, what) in &problem.events {
            text += &format!("  at {}: {what}\n", spoken(at.since_start()));
        }
        if let Some(again) = &problem.again {
            text += &format!("  just this again: {again}\n");
        }
    }
    text
}

/// Returns a JUnit report with this case only.
fn serialized(case: TestCase) -> io::Result<String> {
    let mut suite = TestSuite::new("");
    suite.add_test_case(case);
    let mut report = quick_junit::Report::new("");
    report.add_test_suite(suite);
    report.to_string().map_err(io::Error::other)
}

/// Returns the text from the first `open` to the last `close`. In texts and attributes `<` is
/// escaped, so both can only be tags.
fn within<'a>(text: &'a str, open: &str, close: &str) -> &'a [u8] {
    let start = text.find(open).unwrap_or(0);
    let end = text.rfind(close).map_or(text.len(), |end| end + close.len());
    text.get(start..end).unwrap_or_default().as_bytes()
}
