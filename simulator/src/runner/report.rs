//! Words and layout of what is said about a trace. It replays nothing.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use hal_mock::Nanos;

use super::{Exit, Options};

/// A screen for the contact sheet.
pub(super) struct Picture {
    /// The trace.
    pub title: String,
    /// The screenshot's name, or `at the end`.
    pub name: String,
    /// The screen.
    pub png: Vec<u8>,
}

/// How one trace went.
pub(super) struct Report {
    /// The trace, as the command line named it.
    pub path: String,
    pub exit: Exit,
    /// How long it ran, on the board and here; `None` if it never began.
    pub ran: Option<(Nanos, Duration)>,
    /// What was wrong, each perhaps several lines.
    pub faults: Vec<String>,
    /// What was written.
    pub notes: Vec<String>,
    /// The command that does just this again, where that helps.
    pub again: Option<String>,
    pub pictures: Vec<Picture>,
}

impl Report {
    /// Of a trace that never began.
    pub fn unusable(path: &Path, fault: String) -> Self {
        Self {
            path: path.display().to_string(),
            exit: Exit::Usage,
            ran: None,
            faults: vec![fault],
            notes: Vec::new(),
            again: None,
            pictures: Vec::new(),
        }
    }

    /// A line for the trace, and below it, indented, what there is to say. A trace that
    /// never began goes to `err`, all others to `out`.
    pub fn write(
        &self,
        options: &Options,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        if options.quiet && self.exit == Exit::Passed && self.notes.is_empty() {
            return Ok(());
        }
        let Some((board, wall)) = self.ran else {
            writeln!(err, "{} {}", word(self.exit, false), self.path)?;
            return self.write_details(err);
        };
        writeln!(
            out,
            "{} {}  {:.1}s of board time in {} ({:.0}x)",
            word(self.exit, options.colour),
            self.path,
            board.as_secs_f64(),
            wall_time(wall),
            // A clock that has not moved yet would make it infinite.
            board.as_secs_f64() / wall.as_secs_f64().max(1e-9),
        )?;
        self.write_details(out)?;
        out.flush()
    }

    fn write_details(&self, out: &mut dyn Write) -> io::Result<()> {
        for line in self.faults.iter().chain(&self.notes).flat_map(|text| text.lines()) {
            writeln!(out, "  {line}")?;
        }
        match &self.again {
            Some(again) => writeln!(out, "  just this again: {again}"),
            None => Ok(()),
        }
    }
}

fn word(exit: Exit, colour: bool) -> String {
    let (word, code) = match exit {
        Exit::Passed => ("PASS", "32"),
        Exit::Failed => ("FAIL", "31"),
        Exit::LimitReached => ("LIMIT", "33"),
        Exit::Usage => ("ERROR", "31"),
    };
    if colour { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.to_owned() }
}

/// `4.1ms`, `12.0s`.
fn wall_time(wall: Duration) -> String {
    let millis = wall.as_secs_f64() * 1e3;
    if millis < 1e3 { format!("{millis:.1}ms") } else { format!("{:.1}s", millis / 1e3) }
}

/// The command line that replays `trace` alone in the same way, `more` added.
pub(super) fn command(trace: &Path, options: &Options, more: &[&str]) -> String {
    let mut command = format!("nudge replay {}", quoted(&trace.display().to_string()));
    if let Some(until) = options.until {
        command += &format!(" --until {until}");
    }
    if options.allow_violations {
        command += " --allow-violations";
    }
    for option in more {
        command += &format!(" {option}");
    }
    command
}

/// As a shell takes it for one word.
pub(super) fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_repeat_it_survives_a_shell() {
        let options = Options {
            until: Some(Nanos::from_millis(1_500)),
            allow_violations: true,
            ..Options::default()
        };
        assert_eq!(
            command(Path::new("my traces/it's.trace"), &options, &["--bless"]),
            r"nudge replay 'my traces/it'\''s.trace' --until 1.5s --allow-violations --bless"
        );
    }

    #[test]
    fn wall_times_are_short() {
        assert_eq!(wall_time(Duration::from_micros(4_100)), "4.1ms");
        assert_eq!(wall_time(Duration::from_millis(12_000)), "12.0s");
    }

    #[test]
    fn two_beats_one_beats_forty_two() {
        let worst = |exits: [Exit; 2]| exits.into_iter().max().map(Exit::code);
        assert_eq!(worst([Exit::Passed, Exit::LimitReached]), Some(42));
        assert_eq!(worst([Exit::Failed, Exit::LimitReached]), Some(1));
        assert_eq!(worst([Exit::Usage, Exit::Failed]), Some(2));
    }
}
