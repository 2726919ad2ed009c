//! Tests the bytes that an LCD receives from a program that drives its wires in different ways.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hal_mock::board::{LcdPin, WireListener};
use hal_mock::{BoardConfig, Machine};
use trace::Buttons;
use virtual_time::{Instant, Nanos};

use super::super::Pico;
use super::super::scripted::{
    CLEAR, ENABLE, LcdPins, Message, NOTHING, SET, Source, function, program, sending,
};
use super::super::wiring::{
    ActiveLevel, BusWiring, ContactWiring, Gpio, LcdWiring, MatrixContact, ParallelWiring,
    PartsWiring, SerialWiring, Wiring,
};

const MESSAGES: &[Message<'_>] = &[
    (false, &[0x2A]),
    (true, &[0, 0x10, 0, 0xFF]),
    (false, &[0x2C]),
    (true, &[0xF8, 0x00, 0xAA, 0x55, 0x80, 0x01]),
    (false, &[0x00]),
];

/// The bytes that the LCD receives, each with the level of D/C; and the backlight.
#[derive(Default)]
struct Received {
    dc: bool,
    bytes: Vec<(bool, u8)>,
    last_end: Instant,
    backlight: Vec<bool>,
}

impl WireListener for Received {
    fn lcd_pin(&mut self, _: Instant, pin: LcdPin, high: bool) {
        match pin {
            LcdPin::Dc => self.dc = high,
            LcdPin::Backlight => self.backlight.push(high),
            LcdPin::Reset => {}
        }
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], _: &[u8]) {
        // A flush of nothing has no time.
        if !sent.is_empty() {
            assert!(start >= self.last_end && end > start, "{start:?} to {end:?}");
            self.last_end = end;
        }
        self.bytes.extend(sent.iter().map(|byte| (self.dc, *byte)));
    }
}

fn wiring(pins: LcdPins) -> Wiring {
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    let mut wiring = Wiring::lcd_board();
    wiring.lcd = LcdWiring {
        bus: BusWiring::Serial(SerialWiring {
            sck: pin(pins.sck),
            mosi: pin(pins.mosi),
            miso: None,
            chip_select: Some(pin(pins.chip_select)),
            dc: Some(pin(pins.dc)),
        }),
        reset: None,
        backlight: None,
        backlight_on: ActiveLevel::High,
        te: None,
    };
    wiring.buttons.clear();
    wiring
}

/// Runs a script on a board with this wiring for 30 ms.
fn run(script: &[(u32, u32)], wiring: Wiring) -> Rc<RefCell<Received>> {
    let program = Arc::new(program(script));
    let mut pico = Pico::with_wiring(program, Arc::new(wiring), BoardConfig::default());
    let received = Rc::new(RefCell::new(Received::default()));
    pico.board().set_listener(received.clone());
    pico.power_on().unwrap_or_else(|error| panic!("{}", error.message()));
    let end = pico.board().now().saturating_add(Nanos::from_millis(30));
    while pico.board().now() < end {
        pico.step(end).unwrap_or_else(|error| panic!("{}", error.message()));
    }
    received
}

/// Checks that the LCD receives the messages.
#[track_caller]
fn check(pins: LcdPins, source: Source) {
    let received = run(&sending(pins, source, MESSAGES), wiring(pins));
    let expected: Vec<(bool, u8)> =
        MESSAGES.iter().flat_map(|(dc, bytes)| bytes.iter().map(|byte| (*dc, *byte))).collect();
    assert_eq!(received.borrow().bytes, expected, "{source:?}");
}

#[test]
fn an_lcd_receives_the_bytes_of_either_spi_controller() {
    let pins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
    check(pins, Source::Spi { number: 1, selects: false });
    check(pins, Source::Spi { number: 1, selects: true });
    let pins = LcdPins { sck: 6, mosi: 3, chip_select: 28, dc: 0 };
    check(pins, Source::Spi { number: 0, selects: false });
}

#[test]
fn an_lcd_receives_bytes_that_the_program_shifts_out() {
    let pins = LcdPins { sck: 2, mosi: 29, chip_select: 5, dc: 6 };
    check(pins, Source::BitBanged { idle: false });
    check(pins, Source::BitBanged { idle: true });
}

