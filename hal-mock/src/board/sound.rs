//! The piezo buzzer on its PWM pin, and an ear that notes every change of tone.
//!
//! It knows no melody: a tone sounds while the pin toggles, that is, while there is a
//! frequency and a duty cycle that is neither 0 nor 100 percent.

use core::convert::Infallible;
use std::cell::RefCell;
use std::rc::Rc;

use embedded_hal::pwm::{ErrorType, SetDutyCycle};

use super::Circuit;
use super::probe::Clip;
use crate::Nanos;

/// Changes of tone that the board remembers; later ones are only counted.
pub const TONES_KEPT: usize = 1 << 20;
/// The duty cycle of 100 percent.
const MAX_DUTY: u16 = u16::MAX;

/// A change of what the buzzer sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    /// When.
    pub at: Nanos,
    /// Hertz, or `None` for silence.
    pub hz: Option<u32>,
}

/// The PWM channel and the ear.
#[derive(Default)]
pub(super) struct Sound {
    hz: u32,
    duty: u16,
    sounding: Option<u32>,
    tones: Vec<Tone>,
    dropped: u64,
    pub(super) clip: Clip,
}

impl Sound {
    pub(super) fn tones(&self) -> &[Tone] {
        &self.tones
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn lose_power(&mut self, at: Nanos) {
        (self.hz, self.duty) = (0, 0);
        self.listen(at);
    }

    fn listen(&mut self, at: Nanos) {
        let toggles = self.hz > 0 && self.duty > 0 && self.duty < MAX_DUTY;
        self.set(at, toggles.then_some(self.hz));
    }

    /// The pin toggles at `hz` from `at` on, or not at all.
    pub(super) fn set(&mut self, at: Nanos, hz: Option<u32>) {
        if hz == self.sounding {
            return;
        }
        self.sounding = hz;
        self.clip.tell(|probe| probe.tone(at, hz));
        if self.tones.len() < TONES_KEPT {
            self.tones.push(Tone { at, hz });
        } else {
            self.dropped += 1;
        }
    }
}

/// The firmware's end of the buzzer.
pub struct Buzzer(pub(super) Rc<RefCell<Circuit>>);

impl Buzzer {
    /// Sets the frequency in hertz; 0 is silence, whatever the duty cycle.
    pub fn set_frequency(&mut self, hz: u32) {
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.sound.hz = hz;
            circuit.sound.listen(circuit.now);
        }
    }
}

impl ErrorType for Buzzer {
    type Error = Infallible;
}

impl SetDutyCycle for Buzzer {
    fn max_duty_cycle(&self) -> u16 {
        MAX_DUTY
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.sound.duty = duty;
            circuit.sound.listen(circuit.now);
        }
        Ok(())
    }
}
