//! Writes what GitHub shows beside a commit: annotations on the lines of traces that failed, and a
//! summary of the step.

use std::io::{self, Write};

use output_files::{Log, OutputError};

use crate::options::github::Github;
use crate::plain_text::plain;
use crate::report::TraceReport;
use crate::report::tally::Tally;

/// GitHub shows ten annotations per step; its log shows the others.
const ANNOTATIONS_MAX: usize = 50;
/// How many notices are annotated: GitHub shows ten per step.
const NOTICES_MAX: usize = 10;
/// How many failed traces the summary names.
const ROWS_MAX: usize = 50;

pub(crate) struct GithubReporter<'a> {
    github: &'a Github,
    written: usize,
    notices: usize,
    rows: Vec<String>,
}

impl<'a> GithubReporter<'a> {
    /// # Errors
    /// If the summary cannot be written.
    pub fn new(github: &'a Github) -> Result<Self, OutputError> {
        if let Some(path) = &github.summary {
            Log::append(path)?;
        }
        Ok(Self { github, written: 0, notices: 0, rows: Vec::new() })
    }

    /// # Errors
    /// If `out` cannot be written.
    pub fn add(&mut self, report: &TraceReport, out: &mut dyn Write) -> io::Result<()> {
        let file = self.github.in_repository(&report.file);
        for problem in &report.problems {
            if self.written == ANNOTATIONS_MAX {
                break;
            }
            self.written += 1;
            write!(out, "::error file={}", property(&file))?;
            if let Some(place) = problem.place {
                write!(out, ",line={},col={}", place.line, place.column)?;
            }
            let mut message = report.place_of(problem) + &problem.message;
            for line in problem.shown.iter().flatten() {
                message += &format!("\n  | {line}");
            }
            if let Some(again) = &problem.again {
                message += &format!("\njust this again: {again}");
            }
            let title = property(&format!("nudge replay: {}", problem.headline()));
            writeln!(out, ",title={title}::{}", data(&message))?;
        }
        self.add_notices(report, &file, out)?;
        if let Some(problem) = report.problems.first().filter(|_| self.rows.len() < ROWS_MAX) {
            let line = problem.place.map(|place| format!(":{}", place.line)).unwrap_or_default();
            let message = problem.headline();
            self.rows.push(format!("| {} | {} |\n", cell(&(file + &line)), cell(message)));
        }
        Ok(())
    }

    fn add_notices(
        &mut self,
        report: &TraceReport,
        file: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let left = NOTICES_MAX - self.notices;
        for notice in report.notices.iter().take(left) {
            self.notices += 1;
            write!(out, "::notice file={}", property(file))?;
            if let Some(place) = notice.place {
                write!(out, ",line={},col={}", place.line, place.column)?;
            }
            let title = property("nudge replay: the trace tests little");
            writeln!(out, ",title={title}::{}", data(&notice.kind.to_string()))?;
        }
        Ok(())
    }

    /// Appends the summary, if GitHub names a file for it.
    ///
    /// # Errors
    /// If the summary cannot be written.
    pub fn finish(self, tally: &Tally) -> Result<(), OutputError> {
        let Some(path) = &self.github.summary else { return Ok(()) };
        let mut text = format!("### nudge replay: {tally}\n\n");
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

/// The text of a workflow command.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(plain).collect();
    lines.join("\n").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of one of its properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A cell of a table in Markdown, with all markup of Markdown and HTML escaped.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for letter in plain(text).chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '~' | '@' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_a_workflow_command_early() {
        assert_eq!(data("100%\n::error::x"), "100%25%0A::error::x");
        assert_eq!(property("a:b,c%\nd"), "a%3Ab%2Cc%25%0Ad");
        assert_eq!(cell("a|b<i>`_"), r"a\|b&lt;i&gt;\`\_");
    }
}
