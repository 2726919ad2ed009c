//! Malformed traces, each with its error message.

use super::{FILE_BYTES_MAX, LINES_MAX, parse, parse_bytes};

/// Checks the error message for `win.trace` with these bytes; "" if the trace is valid.
#[track_caller]
fn check(bytes: &[u8], expected: &str) {
    let message = match parse_bytes("win.trace", bytes) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]);
    assert_eq!(message, expected, "for the trace\n{shown}");
}

/// Checks the error message for lines after `trace 1` and `0ms power on`.
#[track_caller]
fn check_lines(lines: &str, expected: &str) {
    check(format!("trace 1\n0ms power on\n{lines}").as_bytes(), expected);
}

#[test]
fn a_trace_begins_with_its_version() {
    for (text, expected) in [
        ("", "win.trace:1:1: there is nothing here; a trace begins with `trace 1`"),
        (
            "\n# only a comment\n",
            "win.trace:2:1: there is nothing here; a trace begins with `trace 1`",
        ),
        (
            "tarce 1\n",
            "win.trace:1:1: a trace begins with `trace 1`, not with `tarce`; did you mean `trace`?",
        ),
        ("0ms power on\n", "win.trace:1:1: a trace begins with `trace 1`, not with `0ms`"),
        ("trace\n", "win.trace:1:6: `trace` needs its version: `trace 1`"),
        (
            "trace 2\n",
            "win.trace:1:7: version `2` of the format is unknown; this build reads version 1",
        ),
        (
            "trace one\n",
            "win.trace:1:7: version `one` of the format is unknown; this build reads version 1",
        ),
        ("trace 1 2\n", "win.trace:1:9: nothing may follow the version, but `2` does"),
        (
            "trace 1\ntrace 1\n0ms power on\n",
            "win.trace:2:1: `trace` is allowed once, in the first line",
        ),
    ] {
        check(text.as_bytes(), expected);
    }
}

#[test]
fn a_header_is_keys_with_values_each_once() {
    for (text, expected) in [
        ("trace 1\nseed\n0ms power on\n", "win.trace:2:5: header key `seed` needs a value"),
        ("trace 1\nseed # 7\n0ms power on\n", "win.trace:2:5: header key `seed` needs a value"),
        (
            "trace 1\nseed 7\nseed 8\n0ms power on\n",
            "win.trace:3:1: header key `seed` is in line 2 already",
        ),
        (
            "trace 1\nGame board\n0ms power on\n",
            "win.trace:2:1: `Game` is no header key; a key is a lower-case letter, then lower-case letters, digits and -",
        ),
        (
            "trace 1\ntap B3\n",
            "win.trace:2:1: `tap` lacks its time; a timed line begins with one, like `+0ms tap …`",
        ),
        (
            "trace 1\ngame board\n",
            "win.trace:2:1: no timed line follows; a trace needs at least `0ms power on`",
        ),
        (
            "trace 1\n0ms power on\nseed 7\n",
            "win.trace:3:1: `seed` is no time; below the first timed line each begins with one, like `250ms` or `+2s`",
        ),
        (
            "trace 1\n0ms power on\n  pres B3\n",
            "win.trace:3:3: `pres` lacks its time; a timed line begins with one, like `+0ms press …`",
        ),
    ] {
        check(text.as_bytes(), expected);
    }
}

#[test]
fn the_first_timed_line_is_power_on() {
    check(
        b"trace 1\n250ms tap B3\n",
        "win.trace:2:7: the first timed line is tap of B3; it must be `power on`: write `0ms power on` above it",
    );
    check(
        b"trace 1\n0ms power off\n",
        "win.trace:2:5: the first timed line is power off; it must be `power on`: write `0ms power on` above it",
    );
    check_lines("1s power on\n", "win.trace:3:4: the power is on already");
    check_lines("1s power off\n2s power off\n", "win.trace:4:4: the power is off already");
}

