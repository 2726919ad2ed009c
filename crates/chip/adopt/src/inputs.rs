//! Buttons: inputs whose level makes the program take another path.
//!
//! The chip is deterministic, so a copy in which one pin has another level differs from the
//! original only by the program's reaction to that pin.

use std::cmp::Ordering;

use rp2040_emulator::chip::{Chip, Drive, I2cEvent, SpiWord};

use crate::bytes::of_frames;
use crate::finding::{Bus, Button, Certainty, Display, Findings, Signal};
use crate::observation::{Observation, Pull, SIO, instructions, numbers};

/// Time for which a copy runs with another level, in nanoseconds.
const PRESSED_NS: u64 = 80_000_000;
/// Bound of the instructions of all copies.
const WORK_MAX: u64 = 200_000_000;
/// Largest number of inputs that are tried.
const INPUTS_MAX: usize = 20;
/// Duration of a pulse, in nanoseconds.
const PULSE_NS: u64 = 500_000;
const NO_REACTION: &str = "no reaction to it was seen";
/// Number of pulses, and of pulse durations between two pulses.
const PULSES: usize = 20;
const SLICES: usize = 32;
/// Largest number of pulses after which the program draws that is counted.
const ANSWERED: usize = 2;
/// Number of bytes on the display's bus that are a reaction to a pulse.
const DRAWN_MIN: usize = 256;

/// Pins of the display on an SPI bus, as masks.
#[derive(Clone, Copy, Default)]
pub(crate) struct BusPins {
    chip_select: u32,
    clock: u32,
}

/// Behaviour of a chip for a time, by which copies are compared.
#[derive(PartialEq, Eq)]
pub(crate) struct Trail {
    /// Instructions and program counters at several times.
    points: Vec<(u64, u32, u32)>,
    /// Number of calls of I2C devices apart from displays, and of bytes on SPI buses while the display
    /// is not selected.
    i2c_calls: usize,
    other_bytes: usize,
    /// Number of words on all buses and consoles, and of edges of the display's clock and chip select.
    sent: usize,
}

impl Trail {
    /// Runs `chip` for [`PRESSED_NS`]. `bus` has the pins of the display, `displays` are the addresses of
    /// displays on I2C buses.
    pub(crate) fn of(seen: &Observation, mut chip: Chip, bus: BusPins, displays: &[u16]) -> Self {
        const POINTS: u64 = 20;
        let BusPins { chip_select, clock } = bus;
        chip.watch(chip_select | clock);
        let first_levels = chip.levels();
        for number in 0..2 {
            chip.take_i2c_events(number);
            chip.take_spi_sent(number);
            chip.take_sent(number);
        }
        chip.take_changes();
        let points = (0..POINTS).map(|_| {
            seen.advance(&mut chip, PRESSED_NS / POINTS);
            (instructions(&chip), chip.core(0).pc(), chip.core(1).pc())
        });
        let points = points.collect();
        let changes = chip.take_changes();
        let frames = [0, 1].map(|number| chip.take_spi_sent(number).0);
        let other_bytes = |frames: &Vec<SpiWord>| {
            let bytes = of_frames(frames, first_levels, &changes);
            bytes.iter().filter(|byte| byte.levels & chip_select != 0).count()
        };
        let other_bytes = frames.iter().map(other_bytes).sum();
        let is_call = |(_, event): &(u64, I2cEvent)| match event {
            I2cEvent::Start { address, .. } => !displays.contains(address),
            _ => false,
        };
        let events = [0, 1].map(|number| chip.take_i2c_events(number));
        let i2c_calls = events.iter().flatten().filter(|event| is_call(event)).count();
        let console: usize = (0..2).map(|number| chip.take_sent(number).len()).sum();
        let sent = frames.iter().map(Vec::len).chain(events.iter().map(Vec::len)).sum::<usize>();
        Self { points, i2c_calls, other_bytes, sent: sent + console + changes.len() }
    }

    /// Returns the number of instructions of the chip since power-on.
    pub(crate) fn instructions(&self) -> u64 {
        self.points.last().map_or(0, |point| point.0)
    }

    /// Returns whether the program talks to another device than it does in `base`.
    fn talks_more_than(&self, base: &Self) -> bool {
        self.i2c_calls > base.i2c_calls || self.other_bytes > base.other_bytes
    }
}

/// Finds the buttons. The inputs of the mask `open` may be contacts of encoders.
pub(crate) fn find(seen: &Observation, open: u32, findings: &mut Findings) {
    let taken = findings.pins();
    let inputs = seen.mask(|pin| pin.function == SIO && !pin.is_driven && pin.reads) & !taken;
    let bus = match findings.display.as_ref().map(|display| &display.bus) {
        Some(Bus::Spi { sck, chip_select, .. }) => BusPins {
            chip_select: chip_select.as_ref().map_or(0, |signal| 1 << signal.pin),
            clock: 1 << sck.pin,
        },
        _ => BusPins::default(),
    };
    let displays: Vec<u16> = findings.displays().filter_map(Display::address).collect();
    let mut trials = Trials { seen, bus, displays: &displays, work: WORK_MAX, count: 0, open };
    let Some(base) = trials.trail(None) else { return };
    for pin in numbers(inputs) {
        let found = match seen.pins[pin].pull {
            Pull::None => trials.floating(pin),
            Pull::Up => Some(trials.pulled(pin, false, &base)),
            Pull::Down => Some(trials.pulled(pin, true, &base)),
        };
        findings.buttons.extend(found);
    }
    believe_neighbours(&mut findings.buttons);
}

