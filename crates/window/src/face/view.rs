//! What the picture of the board shows besides its panel.

use hal_mock::Button;
use wall_clock::Speed;

/// What virtual time does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// It runs.
    Runs,
    /// It stands still.
    Paused,
    /// The machine broke and runs no more.
    Broken,
}

/// What becomes of the buzzer's tones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// They are heard.
    On,
    /// The user does not want them.
    Muted,
    /// This computer has no sound device.
    Missing,
}

/// What becomes of what is pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Nothing is kept.
    Off,
    /// It is written into the file of that name.
    To(String),
    /// It was being written, and then the file could not take more.
    Failed,
}

/// What the board shows besides its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which buttons are down, by [`Button::index`].
    pub down: [bool; Button::COUNT],
    /// Whether the board has power.
    pub powered: bool,
    /// Whether the buzzer sounds.
    pub tone: bool,
    /// What virtual time does.
    pub running: Running,
    /// How fast it does.
    pub speed: Speed,
    /// What becomes of tones.
    pub sound: Sound,
    /// What becomes of presses.
    pub recording: Recording,
}

impl Default for View {
    fn default() -> Self {
        Self {
            down: [false; Button::COUNT],
            powered: true,
            tone: false,
            running: Running::Runs,
            speed: Speed::REAL,
            sound: Sound::On,
            recording: Recording::Off,
        }
    }
}
