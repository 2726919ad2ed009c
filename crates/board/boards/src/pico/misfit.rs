//! A program that is made for another board: the first failure names the difference, and the replay
//! stops there.
//!
//! A program that uses the board's pins is never analysed. The analysis (`adopt`) runs only if the
//! program has not driven a pin of the LCD that it needs, or has broken the datasheet's rules many
//! times at the beginning. Of several displays each is judged: with its first pixel, or when the
//! program has had the time to draw.

use std::fmt;

use adopt::{Certainty, DisplayPins, Findings, Mismatch, WantedBus, adopt_display, mismatch};
use hal_mock::VirtualBoard;
use ili9341_model::Rule;
use panel_tables::Table;
use rp2040_emulator::chip::Chip;
use rp2040_emulator::program::Program;

use virtual_time::{Instant, Nanos};

use super::wires::Wires;
use super::wiring::{BusWiring, Gpio, I2cWiring, ParallelWiring, SerialWiring, Wiring};

/// Number of bytes that the LCD may receive before the pins of its bus have been driven.
const BYTES_MAX: u64 = 64;
/// Number of violations of the datasheet at the beginning from which the wiring is in doubt.
const VIOLATIONS_MAX: usize = 64;
/// Number of commands that the controller does not have, or that have other arguments, from which
/// the controller is in doubt; and the number if its likely controller is not sure.
const FOREIGN: [usize; 2] = [3, 5];

/// Time after power-on at which displays are judged that have no pixel, while another one has.
const JUDGED_AFTER: Nanos = Nanos::from_secs(2);
/// Addresses of displays on I2C buses.
const DISPLAY_ADDRESSES: [u16; 2] = [0x3C, 0x3D];

const SSPCR0: [u32; 2] = [0x4003_C000, 0x4004_0000]; // SPI0 and SPI1, RP2040 datasheet 4.4.4
const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;
const SSPCR1: u32 = 4; // offset from SSPCR0
const SSPCR1_SSE: u32 = 1 << 1;

/// The difference between a board and a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misfit {
    /// Name of the display, if the board has several.
    display: Option<&'static str>,
    difference: Difference,
}

impl fmt::Display for Misfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.display {
            write!(out, "display {name}: ")?;
        }
        self.difference.fmt(out)
    }
}

/// The difference between a display of a board and a program.
#[derive(Clone, Debug, PartialEq)]
enum Difference {
    Pins(Mismatch),
    /// The program calls an address that no device on the display's bus has.
    Address {
        display: I2cWiring,
        called: u16,
    },
    /// The SPI controller's mode is not one that displays have.
    Mode {
        controller: usize,
        mode: u32,
    },
    /// The initialisation is that of another controller.
    Panel {
        /// Title of the controller.
        found: String,
        evidence: String,
        table: &'static Table,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pins(mismatch) => mismatch.fmt(out),
            Self::Address { display: I2cWiring { sda, scl, address }, called } => write!(
                out,
                "no device at {sda} (SDA) and {scl} (SCL) has the address 0x{called:02X}, which the \
                 program calls; that of the display is 0x{address:02X}: is the board file right?"
            ),
            Self::Mode { controller, mode } => write!(
                out,
                "SPI{controller} is in mode {mode} while the display is selected, which samples MOSI \
                 when SCK rises: that is mode 0 or 3"
            ),
            Self::Panel { found, evidence, table } => write!(
                out,
                "the program initialises another controller: {evidence}, as for the {found}, and the \
                 display is an {}: is `panel` of the board file right?",
                table.title
            ),
        }
    }
}

/// Pins that the program has driven since power-on, and which displays have been judged.
#[derive(Clone, Debug)]
pub(super) struct Driven {
    pins: u32,
    displays: Vec<Judged>,
}

/// Judgement of a display.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    is_judged: bool,
    /// SPI controller and its mode, if the display was selected in one that it does not have.
    mode: Option<(usize, u32)>,
}

