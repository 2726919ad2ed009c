//! The LCD's side of MISO: which frames of the chip's SPI controller read the LCD.
//!
//! The LCD receives bytes in bursts, long after they were sent. A frame that follows a read command
//! is left to the wires, which bring the LCD up to date and return its answer within the frame.
//! This module knows which commands are answered, but not the answers.

use hal_mock::VirtualBoard;
use ili9341_model::Table;
use rp2040_emulator::chip::{Chip, SpiAnswer, SpiDevice, SpiWord};

use super::lcd_wires::LcdWires;
use super::wiring::{BusWiring, Gpio, SerialWiring, Wiring};

/// The LCD as a device on the chip's SPI controller.
#[derive(Clone, Debug)]
pub(super) struct ReadBack {
    /// Masks of CSX and D/CX; zero without such a wire.
    chip_select: u32,
    dc: u32,
    /// The controller.
    table: &'static Table,
    /// Whether the last command is one that the LCD answers.
    reading: bool,
}

impl ReadBack {
    /// Creates the device of an LCD at these pins, with the controller of `table`.
    pub(super) fn new(lcd: &SerialWiring, table: &'static Table) -> Self {
        let mask = |pin: Option<Gpio>| pin.map_or(0, Gpio::bit);
        Self { chip_select: mask(lcd.chip_select), dc: mask(lcd.dc), table, reading: false }
    }
}

/// Attaches the displays at each SPI controller to it.
pub(super) fn attach(
    wiring: &Wiring,
    displays: &[LcdWires],
    board: &VirtualBoard,
    chip: &mut Chip,
) {
    for controller in [0, 1] {
        let here =
            wiring.lcds().zip(displays).enumerate().filter_map(|(number, (lcd, display))| {
                let BusWiring::Serial(serial) = &lcd.bus else { return None };
                let table = || board.at_display(number).with_lcd(ili9341_model::Ili9341::table);
                (display.bus.controller() == Some(controller))
                    .then(|| ReadBack::new(serial, table()))
            });
        let here: Vec<ReadBack> = here.collect();
        match here.as_slice() {
            [] => {}
            [only] => chip.attach_spi(controller, Box::new(only.clone())),
            _ => chip.attach_spi(controller, Box::new(Shared(here))),
        }
    }
}

/// Displays that share an SPI controller.
#[derive(Clone, Debug)]
struct Shared(Vec<ReadBack>);

impl SpiDevice for Shared {
    fn exchange(&mut self, frame: SpiWord, levels: u32) -> SpiAnswer {
        // Each display has to see the commands, so all of them are called.
        let mut answer = SpiAnswer::Word(0);
        for display in &mut self.0 {
            if let SpiAnswer::Caller = display.exchange(frame, levels) {
                answer = SpiAnswer::Caller;
            }
        }
        answer
    }

    fn boxed_clone(&self) -> Box<dyn SpiDevice> {
        Box::new(self.clone())
    }
}

impl SpiDevice for ReadBack {
    fn exchange(&mut self, frame: SpiWord, levels: u32) -> SpiAnswer {
        // Answers to bytes of nine bits are not modelled.
        if levels & self.chip_select != 0 || self.dc == 0 {
            return SpiAnswer::Nothing;
        }
        if levels & self.dc == 0 {
            self.reading = self.table.answers(frame.word as u8);
            return SpiAnswer::Word(0);
        }
        if self.reading { SpiAnswer::Caller } else { SpiAnswer::Word(0) }
    }

    fn boxed_clone(&self) -> Box<dyn SpiDevice> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Pico;
    use super::super::scripted::{CLEAR, RESULTS, SET, program};
    use hal_mock::{BoardConfig, Machine};

    const SPI_DATA: u32 = 0x4003_C008;
    const SPI_STATUS: u32 = 0x4003_C00C;

