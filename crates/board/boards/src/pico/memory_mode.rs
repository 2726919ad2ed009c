//! SPI modes in which an SD card, an SPI flash or a touch controller receives other bits than the program
//! sends.

use core::fmt;

use rp2040_emulator::chip::Chip;

use super::wiring::{BusWiring, ControlWiring, Gpio, MemoryWiring, TouchBus, TouchWiring, Wiring};

const SSPCR0: [u32; 2] = [0x4003_C000, 0x4004_0000]; // SPI0 and SPI1, RP2040 datasheet 4.4.4
const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;
const SSPCR1: u32 = 4; // offset from SSPCR0
const SSPCR1_SSE: u32 = 1 << 1;
/// FUNCSEL of SPI (RP2040 datasheet, 2.19.2).
const SPI_FUNCTION: u32 = 1;

/// An SPI controller in mode 1 or 2, and the part on its bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongMode {
    controller: usize,
    mode: u32,
    chip_select: Gpio,
    kind: Kind,
}

/// Kind of the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Memory,
    Touch,
}

impl fmt::Display for WrongMode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { controller, mode, chip_select, kind } = self;
        let (part, samples) = match kind {
            Kind::Memory => ("memory", "SD cards and SPI flashes sample MOSI when SCK rises"),
            // XPT2046 data sheet of 2007-05, "Digital Interface".
            Kind::Touch => ("touch controller", "the XPT2046 samples DIN when DCLK rises"),
        };
        write!(
            out,
            "SPI{controller} is in mode {mode} while the {part} with CS at {chip_select} is selected; \
             {samples}: that is mode 0 or 3"
        )
    }
}

/// A part of a serial bus.
#[derive(Clone, Copy)]
struct Target {
    kind: Kind,
    sck: Gpio,
    mosi: Gpio,
    chip_select: Gpio,
}

/// Returns the memories and touch controllers on serial buses.
fn targets(wiring: &Wiring) -> impl Iterator<Item = Target> {
    let memories = wiring.parts.memories.iter().map(|memory| {
        let MemoryWiring { sck, mosi, chip_select, .. } = *memory;
        Target { kind: Kind::Memory, sck, mosi, chip_select }
    });
    let touches = wiring.parts.controls.iter().filter_map(|control| match control {
        ControlWiring::Touch(TouchWiring {
            bus: TouchBus::Spi { sck, mosi, chip_select, .. },
            ..
        }) => {
            let (sck, mosi, chip_select) = (*sck, *mosi, *chip_select);
            Some(Target { kind: Kind::Touch, sck, mosi, chip_select })
        }
        _ => None,
    });
    memories.chain(touches)
}

/// Returns the mode of the controller that is connected to a selected part, if the part does not have
/// it.
pub(super) fn wrong_mode(chip: &mut Chip, wiring: &Wiring) -> Option<WrongMode> {
    for Target { kind, sck, mosi, chip_select } in targets(wiring) {
        let others = targets(wiring).filter(|other| other.chip_select != chip_select);
        let is_alone =
            !displays(wiring).chain(others.map(|other| other.sck)).any(|other| other == sck);
        // A program may change the mode for each part of a bus.
        let is_selected = chip.driven() & chip_select.bit() != 0
            && (is_alone || chip.levels() & chip_select.bit() == 0);
        let is_routed =
            [sck, mosi].iter().all(|pin| chip.function(pin.number()) == Some(SPI_FUNCTION));
        if !(is_selected && is_routed) {
            continue;
        }
        let controller = controller(sck);
        let register = SSPCR0[controller];
        let control = chip.peek(0, register).unwrap_or_default();
        let enable = chip.peek(0, register + SSPCR1).unwrap_or_default();
        let (spo, sph) = (control & SSPCR0_SPO != 0, control & SSPCR0_SPH != 0);
        if enable & SSPCR1_SSE != 0 && spo != sph {
            let mode = 2 * u32::from(spo) + u32::from(sph);
            return Some(WrongMode { controller, mode, chip_select, kind });
        }
    }
    None
}

/// Returns the clocks of the displays on serial buses.
fn displays(wiring: &Wiring) -> impl Iterator<Item = Gpio> {
    let all = std::iter::once(&wiring.lcd).chain(&wiring.more_lcds);
    all.filter_map(|display| match &display.bus {
        BusWiring::Serial(bus) => Some(bus.sck),
        BusWiring::I2c(_) | BusWiring::Parallel(_) => None,
    })
}

