//! The findings about small programs whose pins are known.

use adopt::{Bus, Certainty, Console, Findings, adopt};

#[allow(dead_code, reason = "the tests of `boards` use the rest of the file")]
#[path = "../../../board/boards/src/pico/scripted.rs"]
mod scripted;

use scripted::{
    CLEAR, ENABLE, LcdPins, Message, NOTHING, SET, Source, function, program, program_then, sending,
};

/// Pad control of a pin: input enable, hysteresis, a pull (RP2040 datasheet, 2.19.6.3).
fn pad(pin: u32, bits: u32) -> (u32, u32) {
    (0x4001_C004 + 4 * pin, bits)
}

const PULL_UP: u32 = 0x4A;
const PULL_DOWN: u32 = 0x46;

/// An ST7789 with 240 columns and rows, written by rows.
const INITIALISATION: &[Message<'_>] = &[
    (false, &[0x01]),
    (false, &[0x11]),
    (false, &[0xB2]),
    (true, &[0x0C, 0x0C, 0x00, 0x33, 0x33]),
    (false, &[0xB7]),
    (true, &[0x35]),
    (false, &[0xBB]),
    (true, &[0x19]),
    (false, &[0xC2]),
    (true, &[0x01]),
    (false, &[0xC6]),
    (true, &[0x0F]),
    (false, &[0xD0]),
    (true, &[0xA4, 0xA1]),
    (false, &[0x36]),
    (true, &[0x70]),
    (false, &[0x3A]),
    (true, &[0x55]),
    (false, &[0x2A]),
    (true, &[0, 0, 0, 239]),
    (false, &[0x2B]),
    (true, &[0, 0, 0, 239]),
    (false, &[0x29]),
    (false, &[0x2C]),
    (true, &[0xF8, 0, 0x07, 0xE0, 0, 0x1F, 0xFF, 0xFF]),
];

fn findings(script: &[(u32, u32)]) -> Findings {
    adopt(&program(script)).unwrap()
}

#[test]
fn the_pins_of_a_display_are_found_with_each_source() {
    const RESET: u32 = 22;
    let pins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
    for source in [
        Source::Spi { number: 1, selects: false },
        Source::BitBanged { idle: false },
        Source::BitBanged { idle: true },
        Source::Pio,
    ] {
        let mut script = vec![function(RESET, 5), (SET, 1 << RESET), (ENABLE, 1 << RESET)];
        script.push((CLEAR, 1 << RESET));
        script.extend([NOTHING; 100]);
        script.push((SET, 1 << RESET));
        script.extend(sending(pins, source, INITIALISATION));
        let display = findings(&script).display.unwrap_or_else(|| panic!("{source:?}"));
        let Bus::Spi { sck, mosi, chip_select, dc, .. } = &display.bus else {
            panic!("{:?}", display.bus);
        };
        let chip_select = chip_select.as_ref().unwrap();
        let reset = display.reset.as_ref().unwrap();
        let found = [sck, mosi, chip_select, dc, reset];
        assert_eq!(found.map(|signal| signal.pin), [10, 11, 9, 8, 22], "{source:?}");
        let sure = found.iter().all(|signal| signal.certainty == Certainty::Sure);
        assert!(sure, "{source:?}: {found:?}");
        assert_eq!((display.panel.name, display.panel.certainty), ("st7789", Certainty::Sure));
        assert_eq!(display.geometry.size, Some((240, 240)));
        assert_eq!(display.geometry.madctl, Some(0x70));
    }
}

#[test]
fn a_controller_s_own_chip_select_is_likely() {
    let pins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
    let script = sending(pins, Source::Spi { number: 1, selects: true }, INITIALISATION);
    let display = findings(&script).display.unwrap();
    let Bus::Spi { chip_select: Some(select), .. } = display.bus else { panic!() };
    assert_eq!((select.pin, select.certainty), (9, Certainty::Likely));
}

#[test]
fn two_displays_on_one_bus_are_told_apart_by_their_chip_selects() {
    for source in
        [Source::Spi { number: 1, selects: false }, Source::BitBanged { idle: false }, Source::Pio]
    {
        for dcs in [[8, 8], [8, 14]] {
            let [first, second] = [(9, dcs[0]), (13, dcs[1])].map(|(chip_select, dc)| LcdPins {
                sck: 10,
                mosi: 11,
                chip_select,
                dc,
            });
            // Both are deselected before the first byte.
            let mut script = vec![function(13, 5), (SET, 1 << 13), (ENABLE, 1 << 13)];
            script.extend(sending(first, source, INITIALISATION));
            script.extend(sending(second, source, INITIALISATION));
            script.extend(sending(first, source, &INITIALISATION[INITIALISATION.len() - 2..]));
            let found = findings(&script);
            let displays = found.display.iter().chain(&found.more_displays);
            let pins = displays.map(|display| {
                let Bus::Spi { sck, chip_select: Some(select), dc, .. } = &display.bus else {
                    panic!("{:?}", display.bus);
                };
                assert_eq!((display.panel.name, sck.pin), ("st7789", 10));
                assert_eq!(select.certainty, Certainty::Sure, "{source:?}");
                (select.pin, dc.pin)
            });
            let expected = [(9, dcs[0]), (13, dcs[1])].map(|(select, dc)| (select, dc as u8));
            assert_eq!(pins.collect::<Vec<_>>(), expected, "{source:?} {dcs:?}");
        }
    }
}

