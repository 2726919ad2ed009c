//! Which clocks of SCK the probe sees right: what it does not see right, it reports. And the time
//! of its own flash, which must not matter.

use probe::ProbeError;

use super::*;

/// Bytes that are sent at each clock and rest.
const BYTES: usize = 48;
/// Periods of SCK in nanoseconds: 31.25 MHz to 1 MHz.
const PERIODS_NS: [u64; 15] =
    [32, 40, 48, 64, 80, 100, 125, 160, 200, 250, 320, 333, 357, 500, 1000];
/// Longest rest between two bytes, and the step between two rests that are tried.
const LONGEST_REST_NS: u64 = 1_000;
const REST_STEP_NS: u64 = 20;
/// The same for a clock that is too slow, at which every rest is reported: each report needs a new
/// bench.
const REST_STEP_OF_SLOW_NS: u64 = 100;
/// Slowest SCK that the probe must see right at other rests: 3.125 MHz. Twelve samples of a low SCK
/// end a burst. They are 15 ns apart, so a low of 165 ns, half a period at 3.03 MHz, may contain
/// twelve of them.
const SLOWEST_PERIOD_NS: u64 = 320;
/// Rests in which the probe may report a loss: it clears its shift register then
/// (docs/hil-probe.md).
const UNCLEAR_NS: std::ops::RangeInclusive<u64> = 80..=340;

/// Result of sending some bytes on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Reported,
    /// Bytes are wrong or missing, and nothing is reported.
    Wrong,
}

/// A machine behind a probe whose wires the test drives.
struct Driven {
    machine: ProbeMachine,
    bench: Bench,
    reported: Rc<RefCell<ReportedSignals>>,
    /// Difference between the bench's time and the machine's.
    apart_ns: u64,
    /// The last error.
    said: String,
}

impl Driven {
    fn new() -> Self {
        let (machine, bench) = machine_that_draws_nothing();
        let reported = Rc::new(RefCell::new(ReportedSignals::default()));
        machine.board().set_listener(Rc::clone(&reported) as Rc<RefCell<dyn WireListener>>);
        let apart_ns = bench.now_ns() - machine.board().now().0;
        Self { machine, bench, reported, apart_ns, said: String::new() }
    }

    /// Sends bytes with this period of SCK and this rest between two of them.
    fn send(&mut self, period_ns: u64, rest_ns: u64) -> Outcome {
        let mut random = virtual_time::Random::new(period_ns << 16 | rest_ns);
        let mut at = self.bench.now_ns() + 100_000;
        let mut levels = vec![(at, Wire::Cs, false), (at, Wire::Dc, true)];
        let mut sent = vec![];
        at += 1_000;
        for _ in 0..BYTES {
            let byte = random.next() as u8;
            for bit in (0..8).rev() {
                levels.push((at, Wire::Mosi, byte >> bit & 1 != 0));
                levels.push((at + period_ns / 2, Wire::Sck, true));
                levels.push((at + period_ns, Wire::Sck, false));
                at += period_ns;
            }
            sent.push(byte);
            at += rest_ns;
        }
        levels.push((at + 2_000, Wire::Cs, true));
        self.bench.play(levels);
        let ended = self.machine.run_until(Instant(at - self.apart_ns + 4_000_000));
        self.machine.board().notify_listeners();
        let reported = std::mem::take(&mut *self.reported.borrow_mut());
        let heard: Vec<u8> = reported.bytes.into_iter().flat_map(|(_, _, bytes)| bytes).collect();
        match ended {
            Ok(()) if heard == sent => Outcome::Right,
            Ok(()) => Outcome::Wrong,
            Err(error) => {
                let said = error.message();
                assert!(error.is::<ProbeError>(), "{said}");
                assert!(said.contains("has not seen the LCD's burst at"), "{said}");
                self.said = said.clone();
                assert!(
                    sent.starts_with(&heard),
                    "before the burst that is reported, all is right"
                );
                Outcome::Reported
            }
        }
    }
}

/// Tries every clock with every rest.
#[test]
fn every_clock_and_rest_is_seen_right_or_reported() {
    let mut driven = Driven::new();
    let mut wrong = vec![];
    for period_ns in PERIODS_NS {
        let mut row = String::new();
        let step_ns =
            if period_ns > SLOWEST_PERIOD_NS { REST_STEP_OF_SLOW_NS } else { REST_STEP_NS };
        for rest_ns in (0..=LONGEST_REST_NS).step_by(step_ns as usize) {
            let outcome = driven.send(period_ns, rest_ns);
            row.push(match outcome {
                Outcome::Right => '.',
                Outcome::Reported => 'r',
                Outcome::Wrong => 'W',
            });
            let must_be_right = period_ns <= SLOWEST_PERIOD_NS
                && !UNCLEAR_NS.contains(&rest_ns)
                && !UNCLEAR_NS.contains(&(rest_ns + period_ns / 2));
            if outcome == Outcome::Wrong || must_be_right && outcome != Outcome::Right {
                wrong.push((period_ns, rest_ns, outcome, driven.said.clone()));
            }
            if outcome == Outcome::Reported {
                driven = Driven::new();
            }
        }
        println!("{period_ns:5} ns: {row}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Sends bytes with a rest that is just long enough for the order to clear the shift register. If
/// the DMA read that order from the flash, a miss of its cache would delay it into the next byte.
#[test]
fn misses_of_the_flash_cache_delay_no_order_to_clear() {
    let mut driven = Driven::new();
    driven.bench.model_dma_misses();
    for rest_ns in (360..=600).step_by(40) {
        let outcome = driven.send(32, rest_ns);
        assert_eq!(outcome, Outcome::Right, "a rest of {rest_ns} ns: {}", driven.said);
    }
    assert_eq!(driven.bench.dma_flash_reads().1, 0);
}

/// The same with the bytes of a board's firmware.
#[test]
fn misses_of_the_flash_cache_lose_no_byte() {
    let (machine, bench) = machine();
    bench.model_dma_misses();
    let (reported, truth, ..) = account(machine, bench);
    let sent: Vec<u8> = truth.words.iter().map(|word| word.word as u8).collect();
    let heard: Vec<u8> = reported.bytes.iter().flat_map(|(_, _, bytes)| bytes.clone()).collect();
    assert!(sent.len() > 150_000 && sent == heard, "{} and {} bytes", sent.len(), heard.len());
}
