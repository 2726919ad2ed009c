//! Number of traces that passed, failed and did not run.

use core::fmt;

use host::Exit;

use super::TraceReport;

/// Number of traces per result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub passed: usize,
    /// Traces that failed as their headers expect.
    pub expected: usize,
    /// Traces that did not pass, for any reason.
    pub failed: usize,
    /// Traces that were left out after the first that did not pass, or after Ctrl-C.
    pub not_run: usize,
    /// Traces among the passed ones whose result is from the cache.
    pub cached: usize,
    /// Traces that were replayed although a result was cached, to compare the two.
    pub checked: usize,
}

impl Tally {
    pub fn add(&mut self, report: &TraceReport) {
        let is_expected = report.expected.is_some();
        let has_passed = report.exit == Exit::Passed;
        self.expected += usize::from(has_passed && is_expected);
        self.passed += usize::from(has_passed && !is_expected);
        self.failed += usize::from(!has_passed);
    }

    /// Number of traces that have a result.
    pub fn finished(&self) -> usize {
        self.passed + self.expected + self.failed
    }
}

/// Prints `3 passed, 1 failed`.
impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.expected > 0 {
            write!(out, ", {} failed as expected", self.expected)?;
        }
        if self.not_run > 0 {
            write!(out, ", {} not run", self.not_run)?;
        }
        if self.cached + self.checked > 0 {
            write!(out, "; {} from the result cache", self.cached)?;
        }
        if self.checked > 0 {
            write!(out, ", {} replayed to check it", self.checked)?;
        }
        Ok(())
    }
}
