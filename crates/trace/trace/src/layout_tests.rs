//! A formatted trace parses to the same lines, and a second pass changes nothing.

use proptest::prelude::*;

use super::property_tests::{trace, without_places};
use super::{NoIncludes, format, format_included, parse};
use virtual_time::Random;

#[track_caller]
fn check(text: &str, expected: &str) {
    let laid = format("win.trace", text.as_bytes(), &mut NoIncludes).unwrap();
    assert_eq!(laid, expected);
    let again = format("win.trace", laid.as_bytes(), &mut NoIncludes).unwrap();
    assert_eq!(again, laid);
}

#[test]
fn columns_are_aligned_and_words_stay() {
    check(
        "\u{feff}\n# first\r\ntrace   1\r\n  game\tboard  \n\n\n\n0ms power on #\n\
         \t+1.50s\ttap   B3  for 80ms\n  #   drawn\n+1302.417ms expect  text \"a  # \\\"  b\"   \n\n",
        "# first\ntrace 1\ngame board\n\n0ms     power on              #\n\
         +1.50s  tap B3 for 80ms\n#   drawn\n+1302.417ms expect text \"a  # \\\"  b\"\n",
    );
}

#[test]
fn comments_go_to_the_most_common_column() {
    let text = "trace 1\n\n0ms power on\n\
                1s      tap B3              # one\n\
                +1500ms tap B4              # two\n\
                +1s     tap B5                 #three\n\
                +1s     expect text \"a  # b\" # too long\n\
                +1s tap B6 # none\n";
    let expected = "trace 1\n\n0ms     power on\n\
                    1s      tap B3              # one\n\
                    +1500ms tap B4              # two\n\
                    +1s     tap B5              # three\n\
                    +1s     expect text \"a  # b\" # too long\n\
                    +1s     tap B6              # none\n";
    check(text, expected);
}

#[test]
fn an_included_file_is_formatted_by_itself() {
    let text = "+1s release B3 # held by the trace\n\n\n+1s   power   on\n";
    let laid = format_included("x.inc", text.as_bytes(), &mut NoIncludes, None).unwrap();
    assert_eq!(laid, "+1s     release B3            # held by the trace\n\n+1s     power on\n");
    let error = format_included("x.inc", b"+1s tpa B3\n", &mut NoIncludes, None).unwrap_err();
    assert_eq!(error.to_string(), "x.inc:1:5: unknown verb `tpa`; did you mean `tap`?");
}

/// Returns the text of a trace with other spacing, drawn from `seed`.
fn spaced(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut next = |below| random.below(below);
    let mut out = String::new();
    for line in text.lines() {
        if next(4) == 0 {
            out += ["\n", "\n\n", " \t\n"][next(3) as usize];
        }
        if next(3) == 0 {
            out += "  ";
        }
        // Spaces in texts and values belong to them.
        let quotes =
            line.contains('"') || !line.starts_with(|first: char| "+0123456789".contains(first));
        for letter in line.chars() {
            out.push(letter);
            if letter == ' ' && !quotes && next(3) == 0 {
                out += ["\t", " ", "      "][next(3) as usize];
            }
        }
        out += ["\n", "\r\n", " \n"][next(3) as usize];
    }
    out
}

proptest! {
    #[test]
    fn a_formatted_trace_parses_to_the_same_lines(trace in trace(), seed in any::<u64>()) {
        let text = spaced(&trace.to_string(), seed);
        let before = parse("before.trace", &text);
        prop_assert!(before.is_ok(), "{}\n{text}", before.unwrap_err());
        let laid = format("before.trace", text.as_bytes(), &mut NoIncludes).unwrap();
        let after = parse("after.trace", &laid);
        prop_assert!(after.is_ok(), "{}\n{laid}", after.unwrap_err());
        prop_assert_eq!(
            without_places(after.unwrap()), without_places(before.unwrap()), "\n{}", laid
        );
        let again = format("again.trace", laid.as_bytes(), &mut NoIncludes).unwrap();
        prop_assert_eq!(again, laid);
    }
}
