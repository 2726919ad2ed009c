//! Formats the text of a trace: columns aligned, words unchanged, every comment retained.
//!
//! - A time takes seven columns, one blank separates words, `#` is followed by a blank.
//! - Comments at line ends begin in one column of the file: the one in which most of them begin
//!   already, if their lines leave two spaces before it, otherwise column 31. A longer line has its
//!   comment one space after it. A second pass therefore finds the same column.
//! - Runs of blank lines become one; there is none at the ends of the file. Lines end with LF.
//!
//! The module works on words, not on their meaning: a formatted trace parses to the same lines.

use std::collections::BTreeMap;

use super::board_parts::BoardParts;
use super::document::Trace;
use super::error::ParseErrors;
use super::header_note::XFAIL_KEY;
use super::include::IncludeSource;
use super::number::is_time_like;
use super::reading::{lines, parse_included, parse_with};
use super::token::is_colour;

/// Width of the time column, in characters.
const TIME_WIDTH: usize = 7;
/// Column of comments where no existing column is suitable, as in [`Trace`]'s `Display`; from 0.
const COMMENT_COLUMN: usize = 30;
/// Minimum number of spaces before a comment for its position to count as a column.
const COLUMN_BLANKS: usize = 2;

/// Returns the formatted text of the trace in `bytes`. Files are opened only to check that it is a
/// valid trace.
///
/// # Errors
/// All errors in the trace.
pub fn format(
    file: &str,
    bytes: &[u8],
    includes: &mut dyn IncludeSource,
) -> Result<String, ParseErrors> {
    parse_with(file, bytes, includes).map(|_: Trace| lay_out(bytes))
}

/// Returns the formatted text of a file that traces include, for a board with these parts; `None`:
/// for the LCD board.
///
/// # Errors
/// All errors in the file.
pub fn format_included(
    file: &str,
    bytes: &[u8],
    includes: &mut dyn IncludeSource,
    parts: Option<&BoardParts>,
) -> Result<String, ParseErrors> {
    parse_included(file, bytes, includes, parts).map(|_: Trace| lay_out(bytes))
}

/// A line, split into its parts.
struct FormattedLine {
    /// Formatted words of the line.
    text: String,
    /// Comment, including its `#`.
    comment: Option<String>,
    /// Original column of the comment, from 0.
    column: usize,
}

fn lay_out(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let laid: Vec<FormattedLine> =
        lines(text.as_bytes()).map(|line| laid_line(&String::from_utf8_lossy(line))).collect();
    let column = comment_column(&laid);
    let mut out = String::new();
    let mut blank_before = false;
    for FormattedLine { text, comment, .. } in &laid {
        let is_blank = text.is_empty() && comment.is_none();
        if is_blank {
            blank_before = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut blank_before) {
            out.push('\n');
        }
        out += text;
        if let Some(comment) = comment {
            if !text.is_empty() {
                let width = text.chars().count();
                out += &" ".repeat(column.saturating_sub(width).max(1));
            }
            out += comment;
        }
        out.push('\n');
    }
    out
}

fn laid_line(line: &str) -> FormattedLine {
    let (code, comment) = match comment_start(line) {
        Some(at) => line.split_at(at),
        None => (line, ""),
    };
    let column = code.chars().count();
    let comment = comment.strip_prefix('#').map(|said| {
        let said = said.trim_end_matches(is_blank);
        let gap = if said.is_empty() || said.starts_with(is_blank) { "" } else { " " };
        format!("#{gap}{said}")
    });
    let code = code.trim_matches(is_blank);
    let (first, rest) = code.split_at(code.find(is_blank).unwrap_or(code.len()));
    let rest = rest.trim_start_matches(is_blank);
    let text = if rest.is_empty() {
        first.to_owned()
    } else if is_time_like(first) {
        format!("{first:<TIME_WIDTH$} {}", single_blanks(rest))
    } else {
        // A value keeps its spaces: they belong to it.
        format!("{first} {rest}")
    };
    FormattedLine { text, comment, column }
}

/// Returns where the comment begins: at a `#` at the start or after a space, outside a quoted text.
fn comment_start(line: &str) -> Option<usize> {
    let start = line.trim_start_matches(is_blank);
    let timed = start.starts_with(|first: char| first.is_ascii_digit() || first == '+');
    let has_quotes = timed || start.split(is_blank).next() == Some(XFAIL_KEY);
    let (mut quoted, mut escaped, mut behind_blank) = (false, false, true);
    for (at, letter) in line.char_indices() {
        if quoted {
            (quoted, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
        } else if letter == '#' && behind_blank {
            if timed && is_state_of_led(line, at) {
                behind_blank = false;
                continue;
            }
            return Some(at);
        } else if letter == '"' && has_quotes && behind_blank {
            // Only timed lines and a known failure have quoted words.
            quoted = true;
        }
        behind_blank = is_blank(letter);
    }
    None
}

/// Returns whether the `#` at `at` begins the colour of a line `expect led NAME [N] #ff8000`.
fn is_state_of_led(line: &str, at: usize) -> bool {
    let (before, rest) = line.split_at(at);
    let mut words = before.split_whitespace().skip(1);
    let is_led = words.next() == Some("expect") && words.next() == Some("led");
    let has_name = words.next().is_some();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let ends = words.next().is_none_or(is_number) && words.next().is_none();
    is_led && has_name && ends && is_colour(rest.split(is_blank).next().unwrap_or_default())
}

/// Returns `text` with one space between words; quoted texts are unchanged.
fn single_blanks(text: &str) -> String {
    let mut out = String::new();
    let (mut quoted, mut escaped, mut behind_blank) = (false, false, true);
    for letter in text.chars() {
        if quoted {
            (quoted, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
            out.push(letter);
        } else if !is_blank(letter) {
            quoted = letter == '"' && behind_blank;
            out.push(letter);
        } else if !behind_blank {
            out.push(' ');
        }
        behind_blank = is_blank(letter);
    }
    out
}

/// Returns the column in which most comments begin and fit; the leftmost of several.
fn comment_column(laid: &[FormattedLine]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for line in laid.iter().filter(|line| line.comment.is_some() && !line.text.is_empty()) {
        if line.column >= line.text.chars().count() + COLUMN_BLANKS {
            *counts.entry(line.column).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|(column, count)| (**count, std::cmp::Reverse(**column)));
    most.map_or(COMMENT_COLUMN, |(column, _)| *column)
}

fn is_blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}
