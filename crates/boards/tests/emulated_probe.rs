//! The board and the probe, both emulated: what the probe's firmware says against the truth on the wires.

#[path = "emulated_probe/wires.rs"]
mod wires;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ::probe::{LEAD, ProbeMachine, Session};
use bench::{Bench, Fault, Truth, WireState};
use boards::{emulated_probe, header, pico};
use hal_mock::board::{LcdPin, Probe};
use hal_mock::trace::Trace;
use hal_mock::{Button, Instant, Machine, Nanos};
use probe_protocol::LINES;
use probe_protocol::Wire;
use probe_protocol::wiring::{self, Role};
use rp2040_emulator::program::Program;

fn programs() -> (Arc<Program>, Arc<Program>) {
    let board = pico::firmware::built().expect("`make firmware` builds the board's program");
    let probe = emulated_probe::built().expect("`make firmware` builds the probe's program");
    (Arc::new(board), Arc::new(probe))
}

/// A fresh board behind a probe, and its bench.
fn machine() -> (ProbeMachine, Bench) {
    let (board, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&board, &probe, &config).expect("a bench");
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    (ProbeMachine::new(session, config, LEAD), bench)
}

/// A board that draws nothing behind a probe: another probe's chip, whose host never comes.
fn machine_that_draws_nothing() -> (ProbeMachine, Bench) {
    let (_, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&probe, &probe, &config).expect("a bench");
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    let mut machine = ProbeMachine::new(session, config, LEAD);
    machine.power_on().expect("it has power");
    assert!(bench.is_powered());
    (machine, bench)
}

/// Presses B1 and T1 soon and for long, and goes on until they are down.
fn hold_two(machine: &mut ProbeMachine, bench: &Bench) {
    let at = machine.board().now().saturating_add(Nanos::from_millis(50));
    for button in [Button::ALL[0], Button::ALL[6]] {
        machine.board().press(at, button);
    }
    machine.run_until(at.saturating_add(Nanos::from_millis(60))).expect("it runs");
    assert_eq!(bench.pulled(), 1 << 0 | 1 << 6);
    assert_eq!(bench.driven_high(), 0);
}

/// The first error of a machine that goes on for `span`.
fn fails_within(machine: &mut ProbeMachine, span: Nanos) -> String {
    let until = machine.board().now().saturating_add(span);
    machine.run_until(until).expect_err("it cannot go on").to_string()
}

/// What the host was told.
#[derive(Default)]
struct Told {
    bytes: Vec<(u64, u64, Vec<u8>)>,
    pins: Vec<(u64, LcdPin, bool)>,
}

impl Probe for Told {
    fn lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        self.pins.push((at.0, pin, high));
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        self.bytes.push((start.0, end.0, sent.to_vec()));
    }
}

/// What a session of power-on and two presses tells, the truth, and when the presses and releases were to be.
fn account() -> (Told, Truth, Bench, Vec<u64>) {
    let (mut machine, bench) = machine();
    let told = Rc::new(RefCell::new(Told::default()));
    bench.record();
    machine.board().clip_on(Rc::clone(&told) as Rc<RefCell<dyn Probe>>);
    machine.power_on().expect("it boots");
    machine.run_until(Instant(400_000_000)).expect("it runs");
    let board = machine.board().clone();
    let mut asked = vec![];
    for (index, button) in [Button::ALL[0], Button::ALL[6]].into_iter().enumerate() {
        let at = machine.board().now().saturating_add(Nanos::from_millis(50));
        board.press(at, button);
        let end = at.saturating_add(Nanos::from_millis(60));
        board.release(end, button);
        asked.extend([at.0, end.0]);
        let until = Instant(400_000_000 + (index as u64 + 1) * 300_000_000);
        machine.run_until(until).expect("it runs");
    }
    machine.board().tell_probe();
    let truth = bench.take_truth();
    drop(machine);
    (told.take(), truth, bench, asked)
}

/// A clock of SCK at 31.25 MHz.
const CLOCK_NS: i64 = 32;
/// How far an edge of a button may be from its moment.
const EDGE_NS: i64 = 1_000;

#[test]
fn every_byte_on_the_wire_is_told_within_a_clock_of_its_time() {
    let (told, truth, bench, asked) = account();
    assert_eq!(bench.not_modelled(), Vec::<String>::new());
    let sent: Vec<u8> = truth.words.iter().map(|word| word.word as u8).collect();
    let heard: Vec<u8> = told.bytes.iter().flat_map(|(_, _, bytes)| bytes.clone()).collect();
    assert!(sent.len() > 150_000, "the power-on frame and more: {}", sent.len());
    let common = sent.iter().zip(&heard).take_while(|(sent, heard)| sent == heard).count();
    assert!(sent == heard, "{} of {} bytes, {} were told", common, sent.len(), heard.len());
    let starts = told.bytes.iter().map(|(start, _, bytes)| (*start, bytes.len()));
    // The trace's 0 is any moment of the bench's time: the error of the middle one is none.
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

    // Presses are carried out by the timer, bytes are stamped by a PIO: one clock.
    let lines = |levels: u32| levels >> wiring::FIRST_LINE & ((1 << LINES) - 1);
    let all_up = lines(u32::MAX);
    // With the board's power its pull-ups come.
    let pressed = truth.outputs.iter().skip_while(|change| lines(change.levels) == 0).skip(1);
    let moves: Vec<i64> = pressed.map(|change| change.ns as i64).collect();
    assert_eq!(lines(truth.outputs.last().expect("releases").levels), all_up);
    assert_eq!(moves.len(), asked.len(), "{:?}", truth.outputs);
    for (asked, done) in asked.iter().zip(&moves) {
        // Both as of the trace's 0: late is positive.
        let late = done + middle - *asked as i64;
        println!("an edge of a button comes {late} ns after its time, by the clock of the bytes");
        assert!((-EDGE_NS..=EDGE_NS).contains(&late), "{late} ns");
    }
}

