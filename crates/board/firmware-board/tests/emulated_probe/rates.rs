//! Measures the capacity of the probe: bytes that arrive completely, and bytes that are reported as
//! lost, with the time of the first of them.

use probe::ProbeError;

use super::*;

/// Number of bytes in a burst of noise, as a board's driver sends them.
const BURST: usize = 512;
/// Pause between two bursts of a board's driver.
const PAUSE_NS: u64 = 2_000;
/// Duration of a bit at 31.25 MHz.
const BIT_NS: u64 = 32;
const BURST_NS: u64 = BURST as u64 * 8 * BIT_NS;
/// Time by which noise is generated ahead of the bench's time. Data waiting in the probe's memory
/// delays the host by more than 100 ms.
const AHEAD_NS: u64 = 200_000_000;
/// Time for which the machine continues after the last byte.
const AFTER_LAST_BYTE_NS: u64 = 100_000_000;
/// Step of the host's time.
const STEP_NS: u64 = 10_000_000;

/// Noise at 31.25 MHz, in bursts with pauses between them.
struct Noise {
    random: virtual_time::Random,
    bytes: Vec<u8>,
    /// Time at which the next byte begins.
    at: u64,
    begin_ns: u64,
    pause_ns: u64,
}

impl Noise {
    fn new(begin_ns: u64, pause_ns: u64) -> Self {
        let random = virtual_time::Random::new(7);
        Self { random, bytes: vec![], at: begin_ns, begin_ns, pause_ns }
    }

    /// Returns the levels of further bytes, up to `until_ns` and up to `most` bytes in total.
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

    /// Returns the time at which byte `number` begins.
    fn begin_of(&self, number: usize) -> u64 {
        self.begin_ns + number as u64 * 8 * BIT_NS + (number / BURST) as u64 * self.pause_ns
    }
}

/// The loss that the probe reported.
#[derive(Debug)]
struct Lost {
    /// Number of bytes reported before the loss.
    told: usize,
    /// Difference between the reported time and that of the first missing byte, in nanoseconds.
    off_ns: i64,
}

/// Returns whether this number of bytes of [`Noise`] arrives completely.
fn arrives(bytes: usize, pause_ns: u64) -> Result<(), Lost> {
    let (mut machine, bench) = machine_that_draws_nothing();
    let told = Rc::new(RefCell::new(ReportedSignals::default()));
    machine.board().set_listener(Rc::clone(&told) as Rc<RefCell<dyn WireListener>>);
    let begin_ns = bench.now_ns() + 2_000_000;
    bench.play([(begin_ns - 1_000, Wire::Cs, false), (begin_ns - 500, Wire::Dc, true)]);
    let mut noise = Noise::new(begin_ns, pause_ns);
    // The machine lags behind the bench by the data waiting in the probe's memory, which is still
    // empty.
    let bench_ns = bench.now_ns() - machine.board().now().0;
    let mut ended = Ok(());
    while ended.is_ok()
        && (noise.bytes.len() < bytes
            || machine.board().now().0 + bench_ns < noise.at + AFTER_LAST_BYTE_NS)
    {
        assert!(
            noise.at > bench.now_ns() || noise.bytes.len() == bytes,
            "the noise comes too late"
        );
        bench.play(noise.levels(bench.now_ns() + AHEAD_NS, bytes));
        let until = machine.board().now().saturating_add(Nanos(STEP_NS));
        ended = machine.run_until(until);
    }
    machine.board().notify_listeners();
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
            // The first byte determines the offset between the clocks.
            let apart = told.bytes[0].0 as i64 - begin_ns as i64;
            let first_lost = noise.begin_of(heard.len()) as i64 + apart;
            Err(Lost { told: heard.len(), off_ns: error.at.0 as i64 - first_lost })
        }
    }
}

#[test]
fn more_noise_than_a_frame_is_an_overrun_with_its_time() {
    arrives(100_000, PAUSE_NS).expect("it arrives whole");
    let lost = arrives(400_000, PAUSE_NS).expect_err("it does not fit");
    println!("{lost:?}");
    // A burst is reported or lost as a whole.
    let within = -(PAUSE_NS as i64)..=BURST_NS as i64;
    assert!(lost.told >= 100_000 && within.contains(&lost.off_ns), "{lost:?}");
}

/// Returns the largest number for which `probe` holds, to within `step`. It must hold for `fits`
/// and not for `does_not`.
fn most(mut fits: usize, mut does_not: usize, step: usize, probe: impl Fn(usize) -> bool) -> usize {
    while does_not - fits > step {
        let middle = fits + (does_not - fits) / 2;
        if probe(middle) { fits = middle } else { does_not = middle }
    }
    fits
}

/// Measures the rates for docs/hil-probe.md, which has the result.
#[test]
#[ignore = "measures: some minutes"]
fn what_the_probe_sustains() {
    let whole = most(100_000, 400_000, 4_000, |bytes| arrives(bytes, PAUSE_NS).is_ok());
    println!("{whole} bytes of noise at 31.25 MHz arrive whole");
    // The probe's memory holds only a small part of this number of bytes.
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
