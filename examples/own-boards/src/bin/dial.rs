//! A panel with a knob, a switch, four keys, a slider and a joystick on an ST7735. The display and
//! the console show each change; LEDs and a buzzer answer. A wire leads from GP20 to GP21.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_6X10;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use embedded_hal::delay::DelayNs as _;
use embedded_hal::digital::{InputPin, OutputPin, StatefulOutputPin as _};
use embedded_hal::pwm::SetDutyCycle as _;
use embedded_hal::spi::MODE_0;
use embedded_hal_bus::spi::ExclusiveDevice;
use mipidsi::Builder;
use mipidsi::interface::SpiInterface;
use mipidsi::models::ST7735s;
use own_boards::{Board, Button};
use rp2040_hal::adc::{Adc, AdcPin};
use rp2040_hal::clocks::Clock as _;
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::{FunctionSpi, FunctionUart, InOutPin};
use rp2040_hal::pwm::Slices;
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::{Spi, Timer};

/// Number of LEDs of the strip.
const STRIP: usize = 4;
/// Number of samples of the ADC that are added up.
const SAMPLES: u32 = 4;
/// Number of lines on the display.
const LINES: usize = 6;
/// Half a period of 440 Hz in microseconds.
const HALF_PERIOD_US: u32 = 1_136;

/// Number of loops without an edge of the knob after which its turn is over: about 40 ms.
const QUIET_LOOPS: u32 = 60;

/// State of the panel.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Values {
    /// Edges of the knob, clockwise.
    edges: i32,
    mode: bool,
    /// Number of the key that is pressed, from 1; 0 for none.
    key: usize,
    /// Percent of the supply voltage.
    level: u32,
    stick: [u32; 2],
}

/// Sends colours, green first, to the strip. No interrupt may come in between.
fn send<P: OutputPin>(pin: &mut P, colours: &[[u8; 3]]) {
    for byte in colours.iter().flatten() {
        for bit in (0..8).rev() {
            // A loop of `delay` has three cycles of 8 ns and counts two; the call has about 20.
            let (high, low) = if byte >> bit & 1 != 0 { (52, 24) } else { (10, 58) };
            let _ = pin.set_high();
            cortex_m::asm::delay(high);
            let _ = pin.set_low();
            cortex_m::asm::delay(low);
        }
    }
}

/// Pulls a row low, and returns the number of its closed key, 1 or 2; the other if both are.
fn scan(
    row: &mut impl OutputPin,
    first: &mut impl InputPin,
    second: &mut impl InputPin,
    timer: &mut Timer,
) -> Option<usize> {
    let _ = row.set_low();
    timer.delay_us(5);
    let mut key = first.is_low().unwrap_or(false).then_some(1);
    if second.is_low().unwrap_or(false) {
        key = Some(2);
    }
    // Releases the row.
    let _ = row.set_high();
    key
}

