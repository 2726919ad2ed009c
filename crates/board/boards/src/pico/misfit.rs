//! A program that is made for another board: the first failure names the difference, and the replay
//! stops there.
//!
//! A program that uses the board's pins is never analysed. The analysis (`adopt`) runs only if the
//! program has not driven a pin of the LCD that it needs, or has broken the datasheet's rules many
//! times at the beginning.

use std::fmt;

use adopt::{Certainty, DisplayPins, Findings, Mismatch, adopt, mismatch};
use hal_mock::VirtualBoard;
use ili9341_model::Rule;
use panel_tables::Table;
use rp2040_emulator::chip::Chip;
use rp2040_emulator::program::Program;

use super::wires::Wires;
use super::wiring::{BusWiring, Gpio, I2cWiring, SerialWiring, Wiring};

/// Number of bytes that the LCD may receive before the pins of its bus have been driven.
const BYTES_MAX: u64 = 64;
/// Number of violations of the datasheet at the beginning from which the wiring is in doubt.
const VIOLATIONS_MAX: usize = 64;
/// Number of commands that the controller does not have, or that have other arguments, from which
/// the controller is in doubt; and the number if its likely controller is not sure.
const FOREIGN: [usize; 2] = [3, 5];

const SSPCR0: [u32; 2] = [0x4003_C000, 0x4004_0000]; // SPI0 and SPI1, RP2040 datasheet 4.4.4
const SSPCR0_SPO: u32 = 1 << 6;
const SSPCR0_SPH: u32 = 1 << 7;
const SSPCR1: u32 = 4; // offset from SSPCR0
const SSPCR1_SSE: u32 = 1 << 1;

/// The difference between a board and a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Misfit {
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

impl fmt::Display for Misfit {
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

/// Pins that the program has driven since power-on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pins: u32,
    /// Whether the wiring has been judged.
    is_judged: bool,
    /// SPI controller and its mode, if the display was selected in one that it does not have.
    mode: Option<(usize, u32)>,
}

impl Driven {
    /// Records the pins that the program drives now, and the mode of the SPI controller.
    pub(super) fn record(&mut self, chip: &mut Chip, wiring: &Wiring, wires: &Wires) {
        if self.is_judged {
            return;
        }
        self.pins |= chip.driven();
        let BusWiring::Serial(lcd) = &wiring.lcd.bus else { return };
        let is_selected = lcd.chip_select.is_none_or(|pin| chip.levels() & pin.bit() == 0);
        if is_selected && let Some(number) = wires.routed_controller() {
            let register = |chip: &mut Chip, offset| {
                chip.peek(0, SSPCR0[number & 1] + offset).unwrap_or_default()
            };
            let (control, enable) = (register(chip, 0), register(chip, SSPCR1));
            let (spo, sph) = (control & SSPCR0_SPO != 0, control & SSPCR0_SPH != 0);
            if enable & SSPCR1_SSE != 0 && spo != sph {
                self.mode = Some((number, 2 * u32::from(spo) + u32::from(sph)));
            }
        }
    }

    /// Judges the board once, if there is a reason to. `is_booted` is whether the program has had the
    /// time to draw.
    pub(super) fn judge(
        &mut self,
        program: &Program,
        wiring: &Wiring,
        wires: &Wires,
        board: &VirtualBoard,
        is_booted: bool,
    ) -> Option<Misfit> {
        if self.is_judged {
            return None;
        }
        let many = board.with_lcd(|lcd| lcd.violations().len()) >= VIOLATIONS_MAX;
        let foreign = board.with_lcd(|lcd| {
            lcd.violations().iter().filter(|violation| is_foreign(violation.rule)).count()
        });
        let is_idle = match &wiring.lcd.bus {
            BusWiring::Serial(lcd) => needed(lcd) & !self.pins != 0,
            BusWiring::Parallel(_) | BusWiring::I2c(_) => false,
        };
        let in_doubt = is_idle && (is_booted || board.bus().bytes >= BYTES_MAX)
            || many
            || is_booted && foreign >= FOREIGN[0];
        self.is_judged = in_doubt || is_booted;
        if self.is_judged {
            if let (BusWiring::I2c(display), Some(called)) =
                (wiring.lcd.bus, wires.unanswered_address())
            {
                return Some(Misfit::Address { display, called });
            }
            if let Some((controller, mode)) = self.mode {
                return Some(Misfit::Mode { controller, mode });
            }
        }
        if !in_doubt {
            return None;
        }
        // A program that does not start has failed before.
        let findings = adopt(program).ok()?;
        let table = board.with_lcd(ili9341_model::Ili9341::table);
        self.of_pins(&findings, wiring).or_else(|| of_panel(&findings, table, foreign))
    }