#[test]
fn a_display_and_a_memory_on_one_bus_are_one_display() {
    let source = Source::Spi { number: 1, selects: false };
    let [display, memory] =
        [9, 13].map(|chip_select| LcdPins { sck: 10, mosi: 11, chip_select, dc: 8 });
    let mut script = vec![function(13, 5), (SET, 1 << 13), (ENABLE, 1 << 13)];
    script.extend(sending(memory, source, &[(true, &[0x40, 0, 0, 0, 0, 0x95, 0xFF, 0xFF])]));
    script.extend(sending(display, source, INITIALISATION));
    script.extend(sending(memory, source, &[(true, &[0x48, 0, 0, 1, 0xAA, 0x87, 0xFF, 0xFF])]));
    let found = findings(&script);
    let Some(Bus::Spi { chip_select: Some(select), .. }) = found.display.map(|lcd| lcd.bus) else {
        panic!();
    };
    assert_eq!((select.pin, found.more_displays.len()), (9, 0));
}

#[test]
fn nothing_is_found_in_a_program_that_does_nothing() {
    let found = findings(&[]);
    assert_eq!(found, Findings { ended_ns: found.ended_ns, ..Findings::default() });
}

#[test]
fn a_button_is_sure_if_the_program_reacts_to_it() {
    let mut script: Vec<_> = [5, 6, 7].map(|pin| function(pin, 5)).into();
    script.extend([pad(5, PULL_UP), pad(6, PULL_UP), pad(7, PULL_DOWN)]);
    // Waits until GP5 is low.
    let code = [
        0x4803, // ldr r0, =GPIO_IN
        0x6801, // ldr r1, [r0]
        0x0989, // lsrs r1, r1, #6
        0xD2FC, // bcs to the ldr
        0xBF00, // nop
        0xE7FD, // b to the nop
        0xBF00, 0xBF00, 0x0004, 0xD000,
    ];
    let found = adopt(&program_then(&script, &code)).unwrap();
    let buttons: Vec<_> = found
        .buttons
        .iter()
        .map(|button| (button.signal.pin, button.signal.certainty, button.active_high))
        .collect();
    let expected =
        [(5, Certainty::Sure, false), (6, Certainty::Likely, false), (7, Certainty::Unsure, true)];
    assert_eq!(buttons, expected);
}

#[test]
fn inputs_of_a_matrix_are_no_sure_buttons() {
    let rows = [12, 13, 14];
    let mut script: Vec<_> = rows.iter().chain(&[5, 6]).map(|pin| function(*pin, 5)).collect();
    script.extend([pad(5, PULL_UP), pad(6, PULL_UP)]);
    let all = rows.iter().fold(0, |pins, pin| pins | 1 << pin);
    script.extend([(SET, all), (ENABLE, all)]);
    for _ in 0..10 {
        for row in rows {
            script.extend([(CLEAR, 1 << row), NOTHING, (SET, 1 << row)]);
        }
    }
    let found = findings(&script);
    let matrix = found.matrix.unwrap();
    assert_eq!((matrix.driven, matrix.read), (vec![12, 13, 14], vec![5, 6]));
    assert!(!matrix.active_high);
    assert!(found.buttons.iter().all(|button| button.signal.certainty == Certainty::Unsure));
    assert!(found.leds.is_empty(), "{:?}", found.leds);
}

#[test]
fn a_uart_that_sends_is_a_sure_console() {
    const UART1: u32 = 0x4003_8000;
    let script = [
        // CLK_PERI, then 115,200 baud at any clock, 8N1.
        (0x4000_8048, 1 << 11),
        (UART1 + 0x24, 3),
        (UART1 + 0x28, 0),
        (UART1 + 0x2C, 0x70),
        (UART1 + 0x30, 0x301),
        function(4, 2),
        (UART1, 0x41),
        NOTHING,
    ];
    let found = findings(&script);
    let [Console::Uart { tx, rx: None }] = &found.consoles[..] else {
        panic!("{:?}", found.consoles);
    };
    assert_eq!((tx.pin, tx.certainty), (4, Certainty::Sure));
}
