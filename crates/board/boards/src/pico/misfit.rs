//! A program that is wired for another board: the first failure names the pin, and the replay stops
//! there.
//!
//! A program that uses the board's pins is never analysed. The analysis (`adopt`) runs only if the
//! program has not driven a pin of the LCD that it needs, or has broken the datasheet's rules many
//! times at the beginning.

use adopt::{DisplayPins, Mismatch, adopt, mismatch};
use hal_mock::VirtualBoard;
use rp2040_emulator::chip::Chip;
use rp2040_emulator::program::Program;

use super::wiring::{BusWiring, Gpio, SerialWiring, Wiring};

/// Number of bytes that the LCD may receive before the pins of its bus have been driven.
const BYTES_MAX: u64 = 64;
/// Number of violations of the datasheet at the beginning from which the wiring is in doubt.
const VIOLATIONS_MAX: usize = 64;

/// Pins that the program has driven since power-on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pins: u32,
    /// Whether the wiring has been judged.
    is_judged: bool,
}

impl Driven {
    /// Records the pins that the program drives now.
    pub(super) fn record(&mut self, chip: &Chip) {
        if !self.is_judged {
            self.pins |= chip.driven();
        }
    }

    /// Judges the wiring once, if there is a reason to. `is_booted` is whether the program has had
    /// the time to draw.
    pub(super) fn judge(
        &mut self,
        program: &Program,
        wiring: &Wiring,
        board: &VirtualBoard,
        is_booted: bool,
    ) -> Option<Mismatch> {
        if self.is_judged {
            return None;
        }
        let BusWiring::Serial(lcd) = &wiring.lcd.bus else { return None };
        let is_idle = needed(lcd) & !self.pins != 0;
        let in_doubt = is_idle && (is_booted || board.bus().bytes >= BYTES_MAX)
            || board.with_lcd(|lcd| lcd.violations().len()) >= VIOLATIONS_MAX;
        self.is_judged = in_doubt || is_booted;
        if !in_doubt {
            return None;
        }
        let pins = DisplayPins {
            sck: lcd.sck.number() as u8,
            mosi: lcd.mosi.number() as u8,
            chip_select: lcd.chip_select.map(|pin| pin.number() as u8),
            dc: lcd.dc.map(|pin| pin.number() as u8),
        };
        // A program that does not start has failed before.
        mismatch(&adopt(program).ok()?, pins, self.pins)
    }
}

/// Returns the pins of the bus, as a mask.
fn needed(lcd: &SerialWiring) -> u32 {
    let optional = [lcd.chip_select, lcd.dc].into_iter().flatten();
    optional.map(Gpio::bit).fold(lcd.sck.bit() | lcd.mosi.bit(), |pins, bit| pins | bit)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hal_mock::{BoardConfig, Machine};

    use super::super::Pico;
    use super::super::scripted::{LcdPins, Message, Source, program, sending};

    const INITIALISATION: &[Message<'_>] = &[
        (false, &[0x01]),
        (false, &[0x11]),
        (false, &[0x36]),
        (true, &[0x28]),
        (false, &[0x3A]),
        (true, &[0x55]),
        (false, &[0x29]),
        (false, &[0x2A]),
        (true, &[0, 0, 1, 0x3F]),
        (false, &[0x2B]),
        (true, &[0, 0, 0, 0xEF]),
        (false, &[0x2C]),
        (true, &[0xF8, 0, 0x07, 0xE0, 0, 0x1F, 0xFF, 0xFF]),
    ];

    /// Runs a program that drives an LCD at these pins on the LCD board, and checks the error of
    /// its power-on.
    #[track_caller]
    fn check(pins: LcdPins, source: Source, sentence: Option<&str>) {
        let messages: Vec<Message<'_>> =
            INITIALISATION.iter().copied().cycle().take(20 * INITIALISATION.len()).collect();
        let program = program(&sending(pins, source, &messages));
        let mut pico = Pico::new(Arc::new(program), BoardConfig::default());
        let error = pico.power_on().err().map(|error| error.message());
        assert_eq!(error.as_deref(), sentence);
    }

    #[test]
    fn a_program_with_the_pins_of_the_board_is_not_judged() {
        let pins = LcdPins { sck: 18, mosi: 19, chip_select: 17, dc: 20 };
        check(pins, Source::Spi { number: 0, selects: false }, None);
    }

    #[test]
    fn a_program_for_another_board_fails_with_the_pin() {
        let pins = LcdPins { sck: 18, mosi: 19, chip_select: 11, dc: 12 };
        check(
            pins,
            Source::Spi { number: 0, selects: false },
            Some(
                "GP20 (DC) is never driven; the program toggles GP12 like a DC line: is the board \
                 file right?",
            ),
        );
        let pins = LcdPins { sck: 10, mosi: 11, chip_select: 17, dc: 20 };
        check(
            pins,
            Source::Pio,
            Some(
                "GP18 (SCK) is never driven; the program toggles GP10 like an SCK line: is the \
                 board file right?",
            ),
        );
    }

    #[test]
    fn exchanged_pins_are_named() {
        let pins = LcdPins { sck: 18, mosi: 19, chip_select: 20, dc: 17 };
        check(
            pins,
            Source::Spi { number: 0, selects: false },
            Some(
                "GP20 (DC) and GP17 are exchanged: the program uses GP17 as DC; is the board file \
                 right?",
            ),
        );
    }
}
