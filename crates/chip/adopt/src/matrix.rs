//! Key matrices: outputs that the program drives in turn while it reads inputs.
//!
//! A key connects an output with an input, so an input that is always at the level of a scan looks
//! like pressed keys. Inputs of a program that scans are therefore no sure buttons.

use rp2040_emulator::chip::PinChange;

use crate::finding::{Certainty, Findings, Matrix};
use crate::observation::{Observation, Pull, SIO, numbers};

/// Number of times that each output is driven at least.
const SCANS_MIN: u64 = 3;
/// Share of the levels, in percent, at which at most one output is driven.
const IN_TURN_PERCENT: usize = 95;

/// Finds a matrix. Buttons among its inputs become unsure.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    let buttons = findings.buttons.iter().fold(0_u32, |pins, button| pins | 1 << button.signal.pin);
    // LEDs are unsure outputs, too.
    let leds = findings.leds.iter().fold(0_u32, |pins, led| pins | 1 << led.signal.pin);
    let taken = findings.pins() & !buttons & !leds;
    let outputs = seen.mask(|pin| {
        pin.has_been(SIO) && pin.was_driven && pin.rises >= SCANS_MIN && pin.falls >= SCANS_MIN
    }) & !taken;
    if outputs.count_ones() < 2 {
        return;
    }
    let (low, high) = (driven_in_turn(seen, outputs, false), driven_in_turn(seen, outputs, true));
    if !low && !high {
        return;
    }
    let active_high = !low;
    let pull = if active_high { Pull::Down } else { Pull::Up };
    let inputs = seen
        .mask(|pin| pin.function == SIO && !pin.was_driven && pin.reads && pin.pull == pull)
        & !taken;
    if inputs.count_ones() < 2 {
        return;
    }
    let pins = |mask: u32| numbers(mask).map(|pin| pin as u8).collect::<Vec<u8>>();
    for button in &mut findings.buttons {
        if inputs >> button.signal.pin & 1 != 0 {
            button.signal.certainty = Certainty::Unsure;
            button.signal.evidence +=
                ", but the program scans a matrix, of which it may be an input";
        }
    }
    findings.leds.retain(|led| outputs >> led.signal.pin & 1 == 0);
    findings.matrix = Some(Matrix { driven: pins(outputs), read: pins(inputs), active_high });
}

/// Returns whether at most one of `outputs` has the level `active` at almost all times.
fn driven_in_turn(seen: &Observation, outputs: u32, active: bool) -> bool {
    let mut before = seen.first_levels & outputs;
    let (mut all, mut in_turn) = (0, 0);
    for PinChange { levels, .. } in &seen.changes {
        let levels = levels & outputs;
        if levels != before {
            let driven = if active { levels } else { outputs & !levels };
            all += 1;
            in_turn += usize::from(driven.count_ones() <= 1);
            before = levels;
        }
    }
    all != 0 && in_turn * 100 >= all * IN_TURN_PERCENT
}
