//! How much the probe takes: bytes that arrive whole, and bytes that are told as lost, with the time of the first of them.

use probe::ProbeError;

use super::*;

/// The bytes of a burst of noise, as a board's driver sends them.
const BURST: usize = 512;
/// Between two bursts of a board's driver.
const PAUSE_NS: u64 = 2_000;
/// What a bit takes at 31.25 MHz.
const BIT_NS: u64 = 32;
const BURST_NS: u64 = BURST as u64 * 8 * BIT_NS;
/// Noise is made so far ahead of the bench's time: what waits in the probe's memory keeps the host behind by more than 100 ms.
const AHEAD_NS: u64 = 200_000_000;
/// The machine goes on for so long behind the last byte.
const BEHIND_THE_LAST_NS: u64 = 100_000_000;
/// The host goes on by so much at once.
const STEP_NS: u64 = 10_000_000;

/// Noise at 31.25 MHz, in bursts with a pause between two.
struct Noise {
    random: virtual_time::Random,
    bytes: Vec<u8>,
    /// When the next byte begins.
    at: u64,
    begin_ns: u64,
    pause_ns: u64,
}

impl Noise {
    fn new(begin_ns: u64, pause_ns: u64) -> Self {
        let random = virtual_time::Random::new(7);
        Self { random, bytes: vec![], at: begin_ns, begin_ns, pause_ns }
    }

    /// The levels of more bytes, up to `until_ns`, of `most` bytes in all.
    fn levels(&mut self, until_ns: u64, most: usize) -> Vec<(u64, Wire, bool)> {
        let mut levels = vec![];
        while self.at < until_ns && self.bytes.len() < most {
            let byte = self.random.next() as u8;
            for bit in (0..8).rev() {
                levels.push((self.at, Wire::Mosi, byte >> bit & 1 != 0));
                levels.push((self.at + BIT_NS / 2, Wire::Sck, true));
                levels.push((self.at + BIT_NS, Wire::Sck, false));
                self.at += BIT_NS;
            }
            self.bytes.push(byte);
            self.at += if self.bytes.len().is_multiple_of(BURST) { self.pause_ns } else { 0 };
        }
        levels
    }

    /// When byte `number` begins.
    fn begin_of(&self, number: usize) -> u64 {
        self.begin_ns + number as u64 * 8 * BIT_NS + (number / BURST) as u64 * self.pause_ns
    }
}

/// What was lost.
#[derive(Debug)]
struct Lost {
    /// Bytes that were told before.
    told: usize,
    /// How far the time that is told is from that of the first byte that is missing, in nanoseconds.
    off_ns: i64,
}

/// Whether so many bytes of [`Noise`] arrive whole.
fn arrives(bytes: usize, pause_ns: u64) -> Result<(), Lost> {
    let (mut machine, bench) = machine_that_draws_nothing();
    let told = Rc::new(RefCell::new(Told::default()));
    machine.board().clip_on(Rc::clone(&told) as Rc<RefCell<dyn Probe>>);
    let begin_ns = bench.now_ns() + 2_000_000;
    bench.play([(begin_ns - 1_000, Wire::Cs, false), (begin_ns - 500, Wire::Dc, true)]);
    let mut noise = Noise::new(begin_ns, pause_ns);
    // The machine is behind the bench by what waits in the probe's memory; nothing waits yet.
    let bench_ns = bench.now_ns() - machine.board().now().0;
    let mut ended = Ok(());
    while ended.is_ok()
        && (noise.bytes.len() < bytes
            || machine.board().now().0 + bench_ns < noise.at + BEHIND_THE_LAST_NS)
    {
        assert!(
            noise.at > bench.now_ns() || noise.bytes.len() == bytes,
            "the noise comes too late"
        );
        bench.play(noise.levels(bench.now_ns() + AHEAD_NS, bytes));
        let until = machine.board().now().saturating_add(Nanos(STEP_NS));
        ended = machine.run_until(until);
    }
    machine.board().tell_probe();
    let told = told.take();
    let heard: Vec<u8> = told.bytes.iter().flat_map(|(_, _, bytes)| bytes.clone()).collect();
    let common = noise.bytes.iter().zip(&heard).take_while(|(one, other)| one == other).count();
    assert_eq!(common, heard.len(), "what is told is what was sent");
    match ended {
        Ok(()) => {
            assert_eq!(heard.len(), bytes, "bytes are missing, and nothing is said");
            Ok(())
        }
        Err(error) => {
            let said = error.message();
            assert!(
                error.is::<ProbeError>() && said.contains("lost what was on the LCD's wires from"),
                "{said}"
            );
            // The first byte says how far the clocks are apart.
            let apart = told.bytes[0].0 as i64 - begin_ns as i64;
            let first_lost = noise.begin_of(heard.len()) as i64 + apart;
            Err(Lost { told: heard.len(), off_ns: error.at.0 as i64 - first_lost })
        }
    }
}

#[test]
fn noise_of_a_frames_length_is_whole_and_more_of_it_is_an_overrun_with_its_time() {
    arrives(100_000, PAUSE_NS).expect("it arrives whole");
    let lost = arrives(400_000, PAUSE_NS).expect_err("it does not fit");
    println!("{lost:?}");
    // A burst is told or lost as a whole.
    let within = -(PAUSE_NS as i64)..=BURST_NS as i64;
    assert!(lost.told >= 100_000 && within.contains(&lost.off_ns), "{lost:?}");
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
    let whole = most(100_000, 400_000, 4_000, |bytes| arrives(bytes, PAUSE_NS).is_ok());
    println!("{whole} bytes of noise at 31.25 MHz arrive whole");
    // Of so many the probe keeps a small part in its memory.
    const BYTES: usize = 1_000_000;
    let pause = |rate: usize| (BURST as u64 * 1_000_000_000 / rate as u64).saturating_sub(BURST_NS);
    let holds = |rate: usize| {
        let arrived = arrives(BYTES, pause(rate));
        println!("{rate} a second: {arrived:?}");
        arrived.is_ok()
    };
    assert!(holds(100_000), "it sustains less");
    let rate = most(100_000, 500_000, 10_000, holds);
    println!("{rate} bytes of noise a second are sustained, {BYTES} of them");
}
