//! Header lines about the trace itself, which no board reads: a known failure (`xfail`) and tags
//! (`tags`). The parser checks them; programs that run many traces read them.

use core::fmt;
use core::str::FromStr;

use super::document::{HeaderEntry, Trace};
use super::error::{HeaderNoteError, LineFault};
use super::name::is_name;
use super::number::is_time_like;
use super::token::{Cursor, Word};

/// Key of the header line that names a known failure: `xfail "reason" until 2027-01-31`.
pub const XFAIL_KEY: &str = "xfail";
/// Key of the header line with the trace's tags: `tags slow storage`.
pub const TAGS_KEY: &str = "tags";

/// A day of the calendar. The later of two days is the greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl FromStr for Date {
    type Err = HeaderNoteError;

    /// Reads `2027-01-31`.
    fn from_str(text: &str) -> Result<Self, HeaderNoteError> {
        let read = || {
            let digits = |part: &str, count: usize| {
                let are = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
                are.then(|| part.parse::<u16>().ok()).flatten()
            };
            let mut parts = text.split('-');
            let year = digits(parts.next()?, 4)?;
            let month = u8::try_from(digits(parts.next()?, 2)?).ok()?;
            let day = u8::try_from(digits(parts.next()?, 2)?).ok()?;
            let is_day = (1..=days(year, month)?).contains(&day);
            (is_day && parts.next().is_none()).then_some(Self { year, month, day })
        };
        read().ok_or_else(|| HeaderNoteError::NotADate(text.to_owned()))
    }
}

/// Returns the number of days of a month; `None` if there is no such month.
fn days(year: u16, month: u8) -> Option<u8> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// Writes `2027-01-31`.
impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A failure that the header of a trace expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFailure {
    pub reason: String,
    /// Last day on which the failure is expected; `None`: every day.
    pub until: Option<Date>,
}

impl KnownFailure {
    /// Reads the value of an entry with the key [`XFAIL_KEY`]; `None` if no parser accepts it.
    pub fn of(value: &str) -> Option<Self> {
        let mut cursor = Cursor::new(value);
        let read = known_failure(&mut cursor).ok()?;
        cursor.finish("the reason").is_ok().then_some(read)
    }

    /// Returns whether the failure is still expected on the day `today`.
    pub fn holds_on(&self, today: Date) -> bool {
        self.until.is_none_or(|until| today <= until)
    }
}

impl Trace {
    /// Returns the failure that the header expects.
    pub fn known_failure(&self) -> Option<KnownFailure> {
        KnownFailure::of(&self.get(XFAIL_KEY)?.value)
    }
}

/// Returns the entry with `key` in the header of a trace, as far as the header can be read although
/// other lines are wrong. The entry has the place of its key, and no comments.
pub fn header_entry(text: &str, key: &str) -> Option<HeaderEntry> {
    for (number, line) in (1..).zip(text.lines()) {
        let mut cursor = Cursor::new(line);
        let Some(first) = cursor.word() else { continue };
        if is_time_like(first.text) || first.text == "include" {
            return None;
        }
        if first.text == key {
            let value = match key {
                XFAIL_KEY => cursor.spanned(known_failure).ok()?.0,
                _ => cursor.value(key).ok()?,
            };
            let mut entry = HeaderEntry::new(key, value.text);
            (entry.key_place.line, entry.key_place.column) = (number, first.column);
            return Some(entry);
        }
    }
    None
}

/// Reads the value of a header key, and checks it if the key is one of this module.
pub(super) fn value<'a>(key: &str, cursor: &mut Cursor<'a>) -> Result<Word<'a>, LineFault> {
    if key == XFAIL_KEY {
        return cursor.spanned(known_failure).map(|(value, _)| value);
    }
    let mut words = cursor.clone();
    let value = cursor.value(&format!("header key `{key}`"))?;
    if key == TAGS_KEY {
        let mut seen = Vec::new();
        while let Some(Word { text, column }) = words.word() {
            let tag = text.to_owned();
            if !is_name(text) {
                return Err(LineFault::new(column, HeaderNoteError::NotATag(tag)));
            }
            if seen.contains(&text) {
                return Err(LineFault::new(column, HeaderNoteError::TagTwice(tag)));
            }
            seen.push(text);
        }
    }
    Ok(value)
}

/// Reads `"reason"` or `"reason" until 2027-01-31`.
fn known_failure(cursor: &mut Cursor<'_>) -> Result<KnownFailure, LineFault> {
    let reason = cursor.quoted("`xfail`")?;
    let mut ahead = cursor.clone();
    let until = match ahead.word() {
        Some(word) if word.text == "until" => {
            *cursor = ahead;
            let date = cursor.need("`until`", "a date, like 2027-01-31")?;
            Some(
                date.text
                    .parse()
                    .map_err(|error: HeaderNoteError| LineFault::new(date.column, error))?,
            )
        }
        _ => None,
    };
    Ok(KnownFailure { reason, until })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoIncludes, format, parse};

    fn header(line: &str) -> String {
        format!("trace 1\n{line}\n\n0ms     power on\n")
    }

    #[test]
    fn a_known_failure_has_a_reason_and_perhaps_a_date() {
        let known = |line: &str| {
            let trace = parse("t", &header(line)).unwrap();
            assert_eq!(trace.to_string(), header(line));
            trace.known_failure().unwrap()
        };
        let found = known("xfail \"see #12, \\\"later\\\"\"");
        assert_eq!((found.reason.as_str(), found.until), ("see #12, \"later\"", None));
        let found = known("xfail \"x\" until 2028-02-29");
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert!(found.holds_on(day("2028-02-29")) && !found.holds_on(day("2028-03-01")));
    }

    #[test]
    fn a_comment_follows_the_value_and_the_layout_leaves_it() {
        let text = header("xfail \"a  #b\" until 2027-01-31  # c");
        let trace = parse("t", &text).unwrap();
        assert_eq!(trace.header[0].comment.as_deref(), Some("c"));
        let laid = format("t", text.as_bytes(), &mut NoIncludes).unwrap();
        assert!(laid.contains("xfail \"a  #b\" until 2027-01-31 "), "{laid}");
    }

    #[test]
    fn wrong_values_are_errors_with_their_column() {
        let check = |line: &str, expected: &str| {
            let error = parse("t", &header(line)).unwrap_err().to_string();
            assert_eq!(error, format!("t:2:{expected}"));
        };
        check(
            "xfail \"x\" until 2027-02-29",
            "17: `2027-02-29` is no date; write one like 2027-01-31",
        );
        check("xfail \"x\" until 27-1-1", "17: `27-1-1` is no date; write one like 2027-01-31");
        check("xfail \"x\" until", "16: `until` needs a date, like 2027-01-31");
        check("xfail later", "7: `xfail` needs a text in quotes, like \"GAME OVER\"");
        check("tags a b!", "8: `b!` is no tag; a tag is 1 to 64 of: letters, digits, - and _");
        check("tags a b a", "10: the tag `a` is in this line already");
    }

    #[test]
    fn a_header_is_found_in_a_trace_with_errors_below_it() {
        let text = "trace 1\n# tags c\ntags a b  # c\nxfail \"x\"\n0ms pwoer on\ntags z\n";
        let entry = header_entry(text, TAGS_KEY).unwrap();
        assert_eq!((entry.value.as_str(), entry.key_place.line), ("a b", 3));
        assert_eq!(header_entry(text, XFAIL_KEY).unwrap().value, "\"x\"");
        assert_eq!(header_entry("trace 1\n0ms power on\ntags z\n", TAGS_KEY), None);
    }
}
