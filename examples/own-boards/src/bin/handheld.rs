//! A square on an ST7789 of 240x240 pixels at SPI1, moved by the buttons UP and DOWN. A changes its
//! colour, B puts it into the middle. The console prints each move.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::OutputPin as _;
use embedded_hal::spi::MODE_0;
use embedded_hal_bus::spi::ExclusiveDevice;
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ST7789;
use mipidsi::options::ColorInversion;
use own_boards::{Board, Button};
use rp2040_hal::Spi;
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionSpi, FunctionUart};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

const GROUND: Rgb565 = Rgb565::new(2, 6, 6);
const COLOURS: [Rgb565; 3] = [Rgb565::RED, Rgb565::GREEN, Rgb565::BLUE];
/// Side of the square, and the distance that it moves at once.
const SIDE: i32 = 40;
const MIDDLE: i32 = 100;

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, spi1, uart0, .. } = Board::take();
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
    let display = Builder::new(ST7789, interface)
        .display_size(240, 240)
        .invert_colors(ColorInversion::Inverted)
        .reset_pin(pins.gpio12.into_push_pull_output())
        .init(&mut timer);
    let Ok(mut display) = display else { panic!("the display does not answer") };

    let mut a = Button::new(pins.gpio15.into_pull_up_input(), false);
    let mut b = Button::new(pins.gpio17.into_pull_up_input(), false);
    let mut up = Button::new(pins.gpio2.into_pull_up_input(), false);
    let mut down = Button::new(pins.gpio18.into_pull_up_input(), false);

    let (mut y, mut colour) = (MIDDLE, 0);
    let _ = display.clear(GROUND);
    let _ = display.fill_solid(&square(y), COLOURS[colour]);
    let _ = pins.gpio13.into_push_pull_output().set_high();
    let _ = writeln!(console, "ready\r");
    loop {
        timer.delay_ms(5);
        let before = (y, colour);
        if up.is_pressed() {
            y = (y - SIDE).max(MIDDLE % SIDE);
        }
        if down.is_pressed() {
            y = (y + SIDE).min(240 - SIDE);
        }
        if b.is_pressed() {
            y = MIDDLE;
        }
        if a.is_pressed() {
            colour = (colour + 1) % COLOURS.len();
        }
        if before != (y, colour) {
            if before.0 != y {
                let _ = display.fill_solid(&square(before.0), GROUND);
            }
            let _ = display.fill_solid(&square(y), COLOURS[colour]);
            let _ = writeln!(console, "square y={y} colour={colour}\r");
        }
    }
}

/// Returns the square whose top edge is at `y`.
fn square(y: i32) -> Rectangle {
    Rectangle::new(Point::new(MIDDLE, y), Size::new(SIDE as u32, SIDE as u32))
}
