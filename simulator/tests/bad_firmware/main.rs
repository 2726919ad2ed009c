//! Applications whose firmware misbehaves: each is an error with its time and its words, and the other
//! traces of a suite are replayed.
//!
//! This program is the application, too: with the variable `BAD_FIRMWARE` it is the command with that
//! firmware; without it, it starts itself as that and judges the output.

#[cfg(feature = "window-test")]
#[path = "../command/mod.rs"]
mod command;
#[cfg(feature = "window-test")]
#[allow(dead_code, reason = "other tests use the rest of it")]
#[path = "../desktop/mod.rs"]
mod desktop;
#[cfg(feature = "window-test")]
mod in_window;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::Arc;
use std::thread;

use board_file::BoardFile;
use boards::{DescribedBoard, LinkedFirmware};
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::InputPin as _;
use hal_mock::{BoardConfig, Machine};
use host::heap::HEAP_METER;
use linked::{Application, LinkedMachine, Pins, blocking};

const VARIABLE: &str = "BAD_FIRMWARE";

#[derive(Debug)]
struct Bad(Application);

impl LinkedFirmware for Bad {
    fn machine(&self, file: &Arc<BoardFile>, config: BoardConfig) -> Box<dyn Machine> {
        let machine = LinkedMachine::new(Arc::clone(file), self.0.clone(), config);
        Box::new(machine.with_heap_meter(HEAP_METER))
    }
}

/// Misbehaves once GO is pressed.
fn firmware(kind: &str) -> Application {
    let kind = kind.to_owned();
    blocking(move |pins: Pins| {
        let (mut go, mut delay) = (pins.button("GO"), pins.delay());
        while go.is_high() == Ok(true) {
            delay.delay_ms(1);
        }
        match kind.as_str() {
            "hangs" => loop {
                std::hint::spin_loop();
            },
            "panics" => panic!("no such level: {}", 7),
            "asks" => {
                pins.button("STOP");
            }
            "returns" => {}
            "talks" => {
                let mut console = pins.console();
                loop {
                    let _ = console.write_str("all work and no play makes this a dull board\n");
                }
            }
            "grows" => loop {
                std::mem::forget(std::hint::black_box(vec![1_u8; 1 << 20]));
                delay.delay_ms(1);
            },
            "polls" => loop {
                std::mem::forget(std::hint::black_box(vec![1_u8; 1 << 16]));
                let _ = go.is_high();
            },
            "fills" => loop {
                std::mem::forget(std::hint::black_box(vec![1_u8; 1 << 20]));
            },
            "writes" => {
                // 10 MB take 868 s of the board.
                let mut console = pins.console();
                let line = "x".repeat(999) + "\n";
                for _ in 0..10_000 {
                    let _ = console.write_str(&line);
                }
                let _ = console.write_str("all written\n");
                loop {
                    delay.delay_ms(1_000);
                }
            }
            other => panic!("there is no bad firmware `{other}`"),
        }
    })
}

fn main() -> ExitCode {
    let Ok(kind) = std::env::var(VARIABLE) else {
        tests();
        #[cfg(feature = "window-test")]
        in_window::tests();
        return ExitCode::SUCCESS;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_firmware/bad.board.toml");
    let text = fs::read_to_string(&path).unwrap();
    let board = DescribedBoard::linked(&path, &text, Arc::new(Bad(firmware(&kind)))).unwrap();
    simulator::main_of(board, None)
}

/// Replays a trace that presses GO at one second, and one that does not, on a board with this firmware.
fn replayed(kind: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let end = match kind {
        "writes" => "+900s expect console \"all written\"\n+0ms end",
        _ => "+100s end",
    };
    fs::write(at("a.trace"), format!("trace 1\n\n0ms power on\n1s press GO\n{end}\n")).unwrap();
    fs::write(at("b.trace"), "trace 1\n\n0ms power on\n2s end\n").unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["replay", "a.trace", "b.trace", "--no-cache", "-j", "1"]).args(arguments);
    command.env(VARIABLE, kind).env_remove("CI").env_remove("GITHUB_ACTIONS");
    command.env_remove("RUST_BACKTRACE").current_dir(folder.path()).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    (status.code(), text)
}