#[test]
fn an_lcd_receives_bytes_that_a_pio_shifts_out() {
    check(LcdPins { sck: 6, mosi: 7, chip_select: 5, dc: 9 }, Source::Pio);
}

#[test]
fn the_function_of_the_pins_selects_the_source() {
    let pins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
    // The same bytes by hand, and then by a controller; and then by one whose clock is on no pin.
    let by_spi = Source::Spi { number: 1, selects: false };
    let messages: &[Message<'_>] = &[(false, &[0x2C]), (true, &[0x12])];
    let mut script = sending(pins, Source::BitBanged { idle: false }, messages);
    script.extend(sending(pins, by_spi, messages));
    script.push(function(10, 31));
    script.extend([NOTHING; 8]);
    script.extend([(0xD000_0018, 1 << 9), (0x4004_0008, 0x99)]);
    script.extend([NOTHING; 32]);
    let received = run(&script, wiring(pins));
    let expected = [(false, 0x2C), (true, 0x12), (false, 0x2C), (true, 0x12)];
    assert_eq!(received.borrow().bytes, expected);
}

#[test]
fn nine_bits_are_a_byte_with_its_dc() {
    let pins = LcdPins { sck: 2, mosi: 3, chip_select: 5, dc: 6 };
    // 0 and 2C, 1 and F8, padded with another command bit.
    let bytes: &[Message<'_>] = &[(false, &[0x16, 0x7E, 0x00])];
    let mut wiring = wiring(pins);
    let BusWiring::Serial(serial) = &mut wiring.lcd.bus else { panic!("a serial bus") };
    serial.dc = None;
    let received = run(&sending(pins, Source::BitBanged { idle: false }, bytes), wiring);
    assert_eq!(received.borrow().bytes, [(false, 0x2C), (true, 0xF8)]);
}

#[test]
fn an_lcd_receives_the_bytes_of_eight_data_lines() {
    let pin = |number: u32| Gpio::new(number as u8).unwrap();
    const WRITE: u32 = 1 << 20;
    const DC: u32 = 1 << 21;
    const SELECT: u32 = 1 << 22;
    // Lines in a row, and others.
    for lines in [[6, 7, 8, 9, 10, 11, 12, 13], [2, 9, 4, 3, 28, 15, 7, 0]] {
        let mut wiring = wiring(LcdPins { sck: 2, mosi: 3, chip_select: 5, dc: 6 });
        wiring.lcd.bus = BusWiring::Parallel(ParallelWiring {
            data: lines.map(pin),
            write: pin(20),
            read: None,
            chip_select: Some(pin(22)),
            dc: pin(21),
        });
        let all = lines.iter().fold(0, |all, line| all | 1 << line);
        let mut script: Vec<(u32, u32)> =
            lines.iter().chain(&[20, 21, 22]).map(|number| function(*number, 5)).collect();
        script.extend([(SET, WRITE | SELECT), (ENABLE, all | WRITE | DC | SELECT)]);
        let strobe = |script: &mut Vec<(u32, u32)>, byte: u8| {
            let high = (0..8).filter(|bit| byte >> bit & 1 != 0);
            let high = high.fold(0, |pins, bit: usize| pins | 1 << lines[bit]);
            script.extend([(CLEAR, all | WRITE), (SET, high), (SET, WRITE)]);
        };
        for (dc, bytes) in MESSAGES {
            script.extend([(if *dc { SET } else { CLEAR }, DC), (CLEAR, SELECT)]);
            for byte in *bytes {
                strobe(&mut script, *byte);
            }
            script.push((SET, SELECT));
            // For another device on the bus.
            strobe(&mut script, 0x77);
        }
        let received = run(&script, wiring);
        let expected: Vec<(bool, u8)> =
            MESSAGES.iter().flat_map(|(dc, bytes)| bytes.iter().map(|byte| (*dc, *byte))).collect();
        assert_eq!(received.borrow().bytes, expected, "{lines:?}");
    }
}

#[test]
fn a_pwm_wave_switches_the_backlight_on() {
    let pins = LcdPins { sck: 2, mosi: 3, chip_select: 5, dc: 6 };
    let mut wiring = wiring(pins);
    wiring.lcd.backlight = Gpio::new(13);
    // Slice 6, channel B: a quarter of 1,000 cycles; then never.
    const SLICE: u32 = 0x4005_0000 + 6 * 0x14;
    let mut script =
        vec![function(13, 4), (SLICE + 0x10, 999), (SLICE + 0x0C, 250 << 16), (SLICE, 1)];
    script.extend([NOTHING; 1_000]);
    script.push((SLICE + 0x0C, 0));
    script.push((SET, 0));
    let received = run(&script, wiring);
    let mut changes = received.borrow().backlight.clone();
    changes.dedup();
    assert_eq!(changes, [true, false]);
}

#[test]
fn a_pin_that_program_and_contact_drive_is_an_error() {
    let pins = LcdPins { sck: 2, mosi: 3, chip_select: 5, dc: 6 };
    let mut wiring = wiring(pins);
    let pin = Gpio::new(9).unwrap();
    wiring.buttons.push(ContactWiring { pin, closed: ActiveLevel::Low, pull: None });
    let script = [function(9, 5), (SET, 1 << 9), (ENABLE, 1 << 9)];
    let program = Arc::new(program(&script));
    let mut pico = Pico::with_wiring(program, Arc::new(wiring), BoardConfig::default());
    pico.power_on().unwrap_or_else(|error| panic!("{}", error.message()));
    let end = pico.board().now().saturating_add(Nanos::from_millis(50));
    pico.board().press(pico.board().now(), trace::Button::B1);
    let mut message = None;
    while pico.board().now() < end && message.is_none() {
        message = pico.step(end).err().map(|error| error.message());
    }
    assert_eq!(
        message.as_deref(),
        Some(
            "two outputs drive GP9: the program drives it high, and the closed contact of B1 \
             connects it to ground"
        )
    );
}

/// Runs a script that drives GP2 low and GP3 high on a board with these parts, and returns the
/// error.
fn driven_apart(parts: PartsWiring, buttons: &[&str]) -> Option<String> {
    let pins = LcdPins { sck: 10, mosi: 11, chip_select: 9, dc: 8 };
    let mut script = sending(pins, Source::BitBanged { idle: false }, MESSAGES);
    script.extend([function(2, 5), function(3, 5), (SET, 1 << 3), (ENABLE, 1 << 2 | 1 << 3)]);
    script.extend([NOTHING; 64]);
    let wiring = Wiring { parts, ..wiring(pins) };
    let buttons = Buttons::new(buttons.iter().copied()).unwrap();
    let config = BoardConfig { buttons: buttons.clone(), ..BoardConfig::default() };
    let mut pico = Pico::with_wiring(Arc::new(program(&script)), Arc::new(wiring), config);
    for button in buttons.all() {
        pico.board().press(Instant::START, *button);
    }
    let end = Instant::from_millis(30);
    let ran = pico.power_on().and_then(|()| pico.run_until(end));
    ran.err().map(|error| error.message())
}

#[test]
fn connected_outputs_with_different_levels_are_a_short_circuit() {
    let pin = |number| Gpio::new(number).unwrap();
    let expected = "outputs with different levels are connected: the program drives GP2 and GP3, ";
    let wires = vec![[pin(2), pin(3)]];
    let error = driven_apart(PartsWiring { wires, ..PartsWiring::default() }, &[]);
    assert!(error.as_ref().is_some_and(|error| error.starts_with(expected)), "{error:?}");
    // Two closed buttons in the column of GP4 connect the rows.
    let matrix = |has_diode| {
        let contact = |row| MatrixContact { anode: pin(4), cathode: pin(row), has_diode };
        PartsWiring { matrix: vec![contact(2), contact(3)], ..PartsWiring::default() }
    };
    let error = driven_apart(matrix(false), &["A", "B"]);
    assert!(error.as_ref().is_some_and(|error| error.starts_with(expected)), "{error:?}");
    assert_eq!(driven_apart(matrix(false), &["A"]), None);
    assert_eq!(driven_apart(matrix(true), &["A", "B"]), None);
}
