//! The argument of `--jobs`: the number of parallel jobs.

use std::num::NonZero;

use runner::JOBS_MAX;

/// Parses a number of jobs, 1 to [`JOBS_MAX`].
pub fn jobs(text: &str) -> Result<NonZero<usize>, NotJobs> {
    let parsed = text.parse().ok().filter(|count: &NonZero<usize>| count.get() <= JOBS_MAX);
    parsed.ok_or_else(|| NotJobs(text.to_owned()))
}

/// The error for a text that is not a number of jobs.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no number of jobs; give one from 1 to {JOBS_MAX}, or leave `--jobs` out")]
pub struct NotJobs(String);
