//! A progress line at the bottom of a terminal. It uses no escape sequence, only blanks and a
//! carriage return.

use std::io::{self, Write};
use std::time::Duration;

use crate::report::tally::Tally;
use escape::terminal::TextWriter;
use host::clock::Stopwatch;

/// The longest line, in characters: it fits on any terminal.
const WIDTH: usize = 78;
/// The shortest time between two changes.
const EVERY: Duration = Duration::from_millis(100);

pub(crate) struct Progress {
    /// `None` if no progress is shown.
    clock: Option<Stopwatch>,
    shown_at: Duration,
    /// The length of the line that is shown, in bytes.
    length: usize,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        let clock = wanted.then(Stopwatch::start);
        Self { clock, shown_at: Duration::ZERO, length: 0 }
    }

    /// Clears the line, so that something else can be written.
    ///
    /// # Errors
    /// If `err` cannot be written.
    pub fn clear(&mut self, err: &mut TextWriter<'_>) -> io::Result<()> {
        if self.length > 0 {
            err.own(&format!("\r{:1$}\r", "", self.length))?;
            err.flush()?;
            self.length = 0;
        }
        Ok(())
    }

    /// Shows the progress, unless it changed less than [`EVERY`] ago.
    ///
    /// # Errors
    /// If `err` cannot be written.
    pub fn show(
        &mut self,
        tally: &Tally,
        total: usize,
        err: &mut TextWriter<'_>,
    ) -> io::Result<()> {
        let Some(clock) = &self.clock else { return Ok(()) };
        let now = clock.elapsed();
        if now < self.shown_at + EVERY {
            return Ok(());
        }
        self.shown_at = now;
        let line = line(tally, total, now);
        err.own(&format!("\r{line:0$}", self.length))?;
        self.length = line.len();
        err.flush()
    }
}

fn line(tally: &Tally, total: usize, elapsed: Duration) -> String {
    let done = tally.finished();
    let left = total.saturating_sub(done) as f64;
    let left = elapsed.as_secs_f64() * left / (done.max(1) as f64);
    let mut line = format!("{done} of {total} traces, {} failed, {left:.0} s left", tally.failed);
    line.truncate(WIDTH);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_the_progress_and_the_time_left() {
        let tally = Tally { passed: 9, failed: 1, ..Tally::default() };
        assert_eq!(line(&tally, 40, Duration::from_secs(2)), "10 of 40 traces, 1 failed, 6 s left");
    }

    #[test]
    fn without_progress_nothing_is_written() {
        let mut bytes = Vec::new();
        let mut err = TextWriter::new(&mut bytes, false);
        let mut progress = Progress::new(false);
        progress.show(&Tally::default(), 3, &mut err).unwrap();
        progress.clear(&mut err).unwrap();
        assert!(bytes.is_empty());
    }
}