#[test]
fn a_host_that_falls_silent_leaves_no_button_down() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    // The computer's power fails: nobody says goodbye.
    std::mem::forget(machine);
    bench.advance(900_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 1 << 0 | 1 << 6, "a host may be silent for a while");
    bench.advance(400_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0);
}

#[test]
fn a_host_that_says_goodbye_leaves_no_button_down() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    drop(machine);
    bench.advance(20_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0);
    assert!(!bench.is_powered());
}

#[test]
fn a_reset_probe_lets_go_and_the_host_says_so() {
    let (mut machine, bench) = machine_that_draws_nothing();
    hold_two(&mut machine, &bench);
    bench.at(bench.now_ns() + 10_000_000, Fault::ResetProbe);
    let error = fails_within(&mut machine, Nanos::from_secs(8));
    assert!(error.contains("restarted") || error.contains("cable"), "{error}");
    assert_eq!(bench.pulled(), 0);
}

#[test]
fn a_cable_that_is_put_back_at_once_costs_nothing() {
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
fn a_cable_that_stays_off_is_told() {
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

/// The bytes of a burst of noise.
const BURST: usize = 512;
/// Between two bursts of a board's driver.
const PAUSE_NS: u64 = 2_000;

/// So many bytes of noise at 31.25 MHz, in bursts of 512 as a board's driver sends them, with this pause between two.
fn noise(begin_ns: u64, bytes: usize, pause_ns: u64) -> Vec<(u64, Wire, bool)> {
    let mut random = seeded_random::Random::new(7);
    let mut levels = vec![(begin_ns - 1_000, Wire::Cs, false), (begin_ns - 500, Wire::Dc, true)];
    let mut at = begin_ns;
    for number in 0..bytes {
        let byte = random.next() as u8;
        for bit in (0..8).rev() {
            levels.push((at, Wire::Mosi, byte >> bit & 1 != 0));
            levels.push((at + 16, Wire::Sck, true));
            levels.push((at + 32, Wire::Sck, false));
            at += 32;
        }
        at += if number % BURST == BURST - 1 { pause_ns } else { 0 };
    }
    levels
}

/// Whether so many bytes of [`noise`] arrive whole; if not, what is said.
fn arrives(bytes: usize, pause_ns: u64) -> Result<(), String> {
    let (board, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&board, &probe, &config).expect("a bench");
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    let mut machine = ProbeMachine::new(session, config, LEAD);
    machine.run_until(Instant(50_000_000)).expect("it rests");
    bench.play(noise(bench.now_ns() + 1_000_000, bytes, pause_ns));
    let takes = (bytes * 8 * 32 + bytes / BURST * pause_ns as usize) as u64;
    machine.run_until(Instant(500_000_000 + takes)).map_err(|error| error.to_string())
}

#[test]
fn noise_of_a_frames_length_is_whole_and_more_of_it_is_an_overrun() {
    arrives(100_000, PAUSE_NS).expect("it arrives whole");
    let lost = arrives(400_000, PAUSE_NS).expect_err("it does not fit");
    assert!(lost.contains("lost what was on"), "{lost}");
}

/// The largest number for which `probe` holds, within `step`: it does for `fits`, and not for `does_not`.
fn most(mut fits: usize, mut does_not: usize, step: usize, probe: impl Fn(usize) -> bool) -> usize {
    while does_not - fits > step {
        let middle = fits + (does_not - fits) / 2;
        if probe(middle) { fits = middle } else { does_not = middle }
    }
    fits
}

/// docs/hil-probe.md has the result.
#[test]
#[ignore = "measures: some minutes"]
fn what_the_probe_sustains() {
    let whole = most(100_000, 400_000, 2_000, |bytes| arrives(bytes, PAUSE_NS).is_ok());
    println!("{whole} bytes of noise at 31.25 MHz arrive whole");
    // Of so many the probe keeps a small part in its memory.
    const BYTES: usize = 3_000_000;
    let pause = |rate: usize| {
        let burst_ns = (BURST * 8 * 32) as u64;
        (BURST as u64 * 1_000_000_000 / rate as u64).saturating_sub(burst_ns)
    };
    let rate = most(100_000, 3_900_000, 20_000, |rate| arrives(BYTES, pause(rate)).is_ok());
    println!("{rate} bytes of noise a second are sustained, {BYTES} of them");
}
