//! A comparison in a terminal.

use std::io::{self, Write};

use escape::terminal::plain;

use super::{
    closing, companions, console_change, count, examples, first_seen, headline, how_often, sections,
};
use crate::summary::Summary;

/// Maximum number of causes that are listed. The page has all of them.
const LISTED_MAX: usize = 8;
/// Maximum number of console lines that are listed. With all sections, the output has at most 60
/// lines.
const CONSOLE_LISTED_MAX: usize = 3;

/// Writes the summary to `out`, with control characters escaped.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |text: String| writeln!(out, "{}", plain(&text));
    for (side, firmware) in ["before", "after "].iter().zip(&summary.firmware) {
        line(format!("{side}: {firmware}"))?;
    }
    for group in summary.groups.iter().take(LISTED_MAX) {
        line(format!("CHANGED {}: {}", how_often(group), group.cause))?;
        line(format!("    {}", examples(group)))?;
        line(format!("    first in {}", first_seen(group)))?;
        if !group.companions.is_empty() {
            line(format!("    {}", companions(group).join("; ")))?;
        }
    }
    let more = summary.groups.len().saturating_sub(LISTED_MAX) as u64;
    if more > 0 {
        line(format!("    and {}; --html DIR shows all", count(more, "more cause")))?;
    }
    for group in summary.console.iter().take(CONSOLE_LISTED_MAX) {
        let lines = count(group.lines, "console line");
        let traces = count(group.traces, "trace");
        line(format!("CONSOLE {lines} of {traces}: {}", console_change(&group.change)))?;
        line(format!("    first in {}", group.first))?;
    }
    let more = summary.console.len().saturating_sub(CONSOLE_LISTED_MAX) as u64;
    if more > 0 {
        line(format!("    and {}; --html DIR shows all", count(more, "more kind")))?;
    }
    for section in sections(summary) {
        line(format!("{}: {}", section.heading, section.sum))?;
        for (path, words) in section.rows.iter().take(3) {
            line(format!("    {path}: {words}"))?;
        }
    }
    for text in closing(summary) {
        line(text)?;
    }
    line(headline(summary))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_part_is_reported_and_the_last_line_is_the_sum() {
        let mut out = Vec::new();
        write(&samples::summary("a\x1b[31m\n"), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains('\x1b'), "{text}");
        for part in [
            "CHANGED 211 frames of 2 traces: “a\u{FFFD}[31m\u{FFFD}” became “Take back”\n    a\u{FFFD}[31m\u{FFFD}; b; …\n    first in a",
            ":9, at 1.5 s, in 10,20,30,8\n",
            "CONSOLE 4 console lines of 1 trace: ",
            "Verdicts: in 1 trace another line fails, or none does\n",
            "Movements: 1 settled frame of 1 trace show the same",
            "Bytes on the LCD's bus: 1,000 → 1,100 (+10.0 %), in 1 trace\n",
            "ends 1 s earlier; a frame behind line 9 comes 2 ms later\n",
            "at 1 s: 440 Hz became silence\n",
            "is not compared, because before it cannot be replayed: ",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        assert!(
            text.ends_with("\n1 of 3 traces differ, in 212 of 4,031 settled frames\n"),
            "{text}"
        );
    }
}
