//! Faults at a port: each must end within a limit, be reported with its true cause, and leave no
//! button pressed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use probe::software::{Flaws, OtherFirmware};
use probe_port::SerialLink;
use probe_protocol::Wire;
use trace::Button;

use super::bench::Bench;
use super::port::Port;
use super::{board, ended, replay};
use host::clock::Stopwatch;

/// Time limit of a replay that cannot begin, on a machine with other work.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Writes a trace that holds a button for 4 s.
fn held(folder: &Path) -> PathBuf {
    let path = folder.join("held.trace");
    let text = "trace 1\ngame board\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 5s\n\
                +500ms press B3\n+4s release B3\n+0ms settle within 5s\n+0ms end\n";
    fs::write(&path, text).unwrap();
    path
}

/// Checks that the replay ends with `code` and that its output contains `said`.
#[track_caller]
fn check(port: &Path, trace: &Path, code: i32, said: &str) {
    let begun = Stopwatch::start();
    let (found, out) = ended(&replay(&board(port), trace).output().unwrap());
    assert_eq!(found, Some(code), "{out}");
    assert!(out.contains(said), "{out}");
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
}

/// Opens a port at which a device sends `said` repeatedly, and reads its input if `read` is set.
fn send_repeatedly(name: &Path, said: &'static [u8], read: bool) -> (Arc<AtomicBool>, impl Drop) {
    struct Ends(Arc<AtomicBool>, Option<std::thread::JoinHandle<()>>);
    impl Drop for Ends {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
            let _ = self.1.take().map(std::thread::JoinHandle::join);
        }
    }
    let mut port = Port::new(name);
    let ends = Arc::new(AtomicBool::new(false));
    let of_thread = Arc::clone(&ends);
    let thread = std::thread::spawn(move || {
        while !of_thread.load(Ordering::Relaxed) {
            if read {
                port.read(Duration::from_millis(5));
            } else {
                host::clock::wait(Duration::from_millis(5));
            }
            port.write(said);
        }
    });
    (Arc::clone(&ends), Ends(ends, Some(thread)))
}

#[test]
fn another_device_is_distinguished_from_a_silent_port() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let port = folder.path().join("modem");
    let modem = send_repeatedly(&port, b"\r\nOK\r\n\0AT+GMR\0", true);
    check(&port, &trace, 3, "what is on this port is no probe");
    drop(modem);
    let port = folder.path().join("silent");
    let silent = send_repeatedly(&port, b"", false);
    check(&port, &trace, 3, "nothing answers: no probe is on this port");
    drop(silent);
    check(&folder.path().join("none"), &trace, 3, "no such port");
    check(&trace, &trace, 3, "this is no serial port");
}

#[test]
fn a_port_in_use_by_another_host_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let bench = Bench::new(&folder.path().join("port"), &trace, Flaws::default());
    let other = SerialLink::open(&bench.port).unwrap();
    check(&bench.port, &trace, 3, "another program has this port");
    drop(other);
    // Where no lock is visible, the probe itself reports it.
    let flaws = Flaws { busy: true, ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("busy"), &trace, flaws);
    check(&bench.port, &trace, 3, "the probe is in use by another program");
}

#[test]
fn a_probe_with_another_protocol_is_reported_with_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    for (protocol, advice) in [(1, "this version's firmware"), (3, "use a newer nudge")] {
        let flaws = Flaws { protocol: Some(protocol), ..Flaws::default() };
        let name = folder.path().join(format!("port{protocol}"));
        let bench = Bench::new(&name, &trace, flaws);
        check(&bench.port, &trace, 3, &format!("version {protocol} of its protocol"));
        check(&bench.port, &trace, 3, advice);
    }
}

#[test]
fn rejected_settings_are_reported_with_the_suspected_wire() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let flaws = Flaws { console_off: true, ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("mute"), &trace, flaws);
    check(&bench.port, &trace, 2, "the board has not answered `factory new`: ");
    check(&bench.port, &trace, 2, "UART0 RX (probe GP0, board GP1) is off");
}

