//! An SPI flash and an SD card on the bus of the LCD, driven by an SPI controller, a PIO and by
//! hand.

use std::sync::Arc;

use hal_mock::memory::Content;
use hal_mock::{BoardConfig, Machine, MachineError};
use virtual_time::Nanos;

use super::*;
use crate::pico::Pico;
use crate::pico::scripted::{CLEAR, ENABLE, NOTHING, RESULTS, SET, function, program};
use crate::pico::wiring::{Gpio, Wiring};

const SCK: u32 = 18;
const MOSI: u32 = 19;
const MISO: u32 = 16;
const LCD: u32 = 17;
const DC: u32 = 20;
const FLASH: u32 = 2;
const CARD: u32 = 3;

const GPIO_IN: u32 = 0xD000_0004;
const SPI0: u32 = 0x4003_C000;
const SPI_DATA: u32 = SPI0 + 8;
const PIO0: u32 = 0x5020_0000;
const PIO_SENDS: u32 = PIO0 + 0x10;
const PIO_RECEIVES: u32 = PIO0 + 0x20;

/// How a script exchanges bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Spi,
    /// With SCK idle low (mode 0) or high (mode 3).
    Hand {
        idle: bool,
    },
    Pio,
}

const SOURCES: [Source; 4] =
    [Source::Spi, Source::Hand { idle: false }, Source::Hand { idle: true }, Source::Pio];

/// A script that exchanges bytes, and the number of words that it reads.
struct Script {
    source: Source,
    writes: Vec<(u32, u32)>,
    /// For each byte whose answer is read, the words with it.
    reads: usize,
}

impl Script {
    fn new(source: Source) -> Self {
        let outputs = [LCD, DC, FLASH, CARD];
        let mut writes: Vec<(u32, u32)> = outputs.map(|pin| function(pin, 5)).to_vec();
        writes.push((SET, outputs.iter().fold(0, |pins, pin| pins | 1 << pin)));
        writes.push((ENABLE, outputs.iter().fold(0, |pins, pin| pins | 1 << pin)));
        match source {
            Source::Spi => {
                writes.extend([SCK, MOSI, MISO].map(|pin| function(pin, 1)));
                writes.extend([(0x4000_8048, 1 << 11), (SPI0 + 0x10, 2), (SPI0, 7), (SPI0 + 4, 2)]);
            }
            Source::Hand { idle } => {
                writes.push((if idle { SET } else { CLEAR }, 1 << SCK));
                writes.push((ENABLE, 1 << SCK | 1 << MOSI));
                writes.extend([SCK, MOSI, MISO].map(|pin| function(pin, 5)));
            }
            Source::Pio => {
                const PINCTRL: u32 = PIO0 + 0xDC;
                writes.extend([
                    (PIO0 + 0x48, 0x6001),   // out pins, 1 side 0
                    (PIO0 + 0x4C, 0x5001),   // in pins, 1 side 1
                    (PIO0 + 0xC8, 16 << 16), // 16 cycles a tick, more than the input takes
                    (PIO0 + 0xCC, 1 << 12),
                    // Autopull and autopush after eight bits, shift left.
                    (PIO0 + 0xD0, 8 << 25 | 8 << 20 | 1 << 17 | 1 << 16),
                ]);
                for pin in [SCK, MOSI] {
                    // set pindirs, 1
                    writes.extend([(PINCTRL, 1 << 26 | pin << 5), (PIO0 + 0xD8, 0xE081)]);
                }
                writes.push((PINCTRL, 1 << 29 | 1 << 20 | MISO << 15 | SCK << 10 | MOSI));
                writes.extend([SCK, MOSI].map(|pin| function(pin, 6)));
                writes.push((PIO0, 1));
            }
        }
        Self { source, writes, reads: 0 }
    }

