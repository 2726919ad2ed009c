//! Key matrices: outputs that the program drives in turn while it reads inputs.
//!
//! A key connects an output with an input. In copies of the chip, one contact after the other is closed;
//! that to which the program reacts is a key. If it reacts to none, outputs that are driven in turn
//! remain, which may be a matrix, and the inputs are no sure buttons.

use rp2040_emulator::chip::{Chip, Diode, PinChange};

use crate::finding::{Certainty, Findings, Matrix};
use crate::inputs::{BusPins, Trail};
use crate::observation::{Observation, Pull, SIO, instructions, numbers};

/// Number of times that each output is driven at least.
const SCANS_MIN: u64 = 3;
/// Share of the levels, in percent, at which at most one output is driven.
const IN_TURN_PERCENT: usize = 95;
/// Largest numbers of outputs and of inputs that are tried.
const ROWS_MAX: usize = 10;
const COLUMNS_MAX: usize = 16;
/// Bound of the instructions of all copies.
const WORK_MAX: u64 = 300_000_000;

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
    let tried = Tried { seen, outputs, taken };
    if let Some(matrix) = [false, true].into_iter().find_map(|high| tried.matrix(high)) {
        let keys = matrix.read.iter().fold(0_u32, |keys, pin| keys | 1 << pin);
        findings.buttons.retain(|button| keys >> button.signal.pin & 1 == 0);
        let rows = matrix.driven.iter().fold(0_u32, |rows, pin| rows | 1 << pin);
        findings.leds.retain(|led| rows >> led.signal.pin & 1 == 0);
        findings.matrix = Some(matrix);
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
    let certainty = Certainty::Unsure;
    let (driven, read) = (pins(outputs), pins(inputs));
    findings.matrix = Some(Matrix { driven, read, active_high, certainty });
}

/// Pins among which the contacts of a matrix are tried.
struct Tried<'a> {
    seen: &'a Observation,
    outputs: u32,
    taken: u32,
}

impl Tried<'_> {
    /// Returns the matrix whose keys the program reads; `active_high` is the level of a driven output.
    fn matrix(&self, active_high: bool) -> Option<Matrix> {
        let pull = if active_high { Pull::Down } else { Pull::Up };
        let inputs = self
            .seen
            .mask(|pin| pin.function == SIO && !pin.was_driven && pin.reads && pin.pull == pull)
            & !self.taken;
        if inputs.count_ones() < 2 {
            return None;
        }
        let outputs: Vec<usize> = numbers(self.outputs).take(ROWS_MAX).collect();
        let mut work = WORK_MAX;
        let base = self.trail(&[], &mut work)?;
        let diode = |output: usize, input: usize| match active_high {
            true => Diode { anode: output, cathode: input },
            false => Diode { anode: input, cathode: output },
        };
        let rest = |output: &usize| is_mostly(self.seen, *output, !active_high);
        let mut rows: Vec<usize> = outputs.into_iter().filter(rest).collect();
        let mut read = Vec::new();
        for input in numbers(inputs).take(COLUMNS_MAX) {
            let all: Vec<Diode> = rows.iter().map(|output| diode(*output, input)).collect();
            if self.trail(&all, &mut work)? == base {
                continue;
            }
            if read.is_empty() {
                // Other outputs may change as often as the rows.
                let mut reacts = Vec::new();
                for output in rows {
                    if self.trail(&[diode(output, input)], &mut work)? != base {
                        reacts.push(output);
                    }
                }
                rows = reacts;
                if rows.len() < 2 {
                    return None;
                }
            }
            read.push(input as u8);
        }
        let driven = rows.iter().map(|pin| *pin as u8).collect();
        let certainty = Certainty::Likely;
        (read.len() >= 2).then_some(Matrix { driven, read, active_high, certainty })
    }

    /// Returns the behaviour of a copy with these contacts; `None` if no work is left.
    fn trail(&self, contacts: &[Diode], work: &mut u64) -> Option<Trail> {
        if *work == 0 {
            return None;
        }
        let mut chip: Chip = self.seen.chip.clone();
        let began = instructions(&chip);
        chip.connect(&[], contacts);
        let trail = Trail::of(self.seen, chip, BusPins::default(), &[]);
        *work = work.saturating_sub(trail.instructions().saturating_sub(began).max(1));
        Some(trail)
    }
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

/// Returns whether a pin has a level for at least half of the time until its last edge.
fn is_mostly(seen: &Observation, pin: usize, level: bool) -> bool {
    let (mut since, mut before) = (0, seen.first_levels >> pin & 1 != 0);
    let mut times = [0_u64; 2];
    for (ns, next) in seen.edges(pin) {
        times[usize::from(before == level)] += ns - since;
        (since, before) = (ns, next);
    }
    times[1] >= times[0]
}
