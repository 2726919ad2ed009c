//! Displays on one SPI bus, distinguished by their chip selects. They may have one D/C.
//!
//! The bytes of the bus are divided by pins of which at most one is low at a time. A part is a display
//! if it reads as the commands of one without an error, so memories on the bus are none.

use std::collections::BTreeSet;

use super::{Candidate, DISPLAYS_MAX, SURE_SCORE, display_of, numbers, of_controllers, reading_of};
use crate::bytes::{self, BusByte};
use crate::finding::{Bus, Certainty, Display, Signal};
use crate::observation::Observation;

/// Number of pins among which the chip selects are: those that change most.
const SELECTS_MAX: usize = 8;

/// Returns the displays on the bus of `first`, in the order of their first commands; `first` alone if
/// no chip selects distinguish several.
pub(super) fn separated(seen: &Observation, first: Display) -> Vec<Display> {
    let Bus::Spi { sck, mosi, .. } = &first.bus else { return vec![first] };
    let (sck, mosi) = (usize::from(sck.pin), usize::from(mosi.pin));
    let Some((controller, bytes)) = bytes_of(seen, sck, mosi) else { return vec![first] };
    let pins = candidates(seen, 1 << sck | 1 << mosi);
    let all = pins.iter().fold(0, |all, pin| all | 1 << pin);
    // The levels that occur: a few, however many bytes there are.
    let levels: BTreeSet<u32> = bytes.iter().map(|byte| !byte.levels & all).collect();
    let mut best: Vec<(u64, Display)> = Vec::new();
    for set in sets(&pins, &levels) {
        let outputs = seen.mask(|pin| pin.is_output() && pin.rises > 0) & !set;
        let display = |select: usize| {
            let bytes = bytes.iter().filter(|byte| byte.levels >> select & 1 == 0);
            let bytes: Vec<BusByte> = bytes.copied().collect();
            let chip_select = Some(select);
            let candidate = Candidate { sck, mosi, chip_select, controller, bytes };
            let found = reading_of(candidate, outputs)?;
            let reading = &found.reading;
            if found.ties > 0 || reading.wrong > 0 || reading.score() < SURE_SCORE {
                return None;
            }
            let first_ns = reading.commands.first().map_or(0, |command| command.ns);
            let falls = seen.pins[select].falls;
            let selected = Signal {
                pin: select as u8,
                certainty: Certainty::Sure,
                evidence: format!(
                    "it is low at every command of this display and high at those of the others on the \
                     bus, and falls {falls} times"
                ),
            };
            Some((first_ns, display_of(seen, found, set, Some(selected))))
        };
        let displays: Vec<_> = numbers(set).filter_map(display).collect();
        if displays.len() > best.len().max(1) {
            best = displays;
        }
    }
    if best.is_empty() {
        return vec![first];
    }
    best.sort_by_key(|(first_ns, _)| *first_ns);
    best.into_iter().map(|(_, display)| display).collect()
}

/// Returns all bytes on a bus, and the SPI controller that sends them, if it is one. After the last
/// recorded change of a pin the levels are not known.
fn bytes_of(seen: &Observation, sck: usize, mosi: usize) -> Option<(Option<usize>, Vec<BusByte>)> {
    let last_ns = seen.changes.last()?.ns;
    let mut of_controllers = of_controllers(seen).into_iter();
    match of_controllers.find(|bus| (bus.sck, bus.mosi) == (sck, mosi)) {
        Some(Candidate { controller, mut bytes, .. }) => {
            bytes.retain(|byte| byte.ns <= last_ns);
            Some((controller, bytes))
        }
        None => {
            let masks = (1 << sck, 1 << mosi, 0);
            Some((None, bytes::of_edges(masks, seen.first_levels, &seen.changes)))
        }
    }
}

/// Returns the pins that may be chip selects: the outputs that change most often, without those of
/// the bus.
fn candidates(seen: &Observation, bus: u32) -> Vec<usize> {
    let outputs = seen.mask(|pin| pin.is_output() && pin.falls > 0) & !bus;
    let mut pins: Vec<usize> = numbers(outputs).collect();
    pins.sort_by_key(|pin| std::cmp::Reverse(seen.pins[*pin].falls));
    pins.truncate(SELECTS_MAX);
    pins
}

/// Returns the sets of two or more of `pins` of which at most one is low at each byte, and each at some
/// bytes. `levels` are the masks of the pins that are low.
fn sets(pins: &[usize], levels: &BTreeSet<u32>) -> Vec<u32> {
    let low = levels.iter().fold(0, |all, low| all | low);
    let is_separate = |set: &u32| {
        low & set == *set && levels.iter().all(|levels| (levels & set).count_ones() <= 1)
    };
    let subsets = 1_u32..1 << pins.len();
    let of = |subset: u32| {
        let chosen = pins.iter().enumerate().filter(move |(at, _)| subset >> at & 1 != 0);
        chosen.fold(0, |set, (_, pin)| set | 1 << pin)
    };
    subsets
        .filter(|subset| (2..=DISPLAYS_MAX as u32).contains(&subset.count_ones()))
        .map(of)
        .filter(is_separate)
        .collect()
}
