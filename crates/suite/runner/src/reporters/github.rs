//! Writes GitHub's annotations on the lines of traces that failed, and a summary of the step.
//!
//! GitHub shows the first ten annotations of a step. The first failure of each trace is therefore
//! annotated directly after its report, and the other failures at the end, so that the ten name ten
//! traces.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use hal_mock::SourcePlace;
use host::output_files::{Log, OutputError};

use crate::options::github::Github;
use crate::report::tally::Tally;
use crate::report::{Problem, TraceReport};
use escape::github::{cell, data, property};
use escape::terminal::TextWriter;

/// Maximum number of annotations written. The log shows those that GitHub does not.
const ANNOTATIONS_MAX: usize = 50;
/// Maximum number of notices that are annotated: GitHub shows ten per step.
const NOTICES_MAX: usize = 10;
/// Maximum number of failed traces in the summary.
const ROWS_MAX: usize = 50;

pub(crate) struct GithubReporter<'a> {
    github: &'a Github,
    /// Name of the command that produced the results.
    what: &'static str,
    written: usize,
    /// Annotations of further failures, at most [`ANNOTATIONS_MAX`].
    later: Vec<String>,
    notices: usize,
    rows: Vec<String>,
    /// Lines of the source with an annotation.
    crashes: BTreeSet<SourcePlace>,
}

impl<'a> GithubReporter<'a> {
    /// # Errors
    /// If the summary cannot be written.
    pub fn new(github: &'a Github, what: &'static str) -> Result<Self, OutputError> {
        if let Some(path) = &github.summary {
            Log::append(path)?;
        }
        Ok(Self {
            github,
            what,
            written: 0,
            later: Vec::new(),
            notices: 0,
            rows: Vec::new(),
            crashes: BTreeSet::new(),
        })
    }

    /// # Errors
    /// If `out` cannot be written.
    pub fn add(&mut self, report: &TraceReport, out: &mut TextWriter<'_>) -> io::Result<()> {
        let file = self.github.in_repository(&report.file);
        let mut problems = report.problems.iter();
        if let Some(first) = problems.next().filter(|_| self.written < ANNOTATIONS_MAX) {
            self.written += 1;
            out.own(&annotation(&file, report, first, self.what))?;
        }
        self.add_crash(report, out)?;
        let room = ANNOTATIONS_MAX.saturating_sub(self.later.len());
        let later =
            problems.take(room).map(|problem| annotation(&file, report, problem, self.what));
        self.later.extend(later);
        self.add_notices(report, &file, out)?;
        if let Some(problem) = report.problems.first().filter(|_| self.rows.len() < ROWS_MAX) {
            let line = problem.place.map(|place| format!(":{}", place.line)).unwrap_or_default();
            let message = problem.headline();
            self.rows.push(format!("| {} | {} |\n", cell(&(file + &line)), cell(message)));
        }
        Ok(())
    }

    /// Annotates the line of the firmware's source in which it crashed, if the repository has it. A line in
    /// which many traces crash is annotated once.
    fn add_crash(&mut self, report: &TraceReport, out: &mut TextWriter<'_>) -> io::Result<()> {
        let crashes = report
            .problems
            .iter()
            .filter_map(|problem| Some((problem, problem.crash.as_ref()?.place.as_ref()?)));
        for (problem, place) in crashes {
            let Some(file) = self.github.file_of_repository(Path::new(&place.file)) else {
                continue;
            };
            if self.written >= ANNOTATIONS_MAX || !self.crashes.insert(place.clone()) {
                continue;
            }
            self.written += 1;
            let mut line = format!("::error file={},line={}", property(&file), place.line);
            if let Some(column) = place.column {
                line += &format!(",col={column}");
            }
            let title = property(&format!("{}: the firmware crashed", self.what));
            let message = report.place_of(problem) + &problem.message;
            out.own(&format!("{line},title={title}::{}\n", data(&message)))?;
        }
        Ok(())
    }

    fn add_notices(
        &mut self,
        report: &TraceReport,
        file: &str,
        out: &mut TextWriter<'_>,
    ) -> io::Result<()> {
        let left = NOTICES_MAX - self.notices;
        for notice in report.notices.iter().take(left) {
            self.notices += 1;
            let mut line = format!("::notice file={}", property(file));
            if let Some(place) = notice.place {
                line += &format!(",line={},col={}", place.line, place.column);
            }
            let title = property(&format!("{}: the trace tests little", self.what));
            out.own(&format!("{line},title={title}::{}\n", data(&notice.kind.to_string())))?;
        }
        Ok(())
    }

    /// Writes the remaining annotations, and appends the summary, if GitHub names a file for it.
    /// `firmware` are the lines that name the firmware, `causes` those of the causes.
    ///
    /// # Errors
    /// If `out` cannot be written. The inner error: if the summary cannot be written.
    pub fn finish(
        mut self,
        tally: &Tally,
        firmware: &[String],
        causes: &[String],
        out: &mut TextWriter<'_>,
    ) -> io::Result<Result<(), OutputError>> {
        self.later.truncate(ANNOTATIONS_MAX.saturating_sub(self.written));
        self.later.iter().try_for_each(|annotation| out.own(annotation))?;
        Ok(self.summary(tally, firmware, causes))
    }

    fn summary(
        self,
        tally: &Tally,
        firmware: &[String],
        causes: &[String],
    ) -> Result<(), OutputError> {
        let Some(path) = &self.github.summary else { return Ok(()) };
        let mut text = format!("### {}: {tally}\n\n", self.what);
        for line in firmware {
            text += &format!("{}\n\n", cell(line));
        }
        for line in causes {
            let mark = match line.len() - line.trim_start().len() {
                0 => "",
                1..=2 => "- ",
                _ => "  - ",
            };
            text += &format!("{mark}{}\n", cell(line.trim_start()));
        }
        if !causes.is_empty() {
            text.push('\n');
        }
        if !self.rows.is_empty() {
            text += "| trace | what was wrong |\n|---|---|\n";
            text += &self.rows.concat();
            let left_out = tally.failed.saturating_sub(self.rows.len());
            if left_out > 0 {
                text += &format!("\n{left_out} more failed.\n");
            }
        }
        Log::append(path)?.add(text.as_bytes())
    }
}

/// Returns a line that GitHub turns into an annotation of `file`.
fn annotation(file: &str, report: &TraceReport, problem: &Problem, what: &str) -> String {
    let mut line = format!("::error file={}", property(file));
    if let Some(place) = problem.place {
        line += &format!(",line={},col={}", place.line, place.column);
    }
    let mut message = report.place_of(problem) + &problem.message;
    for shown in problem.shown.iter().flatten() {
        message += &format!("\n  | {shown}");
    }
    if let Some(again) = &problem.again {
        message += &format!("\njust this again: {again}");
    }
    let title = property(&format!("{what}: {}", problem.headline()));
    format!("{line},title={title}::{}\n", data(&message))
}
