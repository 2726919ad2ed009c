//! What is known about how a trace went. It replays and prints nothing: `told` words it for a
//! terminal, `junit`, `page` and `github` for others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hal_mock::Nanos;
use hal_mock::trace::{Place, spoken};

use super::witness::Shot;
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
    /// The trace's file.
    pub file: PathBuf,
    /// The same, as the command line named it.
    pub path: String,
    pub exit: Exit,
    /// How long it ran, on the board and here; `None` if it never began.
    pub ran: Option<(Nanos, Duration)>,
    /// What was wrong.
    pub faults: Vec<Fault>,
    /// What was written.
    pub notes: Vec<String>,
    /// For the contact sheet.
    pub pictures: Vec<Picture>,
    /// What the board sent over its UART, if a report wants it.
    pub console: Option<String>,
    /// Its buttons and frames, drawn, if a report wants it.
    pub timeline: Option<String>,
}

impl Report {
    /// Of a trace of which nothing is known yet.
    pub fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            path: file.display().to_string(),
            exit: Exit::Passed,
            ran: None,
            faults: Vec::new(),
            notes: Vec::new(),
            pictures: Vec::new(),
            console: None,
            timeline: None,
        }
    }

    /// Of a trace that never began.
    pub fn unusable(file: &Path, fault: Fault) -> Self {
        let mut report = Self::new(file);
        report.add(Exit::Usage, fault);
        report
    }

    pub fn add(&mut self, exit: Exit, fault: Fault) {
        self.exit = self.exit.max(exit);
        self.faults.push(fault);
    }

    /// `TRACE:41:9: at 12.3 s: `, as much of it as is known of `fault`.
    pub fn place_of(&self, fault: &Fault) -> String {
        let mut text = String::new();
        if fault.of_the_trace {
            text += &self.path;
            text += &fault.place.map(|place| format!(":{place}")).unwrap_or_default();
            text += ": ";
        }
        if let Some(at) = fault.at {
            text += &format!("at {}: ", spoken(at));
        }
        text
    }
}

/// One thing that was wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct Fault {
    /// Where in the trace.
    pub place: Option<Place>,
    /// When, in virtual time.
    pub at: Option<Nanos>,
    /// What was expected and what there was; perhaps several lines.
    pub message: String,
    /// Whether the trace's name stands before it: not if the message names another file.
    pub of_the_trace: bool,
    /// The line of the trace.
    pub quote: Option<String>,
    /// The text on the LCD then, line by line.
    pub shown: Option<Vec<String>>,
    /// The last things that happened before, the latest last.
    pub events: Vec<(Nanos, String)>,
    /// The command that shows just this again.
    pub again: Option<String>,
    /// The command that makes a picture of the LCD then, if it showed something.
    pub look: Option<String>,
    /// What the LCD showed.
    pub shot: Option<Shot>,
    /// The same among the artifacts.
    pub kept: Option<PathBuf>,
}

impl Fault {
    /// One that names its file itself.
    pub fn elsewhere(message: String) -> Self {
        Self { message, ..Self::default() }
    }

    /// One of the whole trace.
    pub fn of_trace(message: String) -> Self {
        Self { message, of_the_trace: true, ..Self::default() }
    }

    /// The first line of the message.
    pub fn headline(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }
}

/// The command line that replays `trace` alone in the same way, `more` added.
pub(super) fn command(trace: &Path, options: &Options, more: &[&str]) -> String {
    command_until(trace, options, options.until, more)
}

/// The same, up to another time.
pub(super) fn command_until(
    trace: &Path,
    options: &Options,
    until: Option<Nanos>,
    more: &[&str],
) -> String {
    let mut command = format!("nudge replay {}", quoted(&trace.display().to_string()));
    if let Some(board) = &options.board {
        command += &format!(" --board {}", quoted(board));
    }
    if let Some(until) = until {
        command += &format!(" --until {}", spoken(until).replace(' ', ""));
    }
    if options.allow_violations {
        command += " --allow-violations";
    }
    for option in more {
        command += &format!(" {option}");
    }
    command
}

/// The command line that makes a picture of the LCD at a moment of `trace`.
pub(super) fn screenshot(trace: &Path, options: &Options, at: Nanos) -> String {
    let picture = trace.with_extension("png");
    let picture = Path::new(picture.file_name().unwrap_or_default()).display().to_string();
    let mut command = format!("nudge screenshot {}", quoted(&trace.display().to_string()));
    if let Some(board) = &options.board {
        command += &format!(" --board {}", quoted(board));
    }
    let at = spoken(at).replace(' ', "");
    command + &format!(" --at {at} --output {}", quoted(&picture))
}

/// As a shell takes it for one word.
pub fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%".contains(letter);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('-') {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// `text` without anything that a terminal or a log would obey.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|letter| if is_command(letter) { '\u{FFFD}' } else { letter }).collect()
}

/// Control characters, and those that turn the direction of writing around.
fn is_command(letter: char) -> bool {
    let turns = matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_repeat_it_survives_a_shell() {
        let options = Options {
            until: Some(Nanos::from_millis(1_500)),
            allow_violations: true,
            board: Some("pico=my board.elf".into()),
            ..Options::default()
        };
        assert_eq!(
            command(Path::new("my traces/it's.trace"), &options, &["--bless"]),
            r"nudge replay 'my traces/it'\''s.trace' --board 'pico=my board.elf' --until 1.5s --allow-violations --bless"
        );
    }

    #[test]
    fn the_command_for_a_picture_writes_it_here_under_the_traces_name() {
        let options = Options { board: Some("pico".into()), ..Options::default() };
        assert_eq!(
            screenshot(Path::new("traces/a b.trace"), &options, Nanos::from_millis(250)),
            "nudge screenshot 'traces/a b.trace' --board pico --at 250ms --output 'a b.png'"
        );
    }

    #[test]
    fn nothing_in_a_text_commands_a_terminal() {
        assert_eq!(plain("a\x1b[31mb\u{202E}c\r\n"), "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn two_beats_one_beats_forty_two() {
        let worst = |exits: [Exit; 2]| exits.into_iter().max().map(Exit::code);
        assert_eq!(worst([Exit::Passed, Exit::LimitReached]), Some(42));
        assert_eq!(worst([Exit::Failed, Exit::LimitReached]), Some(1));
        assert_eq!(worst([Exit::Usage, Exit::Failed]), Some(2));
    }
}