    /// Exchanges bytes while a chip select is low. The answers are read.
    fn exchange(&mut self, chip_select: u32, bytes: &[u8]) -> &mut Self {
        self.writes.push((CLEAR, 1 << chip_select));
        for byte in bytes {
            match self.source {
                Source::Spi => {
                    self.writes.push((SPI_DATA, u32::from(*byte)));
                    self.writes.extend([NOTHING; 20]);
                    self.writes.push((SPI_DATA + 1, 0));
                }
                Source::Pio => {
                    self.writes.push((PIO_SENDS, u32::from(*byte) << 24));
                    self.writes.extend([NOTHING; 60]);
                    self.writes.push((PIO_RECEIVES + 1, 0));
                }
                Source::Hand { idle } => {
                    for bit in (0..8).rev() {
                        let level = if byte >> bit & 1 != 0 { SET } else { CLEAR };
                        if idle {
                            self.writes.push((CLEAR, 1 << SCK));
                        }
                        self.writes.extend([(level, 1 << MOSI), (SET, 1 << SCK)]);
                        self.writes.push((GPIO_IN + 1, 0));
                        if !idle {
                            self.writes.push((CLEAR, 1 << SCK));
                        }
                    }
                }
            }
            self.reads += 1;
        }
        self.writes.extend([NOTHING; 4]);
        self.writes.push((SET, 1 << chip_select));
        self
    }

    /// Waits for about a microsecond a time.
    fn wait(&mut self, times: usize) -> &mut Self {
        self.writes.extend(vec![NOTHING; times]);
        self
    }

    /// Returns the bytes that a machine has read.
    fn answers(&self, pico: &mut Pico) -> Vec<u8> {
        let word = |pico: &mut Pico, number: usize| {
            let address = RESULTS + 4 * number as u32;
            pico.with_chip(|chip| chip.memory().word(address).unwrap()).unwrap()
        };
        let bits = |pico: &mut Pico, first: usize| {
            (first..first + 8).fold(0, |byte, at| byte << 1 | (word(pico, at) >> MISO & 1) as u8)
        };
        (0..self.reads)
            .map(|at| match self.source {
                Source::Hand { .. } => bits(pico, 8 * at),
                _ => word(pico, at) as u8,
            })
            .collect()
    }

    fn machine(&self, parts: Vec<MemoryPart>) -> Pico {
        let pin = |number: u32| Gpio::new(number as u8).unwrap();
        let memory = |chip_select, is_miso_pulled_up| MemoryWiring {
            sck: pin(SCK),
            mosi: pin(MOSI),
            miso: pin(MISO),
            chip_select: pin(chip_select),
            is_miso_pulled_up,
            detect: None,
        };
        let mut wiring = Wiring::lcd_board();
        wiring.buttons.clear();
        wiring.parts.memories = vec![memory(FLASH, false), memory(CARD, true)];
        let program = Arc::new(program(&self.writes));
        let config = BoardConfig::default();
        Pico::with_wiring(program, Arc::new(wiring), config).with_memories(parts)
    }
}

fn run(pico: &mut Pico) {
    ran(pico).unwrap_or_else(|error| panic!("{}", error.message()));
}

fn ran(pico: &mut Pico) -> Result<(), MachineError> {
    pico.power_on()?;
    let end = pico.board().now().saturating_add(Nanos::from_millis(100));
    while pico.board().now() < end {
        pico.step(end)?;
    }
    Ok(())
}

fn parts() -> Vec<MemoryPart> {
    let flash = Content::new(Arc::from([0xC3, 0x5A]), 1 << 20, 0xFF);
    let card = Content::new(Arc::from([]), 1 << 20, 0);
    vec![MemoryPart::Flash(flash), MemoryPart::Card(card)]
}

const CMD0: [u8; 6] = [0x40, 0, 0, 0, 0, 0x95];

#[test]
fn flash_card_and_display_share_a_bus() {
    for source in SOURCES {
        let mut script = Script::new(source);
        script.exchange(FLASH, &[0x9F, 0, 0, 0]);
        // A command, whose answer a controller reads.
        script.writes.push((CLEAR, 1 << DC));
        script.exchange(LCD, &[0x36]);
        script.writes.push((SET, 1 << DC));
        script.exchange(LCD, &[0x48]);
        script.exchange(CARD, &[&CMD0[..], &[0xFF; 2]].concat());
        script.exchange(FLASH, &[0x03, 0, 0, 0, 0, 0]);
        let mut pico = script.machine(parts());
        run(&mut pico);
        let answers = script.answers(&mut pico);
        assert_eq!(answers[1..4], [0xEF, 0x40, 20], "{source:?}");
        assert_eq!(answers[12..14], [0xFF, 0x01], "{source:?}");
        assert_eq!(answers[18..20], [0xC3, 0x5A], "{source:?}");
        assert_eq!(pico.board().bus().bytes, 2, "{source:?}");
    }
}

