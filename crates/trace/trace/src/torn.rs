//! Recordings that were interrupted in the middle of a line: recognizes the torn line, and returns
//! the intact ones.

use crate::Buttons;

/// Units of time that the recorder writes.
const UNITS: [&str; 4] = ["ns", "us", "ms", "s"];

/// Returns whether `line`, which cannot be read, is the beginning of a line that a recorder writes.
/// A mistyped line is not.
pub(super) fn is_beginning(line: &[u8], buttons: &Buttons) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let (time, rest) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
    let unit = time.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    if unit.len() == time.len() {
        return false;
    }
    if rest.is_empty() {
        return UNITS.iter().any(|whole| whole.starts_with(unit));
    }
    let rest = rest.trim_start();
    let begins = |whole: &str| whole.starts_with(rest) && whole.len() > rest.len();
    UNITS.contains(&unit)
        && (["power on", "power off", "end"].into_iter().any(begins)
            || buttons.all().iter().any(|button| {
                begins(&format!("press {button}")) || begins(&format!("release {button}"))
            }))
}

/// Returns the lines of `bytes` that have a line end, and the rest after them; `None` if there is
/// no rest.
pub fn whole_lines(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let (lines, rest) = bytes.split_at(whole);
    (!rest.is_empty()).then_some((lines, rest))
}

#[cfg(test)]
mod tests {
    use super::super::parse_bytes;
    use super::whole_lines;

    const WHOLE: &str = "trace 1\n\n0ms power on\n12s press B1\n";

    #[test]
    fn a_line_torn_anywhere_is_recognised_and_those_above_are_whole() {
        let last = "12.136s release B1";
        for at in 1..last.len() {
            let torn = [WHOLE.as_bytes(), &last.as_bytes()[..at]].concat();
            let whole = (WHOLE.as_bytes(), &last.as_bytes()[..at]);
            assert_eq!(whole_lines(&torn), Some(whole));
            if let Err(error) = parse_bytes("win.trace", &torn) {
                assert!(error.is_torn(), "{error}");
                let said = error.to_string();
                assert!(said.starts_with("win.trace:5:") && said.contains("`nudge trace tidy`"));
            } else {
                panic!("{at} bytes are no line");
            }
        }
        parse_bytes("win.trace", WHOLE.as_bytes()).unwrap();
        assert_eq!(whole_lines(WHOLE.as_bytes()), None);
    }

    #[test]
    fn a_wrong_line_with_a_line_end_is_not_torn() {
        let text = format!("{WHOLE}12.136s releas\n");
        assert!(!parse_bytes("win.trace", text.as_bytes()).unwrap_err().is_torn());
    }

    #[test]
    fn a_mistyped_line_is_not_torn() {
        for line in
            ["1s relaese B1", "1s press B7", "1s tap B", "1s expect te", "1s press B1", "1x"]
        {
            let text = format!("{WHOLE}{line}");
            let error = parse_bytes("win.trace", text.as_bytes()).unwrap_err();
            assert!(!error.is_torn(), "{error}");
        }
    }
}
