//! A comparison as Markdown, for the summary of a CI job and for a comment on a pull request.
//! GitHub does not show embedded pictures; they are on the page.
//!
//! **Invariant:** all text from files passes through [`cell`], and the whole text stays below the
//! size limit of a comment.

use escape::github::cell;

use super::{closing, console_change, count, examples, first_seen, headline, how_often, sections};
use crate::summary::Summary;

/// Maximum number of rows in a table.
const ROWS_MAX: usize = 25;
/// Maximum number of characters in a cell.
const CELL_MAX: usize = 300;
/// Maximum size of the text in bytes. A comment on GitHub may have 65,536 characters.
const BYTES_MAX: usize = 60_000;

/// Beginning of the text, by which a file of an earlier run is recognised.
const BEGINNING: &str = "### nudge replay --against: ";

/// Returns whether a file with these first bytes is such a text.
pub fn is_earlier_report(head: &[u8]) -> bool {
    head.starts_with(BEGINNING.as_bytes())
}

/// Returns the summary as Markdown.
pub fn text(summary: &Summary) -> String {
    let mut text = format!("{BEGINNING}{}\n\n", headline(summary));
    let [before, after] = summary.firmware.each_ref().map(|firmware| short(firmware));
    text += &format!("before: {before}\n\nafter: {after}\n");
    if !summary.groups.is_empty() {
        text += "\n| what changed | how often | first seen |\n|---|---|---|\n";
        for group in summary.groups.iter().take(ROWS_MAX) {
            let (what, seen) = (
                short(&format!("{}: {}", group.cause, examples(group))),
                short(&first_seen(group)),
            );
            text += &format!("| {what} | {} | {seen} |\n", how_often(group));
        }
        text += &more(summary.groups.len());
    }
    if !summary.console.is_empty() {
        text += "\n| console line | how often | first seen |\n|---|---|---|\n";
        for group in summary.console.iter().take(ROWS_MAX) {
            let (what, seen) = (short(&console_change(&group.change)), short(&group.first));
            let (lines, traces) = (count(group.lines, "line"), count(group.traces, "trace"));
            text += &format!("| {what} | {lines} of {traces} | {seen} |\n");
        }
        text += &more(summary.console.len());
    }
    for section in sections(summary) {
        text += &format!(
            "\n<details><summary>{}: {}</summary>\n\n",
            section.heading,
            cell(&section.sum)
        );
        text += "| trace | |\n|---|---|\n";
        for (path, words) in &section.rows {
            text += &format!("| {} | {} |\n", short(path), short(words));
        }
        text += "\n</details>\n";
    }
    for line in closing(summary) {
        text += &format!("\n{}\n", short(&line));
    }
    if text.len() > BYTES_MAX {
        let whole = (0..=BYTES_MAX).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let whole = text[..whole].rfind("\n\n").unwrap_or(0);
        text.truncate(whole);
        text += "\n\nThe rest is on the page.\n";
    }
    text
}

fn more(groups: usize) -> String {
    match groups.saturating_sub(ROWS_MAX) {
        0 => String::new(),
        more => format!("\n{} are on the page.\n", count(more as u64, "more row")),
    }
}

/// Returns the text of a cell, shortened to [`CELL_MAX`] characters.
fn short(text: &str) -> String {
    match text.char_indices().nth(CELL_MAX) {
        Some((at, _)) => cell(&text[..at]) + "…",
        None => cell(text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use causes::Cause;

    #[test]
    fn file_text_is_never_markup_and_each_row_is_one_line() {
        let text = text(&samples::summary("<img>|`x`\n@me ![p](http://x)"));
        assert!(
            is_earlier_report(text.as_bytes()) && !text.contains("<img>") && !text.contains(" @me"),
            "{text}"
        );
        assert!(text.contains("| “&lt;img&gt;\\|\\`x\\`\u{FFFD}\\@me"), "{text}");
        let tables = text.lines().filter(|line| line.starts_with("| "));
        for row in tables {
            let bars = row.matches('|').count() - row.matches("\\|").count();
            assert!(bars == 3 || bars == 4, "{row}");
        }
    }

    #[test]
    fn long_text_fits_into_a_comment() {
        let mut summary = samples::summary(&"x|".repeat(10_000));
        let group = summary.groups[0].clone();
        let other = |nth: usize| {
            let mut group = group.clone();
            let after = format!("{nth}{}", "<".repeat(5_000));
            group.cause = Cause::Words { before: String::new(), after };
            group
        };
        summary.groups = (0..60).map(other).collect();
        let line = summary.console[0].clone();
        summary.console = (0..60).map(|_| line.clone()).collect();
        summary.console.iter_mut().for_each(|line| line.first = "<".repeat(5_000));
        let long = text(&summary);
        assert!(
            long.len() < 65_000 && long.ends_with("\n\nThe rest is on the page.\n"),
            "{}",
            long.len()
        );
        let none = Summary { traces: 3, frames: 9, ..Summary::default() };
        let said =
            "### nudge replay --against: nothing differs in 3 traces with 9 settled frames\n";
        assert!(text(&none).starts_with(said), "{}", text(&none));
    }
}
