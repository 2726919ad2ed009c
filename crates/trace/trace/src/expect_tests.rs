//! The options of `expect frame`, budgets, and expectations of sound and console: how they are
//! parsed, and the errors for invalid ones.

use super::{Action, parse};

/// Checks that the line, after `trace 1`, `0ms power on` and a time, is written as `written`.
#[track_caller]
fn reads(line: &str, written: &str) {
    let text = format!("trace 1\n0ms power on\n1s {line}\n");
    let trace = parse("win.trace", &text).unwrap_or_else(|error| panic!("{error}\n{line}"));
    assert_eq!(trace.lines[1].action.to_string(), written);
    assert!(trace.lines[1].action.is_expectation());
}

/// Checks the error for that line: its column (from 1 at the verb) and the reason.
#[track_caller]
fn refuses(line: &str, column: usize, why: &str) {
    let error = parse("win.trace", &format!("trace 1\n0ms power on\n1s {line}\n")).unwrap_err();
    assert_eq!(error.to_string(), format!("win.trace:3:{}: {why}", column + 3), "{line}");
}

#[test]
fn options_of_a_frame_come_in_any_order_and_are_written_in_one() {
    reads("expect frame a", "expect frame a");
    reads("expect frame a in 0,0,320,40 # status", "expect frame a in 0,0,320,40");
    reads(
        "expect frame a at most 3 pixels ignore 8,8,2,2 tolerance 1 in 0,0,16,16 ignore 1,1,2,2",
        "expect frame a in 0,0,16,16 ignore 8,8,2,2 ignore 1,1,2,2 tolerance 1 at most 3 pixels",
    );
    reads(
        "expect frame a ignore 0,0,160,240 ignore 160,0,160,239",
        "expect frame a ignore 0,0,160,240 ignore 160,0,160,239",
    );
}

#[test]
fn a_region_is_inside_the_panel_and_is_not_empty() {
    let shape = "a region is x,y,width,height in pixels, like `0,0,320,40`";
    for wrong in
        ["0,0,320", "0,0,320,40,1", "0,0,a,40", "-1,0,3,4", "0;0;3;4", "0,0,70000,1", ",,,"]
    {
        refuses(
            &format!("expect frame a in {wrong}"),
            19,
            &format!("`{wrong}` is no region; {shape}"),
        );
    }
    refuses("expect frame a in 0, 0, 3, 4", 19, &format!("`0,` is no region; {shape}"));
    refuses("expect frame a in", 18, "`in` needs a region: x,y,width,height, like `0,0,320,40`");
    refuses("expect frame a in 5,5,0,9", 19, "the region 5,5,0,9 is empty");
    refuses("expect frame a ignore 5,5,9,0", 23, "the region 5,5,9,0 is empty");
    for outside in ["0,0,321,1", "0,0,1,241", "320,0,1,1", "0,240,1,1", "65535,65535,65535,65535"] {
        let why =
            format!("the region {outside} reaches out of the panel, which has 320x240 pixels");
        refuses(&format!("expect frame a in {outside}"), 19, &why);
    }
}

#[test]
fn ignored_regions_must_leave_pixels_to_compare() {
    refuses(
        "expect frame a in 0,0,10,10 ignore 5,5,6,2",
        36,
        "the ignored 5,5,6,2 reaches out of the region 0,0,10,10",
    );
    refuses(
        "expect frame a ignore 0,0,10,10 ignore 9,9,5,5",
        40,
        "the ignored 9,9,5,5 overlaps the ignored 0,0,10,10; make them one, or part them",
    );
    refuses(
        "expect frame a ignore 0,0,160,240 ignore 160,0,160,240",
        23,
        "all is ignored; nothing is left to compare",
    );
    refuses(
        "expect frame a in 0,0,4,4 ignore 0,0,2,4 at most 8 pixels",
        50,
        "8 pixels may be off, but only 8 are compared: that holds for any frame",
    );
    let many = "expect frame a".to_owned()
        + &(0..33).map(|x| format!(" ignore {x},0,1,1")).collect::<String>();
    refuses(&many, many.len() - 14, "a frame ignores at most 32 regions");
}

#[test]
fn a_tolerance_is_given_in_steps_and_pixels() {
    let steps = "is no tolerance; 1 to 16 steps of RGB565 a channel, like `2`; without `tolerance` \
                 pixels are equal";
    for wrong in ["0", "17", "-1", "1.5", "few", "99999999999999999999999"] {
        refuses(&format!("expect frame a tolerance {wrong}"), 26, &format!("`{wrong}` {steps}"));
    }
    refuses("expect frame a at most 0 pixels", 24, "`0` is no number of pixels; 1 or more");
    refuses("expect frame a at most 3", 25, "`at most` needs `pixels`");
    refuses("expect frame a at least 3 pixels", 19, "`at` needs `most`, not `least`");
    refuses("expect frame a tolerance 1 tolerance 2", 28, "`tolerance` is given twice");
    refuses("expect frame a in 0,0,1,1 in 0,0,1,1", 27, "`in` is given twice");
    refuses("expect frame a at most 1 pixels at most 2 pixels", 33, "`at most` is given twice");
    refuses(
        "expect frame a ingore 0,0,1,1",
        16,
        "`ingore` does not go with `expect frame`; did you mean `ignore`?",
    );
    refuses(
        "expect frame a 0,0,1,1",
        16,
        "`0,0,1,1` does not go with `expect frame`; known are on, in, ignore, tolerance, at",
    );
}

