//! The chip select of a display on an SPI bus.

use super::{Best, Candidate, reading_of};
use crate::bytes::BusByte;
use crate::finding::{Certainty, Signal};
use crate::grammar::Command;
use crate::observation::{Observation, PinEdges, SPI, numbers};

/// Returns the reading of the bytes at which one pin is low, and that pin, if it has all commands of
/// `best` and fewer others: `best` has the bytes of other devices on the bus, too.
pub(super) fn narrowed(seen: &Observation, best: &Best, others: u32) -> Option<(Best, Signal)> {
    let Candidate { sck, mosi, chip_select: None, controller, bytes } = &best.candidate else {
        return None;
    };
    let dc = 1 << best.dc;
    let outputs =
        seen.mask(|pin| pin.is_output() && pin.falls > 0) & !(others | dc | 1 << *sck | 1 << *mosi);
    let narrow = |pin: usize| {
        let selected = bytes.iter().filter(|byte| byte.levels >> pin & 1 == 0);
        let bytes: Vec<BusByte> = selected.copied().collect();
        let (sck, mosi, controller) = (*sck, *mosi, *controller);
        let candidate = Candidate { sck, mosi, chip_select: Some(pin), controller, bytes };
        let found = reading_of(candidate, dc)?;
        let (reading, all) = (&found.reading, &best.reading);
        let is_better = reading.right.is_superset(&all.right)
            && reading.wrong <= all.wrong
            && reading.commands.len() < all.commands.len();
        is_better.then_some((pin, found))
    };
    let found = numbers(outputs).filter_map(narrow);
    let (pin, found) = found.min_by_key(|(_, found)| found.candidate.bytes.len())?;
    let falls = seen.pins[pin].falls;
    let signal = Signal {
        pin: pin as u8,
        certainty: if falls > 1 { Certainty::Sure } else { Certainty::Likely },
        evidence: format!(
            "it is low at every command of the display and high at bytes of other devices on the bus, and \
             falls {falls} times"
        ),
    };
    Some((found, signal))
}

/// Finds the pin that is low at every command, and was high before.
pub(super) fn chip_select(
    seen: &Observation,
    candidate: &Candidate,
    taken: u32,
    commands: &[Command],
) -> Option<Signal> {
    let times: Vec<u64> = commands.iter().map(|command| command.ns).collect();
    let low_at_all = |pin: usize| {
        let edges = seen.edges(pin);
        let first = seen.first_levels >> pin & 1 != 0;
        let is_low = |ns: &u64| !PinEdges::level(&edges, first, *ns);
        // Edges of the pin may not be recorded to the end.
        let recorded = edges.last().map_or(0, |(ns, _)| *ns);
        times.iter().filter(|ns| **ns <= recorded.max(times[0])).all(is_low)
    };
    let outputs = seen.mask(|pin| pin.is_output() && pin.falls > 0) & !taken;
    let mut pins: Vec<usize> = numbers(outputs).filter(|pin| low_at_all(*pin)).collect();
    pins.sort_by_key(|pin| std::cmp::Reverse(seen.pins[*pin].falls));
    if let Some(&pin) = pins.first() {
        let sure = pins.len() == 1 && seen.pins[pin].falls > 1;
        return Some(Signal {
            pin: pin as u8,
            certainty: if sure { Certainty::Sure } else { Certainty::Likely },
            evidence: format!(
                "it is low at every command of the display, and falls {} times",
                seen.pins[pin].falls
            ),
        });
    }
    let number = candidate.controller?;
    let is_of =
        |pin: &usize| pin % 4 == 1 && pin / 8 % 2 == number && seen.pins[*pin].has_been(SPI);
    let pin = (0..seen.pins.len()).find(is_of)?;
    Some(Signal {
        pin: pin as u8,
        certainty: Certainty::Likely,
        evidence: format!("it has the function SPI{number} CSn"),
    })
}
