//! A bar on an ST7735 of 128x160 pixels whose bus the program drives by hand, pin by pin. LEFT and
//! RIGHT change its length; their contacts connect to 3.3 V.
#![no_std]
#![no_main]

use core::convert::Infallible;

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::{ErrorType, Operation, SpiDevice};
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ST7735s;
use own_boards::{Board, Button, LongDelay};

const WIDTH: u32 = 128;
/// Length that a press adds or takes.
const STEP: u32 = 16;

/// A bus of three pins that the program moves itself.
struct HandBus<C, D, S> {
    clock: C,
    data: D,
    select: S,
}

impl<C, D, S> ErrorType for HandBus<C, D, S> {
    type Error = Infallible;
}

impl<C: OutputPin, D: OutputPin, S: OutputPin> SpiDevice for HandBus<C, D, S> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let _ = self.select.set_low();
        for operation in operations {
            let Operation::Write(bytes) = operation else { continue };
            for byte in bytes.iter() {
                for bit in (0..8).rev() {
                    let _ = self.data.set_state((byte >> bit & 1 != 0).into());
                    let _ = self.clock.set_high();
                    let _ = self.clock.set_low();
                }
            }
        }
        let _ = self.select.set_high();
        Ok(())
    }
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { mut timer, pins, .. } = Board::take();
    let bus = HandBus {
        clock: pins.gpio20.into_push_pull_output(),
        data: pins.gpio21.into_push_pull_output(),
        select: pins.gpio22.into_push_pull_output(),
    };
    // The reset takes 10 µs at least.
    let reset = pins.gpio27.into_push_pull_output();
    timer.delay_us(20);
    let mut buffer = [0; 256];
    let interface = SpiInterface::new(bus, pins.gpio26.into_push_pull_output(), &mut buffer);
    let display = Builder::new(ST7735s, interface)
        .display_size(128, 160)
        .display_offset(2, 1)
        .reset_pin(reset)
        .init(&mut LongDelay(timer));
    let Ok(mut display) = display else { panic!("the display does not answer") };

    let mut left = Button::new(pins.gpio3.into_floating_input(), true);
    let mut right = Button::new(pins.gpio4.into_floating_input(), true);
    let mut length = WIDTH / 2;
    let _ = display.clear(Rgb565::WHITE);
    let _ = display.fill_solid(&bar(0, length), Rgb565::BLUE);
    loop {
        timer.delay_ms(5);
        if left.is_pressed() && length > 0 {
            length -= STEP;
            let _ = display.fill_solid(&bar(length, STEP), Rgb565::WHITE);
        }
        if right.is_pressed() && length < WIDTH {
            let _ = display.fill_solid(&bar(length, STEP), Rgb565::BLUE);
            length += STEP;
        }
    }
}

/// Returns a part of the bar.
fn bar(x: u32, width: u32) -> Rectangle {
    Rectangle::new(Point::new(x as i32, 60), Size::new(width, 24))
}
