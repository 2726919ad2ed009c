//! The arguments of `fault`: how they are parsed, and the errors for invalid ones.

use super::{Action, parse};

/// Checks that the line, after `trace 1`, `0ms power on` and a time, is written as it was read.
#[track_caller]
fn reads(line: &str) {
    let text = format!("trace 1\n0ms power on\n1s {line}\n");
    let trace = parse("win.trace", &text).unwrap_or_else(|error| panic!("{error}\n{line}"));
    assert!(matches!(trace.lines[1].action, Action::Fault(_)));
    assert_eq!(trace.lines[1].action.to_string(), line);
}

/// Checks the error for that line: its column (from 1 at the verb) and the reason.
#[track_caller]
fn refuses(line: &str, column: usize, why: &str) {
    let error = parse("win.trace", &format!("trace 1\n0ms power on\n1s {line}\n")).unwrap_err();
    assert_eq!(error.to_string(), format!("win.trace:3:{}: {why}", column + 3), "{line}");
}

/// Checks the error for a trace whose lines from the third on are these.
#[track_caller]
fn refuses_lines(lines: &str, why: &str) {
    let error = parse("win.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap_err();
    assert_eq!(error.to_string(), format!("win.trace:{why}"), "{lines}");
}

#[test]
fn every_fault_is_written_as_it_was_read() {
    reads("fault stuck B3");
    reads("fault stuck RESET");
    reads("fault bounce T6 8ms");
    reads("fault spi flip 1/100000");
    reads("fault uart lose 1/20");
    reads("fault uart garble");
    reads("fault uart garble 1/7");
    reads("fault noise stuck");
    reads("fault power cut");
    reads("fault flash cut after 37 bytes");
    reads("fault flash cut after 0 bytes");
    reads("fault flash stuck");
    reads("fault none B3");
    reads("fault none spi");
    reads("fault none uart");
    reads("fault none noise");
    reads("fault none flash");
}

#[test]
fn a_misspelt_word_is_named_with_the_nearest_right_one() {
    refuses("falt stuck B3", 1, "unknown verb `falt`; did you mean `fault`?");
    refuses("fault stukc B3", 7, "unknown fault `stukc`; did you mean `stuck`?");
    refuses("fault stuck b3", 13, "unknown button `b3`; did you mean `B3`?");
    refuses("fault spi flop 1/9", 11, "`fault spi` needs `flip`, not `flop`; did you mean `flip`?");
    refuses("fault uart loose 1/9", 12, "unknown fault of the UART `loose`; did you mean `lose`?");
    refuses(
        "fault noise stick",
        13,
        "`fault noise` needs `stuck`, not `stick`; did you mean `stuck`?",
    );
    refuses("fault power cat", 13, "`fault power` needs `cut`, not `cat`; did you mean `cut`?");
    refuses("fault flash stuk", 13, "unknown fault of the flash `stuk`; did you mean `stuck`?");
    refuses("fault none flahs", 12, "unknown part of the board `flahs`; did you mean `flash`?");
}

#[test]
fn a_fault_without_its_argument_is_refused() {
    refuses("fault", 6, "`fault` needs what goes wrong, like `stuck B3` or `power cut`");
    refuses("fault bounce B3", 16, "`fault bounce` needs how long it bounces, like `8ms`");
    refuses(
        "fault spi flip",
        15,
        "`fault spi flip` needs the share of bits that flip, like `1/100000`",
    );
    refuses(
        "fault uart",
        11,
        "`fault uart` needs what happens to typed bytes: `lose 1/20` or `garble`",
    );
    refuses(
        "fault uart lose",
        16,
        "`fault uart lose` needs the share of bytes that it happens to, like `1/20`",
    );
    refuses(
        "fault none",
        11,
        "`fault none` needs what is well again: a button, `spi`, `uart`, `noise` or `flash`",
    );
    refuses("fault flash cut after 37", 25, "`fault flash cut after` needs `bytes`");
}

#[test]
fn a_number_out_of_range_names_the_range() {
    for wrong in ["2/9", "1/0", "1/1000000001", "1/-1", "1/", "0.1", "1/1e6"] {
        let why = format!(
            "`{wrong}` is no share of bits; 1/1 (every bit) to 1/1000000000, like `1/100000`"
        );
        refuses(&format!("fault spi flip {wrong}"), 16, &why);
    }
    for (line, wrong) in [("fault uart lose 1/0", "1/0"), ("fault uart garble all", "all")] {
        let why = format!(
            "`{wrong}` is no share of bytes; 1/1 (every byte) to 1/1000000000, like `1/20`"
        );
        refuses(line, line.len() - wrong.len() + 1, &why);
    }
    for wrong in ["0ms", "51ms"] {
        let why = format!(
            "`{wrong}` is no bounce; a contact bounces for more than 0 and at most 50 ms; \
             `fault none` makes it a good one"
        );
        refuses(&format!("fault bounce B3 {wrong}"), 17, &why);
    }
    for wrong in ["4294967296", "-1", "0x10"] {
        let why = format!("`{wrong}` is no number of bytes; 0 to 4294967295");
        refuses(&format!("fault flash cut after {wrong} bytes"), 23, &why);
    }
}

#[test]
fn power_goes_off_only_while_on_and_on_only_while_off() {
    refuses_lines("1s power off\n2s fault power cut", "4:4: the power is off already");
    refuses_lines(
        "1s fault power cut\n2s fault flash cut after 3 bytes",
        "4:4: the power is off; a cut in the flash is planned while it is on",
    );
    refuses_lines(
        "1s power off\n2s fault none flash",
        "4:4: the power is off, and no cut in the flash is planned any more",
    );
    refuses_lines("1s fault power cut\n2s power off", "4:4: the power is off already");
    refuses_lines("1s fault stuck B3\n2s power on", "4:4: the power is on already");
}

#[test]
fn power_may_go_on_or_off_after_a_flash_cut_that_may_not_happen() {
    for next in ["power on", "power off", "fault power cut"] {
        let text = format!("trace 1\n0ms power on\n1s fault flash cut after 3 bytes\n2s {next}\n");
        parse("win.trace", &text).unwrap_or_else(|error| panic!("{error}"));
    }
}
