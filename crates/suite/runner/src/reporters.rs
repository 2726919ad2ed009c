//! Writes each report for all readers: a person at a terminal (`terminal`, `inline_picture`,
//! `half_blocks`, `progress`), CI (`junit`), a browser (`page`), GitHub (`github`), and all screens on one picture
//! (`contact_sheet`). After a report is written, only its counts and screens remain in memory.

mod contact_sheet;
pub(crate) mod github;
pub(crate) mod half_blocks;
pub(crate) mod inline_picture;
pub(crate) mod junit;
pub(crate) mod junit_merge;
mod junit_names;
mod log_budget;
pub(crate) mod notices;
mod output_file;
pub(crate) mod page;
mod progress;
mod temporary_store;
mod terminal;

pub(crate) use terminal::wall_time;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::{
    Exit,
    output_files::{OutputError, OutputFile},
};

use crate::firmware::FirmwareCounts;
use crate::options::ReplayOptions;
use crate::report::causes::CauseCounts;
use crate::report::tally::Tally;
use crate::report::{SheetPicture, TraceReport};
use escape::terminal::{TextWriter, plain};
use github::GithubReporter;
use junit::JunitReporter;
use log_budget::{LogBudget, first_lines};
use page::PageReporter;
use progress::Progress;

/// Name of the command in the reports.
const COMMAND_NAME: &str = "nudge replay";

pub(crate) struct Reporters<'a> {
    options: &'a ReplayOptions,
    total: usize,
    tally: Tally,
    firmwares: FirmwareCounts,
    causes: CauseCounts,
    budget: LogBudget,
    /// Causes of the goldens that were blessed.
    blessed: CauseCounts,
    exit: Exit,
    progress: Progress,
    junit: Option<JunitReporter<'a>>,
    page: Option<PageReporter<'a>>,
    github: Option<GithubReporter<'a>>,
    contact_sheet: Option<OutputFile>,
    /// Screens for the contact sheet.
    pictures: Vec<SheetPicture>,
}

impl<'a> Reporters<'a> {
    /// Opens all outputs that `options` names, for `total` traces. An output that cannot be written
    /// is thus reported before anything runs.
    ///
    /// # Errors
    /// If an output cannot be written.
    pub fn open(options: &'a ReplayOptions, total: usize) -> Result<Self, OutputError> {
        // A file in the folder of goldens could be taken for a golden in the next run.
        options.artifacts.as_deref().map(host::output_files::check_folder).transpose()?;
        let force = options.force;
        let sheet = |path| contact_sheet::open(path, force);
        let junit = |path| JunitReporter::new(path, options, COMMAND_NAME);
        let page = |folder| PageReporter::new(folder, options);
        Ok(Self {
            options,
            total,
            tally: Tally::default(),
            firmwares: FirmwareCounts::default(),
            causes: CauseCounts::default(),
            budget: LogBudget::new(options.log_lines, total),
            blessed: CauseCounts::default(),
            exit: Exit::Passed,
            progress: Progress::new(options.progress),
            junit: options.junit.as_deref().map(junit).transpose()?,
            page: options.html.as_deref().map(page).transpose()?,
            github: options
                .github
                .as_ref()
                .map(|github| GithubReporter::new(github, COMMAND_NAME))
                .transpose()?,
            contact_sheet: options.contact_sheet.as_deref().map(sheet).transpose()?,
            pictures: Vec::new(),
        })
    }

