//! Tests the bytes that two displays on one bus receive.

use std::sync::Arc;

use hal_mock::board::DisplayConfig;
use hal_mock::{BoardConfig, Machine};
use virtual_time::Nanos;

use super::super::Pico;
use super::super::scripted::{ENABLE, LcdPins, Message, SET, Source, function, program, sending};
use super::super::wiring::{BusWiring, Gpio, Wiring};

const PINS: LcdPins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
const SECOND: LcdPins = LcdPins { chip_select: 13, ..PINS };

/// Returns a board with two displays that share all wires but CS.
fn wiring() -> Wiring {
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    let mut wiring = Wiring::lcd_board();
    wiring.buttons.clear();
    wiring.lcd.reset = None;
    wiring.lcd.backlight = None;
    let mut lcd = |pins: LcdPins| {
        let BusWiring::Serial(serial) = &mut wiring.lcd.bus else { panic!("a serial bus") };
        (serial.sck, serial.mosi, serial.miso) = (pin(pins.sck), pin(pins.mosi), None);
        (serial.chip_select, serial.dc) = (Some(pin(pins.chip_select)), Some(pin(pins.dc)));
        wiring.lcd
    };
    wiring.more_lcds = vec![lcd(SECOND)];
    lcd(PINS);
    wiring
}

/// Checks how many bytes of pixels each display receives if `source` sends two pixels to the first
/// one and five to the second one.
#[track_caller]
fn check(source: Source) {
    let pixels: &[Message<'_>] = &[(false, &[0x2C]), (true, &[0; 4])];
    let more: &[Message<'_>] = &[(false, &[0x2C]), (true, &[0; 10])];
    // Neither display is selected before its first message.
    let mut script = vec![function(SECOND.chip_select, 5)];
    script.push((SET, 1 << PINS.chip_select | 1 << SECOND.chip_select));
    script.push((ENABLE, 1 << SECOND.chip_select));
    script.extend(sending(PINS, source, pixels));
    script.extend(sending(SECOND, source, more));
    let config =
        BoardConfig { more_displays: vec![DisplayConfig::default()], ..BoardConfig::default() };
    let mut pico = Pico::with_wiring(Arc::new(program(&script)), Arc::new(wiring()), config);
    pico.power_on().unwrap_or_else(|error| panic!("{}", error.message()));
    // A copy has displays of its own.
    let mut pico = pico.copy();
    let end = pico.board().now().saturating_add(Nanos::from_millis(30));
    while pico.board().now() < end {
        pico.step(end).unwrap_or_else(|error| panic!("{}", error.message()));
    }
    let received = |display| pico.board().at_display(display).bus();
    let bytes = [0, 1].map(|display| (received(display).bytes, received(display).pixel_bytes));
    assert_eq!(bytes, [(5, 4), (11, 10)], "{source:?}");
    assert_eq!(pico.board().bytes_of_all(), 16);
}

#[test]
fn displays_that_share_a_bus_receive_the_bytes_of_their_cs() {
    check(Source::Spi { number: 1, selects: false });
    check(Source::BitBanged { idle: false });
    check(Source::Pio);
}