/// A kind of firmware, the arguments of its replay, and the exit code and parts of the output that are expected.
type Case = (&'static str, &'static [&'static str], i32, &'static [&'static str]);

const GROWN: &[&str] = &[
    "FAIL a.trace",
    "MiB on the heap, and the limit is 256 MiB; look for memory",
    "PASS b.trace",
    "1 passed, 1 failed",
];
const CASES: &[Case] = &[
    (
        "hangs",
        &["--timeout", "3s"],
        42,
        &[
            "LIMIT a.trace",
            "the firmware has not returned for 3 s of wall time: it neither waits nor transfers",
            "PASS b.trace",
            "1 passed, 1 failed",
        ],
    ),
    (
        "panics",
        &[],
        1,
        &[
            "FAIL a.trace",
            "  a.trace:5:7: at 1.001001 s: the firmware panicked at simulator/tests/bad_firmware/main.rs:",
            ": no such level: 7",
            "    5 | +100s end",
            "    the calls before it:\n      bad_firmware::firmware",
            "1 s  press GO",
            "PASS b.trace",
        ],
    ),
    (
        "asks",
        &[],
        1,
        &["the firmware asks for the button `STOP`, but the board file has GO", "PASS b.trace"],
    ),
    (
        "returns",
        &[],
        1,
        &["the firmware's main function has returned; on a chip it never does", "PASS b.trace"],
    ),
    ("grows", &[], 1, GROWN),
    ("polls", &[], 1, GROWN),
    #[cfg(target_os = "linux")]
    (
        "fills",
        &[],
        42,
        &[
            "LIMIT a.trace",
            "the firmware does not return, and this program takes",
            "the limit is 1024 MiB, so the traces after it are not replayed",
            "0 passed, 1 failed, 1 not run",
        ],
    ),
    ("writes", &[], 0, &["PASS a.trace", "PASS b.trace", "2 passed"]),
    ("talks", &[], 0, &["PASS a.trace", "PASS b.trace", "2 passed"]),
];

fn check((kind, arguments, code, expected): Case) {
    let (exit, text) = replayed(kind, arguments);
    for part in expected {
        assert!(text.contains(part), "{kind}: no `{part}` in:\n{text}");
    }
    assert_eq!(exit, Some(code), "{kind}:\n{text}");
    println!("{kind}: ok");
}

/// Checks the reports for CI on a panic, and that nothing but them is printed.
fn check_reports() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("a.trace");
    fs::write(&trace, "trace 1\n\n0ms power on\n1s press GO\n+1s expect text \"x\"\n").unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("replay").arg(&trace).args(["--no-cache", "--junit"]);
    command.arg(folder.path().join("a.xml")).arg("--artifacts").arg(folder.path().join("out"));
    command.env(VARIABLE, "panics").env("RUST_BACKTRACE", "1").env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_WORKSPACE", root).env_remove("GITHUB_STEP_SUMMARY").current_dir(root);
    let Output { stdout, stderr, .. } = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(err, "", "a panic of the firmware is in the report only");
    let annotation = "::error file=simulator/tests/bad_firmware/main.rs,line=";
    assert_eq!(out.matches(annotation).count(), 1, "{out}");
    let junit = fs::read_to_string(folder.path().join("a.xml")).unwrap();
    for part in ["type=\"panic\"", "  called from bad_firmware::firmware", "line=\"5\""] {
        assert!(junit.contains(part), "no `{part}` in:\n{junit}");
    }
    println!("reports: ok");
}

/// Checks that sessions which panic in one line are one kind.
fn check_fuzz() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["trace", "fuzz", "--count", "20", "--jobs", "1", "--out", "out"]);
    command.env(VARIABLE, "panics").current_dir(folder.path()).stdin(Stdio::null());
    let Output { stdout, stderr, .. } = command.output().unwrap();
    let (out, err) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(err, "", "{out}");
    for part in [
        ": the firmware panicked: no such level: 7 (simulator/tests/bad_firmware/main.rs:",
        "  the same in 19 more sessions\n",
        ": 20 with something wrong, 1 kind\n",
    ] {
        assert!(out.contains(part), "no `{part}` in:\n{out}");
    }
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 2);
    println!("fuzz: ok");
}

/// Checks all cases at the same time: some wait for a limit.
fn tests() {
    thread::scope(|scope| {
        for case in CASES {
            scope.spawn(|| check(*case));
        }
        scope.spawn(check_reports);
        scope.spawn(check_fuzz);
    });
}