/// Returns the SPI controller that can have its clock at a pin: it changes after each eight pins
/// (RP2040 datasheet, 1.4.3).
fn controller(sck: Gpio) -> usize {
    sck.number() / 8 % 2
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hal_mock::{BoardConfig, Machine};
    use virtual_time::Instant;

    use super::super::Pico;
    use super::super::scripted::{LcdPins, NOTHING, Source, program, sending};
    use super::super::wiring::{PartsWiring, TouchGlass};
    use super::*;

    const SSPDR: u32 = SSPCR0[1] + 8;
    const SSPCPSR: u32 = SSPCR0[1] + 0x10;

    /// Runs a program that selects a memory at SPI1 in a mode for 50 ms, and returns its error.
    fn error_of(kind: Kind, mode_bits: u32) -> Option<String> {
        run(kind, mode_bits, 2).0
    }

    /// Does the same with a divider of the clock, and returns also the notes.
    fn run(kind: Kind, mode_bits: u32, divider: u32) -> (Option<String>, Vec<String>) {
        let pin = |number| Gpio::new(number).unwrap();
        let memory = MemoryWiring {
            sck: pin(10),
            mosi: pin(11),
            miso: pin(12),
            chip_select: pin(13),
            is_miso_pulled_up: true,
            detect: None,
        };
        let MemoryWiring { sck, mosi, miso, chip_select, .. } = memory;
        let touch = TouchWiring {
            bus: TouchBus::Spi { sck, mosi, miso, chip_select },
            irq: None,
            glass: TouchGlass {
                width: 240,
                height: 320,
                turns: 0,
                edges: [[0, 4_095]; 2],
                is_swapped: false,
            },
        };
        let parts = match kind {
            Kind::Memory => PartsWiring { memories: vec![memory], ..PartsWiring::default() },
            Kind::Touch => PartsWiring {
                controls: vec![ControlWiring::Touch(touch)],
                ..PartsWiring::default()
            },
        };
        let wiring = Wiring { buttons: Vec::new(), parts, ..Wiring::lcd_board() };
        let pins = LcdPins { sck: 10, mosi: 11, chip_select: 13, dc: 9 };
        let source = Source::Spi { number: 1, selects: false };
        let mut script = sending(pins, source, &[(false, &[0x9F, 0, 0, 0])]);
        let control = script.iter_mut().find(|(address, _)| *address == SSPCR0[1]).unwrap();
        control.1 |= mode_bits;
        script.iter_mut().find(|(address, _)| *address == SSPCPSR).unwrap().1 = divider;
        // All bytes are in the FIFO when the controller is enabled, so that they follow each other.
        let enable = script.iter().position(|write| *write == (SSPCR0[1] + SSPCR1, SSPCR1_SSE));
        let enable = script.remove(enable.unwrap());
        let last = script.iter().rposition(|(address, _)| *address == SSPDR).unwrap();
        script.splice(last + 1..=last, [enable].into_iter().chain([NOTHING; 50]));
        let program = Arc::new(program(&script));
        let mut pico = Pico::with_wiring(program, Arc::new(wiring), BoardConfig::default());
        let booted = pico.power_on();
        let run = booted.and_then(|()| pico.run_until(Instant::from_millis(1_050)));
        (run.err().map(|error| error.message()), pico.notes())
    }

    #[test]
    fn a_clock_that_the_touch_controller_does_not_take_is_a_note() {
        // The chip starts with a clock of 6.5 MHz.
        let note = "the XPT2046 with CS at GP13 gets DCLK with 3.2 MHz; at most 2.5 MHz are specified \
                    (XPT2046 data sheet of 2007-05, \"Digital Interface\")";
        assert_eq!(run(Kind::Touch, 0, 2).1, [note]);
        assert!(run(Kind::Touch, 0, 4).1.is_empty());
        assert!(run(Kind::Memory, 0, 2).1.is_empty());
    }

    #[test]
    fn a_mode_that_memories_and_touch_controllers_do_not_have_is_named() {
        for (kind, part, samples) in [
            (Kind::Memory, "memory", "SD cards and SPI flashes sample MOSI when SCK rises"),
            (Kind::Touch, "touch controller", "the XPT2046 samples DIN when DCLK rises"),
        ] {
            for (bits, mode) in [(SSPCR0_SPH, 1), (SSPCR0_SPO, 2)] {
                let expected = format!(
                    "SPI1 is in mode {mode} while the {part} with CS at GP13 is selected; {samples}: that is \
                     mode 0 or 3"
                );
                assert_eq!(error_of(kind, bits), Some(expected));
            }
            for bits in [0, SSPCR0_SPO | SSPCR0_SPH] {
                let error = error_of(kind, bits);
                assert!(error.as_ref().is_none_or(|error| !error.contains("mode")), "{error:?}");
            }
        }
    }
}
