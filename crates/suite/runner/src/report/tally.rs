//! Number of traces that passed, failed and did not run.

use core::fmt;

use host::Exit;

/// Number of traces per result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub passed: usize,
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
    pub fn add(&mut self, exit: Exit) {
        self.passed += usize::from(exit == Exit::Passed);
        self.failed += usize::from(exit != Exit::Passed);
    }
}

/// Prints `3 passed, 1 failed`.
impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
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
