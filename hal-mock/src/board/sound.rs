//! The piezo buzzer on its PWM pin, and the record of every change of tone.
//!
//! The module knows no melody: a tone sounds while the pin toggles, that is, while there is a
//! frequency and a duty cycle that is neither 0 nor 100 percent.

use super::probe::Listeners;
use crate::log::{Entry, Log};
use virtual_time::Instant;

/// Number of changes of tone that the board stores: the newest.
pub const TONES_MAX: usize = 1 << 20;
/// Duty cycle of 100 percent.
pub(super) const MAX_DUTY: u16 = u16::MAX;

/// A change of the buzzer's tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    pub at: Instant,
    /// Frequency in hertz, or `None` for silence.
    pub hz: Option<u32>,
}

impl Entry for Tone {}

/// Returns the frequency in hertz of the tone that sounds at `at`.
pub fn tone_at(tones: &Log<Tone>, at: Instant) -> Option<u32> {
    let sounded = tones.partition_point(|tone| tone.at <= at);
    tones.get(sounded.checked_sub(1)?)?.hz
}

#[derive(Clone)]
pub(super) struct Sound {
    pub(super) hz: u32,
    pub(super) duty: u16,
    sounding: Option<u32>,
    tones: Log<Tone>,
    pub(super) clip: Listeners,
}

impl Default for Sound {
    fn default() -> Self {
        Self {
            hz: 0,
            duty: 0,
            sounding: None,
            tones: Log::with_limit(TONES_MAX * size_of::<Tone>()),
            clip: Listeners::default(),
        }
    }
}

impl Sound {
    pub(super) fn tones(&self) -> &Log<Tone> {
        &self.tones
    }

    /// Stores only the newest `most` changes from now on.
    pub(super) fn keep(&mut self, most: usize) {
        self.tones.set_limit(most * size_of::<Tone>());
    }

    pub(super) fn lose_power(&mut self, at: Instant) {
        (self.hz, self.duty) = (0, 0);
        self.listen(at);
    }

    pub(super) fn listen(&mut self, at: Instant) {
        let toggles = self.hz > 0 && self.duty > 0 && self.duty < MAX_DUTY;
        self.set(at, toggles.then_some(self.hz));
    }

    /// Sets the frequency at which the pin toggles from `at` on; `None` stops it.
    pub(super) fn set(&mut self, at: Instant, hz: Option<u32>) {
        if hz == self.sounding {
            return;
        }
        self.sounding = hz;
        self.clip.tell(|probe| probe.tone(at, hz));
        self.tones.push(Tone { at, hz });
    }
}
