//! LEDs: single ones, those of three colours, and chains.

use std::sync::{Arc, Mutex, PoisonError};

use board_file::parts::Level;
use embedded_hal::pwm::{self, SetDutyCycle};
use trace::{LedState, Share};
use virtual_time::Nanos;

use super::output::output_pins;
use crate::clock::Never;
use crate::context;

/// Time of the data of one LED of a WS2812 chain: 24 bits of 1.25 µs (datasheet, data transfer time).
const CHAIN_LED: Nanos = Nanos(30_000);
/// Low time that ends the data of a chain (WS2812 datasheet, RES).
const CHAIN_END: Nanos = Nanos(50_000);

/// The pin of an LED: a level, or a duty cycle of its PWM channel.
#[derive(Debug)]
pub struct Led {
    place: Place,
    /// Level with which the LED is on.
    on: Level,
}

/// The light of a pin.
#[derive(Debug)]
enum Place {
    Single(usize),
    /// A colour of an LED of three colours, whose shares its pins have in common.
    Colour {
        led: usize,
        colour: usize,
        shares: Arc<Mutex<[Share; 3]>>,
    },
}

impl Led {
    pub(crate) fn new(led: usize, on: Level) -> Self {
        Self { place: Place::Single(led), on }
    }

    fn set(&self, level: Level) {
        self.set_high_for(if level == Level::High { 1.0 } else { 0.0 });
    }

    /// Sets the share of the time in which the pin is high.
    fn set_high_for(&self, share: f64) {
        let on = Share::nearest(if self.on == Level::High { share } else { 1.0 - share });
        let (led, state) = match &self.place {
            Place::Single(led) => (*led, LedState::Level(on)),
            Place::Colour { led, colour, shares } => {
                let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
                shares[*colour] = on;
                let [red, green, blue] =
                    shares.map(|share| (share.fraction() * 255.0).round() as u8);
                (*led, LedState::Colour([red, green, blue, 0]))
            }
        };
        context::terminals(|terminals, at| terminals.set_led(at, led, 0, state));
    }
}

output_pins!(Led);

impl pwm::ErrorType for Led {
    type Error = Never;
}

impl SetDutyCycle for Led {
    fn max_duty_cycle(&self) -> u16 {
        u16::MAX
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Never> {
        self.set_high_for(f64::from(duty) / f64::from(u16::MAX));
        Ok(())
    }
}

/// The pins of an LED of three colours.
#[derive(Debug)]
pub struct RgbLed {
    pub red: Led,
    pub green: Led,
    pub blue: Led,
}

impl RgbLed {
    pub(crate) fn new(led: usize, on: Level) -> Self {
        let shares = Arc::new(Mutex::new([Share::ZERO; 3]));
        let pin =
            |colour| Led { place: Place::Colour { led, colour, shares: Arc::clone(&shares) }, on };
        Self { red: pin(0), green: pin(1), blue: pin(2) }
    }
}

/// A chain of LEDs with a data line.
#[derive(Debug)]
pub struct LedChain {
    led: usize,
    count: u32,
}

impl LedChain {
    pub(crate) fn new(led: usize, count: u32) -> Self {
        Self { led, count }
    }

    /// Sends the colours of the first LEDs: red, green, blue and white, of which a chain without white
    /// LEDs ignores the last. Colours beyond the end of the chain are lost.
    pub fn write(&mut self, colours: impl IntoIterator<Item = [u8; 4]>) {
        let mut sent = Vec::new();
        for colour in colours {
            context::uncounted(|| sent.push(colour));
            context::spend(CHAIN_LED);
        }
        context::spend(CHAIN_END);
        context::terminals(|terminals, at| {
            for (number, colour) in sent.iter().take(self.count as usize).enumerate() {
                terminals.set_led(at, self.led, number, LedState::Colour(*colour));
            }
        });
    }
}