#[rp2040_hal::entry]
fn main() -> ! {
    let Board { clocks, mut timer, pins, mut resets, spi1, uart0, adc, pwm, .. } = Board::take();
    let clock = clocks.peripheral_clock.freq();

    let wires = (pins.gpio0.into_function::<FunctionUart>(), pins.gpio1.into_function());
    let config = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(mut console) = UartPeripheral::new(uart0, wires, &mut resets).enable(config, clock)
    else {
        panic!("no such rate")
    };

    let wires = (pins.gpio11.into_function::<FunctionSpi>(), pins.gpio10.into_function());
    let spi = Spi::<_, _, _, 8>::new(spi1, wires);
    let spi = spi.init(&mut resets, clock, 15_625_000.Hz(), MODE_0);
    let Ok(device) = ExclusiveDevice::new(spi, pins.gpio9.into_push_pull_output(), timer);
    let mut buffer = [0; 480];
    let interface = SpiInterface::new(device, pins.gpio8.into_push_pull_output(), &mut buffer);
    let reset = pins.gpio12.into_push_pull_output();
    timer.delay_us(20);
    let display = Builder::new(ST7735s, interface)
        .display_size(128, 160)
        .display_offset(2, 1)
        .reset_pin(reset)
        .init(&mut own_boards::LongDelay(timer));
    let Ok(mut display) = display else { panic!("the display does not answer") };

    let mut push = Button::new(pins.gpio13.into_pull_up_input(), false);
    let (mut a, mut b) = (pins.gpio2.into_pull_up_input(), pins.gpio3.into_pull_up_input());
    let mut mode = pins.gpio4.into_pull_up_input();
    let mut upper = InOutPin::new(pins.gpio5.into_pull_up_input());
    let mut lower = InOutPin::new(pins.gpio6.into_pull_up_input());
    let mut first = pins.gpio7.into_pull_up_input();
    let mut second = pins.gpio14.into_pull_up_input();

    let mut adc = Adc::new(adc, &mut resets);
    let Ok(level) = AdcPin::new(pins.gpio26.into_floating_input()) else { panic!("no ADC pin") };
    let Ok(x) = AdcPin::new(pins.gpio27.into_floating_input()) else { panic!("no ADC pin") };
    let Ok(y) = AdcPin::new(pins.gpio28.into_floating_input()) else { panic!("no ADC pin") };

    let mut status = pins.gpio25.into_push_pull_output();
    let mut slices = Slices::new(pwm, &mut resets);
    slices.pwm7.set_top(999);
    slices.pwm7.enable();
    let mut dimmed = slices.pwm7.channel_b;
    let _ = dimmed.output_to(pins.gpio15);
    let mut mood = [
        pins.gpio18.into_push_pull_output().into_dyn_pin(),
        pins.gpio19.into_push_pull_output().into_dyn_pin(),
        pins.gpio22.into_push_pull_output().into_dyn_pin(),
    ];
    let mut strip = pins.gpio16.into_push_pull_output();
    let mut buzzer = pins.gpio17.into_push_pull_output();
    let mut wire_out = pins.gpio20.into_push_pull_output();
    let mut wire_in = pins.gpio21.into_floating_input();

    let _ = display.clear(Rgb565::BLACK);
    let mut shown: Option<Values> = None;
    let mut lines = [Line::default(); LINES];
    let mut edges: i32 = 0;
    let mut last = Values::default();
    let mut quiet_loops: u32 = 0;
    let mut phase = 0;
    let _ = writeln!(console, "ready\r");
    loop {
        timer.delay_us(500);
        // The phase of the contacts, which are closed when they are low: 0 is the detent.
        let now = match (a.is_low().unwrap_or(false), b.is_low().unwrap_or(false)) {
            (false, false) => 0,
            (true, false) => 1,
            (true, true) => 2,
            (false, true) => 3,
        };
        match (now - phase + 4) % 4 {
            1 => edges += 1,
            3 => edges -= 1,
            _ => {}
        }
        phase = now;
        if push.is_pressed() {
            edges = 0;
        }

        macro_rules! sample {
            ($pin:expr) => {{
                adc.free_running($pin);
                let mut sum = 0;
                for _ in 0..SAMPLES {
                    timer.delay_us(5);
                    sum += u32::from(adc.read_single().unwrap_or_default());
                }
                adc.stop();
                (sum * 100 + SAMPLES * 2_048) / (SAMPLES * 4_096)
            }};
        }
        let in_upper = scan(&mut upper, &mut first, &mut second, &mut timer);
        let in_lower = scan(&mut lower, &mut first, &mut second, &mut timer);
        let values = Values {
            edges,
            mode: mode.is_low().unwrap_or(false),
            key: in_lower.map(|key| key + 2).or(in_upper).unwrap_or_default(),
            level: sample!(&level),
            stick: [sample!(&x), sample!(&y)],
        };
        // The knob is read in this loop only, so its turn ends before the values are shown.
        quiet_loops = if values.edges == last.edges { quiet_loops + 1 } else { 0 };
        last = values;
        if shown == Some(values) || shown.is_some() && quiet_loops < QUIET_LOOPS {
            continue;
        }
        let before = shown.replace(values);
        let Values { edges, mode, key, level, stick: [x, y] } = values;
        let dial = edges.div_euclid(4);

        let _ = status.set_state(mode.into());
        let _ = wire_out.set_state(mode.into());
        let _ = dimmed.set_duty_cycle(u16::try_from(level * 10).unwrap_or(u16::MAX));
        for (number, pin) in mood.iter_mut().enumerate() {
            let is_on = key == number + 1 || key == STRIP;
            let _ = pin.set_state((!is_on).into());
        }
        let mut colours = [[0; 3]; STRIP];
        for (colour, number) in colours.iter_mut().zip(0..) {
            if number < dial {
                *colour = [0x10 * number as u8, 0x80, 0];
            }
        }
        send(&mut strip, &colours);
        timer.delay_us(60);

        let is_wired = wire_in.is_high().unwrap_or(false);
        let _ = writeln!(
            console,
            "dial={dial} mode={mode} key={key} level={level} stick={x},{y} wire={is_wired}\r"
        );
        let style = MonoTextStyle::new(&FONT_6X10, Rgb565::WHITE);
        let mut texts = [Line::default(); LINES];
        let _ = write!(texts[0], "DIAL {dial}");
        let _ = write!(texts[1], "MODE {}", if mode { "ON" } else { "OFF" });
        let _ = write!(texts[2], "KEY {key}");
        let _ = write!(texts[3], "LEVEL {level}");
        let _ = write!(texts[4], "STICK {x},{y}");
        let _ = write!(texts[5], "WIRE {}", u8::from(is_wired));
        for (number, (text, before)) in (0..).zip(texts.iter().zip(&mut lines)) {
            if text == before {
                continue;
            }
            *before = *text;
            let place = Point::new(4, 4 + 14 * number);
            let _ = display.fill_solid(&Rectangle::new(place, Size::new(120, 10)), Rgb565::BLACK);
            let text = Text::with_baseline(text.as_str(), place, style, Baseline::Top);
            let _ = text.draw(&mut display);
        }

        if key != 0 && before.is_none_or(|before| before.key != key) {
            // 100 ms of 440 Hz.
            for _ in 0..88 {
                let _ = buzzer.toggle();
                timer.delay_us(HALF_PERIOD_US);
            }
        }
    }
}

/// A line of text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Line {
    bytes: [u8; 20],
    length: usize,
}

impl Line {
    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl core::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for byte in text.bytes().filter(u8::is_ascii) {
            let place = self.bytes.get_mut(self.length).ok_or(core::fmt::Error)?;
            *place = byte;
            self.length += 1;
        }
        Ok(())
    }
}
