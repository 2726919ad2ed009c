//! Forty keys in a matrix of five rows and eight columns, with a diode each, and an ST7735 that shows
//! a cell for each key. The console lists the keys that are pressed. CLEAR is a button of its own.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin as _, OutputPin as _};
use embedded_hal::spi::MODE_0;
use embedded_hal_bus::spi::ExclusiveDevice;
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ST7735s;
use own_boards::{Board, Button};
use rp2040_hal::Spi;
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionSpi, FunctionUart};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};

const ROWS: usize = 5;
const COLUMNS: usize = 8;
/// Width and height of the cell of a key on the display.
const CELL: Size = Size::new(16, 32);

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, spi0, uart0, .. } = Board::take();
    let clock = clocks.peripheral_clock.freq();

    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };

    let wires = (pins.gpio19.into_function::<FunctionSpi>(), pins.gpio18.into_function());
    let spi = Spi::<_, _, _, 8>::new(spi0, wires);
    let spi = spi.init(&mut resets, clock, 15_625_000.Hz(), MODE_0);
    let Ok(device) = ExclusiveDevice::new(spi, pins.gpio17.into_push_pull_output(), timer);
    let mut buffer = [0; 480];
    let interface = SpiInterface::new(device, pins.gpio20.into_push_pull_output(), &mut buffer);
    let reset = pins.gpio21.into_push_pull_output();
    timer.delay_us(20);
    let display = Builder::new(ST7735s, interface)
        .display_size(128, 160)
        .display_offset(2, 1)
        .reset_pin(reset)
        .init(&mut own_boards::LongDelay(timer));
    let Ok(mut display) = display else { panic!("the display does not answer") };

    let mut rows: [_; ROWS] = [
        pins.gpio2.into_push_pull_output().into_dyn_pin(),
        pins.gpio3.into_push_pull_output().into_dyn_pin(),
        pins.gpio4.into_push_pull_output().into_dyn_pin(),
        pins.gpio5.into_push_pull_output().into_dyn_pin(),
        pins.gpio6.into_push_pull_output().into_dyn_pin(),
    ];
    let mut columns: [_; COLUMNS] = [
        pins.gpio7.into_pull_up_input().into_dyn_pin(),
        pins.gpio8.into_pull_up_input().into_dyn_pin(),
        pins.gpio9.into_pull_up_input().into_dyn_pin(),
        pins.gpio10.into_pull_up_input().into_dyn_pin(),
        pins.gpio11.into_pull_up_input().into_dyn_pin(),
        pins.gpio12.into_pull_up_input().into_dyn_pin(),
        pins.gpio13.into_pull_up_input().into_dyn_pin(),
        pins.gpio14.into_pull_up_input().into_dyn_pin(),
    ];
    let mut clear = Button::new(pins.gpio15.into_pull_up_input(), false);
    for row in &mut rows {
        let _ = row.set_high();
    }

    let _ = display.clear(Rgb565::BLACK);
    let _ = writeln!(console, "ready\r");
    // The keys that are pressed now, and those that have been pressed since CLEAR, a bit each.
    let (mut pressed, mut marked) = (0_u64, 0_u64);
    loop {
        timer.delay_ms(2);
        let mut now = 0;
        for (number, row) in rows.iter_mut().enumerate() {
            let _ = row.set_low();
            timer.delay_us(5);
            for (place, column) in columns.iter_mut().enumerate() {
                if column.is_low().unwrap_or(false) {
                    now |= 1 << (number * COLUMNS + place);
                }
            }
            let _ = row.set_high();
        }
        if clear.is_pressed() {
            marked = 0;
            let _ = display.clear(Rgb565::BLACK);
            let _ = writeln!(console, "cleared\r");
        }
        if now == pressed {
            continue;
        }
        pressed = now;
        let _ = write!(console, "keys");
        for key in (0..ROWS * COLUMNS).filter(|key| now >> key & 1 != 0) {
            let _ = write!(console, " {}", key + 1);
            if marked >> key & 1 == 0 {
                let corner = Point::new((key % COLUMNS * 16) as i32, (key / COLUMNS * 32) as i32);
                let _ = display.fill_solid(&Rectangle::new(corner, CELL), Rgb565::GREEN);
            }
        }
        marked |= now;
        let _ = writeln!(console, ".\r");
    }
}
