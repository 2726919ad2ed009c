//! The board and the probe, both emulated: what the probe's firmware says against the truth on the wires.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ::probe::{LEAD, ProbeMachine, Session};
use bench::{Bench, Truth};
use boards::{emulated_probe, header, pico};
use hal_mock::board::{LcdPin, Probe};
use hal_mock::trace::Trace;
use hal_mock::{Button, Instant, Machine, Nanos};
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

/// What a session of power-on and two presses tells, and the truth.
fn account() -> (Told, Truth, Bench) {
    let (mut machine, bench) = machine();
    let told = Rc::new(RefCell::new(Told::default()));
    bench.record();
    machine.board().clip_on(Rc::clone(&told) as Rc<RefCell<dyn Probe>>);
    machine.power_on().expect("it boots");
    machine.run_until(Instant(400_000_000)).expect("it runs");
    let board = machine.board().clone();
    for (index, button) in [Button::ALL[0], Button::ALL[6]].into_iter().enumerate() {
        let at = machine.board().now().saturating_add(Nanos::from_millis(50));
        board.press(at, button);
        board.release(at.saturating_add(Nanos::from_millis(60)), button);
        let until = Instant(400_000_000 + (index as u64 + 1) * 300_000_000);
        machine.run_until(until).expect("it runs");
    }
    machine.board().tell_probe();
    let truth = bench.take_truth();
    drop(machine);
    (told.take(), truth, bench)
}

/// A clock of SCK at 31.25 MHz.
const CLOCK_NS: i64 = 32;

#[test]
fn every_byte_on_the_wire_is_told_within_a_clock_of_its_time() {
    let (told, truth, bench) = account();
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
    println!("{} bursts: {} to {} ns", off.len(), off[0] - middle, off[off.len() - 1] - middle);
    assert_eq!(within, off.len(), "bursts that begin within {CLOCK_NS} ns");
}
