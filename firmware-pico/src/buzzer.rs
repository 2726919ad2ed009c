//! The piezo on channel B of PWM slice 7.

use core::convert::Infallible;

use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use firmware_core::sound::Buzzer;
use rp2040_hal::gpio::bank0::Gpio15;
use rp2040_hal::gpio::{FunctionNull, Pin, PullDown};
use rp2040_hal::pwm::{FreeRunning, Pwm7, Slice};

/// Number of ticks that the counter can count.
const COUNTER: u32 = 1 << 16;

/// Largest whole divider of the slice's clock.
const LARGEST_DIVIDER: u32 = 255;

/// A square wave of any audible frequency.
pub struct PicoBuzzer {
    slice: Slice<Pwm7, FreeRunning>,
    clock_hz: u32,
}

impl PicoBuzzer {
    /// Creates a silent buzzer on GPIO 15. The slice counts at `clock_hz`.
    pub fn new(
        mut slice: Slice<Pwm7, FreeRunning>,
        pin: Pin<Gpio15, FunctionNull, PullDown>,
        clock_hz: u32,
    ) -> Self {
        slice.channel_b.output_to(pin);
        let Ok(()) = slice.channel_b.set_duty_cycle(0);
        slice.enable();
        Self { slice, clock_hz }
    }
}

impl ErrorType for PicoBuzzer {
    type Error = Infallible;
}

impl SetDutyCycle for PicoBuzzer {
    fn max_duty_cycle(&self) -> u16 {
        self.slice.channel_b.max_duty_cycle()
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.slice.channel_b.set_duty_cycle(duty)
    }
}

impl Buzzer for PicoBuzzer {
    fn set_frequency(&mut self, hz: u32) {
        let period = self.clock_hz / hz.max(1);
        // The smallest divider whose count fits gives the finest frequency resolution.
        let divider = (period / COUNTER + 1).min(LARGEST_DIVIDER);
        let ticks = (period / divider).clamp(2, COUNTER);
        self.slice.set_div_int(divider as u8);
        self.slice.set_top((ticks - 1) as u16);
    }
}