#[test]
fn every_number_carries_its_unit() {
    for (lines, expected) in [
        (
            "250 tap B3\n",
            "win.trace:3:1: `250` lacks its unit; every number carries one, like `250ms`",
        ),
        ("250 ms tap B3\n", "win.trace:3:1: `250` lacks its unit; write `250ms` without a blank"),
        ("+2 s tap B3\n", "win.trace:3:1: `+2` lacks its unit; write `+2s` without a blank"),
        (
            "250msec tap B3\n",
            "win.trace:3:4: unknown unit `msec`; times are in ns, us, ms, s, min or h; did you mean `ms`?",
        ),
        (
            "250MS tap B3\n",
            "win.trace:3:4: unknown unit `MS`; times are in ns, us, ms, s, min or h; did you mean `ms`?",
        ),
        (
            "17µs tap B3\n",
            "win.trace:3:3: unknown unit `µs`; times are in ns, us, ms, s, min or h; did you mean `us`?",
        ),
        ("3d tap B3\n", "win.trace:3:2: unknown unit `d`; times are in ns, us, ms, s, min or h"),
        ("+ 2s tap B3\n", "win.trace:3:1: `+` needs its time right behind it, like `+2s`"),
        ("-2s tap B3\n", "win.trace:3:1: `-2s` is no time; a time is like `250ms` or `1.5s`"),
        (".5s tap B3\n", "win.trace:3:1: `.5s` is no time; a time is like `250ms` or `1.5s`"),
        ("1.s tap B3\n", "win.trace:3:1: `1.s` is no time; a time is like `250ms` or `1.5s`"),
        ("1.2.3s tap B3\n", "win.trace:3:1: `1.2.3s` is no time; a time is like `250ms` or `1.5s`"),
        ("1.5ns tap B3\n", "win.trace:3:1: `1.5ns` is not a whole number of nanoseconds"),
        (
            "+1s tap B3 for 1200\n",
            "win.trace:3:16: `1200` lacks its unit; every number carries one, like `1200ms`",
        ),
        ("+1s tap B3 for 0ms\n", "win.trace:3:16: a tap that holds for no time presses nothing"),
        (
            "+1s wait text \"A\" within 60\n",
            "win.trace:3:26: `60` lacks its unit; every number carries one, like `60ms`",
        ),
        (
            "+1s expect tone 880\n",
            "win.trace:3:17: `880` lacks its unit; every number carries one, like `880Hz`",
        ),
        ("+1s expect tone 880hz\n", "win.trace:3:20: unknown unit `hz`; frequencies are in `Hz`"),
        ("+1s expect tone 0Hz\n", "win.trace:3:17: `0Hz` is out of range; 1Hz to 4294967295Hz"),
        (
            "+1s expect tone 4294967296Hz\n",
            "win.trace:3:17: `4294967296Hz` is out of range; 1Hz to 4294967295Hz",
        ),
        (
            "+1s expect tone 440.5Hz\n",
            "win.trace:3:17: `440.5Hz` is no frequency; a frequency is in whole hertz, like `880Hz`",
        ),
        (
            "+1s expect tone A4\n",
            "win.trace:3:17: `A4` is no frequency; a frequency is in whole hertz, like `880Hz`",
        ),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn time_ends_at_two_to_the_sixty_third() {
    for (lines, expected) in [
        (
            "9223372036854775808ns tap B3\n",
            "win.trace:3:1: `9223372036854775808ns` is past 2^63 ns, the end of virtual time (about 292 years)",
        ),
        (
            "99999999999999999999999999999999999s tap B3\n",
            "win.trace:3:1: `99999999999999999999999999999999999s` is past 2^63 ns, the end of virtual time (about 292 years)",
        ),
        (
            "9223372036s tap B3\n+1s tap B3\n",
            "win.trace:4:5: 1 s after 9223372036 s is past 2^63 ns, the end of virtual time (about 292 years)",
        ),
        (
            "9223372036s tap B3 for 1s\n",
            "win.trace:3:13: 1 s after 9223372036 s is past 2^63 ns, the end of virtual time (about 292 years)",
        ),
        (
            "9223372036s settle within 1s\n",
            "win.trace:3:13: 1 s after 9223372036 s is past 2^63 ns, the end of virtual time (about 292 years)",
        ),
        ("9223372036s settle within 1ms\n", ""),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn a_wrong_word_is_named_with_the_nearest_right_one() {
    for (lines, expected) in [
        (
            "250ms\n",
            "win.trace:3:6: a time needs a verb: power, tap, press, release, turn, switch, set, touch, drag, lift, type, expect, wait, settle, fault, screenshot, end",
        ),
        (
            "250ms # tap B3\n",
            "win.trace:3:6: a time needs a verb: power, tap, press, release, turn, switch, set, touch, drag, lift, type, expect, wait, settle, fault, screenshot, end",
        ),
        ("250ms tpa B3\n", "win.trace:3:7: unknown verb `tpa`; did you mean `tap`?"),
        (
            "250ms hold B3\n",
            "win.trace:3:7: unknown verb `hold`; known are power, tap, press, release, turn, switch, set, touch, drag, lift, type, expect, wait, settle, fault, screenshot, end",
        ),
        ("250ms power\n", "win.trace:3:12: `power` needs `on` or `off`"),
        (
            "250ms power onn\n",
            "win.trace:3:13: unknown state of the power `onn`; did you mean `on`?",
        ),
        (
            "250ms power 3V3\n",
            "win.trace:3:13: unknown state of the power `3V3`; known are on, off",
        ),
        ("250ms tap\n", "win.trace:3:10: `tap` needs a button: B1…B6, T1…T6 or RESET"),
        (
            "250ms tap B7\n",
            "win.trace:3:11: unknown button `B7`; the buttons are B1…B6, T1…T6 and RESET",
        ),
        ("250ms tap b3\n", "win.trace:3:11: unknown button `b3`; did you mean `B3`?"),
        ("250ms press RESTE\n", "win.trace:3:13: unknown button `RESTE`; did you mean `RESET`?"),
        (
            "250ms tap B3 fro 1s\n",
            "win.trace:3:14: only `for` and a time may follow `tap B3`, not `fro`; did you mean `for`?",
        ),
        (
            "250ms tap B3 1s\n",
            "win.trace:3:14: only `for` and a time may follow `tap B3`, not `1s`",
        ),
        ("250ms tap B3 for\n", "win.trace:3:17: `for` needs a time, like `1200ms` or `5s`"),
        (
            "250ms expect\n",
            "win.trace:3:13: `expect` needs what is expected, like `text`, `frame` or `tone`",
        ),
        (
            "250ms expect txet \"A\"\n",
            "win.trace:3:14: unknown thing to expect `txet`; did you mean `text`?",
        ),
        (
            "250ms expect silence\n",
            "win.trace:3:14: unknown thing to expect `silence`; known are text, no, frame, frames, settled, tone, console, flash, backlight, led, bus, frame-time, violations, heap",
        ),
        (
            "250ms expect no tone 880Hz\n",
            "win.trace:3:22: only `for` and a time may follow `expect no tone`, not `880Hz`",
        ),
        (
            "250ms wait for \"A\" within 1s\n",
            "win.trace:3:12: unknown thing to wait for `for`; known are text, console",
        ),
        ("250ms wait\n", "win.trace:3:11: `wait` needs what is waited for: `text` or `console`"),
        (
            "250ms wait consle \"A\" within 1s\n",
            "win.trace:3:12: unknown thing to wait for `consle`; did you mean `console`?",
        ),
        ("250ms wait text \"A\"\n", "win.trace:3:20: `wait text` needs `within`"),
        (
            "250ms wait text \"A\" withing 1s\n",
            "win.trace:3:21: `wait text` needs `within`, not `withing`; did you mean `within`?",
        ),
        ("250ms settle\n", "win.trace:3:13: `settle` needs `within`"),
        (
            "250ms release B3 T1\n",
            "win.trace:3:18: nothing may follow `release of B3`, but `T1` does",
        ),
        ("250ms end now\n", "win.trace:3:11: nothing may follow `end`, but `now` does"),
        (
            &format!("250ms {} B3\n", "x".repeat(100)),
            "win.trace:3:7: unknown verb `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`; known are power, tap, press, release, turn, switch, set, touch, drag, lift, type, expect, wait, settle, fault, screenshot, end",
        ),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn a_text_is_quoted() {
    for (lines, expected) in [
        (
            "1s expect text\n",
            "win.trace:3:15: `expect text` needs a text in quotes, like \"GAME OVER\"",
        ),
        (
            "1s expect text DRAW\n",
            "win.trace:3:16: `expect text` needs a text in quotes, like \"GAME OVER\"",
        ),
        ("1s expect text \"DRAW\n", "win.trace:3:16: the text that begins here has no closing \""),
        (
            "1s expect text \"DR\\nAW\"\n",
            "win.trace:3:19: a \\ in a text is allowed before \" or \\ only",
        ),
        (
            "1s expect text \"DRAW\\\n",
            "win.trace:3:21: a \\ in a text is allowed before \" or \\ only",
        ),
        (
            "1s expect text \"\"\n",
            "win.trace:3:16: an empty text is everywhere; write what must be read",
        ),
        (
            "1s expect text \" \"\n",
            "win.trace:3:16: an empty text is everywhere; write what must be read",
        ),
        (
            "1s expect text \"DRAW\"# over\n",
            "win.trace:3:22: a blank is missing behind the closing \"",
        ),
        (
            "1s expect text \"DRAW\" now\n",
            "win.trace:3:23: `now` does not go with `expect text`; known are on, in, for",
        ),
        ("1s expect text \"say \\\"#\\\" \\\\ é\" # over\n", ""),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn a_name_can_be_a_file_name() {
    check_lines(
        "1s screenshot\n",
        "win.trace:3:14: `screenshot` needs a name, like `after-free-turn`",
    );
    check_lines(
        "1s screenshot ../../etc/passwd\n",
        "win.trace:3:15: `../../etc/passwd` is no name; names become file names: letters, digits, - and _ only",
    );
    check_lines(
        "1s expect frame después\n",
        "win.trace:3:17: `después` is no name; names become file names: letters, digits, - and _ only",
    );
    check_lines(
        &format!("1s expect frame {}\n", "a".repeat(65)),
        "win.trace:3:17: the name has 65 characters; a name has at most 64",
    );
    check_lines(&format!("1s expect frame {}\n", "a".repeat(64)), "");
}

#[test]
fn times_never_go_back() {
    for (lines, expected) in [
        (
            "12.5s press B3\n12.3s   release B3\n",
            "win.trace:4:9: release of B3 at 12.3 s comes before the line above (12.5 s); times never go back",
        ),
        (
            "1s tap B3\n+1s tap B3\n1999ms expect text \"A\"\n",
            "win.trace:5:8: expect text at 1.999 s comes before the line above (2 s); times never go back",
        ),
        (
            "1s wait text \"A\" within 1min\n+1s tap B3\n1.9s end\n",
            "win.trace:5:6: end at 1.9 s comes before the line above (at least 2 s); times never go back",
        ),
        // The end of the wait is unknown here; the replay checks it.
        ("1s wait text \"A\" within 1min\n+1s tap B3\n2s end\n", ""),
        ("1s tap B3\n1s tap B4\n", ""),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn a_button_goes_down_and_up_in_turns() {
    for (lines, expected) in [
        (
            "1s press B3\n2s press B3\n",
            "win.trace:4:4: press of B3, which is down already (pressed in line 3); release it first",
        ),
        (
            "1s press B3\n2s tap B3\n",
            "win.trace:4:4: tap of B3, which is down already (pressed in line 3); release it first",
        ),
        (
            "1s tap B3\n1.079s press B3\n",
            "win.trace:4:8: press of B3, which is down already (the tap in line 3 holds it until 1.08 s)",
        ),
        (
            "1s tap B3 for 2s\n+1s tap B3\n",
            "win.trace:4:5: tap of B3, which is down already (the tap in line 3 holds it until 3 s)",
        ),
        ("1s release RESET\n", "win.trace:3:4: release of RESET, which is not down"),
        ("1s tap B3\n2s release B3\n", "win.trace:4:4: release of B3, which is not down"),
        (
            "1s tap B3 for 2s\n2s release B3\n",
            "win.trace:4:4: release of B3, which the tap in line 3 releases by itself",
        ),
        (
            "1s settle within 1s\n+0ms tap B3\n+79ms tap B3\n",
            "win.trace:5:7: tap of B3, which is down already (the tap in line 4 holds it until at least 1.08 s)",
        ),
        (
            "1s settle within 1s\n+0ms tap B3\n1.079s tap B3\n",
            "win.trace:5:8: tap of B3, which is down already (the tap in line 4 holds it until at least 1.08 s)",
        ),
        // A wait separates the tap from the second tap; the replay checks their order.
        ("1s tap B3\n+0ms settle within 1s\n+0ms tap B3\n", ""),
        ("1s tap B3\n1.08s tap B3\n", ""),
    ] {
        check_lines(lines, expected);
    }
}

#[test]
fn end_is_last() {
    check_lines(
        "1s end\n1s tap B3\n",
        "win.trace:4:4: tap of B3 comes after `end`, which closes a trace",
    );
    check_lines("1s end\n2s end\n", "win.trace:4:4: end comes after `end`, which closes a trace");
    check_lines("1s end\n\n# a comment may follow\n", "");
}

#[test]
fn a_trace_is_plain_text() {
    let with = |bytes: &[u8]| [b"trace 1\n0ms power on\n", bytes].concat();
    check(
        &with(b"1s t\0ap B3\n"),
        "win.trace:3:5: a NUL byte is not allowed; a trace is plain text",
    );
    check(
        &with(b"1s tap B3 # caf\xE9\n"),
        "win.trace:3:16: byte 0xE9 is not UTF-8; a trace is plain text",
    );
    check(
        &with("1s tap B3 # é \u{1b}[31m\n".as_bytes()),
        "win.trace:3:15: the control character U+001B is not allowed; a trace is plain text",
    );
    check(
        b"\xFF\xFEt\0r\0a\0c\0e\0",
        "win.trace:1:1: byte 0xFF is not UTF-8; a trace is plain text",
    );
    check(
        b"trace 1\r0ms power on\r",
        "win.trace:1:8: the control character U+000D is not allowed; a trace is plain text",
    );
    check(b"\xEF\xBB\xBFtrace 1\r\n0ms power on\r\n\t1s\ttap\tB3\t\r\n1s end", "");
}

#[test]
fn lines_and_files_have_a_largest_size() {
    let line = |comment: usize| format!("1s tap B3 # {}\n", "x".repeat(comment));
    check_lines(&line(4096 - 12), "");
    check_lines(
        &line(4096 - 11),
        "win.trace:3:1: the line has 4097 bytes; a line has at most 4096",
    );
    check_lines(&"\n".repeat(LINES_MAX as usize - 2), "");
    check_lines(
        &"\n".repeat(LINES_MAX as usize - 1),
        "win.trace:1000001:1: a trace has at most 1000000 lines",
    );
    check(&vec![b'\n'; FILE_BYTES_MAX + 1], "win.trace:1:1: the trace is larger than 64 MiB");
}

/// Checks all error messages for lines after `trace 1` and `0ms power on`, without the file's name.
#[track_caller]
fn check_all(lines: &str, expected: &[&str]) {
    let text = format!("trace 1\n0ms power on\n{lines}\n");
    let said = match parse("win.trace", &text) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string().replace("win.trace:", ""),
    };
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "for the lines\n{lines}");
}

#[test]
fn all_errors_of_a_trace_are_reported_at_once() {
    check_all(
        "1s tpa B3\n+1s tap b3\n# fine\n+1s tap B4\n+1s wait text \"x\" within 60\n+1s end",
        &[
            "3:4: unknown verb `tpa`; did you mean `tap`?",
            "4:9: unknown button `b3`; did you mean `B3`?",
            "7:26: `60` lacks its unit; every number carries one, like `60ms`",
        ],
    );
    let text = "trace 1\nseed\nGame board\nseed 7\nseed 8\n0ms power on\n1s end\n2s end\n3s end\n";
    let errors = parse("win.trace", text).unwrap_err();
    let places: Vec<String> = errors.iter().map(|error| error.place.to_string()).collect();
    assert_eq!(places, ["2:5", "3:1", "5:1", "8:4"]);
}

#[test]
fn twenty_errors_are_reported_and_the_others_counted() {
    let text = |count: usize| format!("trace 1\n0ms power on\n{}", "1s tpa B3\n".repeat(count));
    let errors = parse("win.trace", &text(20)).unwrap_err();
    assert_eq!((errors.iter().count(), errors.left_out()), (20, 0));
    let errors = parse("win.trace", &text(1_020)).unwrap_err();
    assert_eq!((errors.iter().count(), errors.left_out()), (20, 1_000));
    assert!(errors.to_string().ends_with("\nwin.trace: and 1000 more"), "{errors}");
}

#[test]
fn errors_that_only_follow_from_another_are_not_reported() {
    // The wrong part may be the press or the tap, its time, or the power.
    check_all("1s pres B3\n2s release B3", &["3:4: unknown verb `pres`; did you mean `press`?"]);
    check_all("1s press b3\n2s release B3", &["3:10: unknown button `b3`; did you mean `B3`?"]);
    check_all(
        "1 press B3\n2s release B3\n3s release B3",
        &["3:1: `1` lacks its unit; every number carries one, like `1ms`"],
    );
    check_all(
        "1s power of\n2s power on",
        &["3:10: unknown state of the power `of`; known are on, off"],
    );
    check_all(
        "125s tap B3\n13s tap B3\n14s tap B3",
        &["4:5: tap of B3 at 13 s comes before the line above (125 s); times never go back"],
    );
    check_all(
        "1s press B3\n2s press B3\n3s release B3\n4s release B3",
        &["4:4: press of B3, which is down already (pressed in line 3); release it first"],
    );
    check_all(
        "1s end\n2s tap B3\n3s tap B3\n4s end",
        &["4:4: tap of B3 comes after `end`, which closes a trace"],
    );
    check_all(
        "press B3\n2s release B3",
        &["3:1: `press` lacks its time; a timed line begins with one, like `+0ms press …`"],
    );
    // `power on` is present, but its line is wrong.
    for (first, error) in [
        (
            "Oms power on",
            "2:1: `Oms` is no header key; a key is a lower-case letter, then lower-case letters, digits and -",
        ),
        ("0 ms power on", "2:1: `0` lacks its unit; write `0ms` without a blank"),
        (
            "power on",
            "2:1: `power` lacks its time; a timed line begins with one, like `+0ms power …`",
        ),
        ("0ms powr on", "2:5: unknown verb `powr`; did you mean `power`?"),
    ] {
        let text = format!("trace 1\n{first}\n1s tap B3\n2s power off\n3s power on\n");
        let said = parse("win.trace", &text).unwrap_err().to_string();
        assert_eq!(said, format!("win.trace:{error}"));
    }
    // Another version has another grammar, and bytes that are not a trace have none.
    let said = parse("win.trace", "trace 2\n+x\n+y\n").unwrap_err();
    assert_eq!(said.iter().count(), 1);
}

#[test]
fn an_independent_error_after_another_is_reported() {
    check_all(
        "1s tpa B3\n2s press B4\n3s press B4\n2s release B4",
        &[
            "3:4: unknown verb `tpa`; did you mean `tap`?",
            "5:4: press of B4, which is down already (pressed in line 4); release it first",
            "6:4: release of B4 at 2 s comes before the line above (3 s); times never go back",
        ],
    );
}

#[test]
fn invisible_characters_are_shown_by_their_number() {
    check_all(
        "1s tap\u{200b} B3\n\u{feff}1s tap B3\n1s\u{a0}tap B3\n1s tap B3\u{202e}",
        &[
            "3:4: unknown verb `tap<U+200B>`; did you mean `tap`?",
            "4:1: `<U+FEFF>1s` is no time; below the first timed line each begins with one, like \
             `250ms` or `+2s`",
            "5:2: unknown unit `s<U+00A0>tap`; times are in ns, us, ms, s, min or h",
            "6:8: unknown button `B3<U+202E>`; did you mean `B3`?",
        ],
    );
}

#[test]
fn a_minute_is_min_and_an_hour_is_h() {
    check_lines(
        "1m tap B3",
        "win.trace:3:2: unknown unit `m`; times are in ns, us, ms, s, min or h; did you mean `min`?",
    );
    for (unit, meant) in [("hr", "h"), ("hour", "h"), ("sec", "s"), ("minutes", "min")] {
        check_lines(
            &format!("1{unit} tap B3"),
            &format!(
                "win.trace:3:2: unknown unit `{unit}`; times are in ns, us, ms, s, min or h; did \
                 you mean `{meant}`?"
            ),
        );
    }
    check_lines("1h tap B3\n+0.5h tap B4", "");
}
