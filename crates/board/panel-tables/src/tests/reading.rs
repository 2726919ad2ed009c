//! Tests of the reader: every mistake has its line, its limit and the nearest word.

use crate::read::{KEYS, SIZE_MAX, load, parse};
use crate::{Effect, Rule, Status, source};

const ILI9341: &str = "ili9341";

/// Replaces the only occurrence of `old` in the table of the ILI9341, and checks the error: its
/// message, and that it is at `at`, on the line of the replacement or after it.
#[track_caller]
fn check(old: &str, new: &str, at: &str, message: &str) {
    let text = source(ILI9341).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    let changed = text.find(old).unwrap() + usize::from(old.starts_with('\n'));
    let text = text.replace(old, new);
    let line = text[..changed].rfind('\n').map_or(0, |end| end + 1);
    let place = line + text[line..].find(at).unwrap_or_else(|| panic!("{at}"));
    let before = &text[..place];
    let column = place - before.rfind('\n').map_or(0, |end| end + 1) + 1;
    let line = before.matches('\n').count() + 1;
    let error = parse(&text).expect_err(new);
    assert_eq!(error.to_string(), format!("{line}:{column}: {message}"));
}

#[test]
fn a_wrong_word_has_its_place_and_the_nearest_one() {
    check(
        "does = \"sleep-out\"",
        "does = \"sleep-otu\"",
        "\"sleep-otu\"",
        "`sleep-otu` is not a word for `does`; did you mean `sleep-out`?",
    );
    check("family =", "familly =", "familly", "unknown key `familly`; did you mean `family`?");
    check("filter = ", "filte = ", "filte", "unknown key `filte`; did you mean `filter`?");
    check(
        "\nCutPixel =",
        "\nCutPixels =",
        "CutPixels",
        "`CutPixels` is not a word for `rules`; did you mean `CutPixel`?",
    );
    check(
        "mounting = \"landscape\"",
        "mounting = \"sideways\"",
        "\"sideways\"",
        "`sideways` is not a word for `mounting`; known are portrait, landscape",
    );
    check(
        "answer = \"power-mode\"",
        "answer = \"power-mod\"",
        "power-mod",
        "`power-mod` is not a word for `answer`; did you mean `power-mode`?",
    );
    check(
        "registers = [\"CASET: 00 00 00 F0\"]",
        "registers = [\"CASETT: 00 00 00 F0\"]",
        "\"CASETT",
        "there is no command `CASETT` in this table; did you mean `CASET`?",
    );
}

#[test]
fn a_wrong_number_has_its_limits() {
    check("lines = 320", "lines = 4096", "4096", "`lines` is 4096; it must be between 1 and 512");
    check(
        "limit = \"10 us\"",
        "limit = \"10\"",
        "10\", text",
        "`10` is not a time of at most 10 s with its unit, such as \"5 ms\" (ns, us, ms or s)",
    );
    check(
        "arguments = 128",
        "arguments = 129",
        "129",
        "`arguments` is 129; it must be between 0 and 128",
    );
    check("5 = 16,", "5 = 15,", "15", "`15` is not a number of bits: 12, 16 or 18");
    check(
        "landscape\", filter",
        "landscape\", first_line = 1, filter",
        "module",
        "the module ends at line 320; the memory has 0 to 319",
    );
}

