//! The probe's own firmware behind a line that is not whole, with two hosts, and of another version.

use probe::ProbeError;
use probe::disturbed::Faults;
use probe::{Cut, Link};
use probe_protocol::PROTOCOL;
use probe_protocol::frame::{self, Kind, MAGIC, ON_LINE};
use seeded_random::Random;
use std::time::Duration;

use super::scene::{End, play};
use super::wires::is_long_run;
use super::*;

/// Seeds that are tried, and in a long run.
const SEEDS: u64 = 3;
const SEEDS_IN_A_LONG_RUN: u64 = 40;

/// What a line may come to that loses one byte in some thousands: what is sent again may come too late.
const REASONS: [&str; 3] = [
    "was not carried out: it reached the probe after its time",
    "too much is lost on the line",
    "the probe's time stands still",
];

/// Bytes are lost, doubled and changed, both ways: `NUDGE_LINE_SEED=7` plays one seed.
#[test]
fn a_disturbed_line_to_the_firmware_passes_or_fails_with_its_true_reason() {
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

/// The firmware's own refusal: no lock is on the emulated cable.
#[test]
fn a_second_host_is_told_that_the_probe_is_in_use_and_the_first_goes_on() {
    let (mut machine, bench) = machine_that_draws_nothing();
    let second = Session::open(Box::new(bench.link()), 2);
    assert_eq!(second.err(), Some(ProbeError::Busy));
    hold_two(&mut machine, &bench);
    drop(machine);
    bench.advance(20_000_000).expect("it runs");
    // It said goodbye: the probe is free.
    Session::open(Box::new(bench.link()), 3).expect("a session");
}

/// A line on which the probe's welcome has another protocol.
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
                // One of another version says nothing but that.
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
fn a_firmware_of_another_protocol_is_told_with_what_to_do() {
    for (protocol, advice) in
        [(PROTOCOL - 1, "this version's firmware"), (PROTOCOL + 1, "use a newer nudge")]
    {
        let (_, probe) = programs();
        let config = header::board(&Trace::default(), None).expect("a board");
        let bench = emulated_probe::bench(&probe, &probe, &config).expect("a bench");
        let link = OfVersion { inner: bench.link(), protocol, frame: vec![], out: vec![] };
        let error = Session::open(Box::new(link), 1).err().expect("no session");
        assert_eq!(error, ProbeError::Protocol { theirs: protocol });
        assert!(error.to_string().contains(advice), "{error}");
        assert_eq!(bench.pulled(), 0);
    }
}
