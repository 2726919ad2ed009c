//! Rotary encoders: two inputs whose order of edges the program reads.
//!
//! Copies of the chip run while two contacts are closed and opened in turn, as an encoder does it. What
//! they send to the display, to other devices and on the console is compared: an encoder turned one way
//! differs from one turned the other way, and its second contact alone has no effect.

use std::collections::BTreeMap;

use rp2040_emulator::chip::{Drive, I2cEvent};

use crate::finding::{Certainty, Encoder, Findings, Signal};
use crate::observation::{Observation, Pull, SIO, instructions, numbers};

/// Time between two edges of an encoder that a person turns, in nanoseconds.
const EDGE_NS: u64 = 6_000_000;
/// Number of detents, of four edges each, and the time after them.
const DETENTS: usize = 2;
const AFTER_NS: u64 = 60_000_000;
/// Bound of the instructions of all copies.
const WORK_MAX: u64 = 200_000_000;
/// Largest number of inputs among which encoders are.
const INPUTS_MAX: usize = 12;

/// Largest number of pairs that may be encoders.
const OPEN_MAX: usize = 2;

/// State of two contacts: whether each is closed.
type Contacts = [bool; 2];

/// The first contact leads, it is the only one, and no edge.
const BOTH: [Contacts; 4] = [[true, false], [true, true], [false, true], [false, false]];
const FIRST: [Contacts; 4] = [[true, false], [true, false], [false, false], [false, false]];
const NEITHER: [Contacts; 4] = [[false, false]; 4];

/// Words and bytes that a program sends, for a comparison.
#[derive(Clone, PartialEq, Eq)]
struct Sent {
    frames: [Vec<u16>; 2],
    i2c: [Vec<u8>; 2],
    console: [Vec<u8>; 2],
    /// Number of edges on the clock of a display whose bytes no controller sends.
    edges: usize,
}

/// Use of two inputs.
enum Use {
    Encoder,
    /// An encoder whose program reads B at edges of A, or a button and another one that changes its
    /// meaning.
    Open,
    Other,
}

/// Copies of a chip, and the work that is left for them.
struct Trials<'a> {
    seen: &'a Observation,
    /// Pin of the clock of a display, as a mask.
    clock: u32,
    work: u64,
    /// What has been sent, by the pins and the changes of their contacts.
    known: BTreeMap<([usize; 2], [Contacts; 4]), Sent>,
}

impl Trials<'_> {
    /// Returns what the program sends while the contacts at `pins` change; `None` if no work is left.
    fn sent(&mut self, pins: [usize; 2], contacts: [Contacts; 4]) -> Option<Sent> {
        if let Some(sent) = self.known.get(&(pins, contacts)) {
            return Some(sent.clone());
        }
        if self.work == 0 {
            return None;
        }
        let mut chip = self.seen.chip.clone();
        let began = instructions(&chip);
        chip.watch(self.clock);
        chip.take_changes();
        for number in 0..2 {
            chip.take_spi_sent(number);
            chip.take_i2c_events(number);
            chip.take_sent(number);
        }
        // One contact alone is closed for longer, so that a button with any debouncing acts; all copies run
        // for the same time.
        let (detents, edge_ns) = match contacts {
            FIRST => (1, DETENTS as u64 * EDGE_NS),
            _ => (DETENTS, EDGE_NS),
        };
        for _ in 0..detents {
            for closed in contacts {
                // Of the same pin twice, the first contact counts.
                for (pin, is_closed) in pins.into_iter().zip(closed).rev() {
                    chip.drive(pin, if is_closed { Drive::Low } else { Drive::High });
                }
                self.seen.advance(&mut chip, edge_ns);
            }
        }
        self.seen.advance(&mut chip, AFTER_NS);
        self.work = self.work.saturating_sub((instructions(&chip) - began).max(1));
        let bytes = |(_, event)| match event {
            I2cEvent::Written { byte, .. } => Some(byte),
            _ => None,
        };
        let sent = Sent {
            frames: [0, 1].map(|number| {
                chip.take_spi_sent(number).0.into_iter().map(|frame| frame.word).collect()
            }),
            i2c: [0, 1]
                .map(|number| chip.take_i2c_events(number).into_iter().filter_map(bytes).collect()),
            console: [0, 1]
                .map(|number| chip.take_sent(number).into_iter().map(|(_, byte)| byte).collect()),
            edges: chip.take_changes().len(),
        };
        self.known.insert((pins, contacts), sent.clone());
        Some(sent)
    }

    /// Returns whether the contact at `pin` has an effect without any other.
    fn acts_alone(&mut self, pin: usize, rest: &Sent) -> Option<bool> {
        Some(self.sent([pin, pin], FIRST)? != *rest)
    }

    /// Returns the use of two inputs; `None` if no work is left. `rest` is sent without an edge.
    fn use_of(&mut self, [a, b]: [usize; 2], rest: &Sent) -> Option<Use> {
        if self.acts_alone(b, rest)? {
            return Some(Use::Other);
        }
        let forwards = self.sent([a, b], BOTH)?;
        if forwards == *rest {
            return Some(Use::Other);
        }
        let backwards = self.sent([b, a], BOTH)?;
        if forwards == backwards {
            return Some(Use::Other);
        }
        let is_alone = self.acts_alone(a, rest)?;
        Some(match (is_alone, backwards == *rest) {
            (false, _) => Use::Encoder,
            (true, false) => Use::Open,
            // A button that another one disables.
            (true, true) => Use::Other,
        })
    }
}

/// Finds the encoders, before any other use of inputs. Returns the mask of inputs that may be contacts of
/// encoders, or buttons.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) -> u32 {
    let inputs = seen
        .mask(|pin| pin.function == SIO && !pin.was_driven && pin.reads && pin.pull == Pull::Up)
        & !findings.pins();
    if inputs.count_ones() < 2 {
        return 0;
    }
    let clock = findings.display.as_ref().map_or(0, |display| display.clock());
    let known = BTreeMap::new();
    let mut trials = Trials { seen, clock, work: WORK_MAX, known };
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for a in numbers(inputs).take(INPUTS_MAX) {
        pairs.extend(numbers(inputs).take(INPUTS_MAX).filter(|b| *b != a).map(|b| [a, b]));
    }
    // Contacts of an encoder are mostly at neighbouring pins.
    pairs.sort_by_key(|[a, b]| (a.abs_diff(*b), a > b, *a));
    let Some(rest) = trials.sent(pairs[0], NEITHER) else { return 0 };
    let mut taken = 0_u32;
    let mut open: Vec<[usize; 2]> = Vec::new();
    for pins in pairs {
        let mask = 1 << pins[0] | 1 << pins[1];
        if taken & mask != 0 {
            continue;
        }
        match trials.use_of(pins, &rest) {
            Some(Use::Encoder) => taken |= mask,
            Some(Use::Open) => {
                open.push(pins);
                continue;
            }
            Some(Use::Other) => continue,
            None => break,
        }
        let [a, b] = pins.map(|pin| Signal {
            pin: pin as u8,
            certainty: Certainty::Likely,
            evidence: format!(
                "GP{} and GP{} are inputs with the pull-up; the program sends one thing if they go low in \
                 this order and another if in the other, and nothing if GP{} alone does",
                pins[0], pins[1], pins[1]
            ),
        });
        findings.encoders.push(Encoder { a, b });
    }
    // Many such pairs are buttons that change each other's meaning.
    if open.len() > OPEN_MAX {
        return 0;
    }
    open.iter().fold(0, |pins, [a, b]| pins | 1 << a | 1 << b) & !taken
}
