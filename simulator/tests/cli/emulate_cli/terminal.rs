//! Tests `nudge emulate` on a terminal: `--pty`, `--stdin`, and Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};

use super::has;
use super::program::Ends;

/// Time limit for an answer.
const PATIENCE: Timespec = Timespec { tv_sec: 60, tv_nsec: 0 };

fn start(folder: &Path, arguments: &str) -> Child {
    start_with(folder, arguments, Stdio::null())
}

fn start_with(folder: &Path, arguments: &str, stdin: Stdio) -> Child {
    crate::command::nudge()
        .arg("emulate")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends SIGINT, like Ctrl-C; checks that the run ends with code 0 and a report.
#[track_caller]
fn interrupt(nudge: Child, err: BufReader<ChildStderr>) {
    let text = interrupted(nudge, err, 0);
    has(&text, &["interrupted; core 0 is at 0x2000", "instructions in"]);
}

/// Sends SIGINT; checks the exit code, and returns the remaining standard error.
#[track_caller]
fn interrupted(mut nudge: Child, mut err: BufReader<ChildStderr>, code: i32) -> String {
    let killed = Command::new("kill").args(["-INT", &nudge.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut text = String::new();
    err.read_to_string(&mut text).unwrap();
    assert_eq!(nudge.wait().unwrap().code(), Some(code), "{text}");
    text
}

/// Reads as many bytes as `bytes` has, and checks that they are equal.
#[track_caller]
fn expect_bytes(terminal: &OwnedFd, bytes: &[u8]) {
    let mut heard: Vec<u8> = vec![];
    while heard.len() < bytes.len() {
        let mut waited = [PollFd::new(terminal, PollFlags::IN)];
        assert_eq!(poll(&mut waited, Some(&PATIENCE)), Ok(1), "only {heard:?} came");
        let mut some = [0; 64];
        let count = rustix::io::read(terminal, &mut some).unwrap();
        heard.extend(&some[..count]);
    }
    assert_eq!(heard, bytes);
}

#[test]
fn a_pseudo_terminal_works_both_ways_until_ctrl_c() {
    let folder = super::folder(Ends::Echoes, &[(0x4003_4000, b'>'.into())]);
    let mut nudge = start(folder.path(), "program.elf --pty");
    let mut err = BufReader::new(nudge.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    let path = line.trim().strip_prefix("nudge: UART0 is ").unwrap_or_else(|| panic!("{line}"));
    let terminal = open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    expect_bytes(&terminal, b">");
    // Raw mode: no echo and no conversion of line ends.
    for (said, answer) in [(&b"HAL"[..], &b"IBM"[..]), (b"\x0C\x02", b"\x0D\x03")] {
        rustix::io::write(&terminal, said).unwrap();
        expect_bytes(&terminal, answer);
    }
    interrupt(nudge, err);
}

/// A program with TinyUSB's two serial ports answers each byte on the second port there, and
/// reports it on the first.
#[test]
fn two_usb_ports_are_terminals_that_can_be_reopened() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../rp2040-emulator/tests/pico_examples/dev_multi_cdc.bin");
    std::fs::copy(program, folder.path().join("program.bin")).unwrap();
    let mut nudge = start(folder.path(), "program.bin --pty");
    let mut err = BufReader::new(nudge.stderr.take().unwrap());
    let mut path_behind = |words: &str| loop {
        let mut line = String::new();
        assert!(err.read_line(&mut line).unwrap() > 0, "no {words:?}");
        if let Some(path) = line.trim().strip_prefix(words) {
            break path.to_owned();
        }
    };
    let paths = [0, 1].map(|port| path_behind(&format!("nudge: USB serial port {port} is ")));
    let opened = |path: &str| open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    for _ in 0..2 {
        let second = opened(&paths[1]);
        rustix::io::write(&second, b"seeds").unwrap();
        expect_bytes(&second, b"OK\r\n");
    }
    let [first, second] = [0, 1].map(|port| opened(&paths[port]));
    expect_bytes(&first, b"Connected to CDC 0\r\n");
    rustix::io::write(&second, b"stones").unwrap();
    expect_bytes(&second, b"OK\r\n");
    let mut heard = vec![];
    while !heard.ends_with(b"Received on CDC 1: stones\r\n") {
        let mut waited = [PollFd::new(&first, PollFlags::IN)];
        assert_eq!(poll(&mut waited, Some(&PATIENCE)), Ok(1), "only {heard:?} came");
        let mut byte = [0];
        rustix::io::read(&first, &mut byte).unwrap();
        heard.extend(byte);
    }
    drop((first, second));
    has(&interrupted(nudge, err, 0), &["interrupted; core 0 is at 0x1000"]);
}

#[test]
fn ctrl_c_ends_a_program_that_spins_with_the_report() {
    let folder = super::folder(Ends::Spins, &[(0x4003_4000, b'>'.into())]);
    let mut nudge = start(folder.path(), "program.elf --until 100000s");
    let err = BufReader::new(nudge.stderr.take().unwrap());
    let mut first = [0];
    nudge.stdout.take().unwrap().read_exact(&mut first).unwrap();
    interrupt(nudge, err);
}

#[test]
fn standard_input_arrives_during_the_run_which_outlives_its_end() {
    let folder = super::folder(Ends::Echoes, &[]);
    let mut nudge = start_with(folder.path(), "program.elf --stdin", Stdio::piped());
    let err = BufReader::new(nudge.stderr.take().unwrap());
    let (mut typed, mut out) = (nudge.stdin.take().unwrap(), nudge.stdout.take().unwrap());
    // The answer to the first input arrives before the second input is sent.
    for (said, answer) in [(&b"HAL"[..], b"IBM"), (b"\x0C\x02\n", b"\x0D\x03\x0B")] {
        typed.write_all(said).unwrap();
        typed.flush().unwrap();
        let mut heard = [0; 3];
        out.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, answer);
    }
    typed.write_all(b"a").unwrap();
    drop(typed);
    let mut last = [0];
    out.read_exact(&mut last).unwrap();
    assert_eq!(&last, b"b");
    assert_eq!(nudge.try_wait().unwrap(), None, "the end of the input ends nothing");
    interrupt(nudge, err);
}

#[test]
fn ctrl_c_under_cargo_is_code_130_with_all_of_the_text() {
    // At 119 baud the text takes 1.4 s, so its rest is in the FIFO when the run is interrupted.
    let mut writes = vec![(0x4003_4024, 0xFFFF), (0x4003_4028, 0), (0x4003_402C, 0x70)];
    writes.extend(b"0123456789abcdef".iter().map(|byte| (0x4003_4000, u32::from(*byte))));
    let folder = super::folder(Ends::Spins, &writes);
    let mut nudge = start(folder.path(), "--cargo program.elf");
    let err = BufReader::new(nudge.stderr.take().unwrap());
    let mut out = nudge.stdout.take().unwrap();
    let mut first = [0];
    out.read_exact(&mut first).unwrap();
    let said = interrupted(nudge, err, 130);
    assert!(!said.contains("virtual time"), "a report:\n{said}");
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!((first[0], rest.as_str()), (b'0', "123456789abcdef"));
}
