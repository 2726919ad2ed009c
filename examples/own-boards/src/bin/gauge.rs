//! A round instrument: a needle on a GC9A01 of 240x240 pixels at SPI1 shows the position of a
//! potentiometer, and a mark on the rim the highest one since the button PEAK was pressed. An
//! SSD1306 of 128x64 pixels on I2C shows both as text and as a bar. The console prints each change.
#![no_std]
#![no_main]

use core::convert::Infallible;
use core::f64::consts::PI;
use core::fmt::Write as _;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::MonoTextStyleBuilder;
use embedded_graphics::mono_font::ascii::{FONT_6X10, FONT_10X20};
use embedded_graphics::pixelcolor::{BinaryColor, Rgb565};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Text};
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::OutputPin as _;
use embedded_hal::i2c::I2c;
use embedded_hal::spi::MODE_0;
use embedded_hal_bus::spi::ExclusiveDevice;
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::GC9A01;
use mipidsi::options::{ColorInversion, ColorOrder};
use own_boards::{Board, Button, LongDelay};
use rp2040_hal::Spi;
use rp2040_hal::adc::{Adc, AdcPin};
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionI2C, FunctionSpi, FunctionUart, Pin, PullUp};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

/// Address of the SSD1306.
const READOUT: u8 = 0x3C;
const GROUND: Rgb565 = Rgb565::new(1, 3, 4);
const NEEDLE: Rgb565 = Rgb565::new(31, 40, 0);
const PEAK: Rgb565 = Rgb565::RED;
/// Middle of the dial.
const MIDDLE: i32 = 120;
/// Highest level.
const LEVEL_MAX: u32 = 100;
/// Number of samples of the ADC that are averaged.
const SAMPLES: u32 = 16;

/// Directions of the levels 0 to 100 on the dial, in 1/1024: clockwise over 240 degrees, 50 is up.
const DIRECTIONS: [(i32, i32); LEVEL_MAX as usize + 1] = directions();

const fn directions() -> [(i32, i32); LEVEL_MAX as usize + 1] {
    let mut all = [(0, 0); LEVEL_MAX as usize + 1];
    let mut level = 0;
    while level < all.len() {
        let angle = (level as f64 - 50.0) * 2.4 * PI / 180.0;
        all[level] = (rounded(sine(angle) * 1024.0), -rounded(sine(angle + PI / 2.0) * 1024.0));
        level += 1;
    }
    all
}

/// Returns the sine of an angle between -210 and 210 degrees: the first terms of its series.
const fn sine(angle: f64) -> f64 {
    let (mut term, mut sum, mut n) = (angle, angle, 1);
    while n < 12 {
        term = -term * angle * angle / ((2 * n * (2 * n + 1)) as f64);
        sum += term;
        n += 1;
    }
    sum
}

const fn rounded(number: f64) -> i32 {
    if number < 0.0 { (number - 0.5) as i32 } else { (number + 0.5) as i32 }
}

/// Returns the point on the dial at a level and a distance from the middle.
fn at(level: u32, radius: i32) -> Point {
    let (x, y) = DIRECTIONS[level as usize % DIRECTIONS.len()];
    Point::new(MIDDLE + x * radius / 1024, MIDDLE + y * radius / 1024)
}

/// Draws a line of the dial from one distance to another.
fn ray(
    dial: &mut impl DrawTarget<Color = Rgb565>,
    level: u32,
    radii: (i32, i32),
    colour: Rgb565,
    width: u32,
) {
    let line = Line::new(at(level, radii.0), at(level, radii.1));
    let _ = line.into_styled(PrimitiveStyle::with_stroke(colour, width)).draw(dial);
}

fn needle(dial: &mut impl DrawTarget<Color = Rgb565>, level: u32, colour: Rgb565) {
    ray(dial, level, (22, 86), colour, 3);
}

fn peak(dial: &mut impl DrawTarget<Color = Rgb565>, level: u32, colour: Rgb565) {
    ray(dial, level, (112, 117), colour, 3);
}

/// Draws the parts of the dial that never change.
fn face(dial: &mut impl DrawTarget<Color = Rgb565>) {
    let _ = dial.clear(GROUND);
    for level in (0..=LEVEL_MAX).step_by(5) {
        let inner = if level % 25 == 0 { 94 } else { 102 };
        ray(dial, level, (inner, 108), Rgb565::WHITE, 1);
    }
    let hub = Circle::with_center(Point::new(MIDDLE, MIDDLE), 29);
    let _ = hub.into_styled(PrimitiveStyle::with_fill(Rgb565::CSS_STEEL_BLUE)).draw(dial);
}

/// Text of at most 16 letters.
#[derive(Default)]
struct Words {
    bytes: [u8; 16],
    length: usize,
}

impl Words {
    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl core::fmt::Write for Words {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let end = self.length + text.len();
        let place = self.bytes.get_mut(self.length..end).ok_or(core::fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Draws the level as digits below the hub.
fn digits(dial: &mut impl DrawTarget<Color = Rgb565>, level: u32) {
    let mut words = Words::default();
    let _ = write!(words, "{level:>3}%");
    let style = MonoTextStyleBuilder::new()
        .font(&FONT_10X20)
        .text_color(Rgb565::WHITE)
        .background_color(GROUND)
        .build();
    let place = Point::new(MIDDLE, 190);
    let _ = Text::with_alignment(words.as_str(), place, style, Alignment::Center).draw(dial);
}

/// The picture of the SSD1306: a byte is eight lines of a column.
struct Picture {
    /// Control byte, and then the pages.
    bytes: [u8; 1 + 8 * 128],
}

impl OriginDimensions for Picture {
    fn size(&self) -> Size {
        Size::new(128, 64)
    }
}

impl DrawTarget for Picture {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        for Pixel(point, colour) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) else {
                continue;
            };
            if x < 128 && y < 64 {
                let byte = &mut self.bytes[1 + y / 8 * 128 + x];
                let bit = 1 << (y % 8);
                *byte = if colour.is_on() { *byte | bit } else { *byte & !bit };
            }
        }
        Ok(())
    }
}

