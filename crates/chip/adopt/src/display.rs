//! The display: its bus, the roles of its pins, its controller.

mod reset;
mod select;
mod shared_bus;

use rp2040_emulator::chip::I2cEvent;

use crate::bytes::{self, BusByte};
use crate::finding::{Bus, Certainty, Display, Findings, Geometry, Signal};
use crate::grammar::{self, Command, Reading};
use crate::inputs::awaited;
use crate::observation::{I2C, Observation, Pull, SIO, SPI, numbers};
use crate::panel;

/// Number of changes of pins among which a bus is searched.
const SEARCHED: usize = 60_000;
/// Number of rising edges that a clock has at least.
const CLOCK_EDGES: u64 = 64;
/// Score of a reading from which D/C is sure.
const SURE_SCORE: usize = 6;
/// Tearing effect line on (MIPI DCS).
const TEON: u8 = 0x35;
/// Addresses of displays with pages on an I2C bus.
const DISPLAY_ADDRESSES: [u16; 2] = [0x3C, 0x3D];

/// A serial bus that may be a display's.
struct Candidate {
    sck: usize,
    mosi: usize,
    /// Pin of chip select that separates the bits of this bus, if it is one.
    chip_select: Option<usize>,
    /// SPI controller, if its frames are the bytes.
    controller: Option<usize>,
    bytes: Vec<BusByte>,
}

impl Candidate {
    /// Returns all bytes of the observation; those of edges are only the first ones otherwise.
    fn all_bytes(&self, seen: &Observation) -> Vec<BusByte> {
        if self.controller.is_some() {
            return self.bytes.clone();
        }
        let chip_select = self.chip_select.map_or(0, |pin| 1 << pin);
        let masks = (1 << self.sck, 1 << self.mosi, chip_select);
        bytes::of_edges(masks, seen.first_levels, &seen.changes)
    }
}

/// The best reading of all buses.
struct Best {
    candidate: Candidate,
    dc: usize,
    reading: Reading,
    /// Number of other pins with the same score.
    ties: usize,
}

/// Bus at which a display is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedBus {
    /// An SPI bus or, if there is none with a display, an I2C bus.
    Any,
    /// An SPI bus whose D/C and chip select are none of the pins in the mask.
    Spi {
        taken: u32,
    },
    I2c,
}

/// Maximum number of displays.
const DISPLAYS_MAX: usize = 4;

/// Finds the displays: one on an SPI bus, others at other wires of SPI buses or with a chip select of
/// their own, and those on I2C buses.
pub(crate) fn find(seen: &Observation, findings: &mut Findings) {
    let Some(first) = find_at(seen, WantedBus::Any) else { return };
    let is_spi = matches!(first.bus, Bus::Spi { .. });
    let mut found = shared_bus::separated(seen, first);
    while is_spi && found.len() < DISPLAYS_MAX {
        let of_selects = found.iter().fold(0, |taken, display| taken | selects(display));
        let Some(other) = find_on_spi(seen, of_selects) else { break };
        // The bytes of one display read as those of another are no second one.
        if !is_separate(&other, &found) {
            break;
        }
        found.push(other);
    }
    let on_i2c = all_on_i2c(seen).into_iter().skip(usize::from(!is_spi));
    found.extend(on_i2c);
    found.truncate(DISPLAYS_MAX);
    let mut found = found.into_iter();
    findings.display = found.next();
    findings.more_displays = found.collect();
}

/// Returns D/C and chip select of a display on an SPI bus, as a mask.
fn selects(display: &Display) -> u32 {
    match &display.bus {
        Bus::Spi { dc, chip_select, .. } => {
            chip_select.iter().fold(1 << dc.pin, |pins, signal| pins | 1 << signal.pin)
        }
        Bus::I2c { .. } => 0,
    }
}

/// Returns whether the D/C of a display is sure, and it has a clock or a chip select that the others do
/// not have.
fn is_separate(display: &Display, others: &[Display]) -> bool {
    let Bus::Spi { sck, chip_select, dc, .. } = &display.bus else { return false };
    let is_other = |other: &Display| match &other.bus {
        Bus::Spi { sck: other_clock, chip_select: other_select, .. } => {
            let select = |signal: &Option<Signal>| signal.as_ref().map(|signal| signal.pin);
            let has_own = select(chip_select).is_some_and(|pin| select(other_select) != Some(pin));
            sck.pin != other_clock.pin || has_own && other_select.is_some()
        }
        Bus::I2c { .. } => true,
    };
    dc.certainty == Certainty::Sure && others.iter().all(is_other)
}

