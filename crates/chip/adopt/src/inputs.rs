//! Buttons: inputs whose level makes the program take another path.
//!
//! The chip is deterministic, so a copy in which one pin has another level differs from the
//! original only by the program's reaction to that pin.

use rp2040_emulator::chip::{Chip, Drive};

use crate::bytes::of_frames;
use crate::finding::{Bus, Button, Certainty, Findings, Signal};
use crate::observation::{Observation, Pull, SIO, instructions, numbers};

/// Time for which a copy runs with another level, in nanoseconds.
const PRESSED_NS: u64 = 80_000_000;
/// Bound of the instructions of all copies.
const WORK_MAX: u64 = 30_000_000;
/// Largest number of inputs that are tried.
const INPUTS_MAX: usize = 20;
/// Duration of a pulse, in nanoseconds.
const PULSE_NS: u64 = 500_000;
const NO_REACTION: &str = "no reaction to it was seen";
/// Number of pulses, and of pulse durations between two pulses.
const PULSES: usize = 20;
const SLICES: usize = 32;
/// Number of pulses after which the program draws that are a reaction.
const ANSWERED: usize = 2;
/// Number of bytes on the display's bus that are a reaction to a pulse.
const DRAWN_MIN: usize = 256;

/// Behaviour of a chip for a time, by which copies are compared.
#[derive(PartialEq, Eq)]
struct Trail {
    /// Instructions and program counters at several times.
    points: Vec<(u64, u32, u32)>,
    /// Number of events on the I2C buses, and of bytes on SPI buses while the display is not
    /// selected.
    i2c_events: usize,
    other_bytes: usize,
}

impl Trail {
    /// Runs `chip` for [`PRESSED_NS`]. `chip_select` is the mask of the display's.
    fn of(mut chip: Chip, chip_select: u32) -> Self {
        const POINTS: u64 = 20;
        chip.watch(chip_select);
        let first_levels = chip.levels();
        let began = chip.now_ns();
        for number in 0..2 {
            chip.take_i2c_events(number);
            chip.take_spi_sent(number);
        }
        chip.take_changes();
        let points = (1..=POINTS).map(|point| {
            chip.run(began + PRESSED_NS * point / POINTS);
            (instructions(&chip), chip.core(0).pc(), chip.core(1).pc())
        });
        let points = points.collect();
        let changes = chip.take_changes();
        let other_bytes = |number: usize| {
            let bytes = of_frames(&chip.take_spi_sent(number).0, first_levels, &changes);
            bytes.iter().filter(|byte| byte.levels & chip_select != 0).count()
        };
        let other_bytes = (0..2).map(other_bytes).sum();
        let i2c_events = (0..2).map(|number| chip.take_i2c_events(number).len()).sum();
        Self { points, i2c_events, other_bytes }
    }

    /// Returns whether the program talks to another device than it does in `base`.
    fn talks_more_than(&self, base: &Self) -> bool {
        self.i2c_events > base.i2c_events || self.other_bytes > base.other_bytes
    }
}

/// Finds the buttons.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    let taken = findings.pins();
    let inputs = seen
        .mask(|pin| pin.function == SIO && !pin.is_driven && pin.reads && pin.pull != Pull::None)
        & !taken;
    let chip_select = match findings.display.as_ref().map(|display| &display.bus) {
        Some(Bus::Spi { chip_select: Some(signal), .. }) => 1 << signal.pin,
        _ => 0,
    };
    let chip = &seen.chip;
    let began = instructions(chip);
    let base = Trail::of(chip.clone(), chip_select);
    let cost = base.points.last().map_or(0, |point| point.0).saturating_sub(began).max(1);
    let affordable = usize::try_from(WORK_MAX / cost).unwrap_or(usize::MAX).min(INPUTS_MAX);
    for (tried, pin) in numbers(inputs).enumerate() {
        let state = seen.pins[pin];
        let active_high = state.pull == Pull::Down;
        let (mut reacts, mut talks) = (None, false);
        if tried < affordable {
            let mut pressed = chip.clone();
            pressed.drive(pin, if active_high { Drive::High } else { Drive::Low });
            let trail = Trail::of(pressed, chip_select);
            talks = trail.talks_more_than(&base);
            reacts = Some(trail.points != base.points);
        }
        let (pull, level) = if active_high { ("down", "high") } else { ("up", "low") };
        let input = format!("it is an input with the pull-{pull}");
        let (certainty, evidence) = match (reacts, state.interrupts != 0) {
            _ if talks => (
                Certainty::Unsure,
                format!("{input}, but the program talks to another device when it is {level}"),
            ),
            // The pull-down is a pin's state after a reset, so the program need not want it.
            (Some(true), _) => (
                if active_high { Certainty::Likely } else { Certainty::Sure },
                format!("{input}, and the program takes another path when it is {level}"),
            ),
            (_, true) => (Certainty::Likely, format!("{input}, and it interrupts the program")),
            _ => (Certainty::Unsure, format!("{input}; {NO_REACTION}")),
        };
        let signal = Signal { pin: pin as u8, certainty, evidence };
        findings.buttons.push(Button { signal, active_high });
    }
    believe_neighbours(&mut findings.buttons);
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

/// Returns the evidence that the program draws when `pin` is pulsed high, if it does and does not
/// without. The display's clock is on `sck`.
pub(crate) fn reaction_to_pulse(seen: &Observation, pin: usize, sck: usize) -> Option<String> {
    let is_waiting = pictures(seen, sck, None) == 0;
    // A program may wait for several pulses before it draws.
    (is_waiting && pictures(seen, sck, Some(pin)) == ANSWERED)
        .then(|| "it is an input, and the program draws when it is pulsed high".to_owned())
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
