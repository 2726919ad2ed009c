//! Tests `nudge emulate --cargo` with the log formats of embedded Rust: RTT, defmt, semihosting,
//! embedded-test. The programs are in rp2040-emulator/on-target-runner; scripts/on-target.sh builds
//! them.

use std::fs;
use std::path::Path;

use super::{check, has};

/// Returns the path of a program that scripts/on-target.sh has built.
pub fn on_target(name: &str) -> String {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("on-target");
    let path = built.join(name).with_extension("elf");
    assert!(path.exists(), "{} is missing: scripts/on-target.sh builds it", path.display());
    path.to_str().unwrap().to_owned()
}

/// Runs the command with these words before and after the program.
#[track_caller]
fn run(before: &str, program: &str, behind: &str, code: i32) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), &format!("{before} {} {behind}", on_target(program)), code)
}

#[test]
fn defmt_is_decoded_with_levels_places_and_a_panic() {
    let (out, err) = run("--cargo", "logs", "", 1);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "0.000001 [TRACE] a trace (logs bin/logs.rs:31)",
            "0.000002 [DEBUG] 0x0a -3 true (logs bin/logs.rs:32)",
            "0.000003 [INFO ] Stone { cup: 4, owner: Some(\"south\") } and b\"seeds\" (logs bin/logs.rs:33)",
        ]
    );
    assert_eq!(lines[5], "0.000006 a line without a level (logs bin/logs.rs:35)");
    // More messages than fit into the channel's buffer, and none is lost.
    let many = lines.iter().filter(|line| line.contains("of many")).count();
    assert_eq!((many, lines.len()), (200, 209), "{out}");
    has(&out, &["0.000207 [ERROR] the last one", "[ERROR] panicked at ", "on purpose"]);
    has(&err, &["HardFault on core 0"]);
    assert!(!err.contains("virtual time"), "a report:\n{err}");
}

#[test]
fn defmt_levels_modules_and_line_format_are_configurable() {
    let options = "--defmt-level warn,logs::quiet=debug --defmt-format {L}|{m}|{s}|{l} --cargo";
    let (out, _) = run(options, "logs", "", 1);
    let lines: Vec<&str> = out.lines().take(4).collect();
    assert_eq!(
        lines,
        [
            "DEBUG|logs::quiet::speak|quiet debugging|24",
            "WARN |logs::quiet::speak|quiet warning|25",
            "|logs::__cortex_m_rt_main|a line without a level|35",
            "ERROR|logs::__cortex_m_rt_main|the last one|39"
        ]
    );
    let (_, err) = run("--defmt-level loud", "logs", "", 2);
    has(&err, &["\"loud\" is no level"]);
    let (_, err) = run("--defmt-format {x}{s}", "logs", "", 2);
    has(&err, &["{x} is no field"]);
}

#[test]
fn without_defmt_messages_an_error_or_raw_bytes_are_selectable() {
    let (out, err) = run("--defmt", "rtt", "", 2);
    assert_eq!(out, "");
    has(&err, &["rtt.elf: it has no section .defmt"]);
    let folder = tempfile::tempdir().unwrap();
    let output = crate::command::nudge()
        .args(["emulate", "--defmt=off", &on_target("logs")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.stdout.contains(&0), "frames end with zeros");
}

#[test]
fn rtt_and_semihosting_text_is_complete_with_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), "down and up\n").unwrap();
    let line = format!("--rtt-input in.txt --cargo {}", on_target("rtt"));
    let (out, err) = check(folder.path(), &line, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "line 1 of twenty on channel 0");
    assert_eq!(lines[19], "line 20 of twenty on channel 0");
    let mut rest = lines[20..].to_vec();
    rest.sort_unstable();
    assert_eq!(rest, ["[notes] a note", "by semihosting", "down and up"]);
    assert_eq!(err, "", "it ended as it asked to");
    let (_, err) = run("--expect semihosting --expect nowhere", "rtt", "", 1);
    has(&err, &["the output never had \"nowhere\""]);
    assert!(!err.contains("never had \"semihosting\""), "{err}");
}

#[test]
fn embedded_tests_each_run_from_power_on() {
    let (out, err) = run("--cargo", "tests", "", 1);
    for line in [
        "running 7 tests",
        "test tests::has_twelve_cups ... ok",
        "test tests::starts_afresh ... ok",
        "test tests::panics_as_it_should - should panic ... ok",
        "test tests::returns_an_error ... FAILED",
        "test tests::fails ... FAILED",
        "test tests::never_ends ... FAILED",
        "test tests::is_ignored ... ignored",
        "---- tests::fails ----",
        "    tests::never_ends",
    ] {
        assert!(out.lines().any(|found| found == line), "no {line:?} in:\n{out}\n{err}");
    }
    has(
        &out,
        &[
            "assertion failed: `(left == right)`",
            "nudge: it ended with code 134: it panicked or returned an error",
            "nudge: it did not end within 2 s of virtual time; core 0 is at ",
            "test result: FAILED. 3 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; ",
        ],
    );
    assert!(!out.contains("counting"), "what a passing test writes is not shown:\n{out}");
}

#[test]
fn test_arguments_are_those_of_rusts_harness() {
    let (out, _) = run("--cargo", "tests", "--nocapture cups", 0);
    has(&out, &["running 1 test\n", "counting", "6 filtered out"]);
    let (out, _) = run("--cargo", "tests", "--exact cups", 0);
    has(&out, &["running 0 tests\n", "7 filtered out"]);
    let (out, _) = run("--cargo", "tests", "--exact tests::starts_afresh -q", 0);
    has(&out, &["\n.\n", "1 passed"]);
    let (out, _) = run("--cargo", "tests", "--ignored", 1);
    has(&out, &["test tests::is_ignored ... FAILED", "nobody asked", "0 passed; 1 failed"]);
    let (out, _) = run("--cargo", "tests", "--list --skip ends --format terse", 0);
    assert_eq!(out.lines().count(), 6, "{out}");
    assert!(out.lines().any(|line| line == "tests::fails: test"), "{out}");
    let (out, err) = run("--cargo", "tests", "--loud", 2);
    assert_eq!(out, "");
    has(&err, &["unexpected argument '--loud'"]);
    let (_, err) = run("--profile --cargo", "tests", "", 2);
    has(&err, &["--profile: each test of the program is a run of its own"]);
}