/// Draws the level, the peak and a bar.
fn readout(picture: &mut Picture, level: u32, peak: u32) {
    let _ = picture.clear(BinaryColor::Off);
    let style = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
    for (name, value, y) in [("LEVEL", level, 12), ("PEAK", peak, 28)] {
        let mut words = Words::default();
        let _ = write!(words, "{name:<6}{value:>3}%");
        let _ = Text::new(words.as_str(), Point::new(8, y), style).draw(picture);
    }
    let bar = Rectangle::new(Point::new(14, 44), Size::new(level, 12));
    let _ = bar.into_styled(PrimitiveStyle::with_fill(BinaryColor::On)).draw(picture);
}

/// Sends commands, each with the control byte that more commands follow.
fn commands(bus: &mut impl I2c, bytes: &[u8]) {
    for byte in bytes {
        if bus.write(READOUT, &[0x80, *byte]).is_err() {
            panic!("the readout does not answer");
        }
    }
}

/// Sends the picture from the first byte on.
fn show(bus: &mut impl I2c, picture: &Picture) {
    commands(bus, &[0x21, 0, 127, 0x22, 0, 7]);
    let _ = bus.write(READOUT, &picture.bytes);
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, spi1, uart0, i2c0, adc, .. } = Board::take();
    let clock = clocks.peripheral_clock.freq();

    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };

    let wires = (pins.gpio11.into_function::<FunctionSpi>(), pins.gpio10.into_function());
    let spi = Spi::<_, _, _, 8>::new(spi1, wires);
    let spi = spi.init(&mut resets, clock, 31_250_000.Hz(), MODE_0);
    let Ok(device) = ExclusiveDevice::new(spi, pins.gpio9.into_push_pull_output(), timer);
    let mut buffer = [0; 480];
    let interface = SpiInterface::new(device, pins.gpio8.into_push_pull_output(), &mut buffer);
    let dial = Builder::new(GC9A01, interface)
        .invert_colors(ColorInversion::Inverted)
        .color_order(ColorOrder::Bgr)
        .reset_pin(pins.gpio12.into_push_pull_output())
        .init(&mut LongDelay(timer));
    let Ok(mut dial) = dial else { panic!("the dial does not answer") };

    let sda: Pin<_, FunctionI2C, PullUp> = pins.gpio4.reconfigure();
    let scl: Pin<_, FunctionI2C, PullUp> = pins.gpio5.reconfigure();
    let system = clocks.system_clock.freq();
    let mut bus = rp2040_hal::I2C::i2c0(i2c0, sda, scl, 400.kHz(), &mut resets, system);

    let mut adc = Adc::new(adc, &mut resets);
    let Ok(knob) = AdcPin::new(pins.gpio26.into_floating_input()) else { panic!("no ADC pin") };
    let mut button = Button::new(pins.gpio15.into_pull_up_input(), false);

    let mut backlight = pins.gpio25.into_push_pull_output();
    face(&mut dial);
    let mut picture = Picture { bytes: [0; 1 + 8 * 128] };
    picture.bytes[0] = 0x40;
    // Horizontal addressing, upright, the charge pump on.
    commands(&mut bus, &[0xAE, 0xA8, 0x3F, 0xD3, 0, 0x40, 0xA1, 0xC8, 0xDA, 0x12, 0x81, 0x7F]);
    commands(&mut bus, &[0xA4, 0xA6, 0xD5, 0x80, 0x8D, 0x14, 0x20, 0x00]);
    show(&mut bus, &picture);
    commands(&mut bus, &[0xAF]);

    // The first level differs from these, so that all is drawn.
    let (mut shown, mut highest) = (None, None);
    loop {
        timer.delay_ms(5);
        adc.free_running(&knob);
        let mut sum = 0;
        for _ in 0..SAMPLES {
            timer.delay_us(5);
            sum += u32::from(adc.read_single().unwrap_or_default());
        }
        adc.stop();
        let level = (sum * LEVEL_MAX + SAMPLES * 2_047) / (SAMPLES * 4_095);
        let before = highest;
        let top = if button.is_pressed() { level } else { level.max(highest.unwrap_or(0)) };
        highest = Some(top);
        if shown == Some(level) && before == highest {
            continue;
        }
        if shown != Some(level) {
            if let Some(last) = shown {
                needle(&mut dial, last, GROUND);
            }
            needle(&mut dial, level, NEEDLE);
            digits(&mut dial, level);
        }
        if before != highest {
            if let Some(last) = before {
                peak(&mut dial, last, GROUND);
            }
            peak(&mut dial, top, PEAK);
        }
        readout(&mut picture, level, top);
        show(&mut bus, &picture);
        if shown.is_none() {
            let _ = backlight.set_high();
        }
        shown = Some(level);
        let _ = writeln!(console, "level {level} peak {top}\r");
    }
}