#[test]
fn options_of_a_text_come_in_any_order_and_are_written_in_one() {
    for line in [
        r#"expect text "a""#,
        r#"expect text "a" in 0,0,320,40"#,
        r#"expect text "a" for 2s"#,
        r#"expect text "a" in 0,0,320,40 for 2s"#,
        r#"expect no text "a""#,
        r#"expect no text "a" in 0,0,320,40"#,
    ] {
        reads(line, line);
    }
    reads(r#"expect text "a" for 2000ms in 0,0,9,9 # x"#, r#"expect text "a" in 0,0,9,9 for 2s"#);
    let shape = "a region is x,y,width,height in pixels, like `0,0,320,40`";
    refuses(r#"expect text "a" in 0,0,9"#, 20, &format!("`0,0,9` is no region; {shape}"));
    refuses(
        r#"expect no text "a" in 0,0,321,9"#,
        23,
        "the region 0,0,321,9 reaches out of the panel, which has 320x240 pixels",
    );
    refuses(r#"expect text "a" in 5,5,0,9"#, 20, "the region 5,5,0,9 is empty");
    refuses(
        r#"expect text "a" in"#,
        19,
        "`in` needs a region: x,y,width,height, like `0,0,320,40`",
    );
    refuses(r#"expect text "a" for"#, 20, "`for` needs a time, like `1200ms` or `5s`");
    refuses(
        r#"expect text "a" for 2"#,
        21,
        "`2` lacks its unit; every number carries one, like `2ms`",
    );
    let short = "a text that stood for so short a time is not told from others";
    let short = |time: &str| format!("{time} is within the tolerance of 20 ms; {short}");
    refuses(r#"expect text "a" for 0ms"#, 21, &short("0 ms"));
    refuses(r#"expect text "a" for 20ms"#, 21, &short("20 ms"));
    refuses(r#"expect text "a" for 2s for 2s"#, 24, "`for` is given twice");
    refuses(r#"expect text "a" in 0,0,9,9 in 0,0,9,9"#, 28, "`in` is given twice");
    refuses(
        r#"expect text "a" fro 2s"#,
        17,
        "`fro` does not go with `expect text`; did you mean `for`?",
    );
    refuses(
        r#"expect text "a" within 2s"#,
        17,
        "`within` does not go with `expect text`; known are on, in, for",
    );
    refuses(
        r#"expect no text "a" for 2s"#,
        20,
        "`for` does not go with `expect no text`; known are on, in",
    );
}

#[test]
fn a_budget_is_a_comparison_and_a_bound_with_its_unit() {
    reads("expect bus < 40kB within 1s", "expect bus < 40kB within 1s");
    reads("expect bus <= 40960B within 1500ms", "expect bus <= 40KiB within 1.5s");
    reads("expect bus <= 0B within 1s", "expect bus <= 0B within 1s");
    reads("expect frame-time <   0.045s", "expect frame-time < 45ms");
    for (line, column, why) in [
        ("expect bus", 11, "`expect bus` needs `<` or `<=` and a bound, like `< 40kB`"),
        ("expect bus 40kB within 1s", 12, "`expect bus` needs `<` or `<=`, not `40kB`"),
        ("expect bus > 40kB within 1s", 12, "`expect bus` needs `<` or `<=`, not `>`"),
        ("expect bus <40kB within 1s", 12, "`<40kB` lacks a blank; write `< …`"),
        ("expect bus <=40kB within 1s", 12, "`<=40kB` lacks a blank; write `<= …`"),
        ("expect bus < 0kB within 1s", 14, "no bytes can be below 0; write `<=`, or a bound"),
        (
            "expect bus < 40 within 1s",
            14,
            "`40` lacks its unit; every number carries one, like `40kB`",
        ),
        (
            "expect bus < 1.5kB within 1s",
            14,
            "`1.5kB` is no size; a size is a whole number with its unit, like `40kB`",
        ),
        (
            "expect bus < kB within 1s",
            14,
            "`kB` is no size; a size is a whole number with its unit, like `40kB`",
        ),
        (
            "expect bus < 40KB within 1s",
            16,
            "unknown unit `KB`; sizes are in B, kB, KiB, MB or MiB; did you mean `kB`?",
        ),
        (
            "expect bus < 99999999999999999999kB within 1s",
            14,
            "`99999999999999999999kB` is past 2^64 bytes; no bus carries that",
        ),
        (
            "expect bus < 18446744073709551615MiB within 1s",
            14,
            "`18446744073709551615MiB` is past 2^64 bytes; no bus carries that",
        ),
        ("expect bus < 40kB", 18, "`expect bus` needs `within`"),
        ("expect bus < 40kB within 0ms", 26, "within no time nothing is sent; name a span"),
        ("expect frame-time < 0ms", 21, "no time can be below 0; write `<=`, or a bound"),
        (
            "expect frame-time < 45",
            21,
            "`45` lacks its unit; every number carries one, like `45ms`",
        ),
        ("expect violations", 18, "`expect violations` needs `none`"),
        (
            "expect violations non",
            19,
            "`expect violations` needs `none`, not `non`; did you mean `none`?",
        ),
        ("expect heap 0B", 13, "`expect heap` needs `none`, not `0B`"),
    ] {
        refuses(line, column, why);
    }
}

#[test]
fn each_chain_of_frames_has_its_own_name() {
    reads("expect frames game", "expect frames game");
    reads("expect settled frames game", "expect settled frames game");
    refuses("expect settled game", 16, "`expect settled` needs `frames`, not `game`");
    refuses(
        "expect frames ../x",
        15,
        "`../x` is no name; names become file names: letters, digits, - and _ only",
    );
    let twice = "trace 1\n0ms power on\n1s expect frames a\n2s expect settled frames a\n";
    let error = parse("win.trace", twice).unwrap_err();
    let message = "the frames a are in line 3 already; each chain has its own name";
    assert_eq!(error.to_string(), format!("win.trace:4:4: {message}"));
}

#[test]
fn lines_that_expect_nothing_are_no_expectations() {
    for (line, looks) in [("end", false), ("tap B1", false), ("settle within 1s", false)] {
        let text = format!("trace 1\n0ms power on\n1s {line}\n");
        let trace = parse("win.trace", &text).unwrap();
        assert_eq!(trace.lines[1].action.is_expectation(), looks, "{line}");
    }
    assert!(!Action::PowerOn.is_expectation());
}

#[test]
fn tone_and_console_lines_are_written_as_they_were_read() {
    reads("expect tone 880Hz", "expect tone 880Hz");
    reads("expect tone 880Hz for 0.06s # a note", "expect tone 880Hz for 60ms");
    reads("expect no tone", "expect no tone");
    reads("expect no tone for   500ms", "expect no tone for 500ms");
    reads("expect console \"off\"", "expect console \"off\"");
    reads("expect no console \"say \\\"x\\\"\"", "expect no console \"say \\\"x\\\"\"");
    reads("expect flash \"sound  off\"", "expect flash \"sound  off\"");
    reads("expect no flash \"damaged\"", "expect no flash \"damaged\"");
    reads("expect backlight on", "expect backlight on");
    reads("expect backlight off", "expect backlight off");
    for (line, column, why) in [
        (
            "expect tone 880Hz fro 60ms",
            19,
            "only `for` and a time may follow the frequency, not `fro`; did you mean `for`?",
        ),
        (
            "expect tone 880Hz 60ms",
            19,
            "only `for` and a time may follow the frequency, not `60ms`",
        ),
        ("expect tone 880Hz for", 22, "`for` needs a time, like `1200ms` or `5s`"),
        (
            "expect tone 880Hz for 0ms",
            23,
            "for no time nothing sounds and nothing is silent; name a span",
        ),
        (
            "expect tone 880Hz for 60ms more",
            28,
            "nothing may follow `expect tone`, but `more` does",
        ),
        (
            "expect no tone for 0s",
            20,
            "for no time nothing sounds and nothing is silent; name a span",
        ),
        (
            "expect no",
            10,
            "`expect no` needs what is not expected: `text`, `tone`, `console` or `flash`",
        ),
        (
            "expect no consol \"x\"",
            11,
            "unknown thing not to expect `consol`; did you mean `console`?",
        ),
        (
            "expect no frame x",
            11,
            "unknown thing not to expect `frame`; known are text, tone, console, flash",
        ),
        ("expect no console", 18, "`expect no console` needs a text in quotes, like \"GAME OVER\""),
        ("expect no console \" \"", 19, "an empty text is everywhere; write what must be read"),
        ("expect flash sound", 14, "`expect flash` needs a text in quotes, like \"GAME OVER\""),
        ("expect flahs \"x\"", 8, "unknown thing to expect `flahs`; did you mean `flash`?"),
        ("expect backlight", 17, "`expect backlight` needs `on` or `off`"),
        ("expect backlight of", 18, "unknown state of the backlight `of`; known are on, off"),
        (
            "expect backligth on",
            8,
            "unknown thing to expect `backligth`; did you mean `backlight`?",
        ),
        ("wait console \"x\"", 17, "`wait console` needs `within`"),
        ("wait console \"x\" in 5s", 18, "`wait console` needs `within`, not `in`"),
    ] {
        refuses(line, column, why);
    }
}
