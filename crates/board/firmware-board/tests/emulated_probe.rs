//! Tests of the board and the probe, both emulated: the reports of the probe's firmware are
//! compared with the levels on the wires.

#[path = "emulated_probe/clocks.rs"]
mod clocks;
#[path = "emulated_probe/cost.rs"]
mod cost;
#[path = "emulated_probe/debug.rs"]
mod debug;
#[path = "emulated_probe/line.rs"]
mod line;
#[path = "emulated_probe/midway.rs"]
mod midway;
#[path = "emulated_probe/overflow.rs"]
mod overflow;
#[path = "../../../../tests/src/part.rs"]
#[expect(dead_code, reason = "not all of it is used here")]
mod part;
#[path = "emulated_probe/rates.rs"]
mod rates;
#[path = "emulated_probe/scene.rs"]
mod scene;
#[path = "emulated_probe/wires.rs"]
mod wires;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ::probe::{LEAD, ProbeMachine, Session};
use bench::{Bench, Fault, RecordedEvents, WireState};
use boards::{emulated_probe, pico};
use firmware_board::Firmware;
use firmware_board::header;
use hal_mock::{
    Machine,
    board::{LcdPin, WireListener},
};
use probe_protocol::LINES;
use probe_protocol::Wire;
use probe_protocol::wiring::{self, Role};
use rp2040_emulator::program::Program;
use trace::{Button, Trace};
use virtual_time::{Instant, Nanos};

fn programs() -> (Arc<Program>, Arc<Program>) {
    let board = pico::firmware::built().expect("`make firmware` builds the board's program");
    let probe = emulated_probe::built().expect("`make firmware` builds the probe's program");
    (Arc::new(board), Arc::new(probe))
}

/// Returns a new board behind a probe, and its bench.
fn machine() -> (ProbeMachine, Bench) {
    let (board, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, &board, &probe, &config).expect("a bench");
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    (ProbeMachine::new(session, config, LEAD), bench)
}

/// Returns a board that draws nothing behind a probe: another probe's chip, whose host never
/// connects.
fn machine_that_draws_nothing() -> (ProbeMachine, Bench) {
    let (_, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, &probe, &probe, &config).expect("a bench");
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    let mut machine = ProbeMachine::new(session, config, LEAD);
    machine.power_on().expect("it has power");
    assert!(bench.is_powered());
    (machine, bench)
}

/// Presses B1 and T1 for a long time, and continues until they are down.
fn hold_two(machine: &mut ProbeMachine, bench: &Bench) {
    let at = machine.board().now().saturating_add(Nanos::from_millis(50));
    for button in [Button::LCD_BOARD[0], Button::LCD_BOARD[6]] {
        machine.board().press(at, button);
    }
    machine.run_until(at.saturating_add(Nanos::from_millis(60))).expect("it runs");
    assert_eq!(bench.pulled(), 1 << 0 | 1 << 6);
    assert_eq!(bench.driven_high(), 0);
}

/// Returns the first error of a machine within `span`.
fn fails_within(machine: &mut ProbeMachine, span: Nanos) -> String {
    let until = machine.board().now().saturating_add(span);
    machine.run_until(until).expect_err("it cannot go on").to_string()
}

/// Reports that the host received.
#[derive(Default)]
struct ReportedSignals {
    bytes: Vec<(u64, u64, Vec<u8>)>,
    pins: Vec<(u64, LcdPin, bool)>,
}

impl WireListener for ReportedSignals {
    fn lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        self.pins.push((at.0, pin, high));
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        self.bytes.push((start.0, end.0, sent.to_vec()));
    }
}

/// Runs a session of power-on and two presses. Returns the reports, the recorded levels, the bench,
/// and the times set for the presses and releases.
fn account(
    machine: ProbeMachine,
    bench: Bench,
) -> (ReportedSignals, RecordedEvents, Bench, Vec<u64>) {
    let mut machine = machine;
    let reported = Rc::new(RefCell::new(ReportedSignals::default()));
    bench.record();
    machine.board().set_listener(Rc::clone(&reported) as Rc<RefCell<dyn WireListener>>);
    machine.power_on().expect("it boots");
    let mut truth = bench.take_recorded();
    let mut run_until = |machine: &mut ProbeMachine, until: Instant| {
        while machine.board().now() < until {
            let soon = machine.board().now().saturating_add(Nanos::from_millis(7));
            machine.run_until(soon.min(until)).expect("it runs");
            let RecordedEvents { words, changes, outputs } = bench.take_recorded();
            truth.words.extend(words);
            truth.changes.extend(changes);
            truth.outputs.extend(outputs);
        }
    };
    run_until(&mut machine, Instant(400_000_000));
    let board = machine.board().clone();
    let mut asked = vec![];
    for (index, button) in [Button::LCD_BOARD[0], Button::LCD_BOARD[6]].into_iter().enumerate() {
        let at = machine.board().now().saturating_add(Nanos::from_millis(50));
        board.press(at, button);
        // The release comes while the board is drawing, so bytes are reported at the same time.
        let end = at.saturating_add(Nanos::from_millis(9));
        board.release(end, button);
        asked.extend([at.0, end.0]);
        let until = Instant(400_000_000 + (index as u64 + 1) * 300_000_000);
        run_until(&mut machine, until);
    }
    machine.board().notify_listeners();
    drop(machine);
    (reported.take(), truth, bench, asked)
}