/// Copies of a chip in which one input has another level.
struct Trials<'a> {
    seen: &'a Observation,
    bus: BusPins,
    displays: &'a [u16],
    /// Instructions that are left.
    work: u64,
    /// Number of inputs that have been tried.
    count: usize,
    /// Inputs that may be contacts of encoders.
    open: u32,
}

impl Trials<'_> {
    /// Returns the behaviour with a level at a pin; `None` if no work is left.
    fn trail(&mut self, level: Option<(usize, Drive)>) -> Option<Trail> {
        if self.work == 0 || self.count > INPUTS_MAX {
            return None;
        }
        let mut chip = self.seen.chip.clone();
        let began = instructions(&chip);
        if let Some((pin, level)) = level {
            chip.drive(pin, level);
        }
        let trail = Trail::of(self.seen, chip, self.bus, self.displays);
        self.work = self.work.saturating_sub((trail.instructions() - began).max(1));
        Some(trail)
    }

    /// Returns what an input with a pull of the chip is.
    fn pulled(&mut self, pin: usize, active_high: bool, base: &Trail) -> Button {
        let state = self.seen.pins[pin];
        self.count += 1;
        let pressed = if active_high { Drive::High } else { Drive::Low };
        let trail = self.trail(Some((pin, pressed)));
        let reacts = trail.as_ref().map(|trail| trail.points != base.points);
        let (pull, level) = if active_high { ("down", "high") } else { ("up", "low") };
        let input = format!("it is an input with the pull-{pull}");
        let talks = trail.is_some_and(|trail| trail.talks_more_than(base));
        let (certainty, evidence) = match (reacts, state.interrupts != 0) {
            _ if talks => (
                Certainty::Unsure,
                format!("{input}, but the program talks to another device when it is {level}"),
            ),
            // The pull-down is a pin's state after a reset, so the program need not want it.
            (Some(true), _) => (
                match active_high || self.open >> pin & 1 != 0 {
                    true => Certainty::Likely,
                    false => Certainty::Sure,
                },
                format!("{input}, and the program takes another path when it is {level}"),
            ),
            (_, true) => (Certainty::Likely, format!("{input}, and it interrupts the program")),
            _ => (Certainty::Unsure, format!("{input}; {NO_REACTION}")),
        };
        let signal = Signal { pin: pin as u8, certainty, evidence };
        Button { signal, active_high, is_pulled: true, talks }
    }

    /// Returns the button at an input without a pull of the chip, if the program reads it: the board pulls
    /// it to the level at which the program sends less.
    fn floating(&mut self, pin: usize) -> Option<Button> {
        self.count += 1;
        let low = self.trail(Some((pin, Drive::Low)))?;
        let high = self.trail(Some((pin, Drive::High)))?;
        if low.points == high.points {
            return None;
        }
        let active_high = high.sent > low.sent;
        let talks = low.talks_more_than(&high);
        let (certainty, rest) = match high.sent.cmp(&low.sent) {
            Ordering::Equal => (Certainty::Unsure, "which level is that of rest is not known"),
            Ordering::Greater => (Certainty::Likely, "it sends more when it is high"),
            Ordering::Less => (Certainty::Likely, "it sends more when it is low"),
        };
        let evidence = format!(
            "it is an input without a pull, and the program takes another path for each level; {rest}"
        );
        let signal = Signal { pin: pin as u8, certainty, evidence };
        Some(Button { signal, active_high, is_pulled: false, talks })
    }
}

/// Makes inputs with the pull-up likely if another one is a button: a screen need not read all
/// buttons.
fn believe_neighbours(buttons: &mut [Button]) {
    if !buttons.iter().any(|button| button.signal.certainty == Certainty::Sure) {
        return;
    }
    let silent =
        |button: &&mut Button| !button.active_high && button.signal.evidence.ends_with(NO_REACTION);
    for button in buttons.iter_mut().filter(silent) {
        button.signal.certainty = Certainty::Likely;
        button.signal.evidence += ", but other inputs of this kind are buttons";
    }
}

/// Returns the one of `pins` which the program waits for before it draws: that whose pulses it answers
/// with most pictures. The display's clock is on `sck`.
pub(crate) fn awaited(seen: &Observation, pins: u32, sck: usize) -> Option<usize> {
    if pins == 0 || pictures(seen, sck, None) != 0 {
        return None;
    }
    // A program may wait for several pulses before it draws, and draw only once.
    let answers = numbers(pins).map(|pin| (pictures(seen, sck, Some(pin)), pin));
    let (count, pin) = answers.max_by_key(|(count, pin)| (*count, std::cmp::Reverse(*pin)))?;
    (count != 0).then_some(pin)
}

/// Returns the number of times between two pulses on `pin` in which the program draws; at most
/// [`ANSWERED`].
fn pictures(seen: &Observation, sck: usize, pin: Option<usize>) -> usize {
    let mut chip = seen.chip.clone();
    chip.watch(1 << sck);
    let mut answered = 0;
    for _ in 0..PULSES {
        for number in 0..2 {
            chip.take_spi_sent(number);
        }
        chip.take_changes();
        let mut edges = 0;
        for slice in 0..SLICES {
            if let (Some(pin), 0 | 1) = (pin, slice) {
                chip.drive(pin, if slice == 0 { Drive::High } else { Drive::Low });
            }
            chip.run(chip.now_ns() + PULSE_NS);
            edges += chip.take_changes().len();
        }
        let frames: usize = (0..2).map(|number| chip.take_spi_sent(number).0.len()).sum();
        answered += usize::from(frames + edges / 16 >= DRAWN_MIN);
        if answered == ANSWERED {
            break;
        }
    }
    answered
}