/// A program on a board.
pub(super) struct Case<'a> {
    pub(super) program: &'a Program,
    pub(super) wiring: &'a Wiring,
    pub(super) wires: &'a Wires,
    pub(super) board: &'a VirtualBoard,
    pub(super) powered_at: Instant,
    /// Whether the program has had the time to draw.
    pub(super) is_booted: bool,
}

impl Case<'_> {
    /// Returns whether the program has drawn on the display, or has had the time for that.
    fn is_due(&self, display: &VirtualBoard) -> bool {
        let is_alone = self.wiring.more_lcds.is_empty() || !self.board.has_drawn();
        self.is_booted && is_alone
            || display.bus().pixel_bytes > 0
            || self.board.now() >= self.powered_at.saturating_add(JUDGED_AFTER)
    }

    /// Returns the name of a display, if there are several.
    fn name(&self, display: usize) -> Option<&'static str> {
        let names = self.board.displays().names();
        names.get(display).copied().filter(|_| names.len() > 1)
    }

    /// Returns the parts that the program uses at the display's bus.
    fn findings(&self, display: usize) -> Option<Findings> {
        let pins =
            |number: usize| self.wiring.lcds().nth(number).map_or(0, |lcd| bus_pins(&lcd.bus));
        let bus = match self.wiring.lcds().nth(display)?.bus {
            _ if self.wiring.more_lcds.is_empty() => WantedBus::Any,
            BusWiring::Serial(_) => {
                let others = (0..=self.wiring.more_lcds.len()).filter(|other| *other != display);
                let taken = others.fold(0, |taken, other| taken | pins(other));
                WantedBus::Spi { taken: taken & !pins(display) }
            }
            BusWiring::I2c(_) => WantedBus::I2c,
            BusWiring::Parallel(_) => return None,
        };
        // A program that does not start has failed before.
        adopt_display(self.program, bus).ok()
    }
}

impl Driven {
    pub(super) fn new(wiring: &Wiring) -> Self {
        Self { pins: 0, displays: vec![Judged::default(); wiring.lcds().count()] }
    }

    /// Returns whether a display has not been judged yet.
    pub(super) fn is_pending(&self) -> bool {
        self.displays.iter().any(|display| !display.is_judged)
    }

    /// Records the pins that the program drives now, and the modes of the SPI controllers.
    pub(super) fn record(&mut self, chip: &mut Chip, wiring: &Wiring, wires: &Wires) {
        if !self.is_pending() {
            return;
        }
        self.pins |= chip.driven();
        for (number, (lcd, judged)) in wiring.lcds().zip(&mut self.displays).enumerate() {
            let BusWiring::Serial(lcd) = &lcd.bus else { continue };
            let is_selected = lcd.chip_select.is_none_or(|pin| chip.levels() & pin.bit() == 0);
            if is_selected && let Some(number) = wires.routed_controller(number) {
                let register = |chip: &mut Chip, offset| {
                    chip.peek(0, SSPCR0[number & 1] + offset).unwrap_or_default()
                };
                let (control, enable) = (register(chip, 0), register(chip, SSPCR1));
                let (spo, sph) = (control & SSPCR0_SPO != 0, control & SSPCR0_SPH != 0);
                if enable & SSPCR1_SSE != 0 && spo != sph {
                    judged.mode = Some((number, 2 * u32::from(spo) + u32::from(sph)));
                }
            }
        }
    }

    /// Judges each display once, if there is a reason to. Returns the first difference.
    pub(super) fn judge(&mut self, case: &Case<'_>) -> Option<Misfit> {
        let wiring = case.wiring.lcds().enumerate();
        let buses: Vec<(usize, BusWiring)> = wiring
            .filter(|(n, _)| !self.displays[*n].is_judged)
            .map(|(n, lcd)| (n, lcd.bus))
            .collect();
        buses.into_iter().find_map(|(number, bus)| {
            let difference = self.judge_display(case, number, &bus)?;
            Some(Misfit { display: case.name(number), difference })
        })
    }

