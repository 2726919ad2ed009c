//! The examples of docs/trace-format.md: traces that parse, and error messages.

use std::collections::BTreeSet;

use super::part_tests::parts;
use super::{NoIncludes, Trace, parse, parse_on};

const PAGE: &str = include_str!("../../../../docs/trace-format.md");

/// Returns the page's fenced blocks with the info string `info`.
fn blocks(info: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if let Some(opened) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if opened == info {
                found.push(block.join("\n"));
            }
        }
    }
    found
}

/// Parses lines for a board with one part of each kind.
fn on_parts(lines: &str) -> Trace {
    let text = format!("trace 1\n0ms power on\n{lines}");
    let trace = parse_on("page.trace", text.as_bytes(), &mut NoIncludes, Some(&parts()));
    trace.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn examples() -> Vec<Trace> {
    let lines = blocks("trace lines").into_iter();
    let whole = lines.map(|lines| format!("trace 1\n0ms power on\n{lines}"));
    blocks("trace")
        .into_iter()
        .chain(whole)
        .map(|text| parse("page.trace", &text).unwrap_or_else(|error| panic!("{error}\n{text}")))
        .chain(blocks("trace parts").into_iter().map(|lines| on_parts(&lines)))
        .collect()
}

#[test]
fn every_example_on_the_page_is_a_trace_and_every_verb_has_one() {
    let examples = examples();
    assert!(examples.len() > 12);
    let noun = |action: &super::Action| action.noun().split(" of ").next().map(str::to_owned);
    let actions = examples.iter().flat_map(|trace| &trace.lines).map(|line| &line.action);
    let shown: BTreeSet<String> = actions.filter_map(noun).collect();
    let all = [
        "end",
        "expect backlight",
        "expect bus",
        "expect console",
        "expect flash",
        "expect frame",
        "expect frame-time",
        "expect frames",
        "expect heap",
        "expect led",
        "expect no console",
        "expect no flash",
        "expect no text",
        "expect no tone",
        "expect settled frames",
        "expect text",
        "expect tone",
        "expect violations",
        "fault bounce",
        "fault flash",
        "fault noise",
        "fault none",
        "fault power",
        "fault spi",
        "fault stuck",
        "fault uart",
        "power off",
        "power on",
        "press",
        "release",
        "drag",
        "lift",
        "touch",
        "type",
        "type bytes",
        "screenshot",
        "set",
        "settle",
        "switch",
        "tap",
        "turn",
        "wait",
        "wait console",
    ];
    assert_eq!(shown, all.map(str::to_owned).into());
}

#[test]
fn every_error_on_the_page_is_the_parsers_message() {
    let errors = blocks("trace error");
    assert!(errors.len() >= 9);
    for block in errors {
        let (error, text) = block.split_once("\n---\n").unwrap();
        assert_eq!(parse("win.trace", text).unwrap_err().to_string(), error);
    }
}

#[test]
fn the_recording_on_the_page_is_written_as_the_recorder_writes() {
    let recording = blocks("trace").pop().unwrap();
    assert_eq!(parse("page.trace", &recording).unwrap().to_string(), recording + "\n");
}
