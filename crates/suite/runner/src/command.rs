//! Command lines for a report: reproducing a failure, and quoting for a shell.

use std::path::Path;

use virtual_time::{Instant, spoken};

use crate::options::ReplayOptions;

/// Returns the name of the program that makes the report.
fn program(options: &ReplayOptions) -> String {
    options.program.as_deref().map_or_else(|| "nudge".into(), quoted)
}

/// Returns the command line that replays `trace` alone in the same way, with `more` appended.
pub(crate) fn command(trace: &Path, options: &ReplayOptions, more: &[&str]) -> String {
    command_until(trace, options, options.until, more)
}

/// Returns the command line that replays `trace` alone until `until`.
pub(crate) fn command_until(
    trace: &Path,
    options: &ReplayOptions,
    until: Option<Instant>,
    more: &[&str],
) -> String {
    let mut command = match options.converted.get(trace) {
        Some(converted) => format!("{} {}", program(options), converted.command),
        None => {
            let board = options.board.as_ref();
            let board = board.map(|board| format!(" --board {}", quoted(board)));
            let trace = quoted(&options.named(trace));
            format!("{} replay {trace}{}", program(options), board.unwrap_or_default())
        }
    };
    if let Some(until) = until {
        command += &format!(" --until {}", spoken(until.since_start()).replace(' ', ""));
    }
    if options.allow_violations {
        command += " --allow-violations";
    }
    if options.lenient {
        command += " --lenient";
    }
    if options.strict {
        command += " --strict";
    }
    if let Some(timeout) = options.timeout {
        command += &format!(" --timeout {}", spoken(timeout).replace(' ', ""));
    }
    for option in more {
        command += &format!(" {option}");
    }
    command
}

/// Returns the command line that makes a picture of the LCD, or of the display of this name, at time
/// `at` of `trace`.
pub(crate) fn screenshot(
    trace: &Path,
    options: &ReplayOptions,
    at: Instant,
    display: Option<&str>,
) -> String {
    let picture = trace.with_extension("png");
    let picture = Path::new(picture.file_name().unwrap_or_default()).display().to_string();
    let trace = quoted(&options.named(trace));
    let mut command = format!("{} screenshot {trace}", program(options));
    if let Some(board) = &options.board {
        command += &format!(" --board {}", quoted(board));
    }
    if let Some(display) = display {
        command += &format!(" --display {}", quoted(display));
    }
    let at = spoken(at.since_start()).replace(' ', "");
    command + &format!(" --at {at} --output {}", quoted(&picture))
}

/// Returns the command line that opens `trace` in the studio at time `at`.
pub(crate) fn open(trace: &Path, options: &ReplayOptions, at: Option<Instant>) -> String {
    let mut command = format!("{} open {}", program(options), quoted(&options.named(trace)));
    if let Some(board) = &options.board {
        command += &format!(" --board {}", quoted(board));
    }
    if let Some(at) = at {
        command += &format!(" --at {}", spoken(at.since_start()).replace(' ', ""));
    }
    command
}

/// Quotes `text` as one word of a POSIX shell's command line.
///
/// Text of letters, digits and `/._-+=:,@%` alone stays unquoted, so that `pico=FILE` is readable:
/// a shell gives none of these characters a meaning within a word.
pub fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%".contains(letter);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with(['-', '=', '%']) {
        return text.to_owned();
    }
    // The quoter refuses only a NUL, which is allowed here because no path contains one.
    let word = shlex::Quoter::new().allow_nul(true).quote(text).unwrap_or(text.into());
    word.into_owned()
}

#[cfg(test)]
mod tests {
    use virtual_time::Nanos;

    use super::*;

    #[test]
    fn an_application_is_named_as_the_program() {
        let options =
            ReplayOptions { program: Some("my apps/sim".into()), ..ReplayOptions::default() };
        assert_eq!(command(Path::new("a.trace"), &options, &[]), "'my apps/sim' replay a.trace");
        assert_eq!(
            screenshot(Path::new("a.trace"), &options, Instant::from_millis(1), None),
            "'my apps/sim' screenshot a.trace --at 1ms --output a.png"
        );
    }

    #[test]
    fn the_command_to_reproduce_a_failure_survives_a_shell() {
        let options = ReplayOptions {
            until: Some(Instant::from_millis(1_500)),
            allow_violations: true,
            lenient: true,
            strict: true,
            timeout: Some(Nanos::from_millis(2_500)),
            board: Some("pico=my board.elf".into()),
            ..ReplayOptions::default()
        };
        assert_eq!(
            command(Path::new("my traces/it's.trace"), &options, &["--bless"]),
            r#"nudge replay "my traces/it's.trace" --board 'pico=my board.elf' --until 1.5s --allow-violations --lenient --strict --timeout 2.5s --bless"#
        );
    }

    #[test]
    fn a_picture_is_written_here_under_the_traces_name() {
        let options = ReplayOptions { board: Some("pico".into()), ..ReplayOptions::default() };
        assert_eq!(
            screenshot(Path::new("traces/a b.trace"), &options, Instant::from_millis(250), None),
            "nudge screenshot 'traces/a b.trace' --board pico --at 250ms --output 'a b.png'"
        );
        assert_eq!(
            screenshot(Path::new("a.trace"), &options, Instant::from_millis(250), Some("TOP")),
            "nudge screenshot a.trace --board pico --display TOP --at 250ms --output a.png"
        );
    }

    #[test]
    fn a_shell_reads_a_quoted_text_as_one_word() {
        for (text, expected) in [
            ("traces/win.trace", "traces/win.trace"),
            ("pico=a,b:50%@1.elf", "pico=a,b:50%@1.elf"),
            ("Züge.trace", "Züge.trace"),
            ("my out", "'my out'"),
            ("it's.trace", r#""it's.trace""#),
            (r#"a "b" 'c'"#, r#""a \"b\" 'c'""#),
            ("$HOME", "'$HOME'"),
            ("`id`'s", r#"'`id`'"'s""#),
            ("~", "'~'"),
            ("=ls", "'=ls'"),
            ("*", "'*'"),
            ("a\nb", "'a\nb'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(text), expected);
            assert_eq!(shlex::split(expected), Some(vec![text.to_owned()]), "{text}");
        }
    }
}
