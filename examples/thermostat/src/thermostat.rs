//! The thermostat: shows the temperature and the target, which the knob sets, and switches the relay.

use core::fmt::Write as _;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::{FONT_6X10, FONT_10X20};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use embedded_hal::digital::{InputPin as _, OutputPin as _};
use nudge::{
    AnalogInput, Console, EncoderPins, Firmware, I2c, InputPin, Instant, Led, Nanos, Pins, Wake,
};
use ssd1306::mode::BufferedGraphicsMode;
use ssd1306::prelude::*;
use ssd1306::{I2CDisplayInterface, Ssd1306};

type Oled = Ssd1306<I2CInterface<I2c>, DisplaySize128x64, BufferedGraphicsMode<DisplaySize128x64>>;

/// Time between two measurements.
const MEASURES: Nanos = Nanos::from_millis(100);
/// Time for which a contact must rest before its level counts.
const DEBOUNCE: Nanos = Nanos::from_millis(5);
/// Time for which the knob must rest before the picture is sent: that takes 27 ms, in which the knob is
/// not read.
const REST: Nanos = Nanos::from_millis(20);
/// Temperatures are in tenths of a degree Celsius.
const TARGETS: core::ops::RangeInclusive<i32> = 50..=300;
const AWAY: i32 = 120;
/// The relay switches this far below and above the target.
const HYSTERESIS: i32 = 2;

pub struct Thermostat {
    oled: Oled,
    knob: Knob,
    button: Button,
    sensor: AnalogInput,
    relay: Led,
    console: Console,
    target: i32,
    is_away: bool,
    is_heating: bool,
    shown: Option<(i32, i32, bool, bool)>,
}

impl Thermostat {
    pub fn new(pins: Pins) -> Self {
        let interface = I2CDisplayInterface::new(pins.i2c("LCD"));
        let mut oled = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0)
            .into_buffered_graphics_mode();
        // A display that does not answer stays dark; the heating works without it.
        let _ = oled.init();
        Self {
            oled,
            knob: Knob {
                pins: pins.encoder("KNOB"),
                last: (false, false),
                edges: 0,
                moved_at: Instant::START,
            },
            button: Button { pin: pins.button("AWAY"), is_down: false, since: Instant::START },
            sensor: pins.potentiometer("SENSOR"),
            relay: pins.led("RELAY"),
            console: pins.console(),
            target: 200,
            is_away: false,
            is_heating: false,
            shown: None,
        }
    }

    fn draw(&mut self, temperature: i32, target: i32) {
        let state = (temperature, target, self.is_away, self.is_heating);
        if self.shown.replace(state) == Some(state) {
            return;
        }
        self.oled.clear_buffer();
        let small = MonoTextStyle::new(&FONT_6X10, BinaryColor::On);
        let large = MonoTextStyle::new(&FONT_10X20, BinaryColor::On);
        let mut text = |text: &str, at: Point, style| {
            let _ = Text::with_baseline(text, at, style, Baseline::Top).draw(&mut self.oled);
        };
        text(&format!("{} C", degrees(temperature)), Point::new(0, 8), large);
        text(&format!("Target {} C", degrees(target)), Point::new(0, 36), small);
        text(if self.is_away { "Away" } else { "At home" }, Point::new(0, 52), small);
        if self.is_heating {
            text("Heating", Point::new(84, 52), small);
            let bar = Rectangle::new(Point::new(120, 4), Size::new(6, 40));
            let _ =
                bar.into_styled(PrimitiveStyle::with_fill(BinaryColor::On)).draw(&mut self.oled);
        }
        let _ = self.oled.flush();
    }
}

impl Firmware for Thermostat {
    fn step(&mut self, now: Instant) -> Wake {
        let target = self.target + 5 * self.knob.turned(now);
        self.target = target.clamp(*TARGETS.start(), *TARGETS.end());
        if self.button.is_pressed(now) {
            self.is_away = !self.is_away;
        }
        let temperature = i32::from(self.sensor.read()) * 500 / i32::from(AnalogInput::MAX);
        let target = if self.is_away { AWAY } else { self.target };
        let heats = match self.is_heating {
            true => temperature < target + HYSTERESIS,
            false => temperature < target - HYSTERESIS,
        };
        if heats != self.is_heating {
            self.is_heating = heats;
            let _ = self.relay.set_state(heats.into());
            let _ = writeln!(self.console, "relay {}", if heats { "on" } else { "off" });
        }
        let rests_at = self.knob.moved_at.saturating_add(REST);
        if self.knob.moved_at == Instant::START || now >= rests_at {
            self.draw(temperature, target);
        }
        let events = [self.button.settles_at(), rests_at, now.saturating_add(MEASURES)];
        let next = events.into_iter().filter(|at| *at > now).min();
        next.map_or(Wake::After(MEASURES), Wake::At)
    }
}

fn degrees(tenths: i32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A knob with four edges between two detents.
struct Knob {
    pins: EncoderPins,
    last: (bool, bool),
    edges: i32,
    moved_at: Instant,
}

impl Knob {
    /// Returns the number of detents since the last call, clockwise.
    fn turned(&mut self, at: Instant) -> i32 {
        let now = (self.pins.a.is_low() == Ok(true), self.pins.b.is_low() == Ok(true));
        let order = [(false, false), (true, false), (true, true), (false, true)];
        let place = |level| order.iter().position(|other| *other == level).unwrap_or(0);
        self.edges += match (place(now) + 4 - place(self.last)) % 4 {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        if now != self.last {
            (self.last, self.moved_at) = (now, at);
        }
        let detents = self.edges / 4;
        self.edges -= 4 * detents;
        detents
    }
}

/// A push button, debounced.
struct Button {
    pin: InputPin,
    is_down: bool,
    since: Instant,
}

impl Button {
    /// Returns whether a press has begun.
    fn is_pressed(&mut self, now: Instant) -> bool {
        let is_down = self.pin.is_low() == Ok(true);
        if is_down == self.is_down || now.saturating_since(self.since) < DEBOUNCE {
            return false;
        }
        (self.is_down, self.since) = (is_down, now);
        is_down
    }

    /// Returns the time from which on the next level counts.
    fn settles_at(&self) -> Instant {
        self.since.saturating_add(DEBOUNCE)
    }
}