    /// # Errors
    /// If `out`, `err` or a store cannot be written.
    pub fn take(
        &mut self,
        mut report: TraceReport,
        out: &mut TextWriter<'_>,
        err: &mut TextWriter<'_>,
    ) -> io::Result<()> {
        self.exit = self.exit.max(report.exit);
        self.tally.add(&report);
        if report.exit != Exit::Passed {
            self.causes.add(&report);
        } else if self.options.bless && !report.causes.is_empty() {
            self.blessed.add(&report);
        }
        let firmware = report.firmware.as_ref().or(self.options.firmware.as_ref());
        if let Some(firmware) = firmware.filter(|_| report.ran.is_some()) {
            self.firmwares.add(firmware);
        }
        self.tally.cached += usize::from(report.from_cache);
        self.tally.checked += usize::from(report.checks_cache);
        self.progress.clear(err)?;
        self.write(&report, out, err)?;
        if let Some(github) = &mut self.github {
            github.add(&report, out)?;
        }
        if let Some(junit) = &mut self.junit {
            junit.add(&report)?;
        }
        if let Some(page) = &mut self.page {
            page.add(&mut report)?;
        }
        self.pictures.extend(report.pictures);
        self.progress.show(&self.tally, self.total, err)
    }

    /// Writes the report for a person, as far as the log has room for it.
    fn write(
        &mut self,
        report: &TraceReport,
        out: &mut TextWriter<'_>,
        err: &mut TextWriter<'_>,
    ) -> io::Result<()> {
        // Files that were written are named.
        let has_written = report.exit == Exit::Passed && !report.notes.is_empty();
        if self.options.log_lines.is_none() || has_written {
            return report.write(self.options, out, err);
        }
        let on_github = self.options.github.is_some();
        let (mut to_out, mut to_err) = (Vec::new(), Vec::new());
        report.write(
            self.options,
            &mut TextWriter::new(&mut to_out, on_github),
            &mut TextWriter::new(&mut to_err, on_github),
        )?;
        let mut admit = |bytes: &[u8], to: &mut TextWriter<'_>| {
            let text = String::from_utf8_lossy(bytes);
            let count = self.budget.take(text.lines().count(), report.exit == Exit::Passed);
            to.own(&first_lines(&text, count))?;
            to.flush()
        };
        admit(&to_out, out)?;
        admit(&to_err, err)
    }

    /// Records that the trace at `path` did not run.
    ///
    /// # Errors
    /// If a store cannot be written.
    pub fn skip(&mut self, path: &Path) -> io::Result<()> {
        if let Some(junit) = &mut self.junit {
            junit.skip(path)?;
        }
        if let Some(page) = &mut self.page {
            page.skip(path)?;
        }
        Ok(())
    }

    /// Writes the outputs that need all reports. The summary is the last line of `out`.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn close(mut self, out: &mut TextWriter<'_>, err: &mut TextWriter<'_>) -> io::Result<Exit> {
        self.progress.clear(err)?;
        self.tally.not_run = self.total - self.tally.finished();
        let tally = self.tally;
        let mut exit = self.exit;
        if let Some(line) = self.budget.left_out() {
            writeln!(out, "{line}")?;
        }
        let firmware = self.firmwares.lines(self.options.firmware.as_ref());
        for line in &firmware {
            writeln!(out, "{}", plain(line))?;
        }
        let causes = self.causes.causes();
        for line in self.blessed.blessed().iter().chain(&causes).chain(&self.causes.failed()) {
            writeln!(out, "{}", plain(line))?;
        }
        if let Some(file) = self.contact_sheet {
            exit = exit.max(contact_sheet::write(file, self.pictures, out, err)?);
        }
        let written = [
            self.junit.map(JunitReporter::finish),
            self.page.map(|page| page.finish(&tally, &firmware, &causes)),
        ];
        for result in written.into_iter().flatten() {
            exit = exit.max(announce(result.map(Some), out, err)?);
        }
        if let Some(github) = self.github {
            let summary = github.finish(&tally, &firmware, &causes, out)?;
            exit = exit.max(announce(summary.map(|()| None), out, err)?);
        }
        writeln!(out, "{tally}")?;
        Ok(exit)
    }
}

/// Prints the path of an output that was written, if it has one, or the reason why it was not.
pub(crate) fn announce(
    written: Result<Option<PathBuf>, OutputError>,
    out: &mut TextWriter<'_>,
    err: &mut TextWriter<'_>,
) -> io::Result<Exit> {
    match written {
        Ok(path) => {
            path.iter().try_for_each(|path| writeln!(out, "wrote {}", path.display()))?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}