/// Finds the display at a bus.
pub(crate) fn find_at(seen: &Observation, bus: WantedBus) -> Option<Display> {
    match bus {
        WantedBus::Any => find_on_spi(seen, 0).or_else(|| find_on_i2c(seen)),
        WantedBus::Spi { taken } => find_on_spi(seen, taken),
        WantedBus::I2c => find_on_i2c(seen),
    }
}

/// Finds a display on an SPI bus. D/C and chip select are none of the pins `others`.
fn find_on_spi(seen: &Observation, others: u32) -> Option<Display> {
    let best = best_reading(seen, of_controllers(seen), others)
        .or_else(|| best_reading(seen, of_edges(seen), others))?;
    Some(match select::narrowed(seen, &best, others) {
        Some((best, chip_select)) => display_of(seen, best, others, Some(chip_select)),
        None => display_of(seen, best, others, None),
    })
}

/// Returns the display of a reading. Without a `selected` pin, chip select is none of the pins `others`.
fn display_of(seen: &Observation, best: Best, others: u32, selected: Option<Signal>) -> Display {
    let Best { candidate, dc, reading, ties } = best;
    let commands = &reading.commands;
    let first_ns = commands.first().map_or(0, |command| command.ns);
    let known: Vec<String> = reading.right.iter().map(|code| format!("{code:02X}")).collect();
    let is_sure = ties == 0 && reading.wrong == 0 && reading.score() >= SURE_SCORE;
    let dc = Signal {
        pin: dc as u8,
        certainty: if is_sure { Certainty::Sure } else { Certainty::Likely },
        evidence: if reading.has_pages {
            "it is low during commands of controllers with pages: AE, AF, A8, DA".to_owned()
        } else {
            format!(
                "it is low during the commands {} and high during their arguments",
                known.join(" ")
            )
        },
    };
    let source = match candidate.controller {
        Some(number) => format!("SPI{number}"),
        None => "edges of the pins".to_owned(),
    };
    let bus_certainty = dc.certainty;
    let signal = |pin: usize, evidence: String| Signal {
        pin: pin as u8,
        certainty: bus_certainty,
        evidence,
    };
    let sck = signal(candidate.sck, format!("it clocks the display's bytes, from {source}"));
    let mosi = signal(candidate.mosi, format!("it carries the display's bytes, from {source}"));
    let bus_pins = 1 << sck.pin | 1 << mosi.pin | 1 << dc.pin;
    let chip_select =
        selected.or_else(|| select::chip_select(seen, &candidate, bus_pins | others, commands));
    let miso = candidate.controller.and_then(|number| miso(seen, number));
    let taken = [&chip_select, &miso].into_iter().flatten();
    let taken = taken.fold(bus_pins, |pins, signal| pins | 1 << signal.pin);
    let (panel, geometry) = if reading.has_pages {
        (panel::controller_with_pages(commands), Geometry::default())
    } else {
        let all = grammar::read_all(&candidate.all_bytes(seen), 1 << dc.pin);
        let geometry = panel::geometry(&all.commands);
        (panel::with_glass(&geometry, panel::controller(commands)), geometry)
    };
    let mut display = Display {
        bus: Bus::Spi { sck, mosi, miso, chip_select, dc },
        panel,
        geometry,
        reset: None,
        backlight: None,
        candidates: Vec::new(),
        tearing_effect: None,
        wants_tearing_effect: commands.iter().any(|command| command.code == TEON),
    };
    reset::find(seen, &mut display, taken, first_ns);
    display
}