#[test]
fn a_failure_caused_by_a_wire_is_reported_with_the_wire() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let flaws = Flaws { wire_off: Some(Wire::Dc), ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("port"), &trace, flaws);
    let (code, said) = ended(&replay(&board(&bench.port), &trace).output().unwrap());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("LCD DC (GP20) stays low while the LCD's other wires move"), "{said}");
    assert!(said.contains("  * GP20   GP20   LCD DC\n"), "{said}");
}

#[test]
fn a_board_whose_wires_are_exchanged_is_not_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let flaws = Flaws { restless: Some(Wire::Backlight), ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("port"), &trace, flaws);
    let said = "the board cannot be set up: LCD CS (GP17) and LCD backlight (GP22) are exchanged, or touch each other";
    check(&bench.port, &trace, 2, said);
}

/// The wires were intact when the board was set up, so the board must be examined again.
#[test]
fn a_wire_that_breaks_during_a_trace_is_named_with_the_failure() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let text = fs::read_to_string(&trace).unwrap().replace("B3", "B1").replace("+4s", "+1s");
    let text = text.replace("+0ms end", "+0ms expect text \"Player 2's turn\"\n+0ms end");
    fs::write(&trace, text).unwrap();
    let bench = Bench::new(&folder.path().join("port"), &trace, Flaws::default());
    bench.break_when_down(&[Button::B1], Wire::Sck);
    let (code, said) = ended(&replay(&board(&bench.port), &trace).output().unwrap());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Player 2's turn"), "{said}");
    assert!(said.contains("LCD SCK (GP18) stays low while the LCD's other wires move"), "{said}");
}

#[test]
fn another_firmware_on_the_board_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let flaws = Flaws { firmware: Some(OtherFirmware::St7789), ..Flaws::default() };
    let bench = Bench::new(&folder.path().join("port"), &trace, flaws);
    let (code, said) = ended(&replay(&board(&bench.port), &trace).output().unwrap());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("this is an ST7789's initialisation"), "{said}");
}

#[test]
fn reconnecting_the_cable_during_a_trace_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let bench = Bench::new(&folder.path().join("port"), &trace, Flaws::default());
    let child = replay(&board(&bench.port), &trace);
    let child = start(child);
    bench.until_down(&[Button::B3], LIMIT);
    bench.pull(true);
    host::clock::wait(Duration::from_millis(300));
    bench.pull(false);
    let (code, said) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    bench.until_down(&[], LIMIT);
}

#[test]
fn a_disconnected_cable_is_no_failure_of_the_firmware_and_releases_buttons() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let bench = Bench::new(&folder.path().join("port"), &trace, Flaws::default());
    let child = start(replay(&board(&bench.port), &trace));
    bench.until_down(&[Button::B3], LIMIT);
    bench.pull(true);
    let (code, said) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("the line to the probe is cut"), "{said}");
    assert!(said.contains("1 boards set up, 2 failures; the last one: "), "{said}");
    bench.until_down(&[], Duration::from_millis(2500));
}

#[test]
fn buttons_are_released_within_a_second_of_the_hosts_death() {
    let folder = tempfile::tempdir().unwrap();
    let trace = held(folder.path());
    let bench = Bench::new(&folder.path().join("port"), &trace, Flaws::default());
    let mut child = start(replay(&board(&bench.port), &trace));
    bench.until_down(&[Button::B3], LIMIT);
    child.kill().unwrap();
    child.wait().unwrap();
    // One second, and this machine's delay to detect it.
    let took = bench.until_down(&[], Duration::from_millis(1500));
    assert!(took > Duration::from_millis(100), "released by something else: {took:?}");
    // The next host finds the probe unused.
    check(&bench.port, &trace, 0, "1 passed");
}

fn start(mut command: std::process::Command) -> std::process::Child {
    let (out, err) = (std::process::Stdio::piped(), std::process::Stdio::piped());
    command.stdout(out).stderr(err).spawn().unwrap()
}
