//! The reset and the backlight of a display: outputs that change rarely.

use crate::finding::{Certainty, Display, Signal};
use crate::observation::{Observation, PWM, SIO, numbers};

/// Shortest pulse that resets a controller, in nanoseconds (ILI9341 datasheet, 15.4: 10 µs).
const RESET_NS: u64 = 10_000;
const PWM_CH0_CSR: u32 = 0x4005_0000; // RP2040 datasheet 4.5.3
const PWM_CHANNEL: u32 = 0x14;
const PWM_CSR_EN: u32 = 1;
const EARLY: &str = "it rises once before the first command of the display";
const LATE: &str = "it rises once after the first command of the display";
const STEADY: &str = "a PWM wave of constant frequency is on it";

/// Finds both among the outputs but `taken`. `first_ns` is the time of the first command.
pub(super) fn find(seen: &Observation, display: &mut Display, taken: u32, first_ns: u64) {
    let quiet = seen.mask(|pin| pin.is_output() && pin.function == SIO) & !taken;
    let edges: Vec<(usize, Vec<(u64, bool)>)> =
        numbers(quiet).map(|pin| (pin, seen.edges(pin))).collect();
    // High, low, high before the first command, and high since.
    let mut resets = Vec::new();
    for (pin, edges) in &edges {
        let before: Vec<_> = edges.iter().filter(|(ns, _)| *ns < first_ns).collect();
        let pulse = before.windows(2).rev().find_map(|pair| match pair {
            [(fell, false), (rose, true)] => Some(rose - fell),
            _ => None,
        });
        if let (Some(pulse), Some((last, true))) = (pulse, edges.last())
            && *last < first_ns
            && pulse >= RESET_NS
        {
            resets.push((*pin, pulse));
        }
    }
    if let [(pin, pulse)] = resets[..] {
        display.reset = Some(Signal {
            pin: pin as u8,
            certainty: Certainty::Sure,
            evidence: format!(
                "it is low for {} µs before the first command, and high from then on",
                pulse / 1_000
            ),
        });
    }
    // Low at first and high once: a reset, a backlight, or the power of something.
    let reset = display.reset.as_ref().map_or(0, |signal| 1 << signal.pin);
    let rises_once = edges.iter().filter(|(pin, _)| reset >> pin & 1 == 0).filter_map(
        |(pin, edges)| match edges[..] {
            [(rose, true)] => Some((*pin, rose)),
            _ => None,
        },
    );
    let (early, late): (Vec<_>, Vec<_>) = rises_once.partition(|(_, rose)| *rose < first_ns);
    // Others of several may be chip selects, which rise as soon as they are outputs.
    let is_pulse = |(pin, rose): &(usize, u64)| {
        let since = seen.functions.iter().rev().find(|change| {
            usize::from(change.pin) == *pin && change.function == SIO && change.ns <= *rose
        });
        early.len() == 1 || since.is_none_or(|change| rose - change.ns >= RESET_NS)
    };
    let early: Vec<_> = early.iter().copied().filter(is_pulse).collect();
    let early = early.into_iter().map(|(pin, _)| (pin, EARLY));
    let late = late.into_iter().map(|(pin, _)| (pin, LATE));
    let dimmed = backlights_by_pwm(seen, taken).into_iter().map(|pin| (pin, STEADY));
    // Without a pulse for the reset, a pin that rises before the first command is it.
    let (resets, mut backlights) = match display.reset {
        Some(_) => (Vec::new(), early.collect::<Vec<_>>()),
        None => (early.collect(), Vec::new()),
    };
    backlights.extend(late.chain(dimmed));
    let Display { reset, backlight, candidates, .. } = display;
    choose("rst", &resets, reset, candidates);
    choose("backlight", &backlights, backlight, candidates);
}

/// Makes the only one of `pins` the likely signal `found`, or several ones unsure candidates.
fn choose(
    key: &'static str,
    pins: &[(usize, &str)],
    found: &mut Option<Signal>,
    candidates: &mut Vec<(&'static str, Signal)>,
) {
    let signal = |(pin, evidence): &(usize, &str), certainty: Certainty| Signal {
        pin: *pin as u8,
        certainty,
        evidence: (*evidence).to_owned(),
    };
    match pins {
        [only] => *found = Some(signal(only, Certainty::Likely)),
        several => {
            candidates.extend(several.iter().map(|pin| (key, signal(pin, Certainty::Unsure))));
        }
    }
}

/// Returns the pins whose PWM wave has one frequency for at least half of the observation. A slice
/// that has stopped at a high level makes no wave.
fn backlights_by_pwm(seen: &Observation, taken: u32) -> Vec<usize> {
    let pins = seen.mask(|pin| pin.function == PWM) & !taken;
    let is_steady = |pin: &usize| {
        let mut chip = seen.chip.clone();
        let waves =
            seen.waves.iter().filter(|wave| (wave.slice, wave.channel) == (pin / 2 % 8, pin % 2));
        let (count, last) = waves.fold((0, 0), |(count, _), wave| (count + 1, wave.ns));
        let is_high = chip.pwm_levels() >> (pin % 16) & 1 != 0;
        let is_on = chip.square_wave(pin / 2 % 8, pin % 2).is_some() || is_high;
        let control = chip.peek(0, PWM_CH0_CSR + PWM_CHANNEL * (*pin as u32 / 2 % 8));
        let runs = control.unwrap_or_default() & PWM_CSR_EN != 0;
        is_on && runs && count <= 8 && last < seen.ended_ns / 2
    };
    numbers(pins).filter(is_steady).collect()
}
