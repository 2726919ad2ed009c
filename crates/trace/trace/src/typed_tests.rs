//! The arguments of `type`: how they are parsed and written, and the errors for invalid ones.

use super::{Action, parse};

/// Checks the action of a line after `trace 1`, `0ms power on` and a time, and that it is written
/// as `written`.
#[track_caller]
fn check(line: &str, action: &Action, written: &str) {
    let text = format!("trace 1\n0ms power on\n1s {line}\n");
    let trace = parse("win.trace", &text).unwrap_or_else(|error| panic!("{error}\n{line}"));
    assert_eq!(trace.lines[1].action, *action);
    assert_eq!(trace.lines[1].action.to_string(), written);
}

/// Checks the error for that line: its column (from 1 at the verb) and the reason.
#[track_caller]
fn refuses(line: &str, column: usize, why: &str) {
    let error = parse("win.trace", &format!("trace 1\n0ms power on\n1s {line}\n")).unwrap_err();
    assert_eq!(error.to_string(), format!("win.trace:3:{}: {why}", column + 3), "{line}");
}

#[test]
fn a_typed_line_may_be_blank() {
    for line in [r#"type """#, r#"type "  ""#, r#"type "get""#] {
        let text = line.trim_start_matches("type ").trim_matches('"');
        check(line, &Action::Type(text.to_owned()), line);
    }
}

#[test]
fn bytes_have_one_canonical_spelling() {
    let bytes = |line: &str, bytes: &[u8], written: &str| {
        check(line, &Action::TypeBytes(bytes.to_vec()), written);
    };
    bytes(r#"type bytes "\x15help\n""#, b"\x15help\n", r#"type bytes "\x15help\n""#);
    bytes(r#"type bytes "\x41\x0a\\\"""#, b"A\n\\\"", r#"type bytes "A\n\\\"""#);
    bytes(r#"type bytes "\xFF\r\t ""#, b"\xFF\r\t ", r#"type bytes "\xff\r\t ""#);
    bytes(r#"type bytes "ä""#, "ä".as_bytes(), r#"type bytes "\xc3\xa4""#);
}

#[test]
fn wrong_bytes_are_refused_at_their_place() {
    let escape = r#"no such escape in bytes; there are \x15 (two hexadecimal digits), \n, \r, \t, \" and \\"#;
    refuses(r#"type bytes "a\q""#, 14, escape);
    refuses(r#"type bytes "\x1""#, 13, escape);
    refuses(r#"type bytes "\xG0""#, 13, escape);
    refuses(r#"type bytes """#, 12, r#"no bytes to type; `type ""` types an empty line"#);
    refuses(r#"type bytes "\x15"#, 12, "the text that begins here has no closing \"");
    refuses(r#"type "a\n""#, 8, r#"a \ in a text is allowed before " or \ only"#);
    refuses("type bytes", 11, "`type bytes` needs a text in quotes, like \"GAME OVER\"");
}