    fn judge_display(
        &mut self,
        case: &Case<'_>,
        number: usize,
        bus: &BusWiring,
    ) -> Option<Difference> {
        let display = case.board.at_display(number);
        let is_due = case.is_due(&display);
        let (many, foreign) = display.with_lcd(|lcd| {
            let violations = lcd.violations();
            let foreign = violations.iter().filter(|violation| is_foreign(violation.rule));
            (violations.len() >= VIOLATIONS_MAX, foreign.count())
        });
        let is_idle = match bus {
            BusWiring::Serial(lcd) => needed(lcd) & !self.pins != 0,
            BusWiring::Parallel(_) | BusWiring::I2c(_) => false,
        };
        let in_doubt = is_idle && (is_due || display.bus().bytes >= BYTES_MAX)
            || many
            || is_due && foreign >= FOREIGN[0];
        let judged = &mut self.displays[number];
        judged.is_judged = in_doubt || is_due;
        if judged.is_judged {
            // A program may use several devices, of which some are not there.
            let is_display = |called: &u16| number == 0 || DISPLAY_ADDRESSES.contains(called);
            if let BusWiring::I2c(display) = *bus
                && let Some(called) = case.wires.unanswered_address(number).filter(is_display)
            {
                return Some(Difference::Address { display, called });
            }
            if let Some((controller, mode)) = judged.mode {
                return Some(Difference::Mode { controller, mode });
            }
        }
        if !in_doubt {
            return None;
        }
        let findings = case.findings(number)?;
        let table = display.with_lcd(ili9341_model::Ili9341::table);
        self.of_pins(&findings, bus).or_else(|| of_panel(&findings, table, foreign))
    }

    fn of_pins(&self, findings: &Findings, bus: &BusWiring) -> Option<Difference> {
        let BusWiring::Serial(lcd) = bus else { return None };
        let pins = DisplayPins {
            sck: lcd.sck.number() as u8,
            mosi: lcd.mosi.number() as u8,
            chip_select: lcd.chip_select.map(|pin| pin.number() as u8),
            dc: lcd.dc.map(|pin| pin.number() as u8),
        };
        mismatch(findings, pins, self.pins).map(Difference::Pins)
    }
}

/// Returns the pins of a bus, as a mask.
fn bus_pins(bus: &BusWiring) -> u32 {
    match bus {
        BusWiring::Serial(lcd) => needed(lcd),
        BusWiring::I2c(lcd) => lcd.sda.bit() | lcd.scl.bit(),
        BusWiring::Parallel(ParallelWiring { data, write, chip_select, dc, .. }) => {
            let pins = data.iter().chain([write, dc]).chain(chip_select);
            pins.fold(0, |pins, pin| pins | pin.bit())
        }
    }
}

/// Returns whether a violation of the rule is a command that the controller does not have.
fn is_foreign(rule: Rule) -> bool {
    matches!(rule, Rule::UnknownCommand | Rule::TooFewArguments | Rule::TooManyArguments)
}

/// Returns the controller that the program initialises, if it is another built-in one. `foreign` is
/// the number of commands that the display's controller does not have.
fn of_panel(findings: &Findings, table: &'static Table, foreign: usize) -> Option<Difference> {
    let panel = &findings.display.as_ref()?.panel;
    let least = match panel.certainty {
        Certainty::Sure => FOREIGN[0],
        Certainty::Likely => FOREIGN[1],
        Certainty::Unsure => return None,
    };
    // A table of the user's own has a name of its own.
    let is_built_in =
        panel_tables::by_name(&table.name).is_some_and(|known| std::ptr::eq(known, table));
    let found = panel_tables::by_name(panel.name)?;
    (is_built_in && found.name != table.name && foreign >= least).then(|| Difference::Panel {
        found: found.title.to_string(),
        evidence: panel.evidence.clone(),
        table,
    })
}

/// Returns the pins of the bus, as a mask.
fn needed(lcd: &SerialWiring) -> u32 {
    let optional = [lcd.chip_select, lcd.dc].into_iter().flatten();
    optional.map(Gpio::bit).fold(lcd.sck.bit() | lcd.mosi.bit(), |pins, bit| pins | bit)
}

#[cfg(test)]
mod tests;