/// Returns the buses of the SPI controllers that have sent frames.
fn of_controllers(seen: &Observation) -> Vec<Candidate> {
    let pin_of = |number: usize, role: usize| {
        let is_of =
            |pin: &usize| pin % 4 == role && pin / 8 % 2 == number && seen.pins[*pin].has_been(SPI);
        (0..seen.pins.len()).find(is_of)
    };
    let controllers = (0..2).filter(|number| !seen.frames[*number].is_empty());
    let candidates = controllers.filter_map(|number| {
        let bytes = bytes::of_frames(&seen.frames[number], seen.first_levels, &seen.changes);
        let (sck, mosi) = (pin_of(number, 2)?, pin_of(number, 3)?);
        Some(Candidate { sck, mosi, chip_select: None, controller: Some(number), bytes })
    });
    candidates.collect()
}

/// Returns the buses that the edges of outputs can be.
fn of_edges(seen: &Observation) -> Vec<Candidate> {
    let outputs = seen.mask(|pin| pin.is_output());
    let mut clocks: Vec<usize> =
        numbers(outputs).filter(|pin| seen.pins[*pin].rises >= CLOCK_EDGES).collect();
    clocks.sort_by_key(|pin| std::cmp::Reverse(seen.pins[*pin].rises));
    clocks.truncate(3);
    let changes = &seen.changes[..seen.changes.len().min(SEARCHED)];
    let mut candidates = Vec::new();
    for &sck in &clocks {
        let others = numbers(outputs & !(1 << sck));
        let mut data: Vec<usize> = others
            .filter(|pin| (8..=2 * seen.pins[sck].rises).contains(&seen.pins[*pin].rises))
            .collect();
        data.sort_by_key(|pin| std::cmp::Reverse(seen.pins[*pin].rises));
        data.truncate(3);
        for &mosi in &data {
            let selects = numbers(outputs & !(1 << sck | 1 << mosi)).filter(|pin| {
                seen.pins[*pin].falls > 0 && seen.pins[*pin].falls < seen.pins[sck].rises / 8
            });
            for chip_select in selects.take(6).map(Some).chain([None]) {
                let masks = (1 << sck, 1 << mosi, chip_select.map_or(0, |pin| 1 << pin));
                let bytes = bytes::of_edges(masks, seen.first_levels, changes);
                candidates.push(Candidate { sck, mosi, chip_select, controller: None, bytes });
            }
        }
    }
    candidates
}

/// Returns the reading with the highest score. Of equal ones, one with a chip select wins.
fn best_reading(seen: &Observation, candidates: Vec<Candidate>, others: u32) -> Option<Best> {
    let outputs = seen.mask(|pin| pin.is_output() && pin.rises > 0) & !others;
    let mut best: Option<Best> = None;
    for candidate in candidates {
        let Some(found) = reading_of(candidate, outputs) else { continue };
        if best.as_ref().is_none_or(|best| best.reading.score() < found.reading.score()) {
            best = Some(found);
        }
    }
    best
}

/// Returns the reading with the highest score of a bus whose D/C is one of the pins `outputs`.
fn reading_of(candidate: Candidate, outputs: u32) -> Option<Best> {
    let bus = 1 << candidate.sck | 1 << candidate.mosi;
    let bus = candidate.chip_select.map_or(bus, |pin| bus | 1 << pin);
    let mut readings: Vec<(usize, Reading)> = numbers(outputs & !bus)
        .map(|dc| (dc, grammar::read(&candidate.bytes, 1 << dc)))
        .filter(|(_, reading)| reading.score() > 0)
        .collect();
    readings.sort_by_key(|(_, reading)| std::cmp::Reverse(reading.score()));
    let mut readings = readings.into_iter();
    let (dc, reading) = readings.next()?;
    let ties = readings.filter(|(_, other)| other.score() == reading.score()).count();
    Some(Best { candidate, dc, reading, ties })
}

/// Finds the receiver of an SPI controller.
fn miso(seen: &Observation, number: usize) -> Option<Signal> {
    let is_of = |pin: &usize| {
        pin.is_multiple_of(4) && pin / 8 % 2 == number && seen.pins[*pin].function == SPI
    };
    let pin = (0..seen.pins.len()).find(is_of)?;
    Some(Signal {
        pin: pin as u8,
        certainty: Certainty::Likely,
        evidence: format!("it has the function SPI{number} RX"),
    })
}

/// Finds a display on an I2C bus.
fn find_on_i2c(seen: &Observation) -> Option<Display> {
    all_on_i2c(seen).into_iter().next()
}

