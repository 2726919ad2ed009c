//! Tests our waveforms in other tools: sigrok decodes the SPI and the UART to exactly the bytes
//! that were sent to the board's LCD and console; GTKWave's converter reads the file and writes it
//! back; our reader reads sigrok's exports. The feature `sigrok-test` enables the tests, because
//! they need sigrok-cli and gtkwave.

use std::cell::RefCell;
use std::fs::File;
use std::path::Path;
use std::rc::Rc;

use captures::presses::trace_of;
use captures::record::record_vcd;
use captures::{Capture, Signal, Wiring};
use firmware_board::native::Native;
use hal_mock::{
    Machine, VirtualBoard,
    board::{BoardConfig, WireListener},
};
use trace::Button;
use virtual_time::{Instant, Nanos};

/// Time at which the LCD is set up, a line is on the console and a part of the first picture is
/// sent. sigrok takes 0.1 ms for each byte, and the rest of the picture tests nothing more.
const BOOTED: Instant = Instant::from_millis(273);
/// sigrok converts a waveform to samples; at 8 ns two samples fit into half a bit of the SPI.
const INPUT: &str = "vcd:downsample=8";

#[derive(Default)]
struct Listener(Vec<u8>);

impl WireListener for Listener {
    fn lcd_bytes(&mut self, _start: Instant, _end: Instant, sent: &[u8], _answered: &[u8]) {
        self.0.extend(sent);
    }
}

fn boot(prepare: impl FnOnce(&VirtualBoard)) -> Native {
    let mut machine = Native::new(BoardConfig { seed: 7, ..BoardConfig::default() });
    prepare(machine.board());
    machine.power_on().unwrap();
    machine.board().press(BOOTED.saturating_sub(Nanos::from_millis(9)), Button::B3);
    machine.run_until(BOOTED).unwrap();
    machine
}

fn record(path: &Path) {
    let signals: Vec<Signal> = Signal::all().collect();
    let mut recording = None;
    let machine = boot(|board| {
        recording = Some(record_vcd(board, File::create(path).unwrap(), &signals, &[]).unwrap());
    });
    recording.unwrap().finish(machine.board(), machine.board().now()).unwrap();
}

fn run(program: &str, words: &[&str]) -> String {
    let output = crate::command::through(program).args(words).output().unwrap_or_else(|error| {
        panic!("{program}: {error}; install the packages sigrok-cli and gtkwave")
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {words:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the annotations of a decoder, without its name at the beginning.
fn decoded(path: &Path, decoder: &str, row: &str) -> Vec<String> {
    let path = path.to_str().unwrap();
    let lines = run("sigrok-cli", &["-I", INPUT, "-i", path, "-P", decoder, "-A", row]);
    lines.lines().filter_map(|line| line.split_once(": ")).map(|(_, byte)| byte.into()).collect()
}

#[test]
fn sigrok_decodes_the_bytes_sent_to_lcd_and_console() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boot.vcd");
    record(&path);

    let listener = Rc::new(RefCell::new(Listener::default()));
    let machine = boot(|board| board.set_listener(listener.clone()));
    let sent: Vec<String> = listener.borrow().0.iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(sent.len() > 15_000, "a part of a picture: {}", sent.len());
    assert_eq!(machine.board().bus().bytes, sent.len() as u64, "what the LCD counted");

    let spi = decoded(&path, "spi:clk=SCK:mosi=MOSI:cs=CS", "spi=mosi-data");
    let first = spi.iter().zip(&sent).position(|(theirs, ours)| theirs != ours);
    assert_eq!((spi.len(), first), (sent.len(), None));

    let console = machine.board().console_bytes();
    assert!(!console.is_empty());
    let uart = decoded(&path, "uart:rx=UART_TX:baudrate=115200:format=hex", "uart=rx-data");
    let console: Vec<String> = console.iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(uart[..uart.len().min(console.len())], console[..uart.len().min(console.len())]);
    assert!(uart.len() >= console.len() - 1, "{} of {}", uart.len(), console.len());
}

#[test]
fn the_waveform_of_a_replay_decodes_to_console_and_lcd_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [trace, vcd] = ["boot.trace", "boot.vcd"].map(|name| folder.path().join(name));
    std::fs::write(&trace, "trace 1\nseed 7\n\n0ms power on\n273ms end\n").unwrap();
    let [trace, vcd_name] = [&trace, &vcd].map(|path| path.to_str().unwrap());
    let said = run(crate::command::NUDGE, &["replay", trace, "--vcd", vcd_name]);
    assert!(said.contains("1 passed, 0 failed\n") && said.contains("wrote "), "{said}");

    let uart = decoded(&vcd, "uart:rx=UART_TX:baudrate=115200:format=ascii", "uart=rx-data");
    assert!(uart.concat().starts_with("boot nudge="), "{}", uart.concat());
    let spi = decoded(&vcd, "spi:clk=SCK:mosi=MOSI:cs=CS", "spi=mosi-data");
    assert!(spi.len() > 15_000, "less than a part of a picture: {} bytes", spi.len());
}

#[test]
fn gtkwave_reads_and_rewrites_the_waveform() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, fst, theirs] = ["a.vcd", "a.fst", "b.vcd"].map(|name| folder.path().join(name));
    record(&ours);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    run("vcd2fst", &[&text(&ours), &text(&fst)]);
    run("fst2vcd", &["-f", &text(&fst), "-o", &text(&theirs)]);
    let edges = |path: &Path| {
        let capture = Capture::open(path, &Wiring::default()).unwrap();
        capture.map(Result::unwrap).collect::<Vec<_>>()
    };
    let (mut ours, mut theirs) = (edges(&ours), edges(&theirs));
    for edges in [&mut ours, &mut theirs] {
        edges.sort_by_key(|edge| (edge.at, edge.signal));
    }
    assert!(ours.len() > 200_000, "{} edges", ours.len());
    assert!(ours == theirs);
}

#[test]
fn exports_of_sigrok_are_read_with_and_without_times() {
    let folder = tempfile::tempdir().unwrap();
    let [vcd, sr, csv] = ["a.vcd", "a.sr", "a.csv"].map(|name| folder.path().join(name));
    std::fs::write(
        &vcd,
        "$timescale 1 us $end\n$scope module x $end\n$var wire 1 ! B1 $end\n$var wire 1 % T6 $end\n\
         $upscope $end\n$enddefinitions $end\n#0\n1!\n1%\n#10\n0!\n#20\n1!\n0%\n#25\n1%\n#30\n",
    )
    .unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    run("sigrok-cli", &["-I", "vcd", "-i", &text(&vcd), "-o", &text(&sr)]);
    for (options, first_us) in [
        ("csv", 0),
        ("csv:label=channel", 0),
        ("csv:label=off", 0),
        // sigrok counts the first sample as 1.
        ("csv:time=true", 1),
        ("csv:time=true:label=channel", 1),
        ("csv:time=true:dedup=true", 1),
    ] {
        run("sigrok-cli", &["-i", &text(&sr), "-O", options, "-o", &text(&csv)]);
        let mut capture = Capture::open(&csv, &Wiring::default()).unwrap();
        let trace = trace_of(&mut capture, None).unwrap().trace.to_string();
        for tap in [
            format!("{}us    tap B1 for 10us\n", 10 + first_us),
            format!("{}us    tap T6 for 5us\n", 20 + first_us),
        ] {
            assert!(trace.contains(&tap), "{options}: {trace}");
        }
    }
}
