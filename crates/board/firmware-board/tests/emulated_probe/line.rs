//! Tests of the probe's own firmware on a disturbed line, with two hosts, and with another protocol
//! version.

use std::collections::VecDeque;
use std::time::Duration;

use bench::BenchLink;
use probe::ProbeError;
use probe::disturbed::Faults;
use probe::{Cut, Link};
use probe_protocol::PROTOCOL;
use probe_protocol::frame::{self, Kind, MAGIC, ON_LINE};
use virtual_time::Random;

use super::scene::{End, play};
use super::wires::is_long_run;
use super::*;

/// Number of seeds, normally and in a long run.
const SEEDS: u64 = 3;
const SEEDS_IN_A_LONG_RUN: u64 = 40;

/// Possible failures on a line that loses one byte in some thousands: a repeated message may come
/// too late.
const REASONS: [&str; 3] = [
    "was not carried out: it reached the probe after its time",
    "too much is lost on the line",
    "the probe's clock has stopped",
];

/// Bytes are lost, doubled and changed in both directions. `NUDGE_LINE_SEED=7` runs one seed.
#[test]
fn a_disturbed_line_passes_or_fails_with_its_true_reason() {
    let seeds = match std::env::var("NUDGE_LINE_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("a number");
            seed..seed + 1
        }
        Err(_) if is_long_run() => 1..1 + SEEDS_IN_A_LONG_RUN,
        Err(_) => 1..1 + SEEDS,
    };
    let mut passed = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut draw = || random.below(12);
        let (lost, doubled, changed) = (draw(), draw(), draw());
        let end = play((Faults { lost, doubled, changed, ..Faults::default() }, seed), &[]);
        println!("{seed}: {end:?}");
        match end {
            End::Passed => passed += 1,
            end => end.failed_by(
                &REASONS,
                &format!("again: NUDGE_LINE_SEED={seed} cargo test -p boards --all-features --test emulated_probe disturbed_line"),
            ),
        }
    }
    assert!(passed > 0, "of {count} none passes: the line is too bad to say anything");
}

/// A cable shared by two hosts: both receive everything that the probe sends.
struct Hub {
    cable: BenchLink,
    heard: [VecDeque<u8>; 2],
}

/// The connection of one host.
struct Side {
    hub: Rc<RefCell<Hub>>,
    number: usize,
    /// The other host, which continues while this one waits.
    other: Option<Rc<RefCell<ProbeMachine>>>,
}

impl Link for Side {
    fn now(&mut self) -> Duration {
        self.hub.borrow_mut().cable.now()
    }
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.hub.borrow_mut().cable.write(bytes)
    }
    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        if let Some(other) = &self.other {
            let mut other = other.borrow_mut();
            let until = other.board().now().saturating_add(Nanos::from_millis(2));
            other.run_until(until).expect("the first host goes on");
        }
        let Hub { cable, heard } = &mut *self.hub.borrow_mut();
        let mut buffer = [0; 4096];
        let read = cable
            .read(&mut buffer, if heard[self.number].is_empty() { wait } else { Duration::ZERO })?;
        heard.iter_mut().for_each(|heard| heard.extend(&buffer[..read]));
        let heard = &mut heard[self.number];
        let length = into.len().min(heard.len());
        for (place, byte) in into.iter_mut().zip(heard.drain(..length)) {
            *place = byte;
        }
        Ok(length)
    }
    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        self.hub.borrow_mut().cable.reconnect(wait)
    }
}

/// Tests the firmware's own refusal, because the emulated cable has no lock.
#[test]
fn a_second_host_is_refused_and_the_first_continues() {
    let (_, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, &probe, &probe, &config).expect("a bench");
    let hub = Hub { cable: bench.link(), heard: Default::default() };
    let hub = Rc::new(RefCell::new(hub));
    let side = |number, other| Box::new(Side { hub: Rc::clone(&hub), number, other });
    let session = Session::open(side(0, None), 1).expect("a session");
    let first = Rc::new(RefCell::new(ProbeMachine::new(session, config, LEAD)));
    first.borrow_mut().power_on().expect("it has power");
    let second = Session::open(side(1, Some(Rc::clone(&first))), 2);
    assert_eq!(second.err(), Some(ProbeError::Busy));
    hold_two(&mut first.borrow_mut(), &bench);
    drop(first);
    bench.advance(20_000_000).expect("it runs");
    assert_eq!(bench.pulled(), 0);
    // The first host has disconnected, so the probe is free.
    Session::open(Box::new(bench.link()), 3).expect("a session");
}

/// A line on which the probe's welcome has another protocol version.
struct OfVersion<L> {
    inner: L,
    protocol: u16,
    frame: Vec<u8>,
    out: Vec<u8>,
}

impl<L: Link> OfVersion<L> {
    fn hear(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte != 0 {
                self.frame.push(*byte);
                continue;
            }
            let plain = std::mem::take(&mut self.frame);
            if let Ok((header, payload)) = frame::read(&mut plain.clone())
                && header.kind == Kind::Welcome
            {
                assert!(payload.starts_with(&MAGIC));
                assert_eq!(payload[8..10], PROTOCOL.to_le_bytes());
                // A probe of another version sends nothing else.
                let changed = [&MAGIC[..], &self.protocol.to_le_bytes()].concat();
                let mut line = [0; ON_LINE];
                let length = frame::write(header, &changed, &mut line);
                self.out.extend(&line[..length]);
            } else {
                self.out.extend(plain);
                self.out.push(0);
            }
        }
    }
}

impl<L: Link> Link for OfVersion<L> {
    fn now(&mut self) -> Duration {
        self.inner.now()
    }
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.inner.write(bytes)
    }
    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        let mut buffer = [0; 4096];
        let read = self.inner.read(&mut buffer, wait)?;
        self.hear(&buffer[..read]);
        let length = into.len().min(self.out.len());
        for (place, byte) in into.iter_mut().zip(self.out.drain(..length)) {
            *place = byte;
        }
        Ok(length)
    }
    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        self.inner.reconnect(wait)
    }
}

#[test]
fn another_protocol_version_is_reported_with_advice() {
    for (protocol, advice) in
        [(PROTOCOL - 1, "this version's firmware"), (PROTOCOL + 1, "use a newer nudge")]
    {
        let (_, probe) = programs();
        let config = header::board(&Trace::default(), None).expect("a board");
        let bench = emulated_probe::bench(&Firmware, &probe, &probe, &config).expect("a bench");
        let link = OfVersion { inner: bench.link(), protocol, frame: vec![], out: vec![] };
        let error = Session::open(Box::new(link), 1).err().expect("no session");
        assert_eq!(error, ProbeError::Protocol { theirs: protocol });
        assert!(error.to_string().contains(advice), "{error}");
        assert_eq!(bench.pulled(), 0);
    }
}
