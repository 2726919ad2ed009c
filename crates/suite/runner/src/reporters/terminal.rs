//! Writes a report for a person at a terminal, or for a log.

use std::io::{self, Write};
use std::time::Duration;

use virtual_time::spoken;

use super::inline_picture::picture;
use super::notices;
use crate::options::ReplayOptions;
use crate::report::{Problem, TraceReport};
use escape::github::data;
use escape::terminal::{TextWriter, plain};
use host::Exit;

/// Greatest number of screens of a trace that are reported in full; of the others only message and place.
const IN_FULL_MAX: usize = 3;

impl TraceReport {
    /// Writes a line for the trace, and below it, indented, its problems and notes. A trace that
    /// never began goes to `err`, all others to `out`.
    ///
    /// # Errors
    /// If `out` or `err` cannot be written.
    pub fn write(
        &self,
        options: &ReplayOptions,
        out: &mut TextWriter<'_>,
        err: &mut TextWriter<'_>,
    ) -> io::Result<()> {
        if options.quiet && self.exit == Exit::Passed && self.notes.is_empty() {
            return Ok(());
        }
        let name = plain(&self.path);
        let Some((board, wall)) = self.ran else {
            writeln!(err, "{} {name}", word(self.exit, false))?;
            return self.write_details(options, err);
        };
        let marked = match self.expected {
            Some(_) => marked("XFAIL", "33", options.colour),
            None => word(self.exit, options.colour),
        };
        out.own(&marked)?;
        if self.from_cache {
            writeln!(out, " {name}  cached, {:.1}s of board time", board.as_secs_f64())?;
            return out.flush();
        }
        writeln!(
            out,
            " {name}  {:.1}s of board time in {} ({:.0}x){}",
            board.as_secs_f64(),
            wall_time(wall),
            // A clock that has not moved yet would make it infinite.
            board.as_secs_f64() / wall.as_secs_f64().max(1e-9),
            notices::equal_runs(self),
        )?;
        // GitHub folds a group; the annotation after it has the first problem.
        let grouped = options.github.is_some() && !self.problems.is_empty();
        if grouped {
            out.own(&format!("::group::{}\n", data(&format!("details of {name}"))))?;
        }
        self.write_details(options, out)?;
        if grouped {
            out.own("::endgroup::\n")?;
        }
        out.flush()
    }

    fn write_details(&self, options: &ReplayOptions, out: &mut TextWriter<'_>) -> io::Result<()> {
        // Problems on one screen share what describes the screen.
        let mut described: Vec<&Problem> = Vec::new();
        for problem in &self.problems {
            let text = format!("{}{}", self.place_of(problem), problem.message);
            for line in text.lines() {
                writeln!(out, "  {}", plain(line))?;
            }
            if described.last().is_some_and(|last| is_same_screen(last, problem)) {
                write_quote(problem, out)?;
                writeln!(out, "    on the same screen as the problem above")?;
                write_again(problem, out)?;
            } else if described.len() < IN_FULL_MAX {
                write_quote(problem, out)?;
                write_rest(problem, options, out)?;
                described.push(problem);
            }
        }
        for notice in notices::expected(self).into_iter().chain(notices::lines(self)) {
            writeln!(out, "  {}", plain(&notice))?;
        }
        for line in self.notes.iter().flat_map(|note| note.lines()) {
            writeln!(out, "  {}", plain(line))?;
        }
        Ok(())
    }
}

/// Returns whether two problems have the same text on the same LCD at the same time.
fn is_same_screen(one: &Problem, other: &Problem) -> bool {
    let is_simple = |problem: &Problem| problem.crash.is_none() && problem.before.is_none();
    let key = |problem: &Problem| (problem.at, problem.display);
    is_simple(one)
        && is_simple(other)
        && one.shown.is_some()
        && one.at.is_some()
        && key(one) == key(other)
        && one.shown == other.shown
}

