use std::sync::Arc;

use hal_mock::{BoardConfig, Machine, board::DisplayConfig};
use ili9341_model::Region;
use trace::Displays;
use virtual_time::Instant;

use super::super::Pico;
use super::super::scripted::{LcdPins, Message, Source, program, sending};
use super::super::wiring::{BusWiring, Gpio, LcdWiring, SerialWiring, Wiring};

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

const BACK: LcdPins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };

/// Returns the LCD board with a second display.
fn with_back(panel: &str) -> (Arc<Wiring>, BoardConfig) {
    let gpio = |pin: u32| Gpio::new(pin as u8).unwrap();
    let mut wiring = Wiring::lcd_board();
    let serial = SerialWiring {
        sck: gpio(BACK.sck),
        mosi: gpio(BACK.mosi),
        miso: None,
        chip_select: Some(gpio(BACK.chip_select)),
        dc: Some(gpio(BACK.dc)),
    };
    let back = LcdWiring { bus: BusWiring::Serial(serial), reset: None, ..wiring.lcd };
    wiring.more_lcds.push(back);
    let table = panel_tables::by_name(panel).unwrap();
    let display = DisplayConfig { table, module: table.module, ..DisplayConfig::default() };
    let names = [("FRONT", Region::PANEL), ("BACK", Region::PANEL)];
    let displays = Displays::new(names).unwrap();
    (
        Arc::new(wiring),
        BoardConfig { more_displays: vec![display], displays, ..BoardConfig::default() },
    )
}

/// Runs a program that drives displays one after the other on the board with two of them, for three
/// seconds, and checks its error.
#[track_caller]
fn check_two(panel: &str, displays: &[(LcdPins, u32)], sentence: Option<&str>) {
    let messages: Vec<Message<'_>> =
        INITIALISATION.iter().copied().cycle().take(20 * INITIALISATION.len()).collect();
    let scripts = displays.iter().flat_map(|(pins, number)| {
        sending(*pins, Source::Spi { number: *number, selects: false }, &messages)
    });
    let script: Vec<(u32, u32)> = scripts.collect();
    let (wiring, config) = with_back(panel);
    let mut pico = Pico::with_wiring(Arc::new(program(&script)), wiring, config);
    let mut error = pico.power_on().err();
    while error.is_none() && pico.board().now() < Instant::from_millis(3_000) {
        error = pico.step(Instant::from_millis(3_000)).err();
    }
    assert_eq!(error.map(|error| error.message()).as_deref(), sentence);
}

#[test]
fn of_two_displays_the_one_that_is_wired_otherwise_is_named() {
    check_two("ili9341", &[(PINS, 0), (BACK, 1)], None);
    let other = LcdPins { dc: 12, ..BACK };
    let sentence = "display BACK: GP8 (DC) is never driven; the program toggles GP12 like a DC line: \
                    is the board file right?";
    check_two("ili9341", &[(PINS, 0), (other, 1)], Some(sentence));
    // The first display may be the last that is drawn.
    check_two("ili9341", &[(BACK, 1), (PINS, 0)], None);
    let other = LcdPins { dc: 12, ..PINS };
    let sentence = "display FRONT: GP20 (DC) is never driven; the program toggles GP12 like a DC \
                    line: is the board file right?";
    check_two("ili9341", &[(BACK, 1), (other, 0)], Some(sentence));
}

#[test]
fn a_display_that_the_program_does_not_use_is_no_difference() {
    check_two("ili9341", &[(PINS, 0)], None);
    check_two("ili9341", &[(BACK, 1)], None);
}
