//! Tests `nudge emulate --usb`: the console of a program over a serial port.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use super::cargo::on_target;
use super::{check, has};

#[test]
fn a_serial_port_is_the_console_and_loses_no_early_byte() {
    let folder = tempfile::tempdir().unwrap();
    let program = on_target("usb_console");
    fs::write(folder.path().join("in.txt"), "seeds and stones").unwrap();
    let line = format!("{program} --usb console --input in.txt --until-text STONES");
    let (out, err) = check(folder.path(), &line, 0);
    assert_eq!(out, "ready\nSEEDS AND STONES");
    has(&err, &["nudge: USB device 1209:0001 \"console\" with one serial port\n"]);
    // The UART has sent nothing, so the port is the console.
    let (out, _) = check(folder.path(), &format!("{program} --until-text ready"), 0);
    assert_eq!(out, "ready\n");
}

/// The end of standard input does not end the run, because the program has not answered yet.
#[test]
fn standard_input_is_typed_on_the_console_over_usb() {
    let program = on_target("usb_console");
    let mut nudge = crate::command::nudge()
        .args(["emulate", &program, "--stdin", "--until", "10s", "--until-text", "STONES"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    nudge.stdin.take().unwrap().write_all(b"seeds and stones").unwrap();
    let output = nudge.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ready\nSEEDS AND STONES", "{err}");
}

#[test]
fn without_a_cable_no_device_is_enumerated() {
    let folder = tempfile::tempdir().unwrap();
    let program = on_target("usb_console");
    let (out, err) = check(folder.path(), &format!("{program} --usb off --until 300ms"), 0);
    assert_eq!(out, "");
    assert!(!err.contains("USB device"), "{err}");
}