    /// Adds a command and its data, in frames of `bits`. The received words are read.
    fn command(script: &mut Vec<(u32, u32)>, code: u32, bits: u32, data: &[u32]) {
        let pause = [(SET, 0); 24];
        script.extend([(0x4003_C000, 7), (CLEAR, 1 << 17 | 1 << 20), (SPI_DATA, code)]);
        script.extend(pause);
        script.extend([(SPI_DATA + 1, 0), (0x4003_C000, bits - 1), (SET, 1 << 20)]);
        script.extend(data.iter().map(|word| (SPI_DATA, *word)));
        script.extend(pause.iter().cycle().take(200));
        script.extend(vec![(SPI_DATA + 1, 0); data.len()]);
        script.push((SET, 1 << 17));
    }

    /// Checks the words that a program has read that sends these commands.
    #[track_caller]
    fn check(commands: &[(u32, u32, &[u32])], expected: &[u32]) {
        let functions = [(16, 1), (17, 5), (18, 1), (19, 1), (20, 5)];
        let mut script =
            functions.map(|(pin, function)| (0x4001_4004 + 8 * pin, function)).to_vec();
        script.extend([
            (0xD000_0024, 1 << 17 | 1 << 20),
            (0x4000_8048, 1 << 11),
            (0x4003_C010, 2),
            (0x4003_C000, 7),
            (0x4003_C004, 2),
            (SPI_STATUS + 1, 0),
        ]);
        for (code, bits, data) in commands {
            command(&mut script, *code, *bits, data);
        }
        let mut pico = Pico::new(Arc::new(program(&script)), BoardConfig::default());
        pico.power_on().unwrap_or_else(|error| panic!("{}", error.message()));
        let end = pico.board().now().saturating_add(virtual_time::Nanos::from_millis(20));
        // A copy in the middle of an answer continues as its original does.
        pico.step(end).unwrap_or_else(|error| panic!("{}", error.message()));
        let mut pico = pico.copy();
        while pico.board().now() < end {
            pico.step(end).unwrap_or_else(|error| panic!("{}", error.message()));
        }
        let found: Vec<u32> = pico
            .with_chip(|chip| {
                (1..=expected.len() as u32)
                    .map(|n| chip.memory().word(RESULTS + 4 * n).unwrap())
                    .collect()
            })
            .unwrap();
        assert_eq!(found, expected, "{found:#x?}");
    }

    /// The machine's failures are tested here, where a program can be made from a script.
    #[test]
    fn a_failure_names_the_register_that_is_not_modelled() {
        let script = [(0x5011_0040, 3)];
        let mut pico = Pico::new(Arc::new(program(&script)), BoardConfig::default());
        let error = pico.power_on().expect_err("USB as a host");
        let message = error.message();
        assert!(message.contains(", USBCTRL_REGS.MAIN_CTRL, in "), "{message}");
    }

    #[test]
    fn a_program_reads_the_lcds_number() {
        // Read ID4 (ILI9341 datasheet, 8.3.23): a dummy byte, 00, 93, 41.
        check(&[(0xD3, 8, &[0; 4])], &[0, 0, 0, 0x93, 0x41]);
    }

    #[test]
    fn a_program_reads_a_frame_of_sixteen_bits() {
        check(&[(0xD3, 16, &[0; 2])], &[0, 0, 0x9341]);
    }

    #[test]
    fn a_program_reads_the_status_and_what_it_has_drawn() {
        // Read Display Power Mode (8.2.5): in sleep mode and normal display mode, without a dummy
        // byte. Then a red pixel, and the content of the memory after a dummy byte.
        check(
            &[(0x0A, 8, &[0; 2]), (0x2C, 8, &[0xFC, 0, 0]), (0x2E, 8, &[0; 4])],
            &[0, 8, 0, 0, 0, 0, 0, 0, 0, 0xFC, 0, 0],
        );
    }

    #[test]
    fn nothing_answers_a_program_that_only_writes() {
        check(&[(0x36, 8, &[0x48])], &[0, 0]);
    }
}
