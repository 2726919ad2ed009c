//! The notes of the buzzer and their timing. This module knows no PWM; [`Buzzer`] does.

use embedded_hal::pwm::SetDutyCycle;

use crate::time::{Instant, Micros};

/// A piezo buzzer on a PWM pin with a variable frequency. A duty cycle of one half is loudest, zero
/// is silence.
pub trait Buzzer: SetDutyCycle {
    /// Sets the frequency of the square wave, in Hz (20 to 20,000).
    fn set_frequency(&mut self, hz: u32);
}

/// Loudness of the buzzer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    #[default]
    Loud,
    Medium,
    Soft,
}

impl Volume {
    /// All volumes, the loudest first.
    pub const ALL: [Self; 3] = [Self::Loud, Self::Medium, Self::Soft];

    /// Returns the name on the console and in a trace's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loud => "loud",
            Self::Medium => "medium",
            Self::Soft => "soft",
        }
    }

    /// Returns the duty cycle in per cent. The fundamental of a square wave with duty cycle *d* has
    /// the amplitude sin(π*d*): each step is about 10 dB below the one before.
    pub const fn duty_percent(self) -> u8 {
        match self {
            Self::Loud => 50,
            Self::Medium => 10,
            Self::Soft => 3,
        }
    }

    /// Returns the next softer volume; after the softest, the loudest.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Loud => Self::Medium,
            Self::Medium => Self::Soft,
            Self::Soft => Self::Loud,
        }
    }
}

/// A square wave of `hz`, or a rest, for a number of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Frequency in Hz; `None` is a rest.
    pub hz: Option<u32>,
    /// Duration in milliseconds.
    pub millis: u32,
}

const fn note(hz: u32, millis: u32) -> Note {
    Note { hz: Some(hz), millis }
}

/// A stone falls into a cup.
pub const STONE: &[Note] = &[note(1_047, 15)];
/// A cup is counted, or a soft key is pressed.
pub const COUNT: &[Note] = &[note(1_568, 10)];
/// A stone falls into a store.
pub const STORE: &[Note] = &[note(1_319, 25)];
/// Stones are captured.
pub const CAPTURE: &[Note] = &[note(659, 60), note(880, 60), note(1_319, 120)];
/// The player moves again.
pub const FREE_TURN: &[Note] = &[note(880, 70), note(1_175, 140)];
/// The press did nothing.
pub const ERROR: &[Note] = &[note(220, 150)];
/// The game is over.
pub const GAME_OVER: &[Note] = &[note(784, 120), note(659, 120), note(523, 120), note(1_047, 300)];

/// The notes that are being played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Player {
    playing: Option<(&'static [Note], Instant)>,
}

impl Player {
    /// Begins to play `notes` at `now`, replacing those that are playing.
    pub fn play(&mut self, notes: &'static [Note], now: Instant) {
        self.playing = Some((notes, now));
    }

    /// Stops playing.
    pub fn stop(&mut self) {
        self.playing = None;
    }

    /// Returns the frequency at `now`, and when it changes.
    pub fn at(&mut self, now: Instant) -> (Option<u32>, Option<Instant>) {
        let Some((notes, started)) = self.playing else { return (None, None) };
        let mut end = started;
        for note in notes {
            end = end.saturating_add(Micros::from_millis(note.millis));
            if now < end {
                return (note.hz, Some(end));
            }
        }
        self.playing = None;
        (None, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_follow_each_other_and_end_in_silence() {
        let mut player = Player::default();
        player.play(FREE_TURN, Instant(1_000));
        assert_eq!(player.at(Instant(1_000)), (Some(880), Some(Instant(71_000))));
        assert_eq!(player.at(Instant(71_000)), (Some(1_175), Some(Instant(211_000))));
        assert_eq!(player.at(Instant(211_000)), (None, None));
    }

    #[test]
    fn a_stopped_player_is_silent_at_once() {
        let mut player = Player::default();
        player.play(GAME_OVER, Instant(1_000));
        player.stop();
        assert_eq!(player.at(Instant(1_001)), (None, None));
    }
}
