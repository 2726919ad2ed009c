//! `nudge emulate` on a terminal: `--pty`, and Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};

use super::has;
use super::program::Ends;

/// The time limit of an answer, in seconds.
const PATIENCE: Timespec = Timespec { tv_sec: 60, tv_nsec: 0 };

fn start(folder: &Path, arguments: &str) -> Child {
    crate::command::nudge()
        .arg("emulate")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Ctrl-C; checks that the run ends with code 0 and a report.
#[track_caller]
fn interrupt(mut nudge: Child, mut err: BufReader<ChildStderr>) {
    let killed = Command::new("kill").args(["-INT", &nudge.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut text = String::new();
    err.read_to_string(&mut text).unwrap();
    assert_eq!(nudge.wait().unwrap().code(), Some(0), "{text}");
    has(&text, &["interrupted; core 0 is at 0x2000", "instructions in"]);
}

/// Reads as many bytes as `bytes` has, and checks that they are these.
#[track_caller]
fn hears(terminal: &OwnedFd, bytes: &[u8]) {
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
fn a_pseudo_terminal_goes_both_ways_until_ctrl_c() {
    let folder = super::folder(Ends::Echoes, &[(0x4003_4000, b'>'.into())]);
    let mut nudge = start(folder.path(), "program.elf --pty");
    let mut err = BufReader::new(nudge.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    let path = line.trim().strip_prefix("nudge: UART0 is ").unwrap_or_else(|| panic!("{line}"));
    let terminal = open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    hears(&terminal, b">");
    // Raw: neither an echo nor another line end.
    for (said, answer) in [(&b"HAL"[..], &b"IBM"[..]), (b"\x0C\x02", b"\x0D\x03")] {
        rustix::io::write(&terminal, said).unwrap();
        hears(&terminal, answer);
    }
    interrupt(nudge, err);
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
