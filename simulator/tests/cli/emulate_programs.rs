//! Tests scripts/emulate-programs.sh with a sample of the programs in the table of
//! docs/emulator.md, with the lists that made the table, and its messages about faulty programs and
//! lists.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::NUDGE;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the script on the images `names` of the emulator's tests, with `list`; returns the table
/// and the messages.
#[track_caller]
fn run(names: &[&str], list: &Path, code: i32) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let image = root().join("rp2040-emulator/tests").join(name).with_extension("bin");
        fs::copy(&image, folder.path().join(image.file_name().unwrap())).unwrap();
    }
    let output = Command::new("/bin/sh")
        .arg(root().join("scripts/emulate-programs.sh"))
        .arg(folder.path())
        .env("NUDGE", NUDGE)
        .env("LIST", list)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{texts:#?}");
    texts
}

/// Writes a list with `lines` to a file in `folder`.
fn list(folder: &Path, lines: &str) -> PathBuf {
    let path = folder.join("list.txt");
    fs::write(&path, lines).unwrap();
    path
}

#[track_caller]
fn has_rows(table: &str, rows: &[&str]) {
    for row in rows {
        assert!(table.contains(row), "no {row:?} in\n{table}");
    }
}

#[test]
fn a_sample_of_the_programs_meets_the_lists() {
    let names = ["hello_resus", "pio_spi_loopback", "dev_multi_cdc"];
    let [table, _] = run(
        &names.map(|name| ["pico_examples", name].join("/")).each_ref().map(String::as_str),
        &root().join("scripts/emulate-programs.txt"),
        0,
    );
    has_rows(
        &table,
        &[
            "| `hello_resus` | survive a PLL that is switched off | `Resus event fired` |",
            "| `pio_spi_loopback` | send SPI to itself by PIO (`--wire gp16=gp19`) | `RX: f3 48 eb 11",
            ", `USB device cafe:4002 \"Pico (2)\" with 2 serial ports` | goes on |",
        ],
    );
    let hal = root().join("scripts/emulate-programs-hal.txt");
    let [table, absent] = run(&["hal_examples/spi_dma"], &hal, 0);
    has_rows(&table, &["| 6 changes of gpio25 | goes on |"]);
    assert!(absent.contains("-hal.txt there are not: adc adc_fifo_dma "), "{absent}");
}

#[test]
fn missing_output_of_a_program_is_reported() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, checks: &str, code: i32| {
        let line = format!(
            "slave_mem_i2c|talk|{text}|--wire gp4=gp6 --wire gp5=gp7 --until 300ms|{checks}\n"
        );
        run(&["pico_examples/slave_mem_i2c"], &list(folder.path(), &line), code)
    };
    let [table, _] =
        check("I2C slave", "pin gpio4 10;bus start 17 write ack;says goes its time", 1);
    has_rows(
        &table,
        &["**missing:** `", " changes of gpio4, `I2C", "start 17 write ack` | goes on |"],
    );
    let [table, _] = check("I2C slave", "pin gpio4 10;bus start 17 write ack;says its time", 0);
    assert!(!table.contains("missing"), "{table}");
    for (text, checks) in [
        ("no such text", ""),
        ("", "pin gpio4 1000000"),
        ("", "pin gpio3 1"),
        ("", "bus start 18 write"),
        ("", "bus start 18 write;pin gpio4 10"),
    ] {
        let [table, complaint] = check(text, checks, 1);
        has_rows(&table, &["**missing:** "]);
        assert!(complaint.contains("1 programs did not do what they are to do"), "{complaint}");
    }
}

#[test]
fn a_list_without_checks_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for (lines, complaint) in [
        ("a|b|c\nhello_resus|survive||--until 1s|\n", "line 2: hello_resus checks nothing"),
        ("hello_resus|survive|\n", "line 1: hello_resus checks nothing"),
        ("a|b|||pins gpio2 4\n", "a has the check \"pins gpio2 4\"; there are: pin NAME COUNT"),
        ("a|b|||says x;pin gpio2 0\n", "a has the check \"pin gpio2 0\""),
        ("a|b|c\na|b|d\n", "line 2: a is there twice"),
        ("a\n", "line 1: it is not NAME|PURPOSE|TEXT|OPTIONS|CHECKS"),
    ] {
        let [table, said] = run(&["pico_examples/hello_resus"], &list(folder.path(), lines), 2);
        assert!(table.is_empty() && said.contains(complaint), "{table}{said}");
    }
    let [_, said] = run(&[], &list(folder.path(), "a|b|c\n"), 2);
    assert!(said.contains("there is no program in "), "{said}");
}
