//! A bar on an SSD1306 of 128x64 pixels on I2C. The knob changes its length, and so does UP; PUSH
//! inverts the picture. The console prints the number of the motion sensor on the same bus, which
//! the display shows as bits.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::InputPin;
use embedded_hal::i2c::I2c;
use own_boards::{Board, Button};
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionI2C, FunctionUart, Pin, PullUp};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

const DISPLAY: u8 = 0x3C;
const SENSOR: u8 = 0x68;
const WHO_AM_I: u8 = 0x75;
const WIDTH: usize = 128;
/// Length by which a detent or a press changes the bar.
const STEP: usize = 8;

/// The picture: a byte is eight lines of a column.
struct Picture {
    /// Control byte, and then the pages.
    bytes: [u8; 1 + 8 * WIDTH],
}

impl Picture {
    fn new() -> Self {
        let mut bytes = [0; 1 + 8 * WIDTH];
        bytes[0] = 0x40;
        Self { bytes }
    }

    fn page(&mut self, page: usize) -> &mut [u8] {
        &mut self.bytes[1 + page * WIDTH..][..WIDTH]
    }

    /// Draws the sensor's number as eight boxes, of which those of set bits are full.
    fn draw_number(&mut self, number: u8) {
        for bit in 0..8 {
            let full = number >> (7 - bit) & 1 != 0;
            for (column, byte) in self.page(1)[bit * 16 + 2..][..12].iter_mut().enumerate() {
                let edge = column == 0 || column == 11;
                *byte = if full || edge { 0xFF } else { 0x81 };
            }
        }
    }

    fn draw_bar(&mut self, length: usize) {
        for page in [4, 5] {
            for (column, byte) in self.page(page).iter_mut().enumerate() {
                *byte = if column < length { 0xFF } else { 0 };
            }
        }
    }
}

/// Sends commands, each with the control byte that more commands follow.
fn commands(bus: &mut impl I2c, bytes: &[u8]) {
    for byte in bytes {
        if bus.write(DISPLAY, &[0x80, *byte]).is_err() {
            panic!("the display does not answer");
        }
    }
}

/// Sends the picture from the first byte on.
fn show(bus: &mut impl I2c, picture: &Picture) {
    commands(bus, &[0x21, 0, 127, 0x22, 0, 7]);
    let _ = bus.write(DISPLAY, &picture.bytes);
}

/// A rotary encoder with four edges from detent to detent.
struct Encoder<A, B> {
    a: A,
    b: B,
    /// Levels of both contacts, two bits.
    levels: u8,
    /// Edges since the last detent; positive is clockwise.
    edges: i8,
}

impl<A: InputPin, B: InputPin> Encoder<A, B> {
    /// Returns the number of detents since the last call: -1, 0 or 1.
    fn turned(&mut self) -> i8 {
        let level = |high: Result<bool, _>| u8::from(high.unwrap_or(true));
        let levels =
            level(self.a.is_high().map_err(|_| ())) << 1 | level(self.b.is_high().map_err(|_| ()));
        let before = core::mem::replace(&mut self.levels, levels);
        // Clockwise, A changes first: 11, 01, 00, 10.
        self.edges += match before << 2 | levels {
            0b1101 | 0b0100 | 0b0010 | 0b1011 => 1,
            0b0111 | 0b0001 | 0b1000 | 0b1110 => -1,
            _ => 0,
        };
        let detents = if levels == 0b11 { self.edges / 4 } else { 0 };
        if levels == 0b11 {
            self.edges = 0;
        }
        detents
    }
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, uart0, i2c0, .. } = Board::take();
    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let clock = clocks.peripheral_clock.freq();
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };
    let sda: Pin<_, FunctionI2C, PullUp> = pins.gpio4.reconfigure();
    let scl: Pin<_, FunctionI2C, PullUp> = pins.gpio5.reconfigure();
    let system = clocks.system_clock.freq();
    let mut bus = rp2040_hal::I2C::i2c0(i2c0, sda, scl, 400.kHz(), &mut resets, system);
    // The display resets itself at power-on.
    timer.delay_ms(10);

    let mut number = [0];
    if bus.write_read(SENSOR, &[WHO_AM_I], &mut number).is_err() {
        let _ = writeln!(console, "no sensor\r");
    }
    let mut length = WIDTH / 2;
    let mut picture = Picture::new();
    picture.draw_number(number[0]);
    picture.draw_bar(length);
    // Horizontal addressing, upright, the charge pump on.
    commands(&mut bus, &[0xAE, 0xA8, 0x3F, 0xD3, 0, 0x40, 0xA1, 0xC8, 0xDA, 0x12, 0x81, 0x7F]);
    commands(&mut bus, &[0xA4, 0xA6, 0xD5, 0x80, 0x8D, 0x14, 0x20, 0x00]);
    show(&mut bus, &picture);
    commands(&mut bus, &[0xAF]);
    let _ = writeln!(console, "sensor 0x{:02x}\r", number[0]);

    let mut knob = Encoder {
        a: pins.gpio10.into_pull_up_input(),
        b: pins.gpio11.into_pull_up_input(),
        levels: 0b11,
        edges: 0,
    };
    let mut push = Button::new(pins.gpio12.into_pull_up_input(), false);
    let mut up = Button::new(pins.gpio13.into_pull_up_input(), false);
    let (mut inverted, mut ticks) = (false, 0_u8);
    loop {
        timer.delay_us(500);
        let turned = knob.turned();
        ticks = (ticks + 1) % 10;
        let (pushed, more) = match ticks {
            0 => (push.is_pressed(), up.is_pressed()),
            _ => (false, false),
        };
        if pushed {
            inverted = !inverted;
            commands(&mut bus, &[if inverted { 0xA7 } else { 0xA6 }]);
            let _ = writeln!(console, "inverted {inverted}\r");
        }
        let before = length;
        if more || turned > 0 {
            length = (length + STEP).min(WIDTH);
        }
        if turned < 0 {
            length = length.saturating_sub(STEP);
        }
        if length != before {
            picture.draw_bar(length);
            show(&mut bus, &picture);
            let _ = writeln!(console, "length {length}\r");
        }
    }
}
