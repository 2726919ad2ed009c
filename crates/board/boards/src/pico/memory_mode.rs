//! SPI modes in which an SD card or an SPI flash receives other bits than the program sends.

use core::fmt;

use rp2040_emulator::chip::Chip;

use super::wiring::{BusWiring, Gpio, MemoryWiring, Wiring};

const SSPCR0: [u32; 2] = [0x4003_C000, 0x4004_0000]; // SPI0 and SPI1, RP2040 datasheet 4.4.4
const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;
const SSPCR1: u32 = 4; // offset from SSPCR0
const SSPCR1_SSE: u32 = 1 << 1;
/// FUNCSEL of SPI (RP2040 datasheet, 2.19.2).
const SPI_FUNCTION: u32 = 1;

/// An SPI controller in mode 1 or 2, and the memory on its bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongMode {
    controller: usize,
    mode: u32,
    chip_select: Gpio,
}

impl fmt::Display for WrongMode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { controller, mode, chip_select } = self;
        write!(
            out,
            "SPI{controller} is in mode {mode} while the memory with CS at {chip_select} is selected; SD \
             cards and SPI flashes sample MOSI when SCK rises: that is mode 0 or 3"
        )
    }
}

/// Returns the mode of the controller that is connected to a selected memory, if the memory does not
/// have it.
pub(super) fn wrong_mode(chip: &mut Chip, wiring: &Wiring) -> Option<WrongMode> {
    for MemoryWiring { sck, mosi, chip_select, .. } in &wiring.parts.memories {
        let is_alone = !displays(wiring).any(|other| other == *sck);
        // A program may change the mode for each part of a bus.
        let is_selected = chip.driven() & chip_select.bit() != 0
            && (is_alone || chip.levels() & chip_select.bit() == 0);
        let is_routed =
            [sck, mosi].iter().all(|pin| chip.function(pin.number()) == Some(SPI_FUNCTION));
        if !(is_selected && is_routed) {
            continue;
        }
        let controller = controller(*sck);
        let register = SSPCR0[controller];
        let control = chip.peek(0, register).unwrap_or_default();
        let enable = chip.peek(0, register + SSPCR1).unwrap_or_default();
        let (spo, sph) = (control & SSPCR0_SPO != 0, control & SSPCR0_SPH != 0);
        if enable & SSPCR1_SSE != 0 && spo != sph {
            let mode = 2 * u32::from(spo) + u32::from(sph);
            return Some(WrongMode { controller, mode, chip_select: *chip_select });
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
    use super::super::scripted::{LcdPins, Source, program, sending};
    use super::super::wiring::PartsWiring;
    use super::*;

    /// Runs a program that selects a memory at SPI1 in a mode for 50 ms, and returns its error.
    fn error_of(mode_bits: u32) -> Option<String> {
        let pin = |number| Gpio::new(number).unwrap();
        let memory = MemoryWiring {
            sck: pin(10),
            mosi: pin(11),
            miso: pin(12),
            chip_select: pin(13),
            is_miso_pulled_up: true,
            detect: None,
        };
        let parts = PartsWiring { memories: vec![memory], ..PartsWiring::default() };
        let wiring = Wiring { buttons: Vec::new(), parts, ..Wiring::lcd_board() };
        let pins = LcdPins { sck: 10, mosi: 11, chip_select: 13, dc: 9 };
        let source = Source::Spi { number: 1, selects: false };
        let mut script = sending(pins, source, &[(false, &[0x9F, 0, 0, 0])]);
        let control = script.iter_mut().find(|(address, _)| *address == SSPCR0[1]).unwrap();
        control.1 |= mode_bits;
        let program = Arc::new(program(&script));
        let mut pico = Pico::with_wiring(program, Arc::new(wiring), BoardConfig::default());
        let booted = pico.power_on();
        let run = booted.and_then(|()| pico.run_until(Instant::from_millis(1_050)));
        run.err().map(|error| error.message())
    }

    #[test]
    fn a_mode_that_memories_do_not_have_is_named() {
        for (bits, mode) in [(SSPCR0_SPH, 1), (SSPCR0_SPO, 2)] {
            let expected = format!(
                "SPI1 is in mode {mode} while the memory with CS at GP13 is selected; SD cards and SPI \
                 flashes sample MOSI when SCK rises: that is mode 0 or 3"
            );
            assert_eq!(error_of(bits), Some(expected));
        }
        for bits in [0, SSPCR0_SPO | SSPCR0_SPH] {
            let error = error_of(bits);
            assert!(error.as_ref().is_none_or(|error| !error.contains("mode")), "{error:?}");
        }
    }
}
