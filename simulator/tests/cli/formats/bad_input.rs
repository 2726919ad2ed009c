//! Broken captures must cause an error with its place and exit code 2, in bounded memory and time.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use super::TestFolder;

const HEAD: &str = "$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$enddefinitions $end\n#0\n1!\n";

#[track_caller]
fn check(name: &str, text: impl AsRef<[u8]>, said: &str) {
    let sandbox = TestFolder::new();
    sandbox.put(name, text);
    sandbox.nudge(&format!("convert {name} out.trace")).is(2, said);
    assert!(!sandbox.path("out.trace").exists());
}

#[test]
fn a_waveform_that_is_broken_is_an_error_with_its_line() {
    sampled!();
    let wide = "$timescale 1 ns $end\n$var wire 8 ! B1 $end\n$enddefinitions $end\n";
    let twice = "$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$var wire 1 ! B2 $end\n";
    let two = "$timescale 1 ns $end\n$var wire 1 ! B1 $end\n$var wire 1 \" x.B1 $end\n";
    let deep = "$scope module a $end\n".repeat(10_000);
    let long = format!("$scope module {} $end\n", "a".repeat(3_000)).repeat(2);
    let heads = "$comment nudge header seed 7 $end\n".repeat(65);
    for (text, said) in [
        (format!("{HEAD}#"), "a.vcd:6: the file ends in the middle"),
        (format!("{HEAD}#5\n0"), "a.vcd:7: the file ends in the middle"),
        ("$timescale 1 ns $end\n$var wire 1".into(), "a.vcd:2: the file ends in the middle"),
        ("$timescale 1 ns $end\n".into(), "ends before its $enddefinitions"),
        (format!("{HEAD}\0\0\0\0"), "a.vcd:6: unexpected character"),
        ("\0".into(), "a.vcd:1: unexpected character"),
        (format!("{HEAD}#9223372036854775808\n"), "a.vcd:6: #9223372036854775808 is past 2^63 ns"),
        (format!("{HEAD}#99999999999999999999\n"), "a.vcd:6: a number that is none, or past 2^64"),
        (HEAD.replace("1 ns", "1 s") + "#9223372037\n", "a.vcd:6: #9223372037 is past 2^63 ns"),
        (format!("{HEAD}#9\n#8\n"), "a.vcd:7: #8 comes before the time above it (9 ns)"),
        (HEAD.replace("1 ns", "1 lightyear"), "a.vcd:1: "),
        (HEAD.replace("1 ns", "1 h"), "a.vcd:1: an unknown unit of time"),
        (HEAD.replace("1 ns", "0 ns"), "a.vcd:1: a timescale of 0"),
        (HEAD.replace("$timescale 1 ns $end", ""), "no $timescale"),
        (twice.into(), "a.vcd:3: the id `!` of `B2` belongs to another channel in line 2"),
        (two.into(), "a.vcd:3: `x.B1` is B1, and so is a channel in line 2"),
        (wide.into(), "a.vcd:2: `B1` is B1 but 8 bits wide"),
        (HEAD.replace("B1", "clk"), "none of the board's wires; it has clk"),
        (format!("{HEAD}12\n1"), "a.vcd:7: the file ends in the middle"),
        (format!("{HEAD}$scope module x $end\n"), "a.vcd:6: a scope is below the head"),
        (format!("{HEAD}b{}", "1".repeat(3 << 20)), "a.vcd:6: more than 1 MiB without an end"),
        (format!("$comment {}", "x".repeat(3 << 20)), "a.vcd:1: more than 1 MiB without an end"),
        (" ".repeat(3 << 20), "more than 1 MiB without an end"),
        (deep, "a.vcd:65: scopes lie deeper than 64"),
        (long, "a.vcd:2: names of scopes and channels of more than 4096 bytes"),
        (heads, "a.vcd:65: more than 64 lines of a trace's header"),
        (String::new(), "a.vcd:1: the file ends before its $enddefinitions"),
    ] {
        check("a.vcd", &text, said);
    }
}

#[test]
fn an_export_that_is_broken_is_an_error_with_its_line() {
    for (text, said) in [
        ("Time [s],B1\n0,1\n1.5\n", "a.csv:3: a row of 1 columns, and the head has 2"),
        ("Time [s],B1\n0,1\n1.5,\n", "a.csv:3: `` is no level of B1"),
        ("Time [s],B1\n0,1\n1,0\n0.5,1\n", "a.csv:4: the row's time is before the one above"),
        ("Time [s],B1\n0,1\n9223372037,0\n", "a.csv:3: the row's time is past 2^63 ns"),
        ("Time [s],B1\n0,1\n1e999999999,0\n", "a.csv:3: `1e999999999` is no time"),
        ("Time [s],B1\n2026-11-21T10:00:00Z,0\n", "a.csv:2: `2026-11-21T10:00:00Z` is no time"),
        ("Time [s],B1,B1\n", "a.csv:1: two columns are B1"),
        ("Time [s],clk\n0,1\n", "none of the board's wires; it has clk"),
        ("B1,B2\n0,1\n", "a.csv:1: `B1` is no column of times"),
        ("; Samplerate: many\nB1\n1\n", "a.csv:1: `many` is no sample rate"),
        ("; Samplerate: 0 Hz\nB1\n1\n", "a.csv:1: `0 Hz` is no sample rate"),
        ("Time [s],B1\n0,1\n\0,\0\n", "a.csv:3: "),
        ("\0\0", "a.csv:1: a NUL byte"),
        ("", "a.csv:1: there is no row of values"),
    ] {
        check("a.csv", text, said);
    }
    check("a.csv", "x".repeat(3 << 20), "a.csv:1: more than 1 MiB without an end");
    check("a.csv", format!("Time [s],B1\n0,{}", "1".repeat(3 << 20)), "more than 1 MiB");
}

/// Writes a sparse file of two gigabytes, which takes no room on most disks.
fn put_huge(sandbox: &TestFolder, name: &str, start: &str) {
    let mut file = File::create(sandbox.path(name)).unwrap();
    file.write_all(start.as_bytes()).unwrap();
    file.seek(SeekFrom::Start(2 << 30)).unwrap();
    file.write_all(b"\n").unwrap();
}

#[test]
fn a_file_of_two_gigabytes_is_not_read_into_memory() {
    let sandbox = TestFolder::new();
    put_huge(&sandbox, "a.vcd", HEAD);
    sandbox.nudge("convert a.vcd out.trace").is(2, "a.vcd:6: unexpected character");
    put_huge(&sandbox, "b.vcd", "$comment ");
    sandbox.nudge("convert b.vcd out.trace").is(2, "b.vcd:1: more than 1 MiB without an end");
    put_huge(&sandbox, "c.csv", "Time [s],B1\n0,1\n");
    sandbox.nudge("convert c.csv out.trace").is(2, "c.csv:3: more than 1 MiB without an end");
    put_huge(&sandbox, "d.yaml", "steps:\n");
    sandbox.nudge("convert d.yaml out.trace").is(2, "d.yaml: is larger than 1 MiB");
    put_huge(&sandbox, "e.trace", "trace 1\n");
    sandbox.nudge("convert e.trace out.vcd").is(2, "larger than 64 MiB");
    sandbox.nudge("compare a.vcd a.vcd").is(2, "a.vcd:6");
}