#[test]
fn commands_are_checked_against_their_effects() {
    check(
        "arguments = 4, does = \"columns\"",
        "arguments = 3, does = \"columns\"",
        "2A",
        "`does = \"columns\"` needs at least 4 arguments, the command has 3",
    );
    check(
        "does = \"idle-on\"",
        "does = \"page-start\"",
        "\"page-start\"",
        "`does = \"page-start\"` exists only for family \"pages\"",
    );
    check("\n13 = ", "\n12 = ", "12", "this is not TOML: duplicate key");
    check("\n13 = ", "\n12-13 = ", "12-13", "command 12h is listed a second time");
    check(
        "\"11\", \"3A 55\"",
        "\"11\", \"3A\"",
        "\"3A\"",
        "`PIXSET` has 0 bytes; the command takes 1 to 1",
    );
    check("\"11\", \"3A 55\"", "\"13\", \"F1\"", "\"F1\"", "there is no command F1h in this table");
    check(
        "DPI 0.6-4",
        "DPI 1.6-4",
        "\"DPI",
        "`DPI (argument of the field)` is 1; it must be between 0 and 0",
    );
    check(
        "reset = \"00 1B\"",
        "reset = \"00\"",
        "\"00\"",
        "`reset` has 1 bytes; the command takes 2 to 2",
    );
    let text = source(ILI9341).unwrap().replace("\"sleep-out\"", "\"nothing\"");
    let error = parse(&text).unwrap_err().to_string();
    assert!(error.ends_with("a table of this family needs a command with `does = \"sleep-out\"`"));
}

#[test]
fn a_rule_has_a_limit_exactly_if_it_needs_one() {
    check("limit = \"100 ns\", ", "", "Clock", "`Clock` needs a `limit`, such as \"5 ms\"");
    check(
        "CutPixel = { section",
        "CutPixel = { limit = \"5 ms\", section",
        "limit",
        "`CutPixel` has no limit: leave `limit` out",
    );
}

#[test]
fn bad_input_is_an_error_in_bounded_time() {
    let long = format!("# {}", "x".repeat(SIZE_MAX));
    let error = parse(&long).unwrap_err().to_string();
    assert!(error.ends_with("more than 65536 bytes, the maximum of a table"), "{error}");
    let deep = format!("name = {}", "[".repeat(SIZE_MAX - 10));
    assert!(parse(&deep).unwrap_err().to_string().contains("not TOML"));
    for text in ["", "name = 1", "[commands]\n", "\u{feff}", "name = \"é\u{0}"] {
        parse(text).unwrap_err();
    }
    // Every prefix, and every file without one of its lines, is read or refused.
    let text = source(ILI9341).unwrap();
    for end in (0..text.len()).step_by(97).filter(|end| text.is_char_boundary(*end)) {
        let _ = parse(&text[..end]);
    }
    let lines: Vec<_> = text.lines().collect();
    for without in 0..lines.len() {
        let rest: Vec<_> = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != without)
            .map(|(_, line)| *line)
            .collect();
        let _ = parse(&rest.join("\n"));
    }
}

#[test]
fn a_loaded_table_is_loaded_once() {
    let text = source(ILI9341).unwrap();
    let (one, other) = (load(text).unwrap(), load(text).unwrap());
    assert!(std::ptr::eq(one, other));
    assert_eq!(one, &crate::ILI9341, "the build compiles the same table");
}

#[test]
fn every_key_and_word_is_documented() {
    let document = include_str!("../../../../../docs/panels.md");
    for (part, keys) in KEYS {
        let heading =
            if *part == "table" { "## The file\n".to_owned() } else { format!("### {part}\n") };
        let start = document.find(&heading).unwrap_or_else(|| panic!("no heading {heading}"));
        let rest = &document[start + heading.len()..];
        let section = &rest[..rest.find("\n##").unwrap_or(rest.len())];
        for key in *keys {
            let rows = section.lines().filter(|line| line.starts_with("| `"));
            let mut first = rows.map(|line| line.split('|').nth(1).unwrap_or_default());
            assert!(first.any(|cell| cell.contains(&format!("`{key}`"))), "{part}: {key}");
        }
    }
    let words = Effect::ALL.iter().map(|effect| effect.word());
    let words = words.chain(Status::ALL.iter().map(|status| status.word()));
    for word in words.chain(Rule::ALL.iter().map(|rule| rule.name())).chain(crate::names()) {
        assert!(document.contains(&format!("`{word}`")), "{word}");
    }
}