    fn of_pins(&self, findings: &Findings, wiring: &Wiring) -> Option<Misfit> {
        let BusWiring::Serial(lcd) = &wiring.lcd.bus else { return None };
        let pins = DisplayPins {
            sck: lcd.sck.number() as u8,
            mosi: lcd.mosi.number() as u8,
            chip_select: lcd.chip_select.map(|pin| pin.number() as u8),
            dc: lcd.dc.map(|pin| pin.number() as u8),
        };
        mismatch(findings, pins, self.pins).map(Misfit::Pins)
    }
}

/// Returns whether a violation of the rule is a command that the controller does not have.
fn is_foreign(rule: Rule) -> bool {
    matches!(rule, Rule::UnknownCommand | Rule::TooFewArguments | Rule::TooManyArguments)
}

/// Returns the controller that the program initialises, if it is another built-in one. `foreign` is
/// the number of commands that the display's controller does not have.
fn of_panel(findings: &Findings, table: &'static Table, foreign: usize) -> Option<Misfit> {
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
    (is_built_in && found.name != table.name && foreign >= least).then(|| Misfit::Panel {
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

    const PINS: LcdPins = LcdPins { sck: 18, mosi: 19, chip_select: 17, dc: 20 };

    /// Returns the error of the power-on of the LCD board with this script.
    fn error_of(script: &[(u32, u32)]) -> Option<String> {
        let mut pico = Pico::new(Arc::new(program(script)), BoardConfig::default());
        pico.power_on().err().map(|error| error.message())
    }

    #[test]
    fn an_spi_mode_that_displays_do_not_have_is_named() {
        for (bits, mode) in [(1 << 7, Some(1)), (1 << 6, Some(2)), (3 << 6, None)] {
            let messages: Vec<Message<'_>> =
                INITIALISATION.iter().copied().cycle().take(2_000).collect();
            let source = Source::Spi { number: 0, selects: false };
            let mut script = sending(PINS, source, &messages);
            let control = script.iter_mut().find(|(address, _)| *address == 0x4003_C000).unwrap();
            control.1 |= bits;
            // Selected, so that the end of the boot sees the mode.
            script.push((0xD000_0018, 1 << 17));
            let expected = mode.map(|mode| {
                format!(
                    "SPI0 is in mode {mode} while the display is selected, which samples MOSI when \
                     SCK rises: that is mode 0 or 3"
                )
            });
            assert_eq!(error_of(&script), expected);
        }
    }

    #[test]
    fn the_initialisation_of_another_controller_is_named() {
        // As in the datasheet of the ST7789, with the arguments of a common driver.
        const ST7789: &[Message<'_>] = &[
            (false, &[0x11]),
            (false, &[0x36]),
            (true, &[0]),
            (false, &[0x3A]),
            (true, &[0x55]),
            (false, &[0xB2]),
            (true, &[0x0C, 0x0C, 0, 0x33, 0x33]),
            (false, &[0xB7]),
            (true, &[0x35]),
            (false, &[0xBB]),
            (true, &[0x19]),
            (false, &[0xC0]),
            (true, &[0x2C]),
            (false, &[0xC2]),
            (true, &[1]),
            (false, &[0xC3]),
            (true, &[0x12]),
            (false, &[0xC4]),
            (true, &[0x20]),
            (false, &[0xC6]),
            (true, &[0x0F]),
            (false, &[0xD0]),
            (true, &[0xA4, 0xA1]),
            (false, &[0xE0]),
            (true, &[0; 14]),
            (false, &[0xE1]),
            (true, &[0; 14]),
            (false, &[0x29]),
            (false, &[0x2A]),
            (true, &[0, 0, 0, 0xEF]),
            (false, &[0x2B]),
            (true, &[0, 0, 0, 0xEF]),
            (false, &[0x2C]),
            (true, &[0xF8, 0, 0x07, 0xE0]),
        ];
        let script = sending(PINS, Source::Spi { number: 0, selects: false }, ST7789);
        assert_eq!(
            error_of(&script).as_deref(),
            Some(
                "the program initialises another controller: its initialisation has the commands B2 B7 \
                 BB C0 C2 C3 C4 C6 D0 E0 E1, as for the ST7789, and the display is an ILI9341: is \
                 `panel` of the board file right?"
            )
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