/// Finds the displays on I2C buses: their addresses get the commands of a controller with pages.
fn all_on_i2c(seen: &Observation) -> Vec<Display> {
    let mut found = Vec::new();
    for (number, events) in seen.i2c.iter().enumerate() {
        for address in DISPLAY_ADDRESSES {
            let (commands, data) = messages(events, address);
            let has = |code: u8| commands.iter().any(|command| command.code == code);
            if !(has(0xAE) || has(0xAF)) || !has(0xA8) || data == 0 {
                continue;
            }
            let pin_of = |wire: usize| {
                let is_of =
                    |pin: &usize| pin % 4 == 2 * number + wire && seen.pins[*pin].function == I2C;
                (0..seen.pins.len()).find(is_of)
            };
            let (Some(sda), Some(scl)) = (pin_of(0), pin_of(1)) else { continue };
            let signal = |pin: usize, wire: &str| Signal {
                pin: pin as u8,
                certainty: Certainty::Sure,
                evidence: format!(
                    "it has the function I2C{number} {wire}, and the program writes to 0x{address:02X}"
                ),
            };
            found.push(Display {
                bus: Bus::I2c { sda: signal(sda, "SDA"), scl: signal(scl, "SCL"), address },
                panel: panel::controller_with_pages(&commands),
                geometry: Geometry { size: size_by_ratio(events, address), ..Geometry::default() },
                reset: None,
                backlight: None,
                candidates: Vec::new(),
                tearing_effect: None,
                wants_tearing_effect: false,
            });
        }
    }
    found
}

/// Returns the bytes after a control byte for commands that an address gets, and the number of
/// bytes after a control byte for data (SSD1306 datasheet, 8.1.5.2).
fn messages(events: &[(u64, I2cEvent)], address: u16) -> (Vec<Command>, usize) {
    let (mut commands, mut data) = (Vec::new(), 0);
    // Whether the address is selected, and the control byte.
    let (mut selected, mut control) = (false, None);
    for (ns, event) in events {
        match event {
            I2cEvent::Start { address: other, reading, .. } => {
                (selected, control) = (*other == address && !reading, None);
            }
            I2cEvent::Written { byte, .. } if selected => match control {
                None => control = Some(*byte),
                Some(kind) if kind & 0x40 != 0 => data += 1,
                Some(kind) => {
                    commands.push(Command {
                        ns: *ns,
                        code: *byte,
                        arguments: Vec::new(),
                        count: 0,
                    });
                    // With the continuation bit each byte has its own control byte.
                    if kind & 0x80 != 0 {
                        control = None;
                    }
                }
            },
            _ => {}
        }
    }
    (commands, data)
}

/// Returns the size by the multiplex ratio, the byte after A8.
fn size_by_ratio(events: &[(u64, I2cEvent)], address: u16) -> Option<(u16, u16)> {
    let (commands, _) = messages(events, address);
    let ratio = commands.windows(2).find(|pair| pair[0].code == 0xA8)?[1].code;
    Some((128, u16::from(ratio) + 1)).filter(|(_, rows)| (16..=64).contains(rows))
}

/// Time for which the chip runs with pulses of TE before its inputs are tried, in nanoseconds.
const PULSED_NS: u64 = 200_000_000;

/// Finds TE: an input whose pulse makes the program draw, if the program switches that line on. From
/// then on it pulses.
pub(crate) fn find_tearing_effect(seen: &mut Observation, findings: &mut Findings) {
    let taken = findings.pins();
    let Some(display) = &mut findings.display else { return };
    let Bus::Spi { sck, .. } = &display.bus else { return };
    if !display.wants_tearing_effect {
        return;
    }
    let sck = usize::from(sck.pin);
    let inputs = seen
        .mask(|pin| pin.function == SIO && !pin.was_driven && pin.reads && pin.pull != Pull::Up)
        & !taken;
    let Some(pin) = awaited(seen, inputs, sck) else { return };
    display.tearing_effect = Some(Signal {
        pin: pin as u8,
        certainty: Certainty::Likely,
        evidence: "it is an input, and the program draws when it is pulsed high".to_owned(),
    });
    seen.tearing_effect = Some(pin);
    let mut chip = seen.chip.clone();
    chip.watch(0);
    seen.advance(&mut chip, PULSED_NS);
    seen.chip = chip;
}