#[test]
fn what_a_program_writes_remains_over_a_power_cycle() {
    for source in SOURCES {
        let mut script = Script::new(source);
        script.exchange(FLASH, &[0x03, 0, 1, 0, 0]);
        script.exchange(FLASH, &[0x06]);
        script.exchange(FLASH, &[0x02, 0, 1, 0, 0xA5]);
        script.exchange(FLASH, &[0x05, 0]);
        script.wait(2_000);
        script.exchange(FLASH, &[0x05, 0]);
        let mut pico = script.machine(parts());
        run(&mut pico);
        let answers = script.answers(&mut pico);
        assert_eq!((answers[4], answers[12], answers[14]), (0xFF, 3, 0), "{source:?}");
        // A copy continues with the same content, and its original does not see its writes.
        let mut copy = pico.copy();
        for machine in [&mut pico, &mut copy] {
            machine.power_off();
            run(machine);
            assert_eq!(script.answers(machine)[4], 0xA5, "{source:?}");
        }
        let mut fresh = script.machine(parts());
        run(&mut fresh);
        assert_eq!(script.answers(&mut fresh)[4], 0xFF, "{source:?}");
    }
}

#[test]
fn an_empty_slot_and_a_deselected_chip_leave_miso_to_its_resistor() {
    for source in SOURCES {
        let mut script = Script::new(source);
        script.exchange(CARD, &[&CMD0[..], &[0xFF; 3]].concat());
        // Chip select of the LCD, which drives MISO only when it is read.
        script.exchange(LCD, &[0, 0]);
        let mut pico = script.machine(vec![parts().remove(0), MemoryPart::EmptySlot]);
        run(&mut pico);
        let answers = script.answers(&mut pico);
        assert_eq!(answers[..9], [0xFF; 9], "{source:?}");
    }
}

/// The controller selects the flash itself: with SPH = 0 chip select rises after each byte, so that
/// no answer follows a command; with SPH = 1 it stays low.
#[test]
fn chip_select_of_a_controller_rises_between_bytes_in_mode_0() {
    for (mode, expected) in [(0, [0; 3]), (3 << 6, [0xEF, 0x40, 20])] {
        let mut script = Script::new(Source::Spi);
        let pin = |number: u32| Gpio::new(number as u8).unwrap();
        script.writes.push((SPI0 + 4, 0));
        script.writes.extend([(SPI0, 7 | mode), (SPI0 + 4, 2), function(5, 1)]);
        script.writes.extend([0x9F_u32, 0, 0, 0].map(|byte| (SPI_DATA, byte)));
        script.wait(60);
        script.writes.extend([(SPI_DATA + 1, 0); 4]);
        script.reads = 4;
        let mut pico = script.machine(parts());
        let mut wiring = (*pico.wiring).clone();
        wiring.parts.memories[0].chip_select = pin(5);
        // The card does not pull MISO up here.
        wiring.parts.memories[1].is_miso_pulled_up = false;
        pico.wiring = Arc::new(wiring);
        run(&mut pico);
        assert_eq!(script.answers(&mut pico)[1..], expected, "mode {mode:#x}");
    }
}

#[test]
fn a_controller_in_mode_1_reaches_no_chip() {
    let mut script = Script::new(Source::Spi);
    script.writes.push((SPI0, 7 | 1 << 7));
    script.exchange(FLASH, &[0x9F, 0, 0]);
    let mut pico = script.machine(parts());
    let error = ran(&mut pico).unwrap_err().message();
    assert!(error.starts_with("SPI0 is in mode 1 while the memory with CS at GP2"), "{error}");
    assert!(!script.answers(&mut pico).starts_with(&[0xC3]), "nothing was read");
}