/// The line of the trace, with a mark below its column.
fn write_quote(problem: &Problem, out: &mut TextWriter<'_>) -> io::Result<()> {
    if let (Some(quote), Some(place)) = (&problem.quote, problem.place) {
        let quote = plain(&quote.replace('\t', " "));
        writeln!(out, "    {} | {quote}", place.line)?;
        let gutter = " ".repeat(place.line.to_string().len());
        let before = " ".repeat((place.column as usize).saturating_sub(1));
        writeln!(out, "    {gutter} | {before}^")?;
    }
    Ok(())
}

/// The details of a problem, below its message and its line.
fn write_rest(
    problem: &Problem,
    options: &ReplayOptions,
    out: &mut TextWriter<'_>,
) -> io::Result<()> {
    if let Some(crash) = problem.crash.as_ref().filter(|crash| !crash.calls.is_empty()) {
        writeln!(out, "    the calls before it:")?;
        for call in &crash.calls {
            writeln!(out, "      {}", plain(call))?;
        }
    }
    write_text(problem.before.as_deref(), "the frame before it", out)?;
    match (&problem.before, &problem.shown) {
        (Some(before), Some(shown)) if before == shown => {
            writeln!(out, "    the frame itself has the same text")?;
        }
        (Some(_), shown) => write_text(shown.as_deref(), "the frame itself", out)?,
        (None, shown) => write_text(shown.as_deref(), "the LCD", out)?,
    }
    match (options.pictures, &problem.screen, &problem.saved_at, &problem.look) {
        (Some(protocol), Some(screen), _, _) if !options.quiet => {
            out.own(&picture(protocol, &screen.actual))?;
            writeln!(out)?;
        }
        (_, _, Some(path), _) => {
            writeln!(out, "    as a picture: {}", plain(&path.display().to_string()))?;
        }
        (_, _, None, Some(command)) => writeln!(out, "    as a picture: {}", plain(command))?,
        (_, _, None, None) => {}
    }
    if !problem.events.is_empty() {
        writeln!(out, "    what happened last before:")?;
        let times: Vec<String> =
            problem.events.iter().map(|(at, _)| spoken(at.since_start())).collect();
        let width = times.iter().map(String::len).max().unwrap_or_default();
        for (time, (_, what)) in times.iter().zip(&problem.events) {
            writeln!(out, "      {time:>width$}  {}", plain(what))?;
        }
    }
    write_again(problem, out)
}

/// The command that reproduces the problem.
fn write_again(problem: &Problem, out: &mut TextWriter<'_>) -> io::Result<()> {
    match &problem.again {
        Some(again) => writeln!(out, "    just this again: {}", plain(again)),
        None => Ok(()),
    }
}

/// Writes what `what` showed, if it was read.
fn write_text(text: Option<&[String]>, what: &str, out: &mut TextWriter<'_>) -> io::Result<()> {
    match text {
        None => Ok(()),
        Some([]) => writeln!(out, "    {what} showed no text"),
        Some(lines) => {
            writeln!(out, "    {what} showed:")?;
            lines.iter().try_for_each(|line| writeln!(out, "      | {}", plain(line)))
        }
    }
}

fn word(exit: Exit, colour: bool) -> String {
    let (word, code) = match exit {
        Exit::Passed => ("PASS", "32"),
        Exit::Failed | Exit::Program(_) => ("FAIL", "31"),
        Exit::LimitReached => ("LIMIT", "33"),
        Exit::Bench => ("BENCH", "33"),
        Exit::Usage | Exit::Interrupted => ("ERROR", "31"),
    };
    marked(word, code, colour)
}

fn marked(word: &str, code: &str, colour: bool) -> String {
    if colour { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.to_owned() }
}

/// `4.1ms`, `12.0s`.
pub(crate) fn wall_time(wall: Duration) -> String {
    let millis = wall.as_secs_f64() * 1e3;
    if millis < 1e3 { format!("{millis:.1}ms") } else { format!("{:.1}s", millis / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_times_are_short() {
        assert_eq!(wall_time(Duration::from_micros(4_100)), "4.1ms");
        assert_eq!(wall_time(Duration::from_millis(12_000)), "12.0s");
    }
}
