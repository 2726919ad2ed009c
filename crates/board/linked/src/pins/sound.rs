//! The buzzer.

use embedded_hal::pwm::{ErrorType, SetDutyCycle};

use crate::clock::Never;
use crate::context;

/// A passive buzzer at a PWM channel: it sounds at the set frequency while the duty cycle is neither 0
/// nor full.
#[derive(Debug, Default)]
pub struct Buzzer {
    hertz: u32,
    duty: u16,
}

impl Buzzer {
    /// Sets the frequency in hertz; 0 is silence.
    pub fn set_frequency(&mut self, hertz: u32) {
        self.hertz = hertz;
        self.sound();
    }

    fn sound(&self) {
        let is_wave = self.hertz > 0 && self.duty > 0 && self.duty < u16::MAX;
        context::terminals(|terminals, at| terminals.set_tone(at, is_wave.then_some(self.hertz)));
    }
}

impl ErrorType for Buzzer {
    type Error = Never;
}

impl SetDutyCycle for Buzzer {
    fn max_duty_cycle(&self) -> u16 {
        u16::MAX
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Never> {
        self.duty = duty;
        self.sound();
        Ok(())
    }
}
