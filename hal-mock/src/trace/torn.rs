//! What is whole of a recording that was interrupted in the middle of a line.

/// The lines of `bytes` that have a line end, and the rest behind them; `None` if there is no rest.
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
    fn a_torn_line_is_recognised_wherever_it_is_torn_and_the_lines_above_it_are_whole() {
        let last = "12.136s release B1 # \u{e9}";
        for at in 1..last.len() {
            let torn = [WHOLE.as_bytes(), &last.as_bytes()[..at]].concat();
            let whole = (WHOLE.as_bytes(), &last.as_bytes()[..at]);
            assert_eq!(whole_lines(&torn), Some(whole));
            if let Err(error) = parse_bytes("win.trace", &torn) {
                assert!(error.is_torn(), "{error}");
                let said = error.to_string();
                assert!(said.starts_with("win.trace:5:") && said.contains("`nudge trace tidy`"));
            } else {
                assert!(at >= "12.136s release B1".len(), "{at} bytes are no line");
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
}
