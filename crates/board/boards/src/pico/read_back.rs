//! The LCD's side of MISO: which frames of the chip's SPI controller read the LCD.
//!
//! The LCD receives bytes in bursts, long after they were sent. A frame that follows a read command
//! is left to the wires, which bring the LCD up to date and return its answer within the frame.
//! This module knows which commands are answered, but not the answers.

use ili9341_model as lcd;
use rp2040_emulator::chip::{SpiAnswer, SpiDevice, SpiWord};

use super::lcd_pins::{LCD_CHIP_SELECT, LCD_DC};

/// The LCD as a device on the chip's SPI controller.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadBack {
    /// Whether the last command is one that the LCD answers.
    reading: bool,
}

impl SpiDevice for ReadBack {
    fn exchange(&mut self, frame: SpiWord, levels: u32) -> SpiAnswer {
        if levels & LCD_CHIP_SELECT != 0 {
            return SpiAnswer::Word(0);
        }
        if levels & LCD_DC == 0 {
            self.reading = lcd::answers_command(frame.word as u8);
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

    use hal_mock::{BoardConfig, Machine};
    use rp2040_emulator::program::Program;

    use super::super::Pico;

    const SCRIPT: u32 = 0x1000_0100;
    const RESULTS: u32 = 0x2000_1000;
    /// A second stage that executes pairs of words: an address and the word to write there, or an
    /// address plus one whose word is stored in the results. It ends at address zero.
    const PLAYER: [u16; 18] = [
        0x4C06, // ldr r4, =SCRIPT
        0x4D07, // ldr r5, =RESULTS
        0xCC06, // ldm r4!, {r1, r2}
        0x0848, // lsrs r0, r1, #1
        0xD203, // bcs to the lsls
        0x2900, // cmp r1, #0
        0xD005, // beq to the end
        0x600A, // str r2, [r1]
        0xE7F8, // b to the ldm
        0x0041, // lsls r1, r0, #1
        0x680A, // ldr r2, [r1]
        0xC504, // stm r5!, {r2}
        0xE7F4, // b to the ldm
        0xE7FE, // b .
        0x0100, 0x1000, 0x1000, 0x2000,
    ];

    const SET: u32 = 0xD000_0014;
    const CLEAR: u32 = 0xD000_0018;
    const SPI_DATA: u32 = 0x4003_C008;
    const SPI_STATUS: u32 = 0x4003_C00C;

    /// Returns the CRC-32/MPEG-2 by which the boot ROM recognises a second stage.
    fn checksum(code: &[u8]) -> u32 {
        code.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
                sum << 1 ^ if sum >> 31 != 0 { 0x04C1_1DB7 } else { 0 }
            })
        })
    }

    fn program(script: &[(u32, u32)]) -> Program {
        let mut flash: Vec<u8> = PLAYER.iter().flat_map(|half| half.to_le_bytes()).collect();
        flash.resize(252, 0);
        flash.extend(checksum(&flash).to_le_bytes());
        assert_eq!(flash.len() as u32, SCRIPT & 0xFFFF);
        let words = script.iter().chain(&[(0, 0)]).flat_map(|(address, value)| [*address, *value]);
        flash.extend(words.flat_map(u32::to_le_bytes));
        Program::from_bin(&flash).unwrap()
    }

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
        let functions = [17, 20].map(|pin| (0x4001_4004 + 8 * pin, 5));
        let mut script = functions.to_vec();
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