/// Period of SCK at 31.25 MHz, in nanoseconds.
const CLOCK_NS: i64 = 32;
/// Maximum deviation of a button's edge from its time, in nanoseconds.
const EDGE_NS: i64 = 1_000;

#[test]
fn every_byte_on_the_wire_is_reported_within_one_clock() {
    let (machine, bench) = machine();
    let (reported, truth, bench, asked) = account(machine, bench);
    // The last power cycle of the board is over when its machine is dropped.
    assert_eq!(bench.dma_flash_reads(), (0, 0));
    assert_eq!(bench.usb_late_buffers(), 0, "erratum RP2040-E15");
    assert_eq!(bench.not_modelled(), Vec::<String>::new());
    let sent: Vec<u8> = truth.words.iter().map(|word| word.word as u8).collect();
    let heard: Vec<u8> = reported.bytes.iter().flat_map(|(_, _, bytes)| bytes.clone()).collect();
    assert!(sent.len() > 150_000, "the power-on frame and more: {}", sent.len());
    let common = sent.iter().zip(&heard).take_while(|(sent, heard)| sent == heard).count();
    assert!(sent == heard, "{} of {} bytes, {} were reported", common, sent.len(), heard.len());
    let starts = reported.bytes.iter().map(|(start, _, bytes)| (*start, bytes.len()));
    // The offset between the trace's clock and the bench's is arbitrary, so deviations are measured
    // from the median.
    let mut word = 0;
    let mut off = vec![];
    for (start, length) in starts {
        off.push(start as i64 - truth.words[word].start_ns as i64);
        word += length;
    }
    off.sort_unstable();
    let middle = off[off.len() / 2];
    let within = off.iter().filter(|off| (*off - middle).abs() <= CLOCK_NS).count();
    let (first, last) = (off[0] - middle, off[off.len() - 1] - middle);
    println!("{} bytes, {} bursts: {first} to {last} ns", sent.len(), off.len());
    assert_eq!(within, off.len(), "bursts that begin within {CLOCK_NS} ns");

    // The timer executes presses and a PIO stamps bytes; both use one clock.
    let lines = |levels: u32| levels >> wiring::FIRST_LINE & ((1 << LINES) - 1);
    let all_up = lines(u32::MAX);
    // The pull-ups rise when the board gets power.
    let pressed = truth.outputs.iter().skip_while(|change| lines(change.levels) == 0).skip(1);
    let moves: Vec<i64> = pressed.map(|change| change.ns as i64).collect();
    assert_eq!(lines(truth.outputs.last().expect("releases").levels), all_up);
    assert_eq!(moves.len(), asked.len(), "{:?}", truth.outputs);
    for (asked, done) in asked.iter().zip(&moves) {
        // Both times are relative to the trace's start; a positive value is late.
        let late = done + middle - *asked as i64;
        println!("an edge of a button comes {late} ns after its time, by the clock of the bytes");
        assert!((-EDGE_NS..=EDGE_NS).contains(&late), "{late} ns");
    }
}

#[test]
fn buttons_are_released_when_the_host_falls_silent() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    // The computer's power fails: the host sends no goodbye.
    std::mem::forget(machine);
    bench.advance(900_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 1 << 0 | 1 << 6, "a host may be silent for a while");
    bench.advance(400_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0);
}

#[test]
fn buttons_are_released_when_the_host_says_goodbye() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    drop(machine);
    bench.advance(20_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0);
    assert!(!bench.is_powered());
}

#[test]
fn a_reset_probe_releases_buttons_and_the_host_reports_it() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    bench.at(bench.now_ns() + 10_000_000, Fault::ResetProbe);
    let error = fails_within(&mut machine, Nanos::from_secs(8));
    assert!(error.contains("the probe has restarted"), "{error}");
    assert_eq!(bench.pulled(), 0);
}

#[test]
fn a_cable_that_is_replugged_at_once_causes_no_error() {
    let (mut machine, bench) = machine_that_draws_nothing();
    let now = bench.now_ns();
    bench.at(now + 30_000_000, Fault::Cable(false));
    bench.at(now + 80_000_000, Fault::Cable(true));
    hold_two(&mut machine, &bench);
    let until = machine.board().now().saturating_add(Nanos::from_millis(500));
    machine.run_until(until).expect("the session goes on");
    assert_eq!(bench.pulled(), 1 << 0 | 1 << 6);
}

#[test]
fn a_cable_that_stays_unplugged_is_reported() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    bench.at(bench.now_ns(), Fault::Cable(false));
    fails_within(&mut machine, Nanos::from_secs(8));
    bench.advance(400_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0, "nobody is there");
}

#[test]
fn a_button_wire_that_touches_ground_is_seen_low() {
    let (mut machine, bench) = machine_that_draws_nothing();
    bench.at(0, Fault::Wire(Role::Button(6), WireState::Stuck(false)));
    bench.advance(1_000_000).expect("it runs");
    let levels = machine.session().levels().expect("levels");
    assert_eq!(levels.lines & 1 << 6, 0, "T1 is stuck: {levels:?}");
    assert_eq!(levels.lines | 1 << 6, (1 << 13) - 1, "{levels:?}");
}
