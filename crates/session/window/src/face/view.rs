//! What the picture of the board shows besides its panel.

use host::clock::Speed;
pub use live::FlashState;
use trace::Button;

/// Whether virtual time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// It runs.
    Runs,
    /// It stands still.
    Paused,
    /// The machine broke and runs no more.
    Broken,
}

/// Whether the buzzer is audible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// It is audible.
    On,
    /// The user has muted it.
    Muted,
    /// This computer has no sound device.
    Missing,
}

/// Whether presses are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// They are not.
    Off,
    /// They are written into the file of that name.
    To(String),
    /// They were recorded until a write failed.
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
    /// Whether virtual time runs.
    pub running: Running,
    /// The speed of virtual time.
    pub speed: Speed,
    /// Whether the buzzer is audible.
    pub sound: Sound,
    /// Whether presses are recorded.
    pub recording: Recording,
    /// Whether the flash outlasts the session.
    pub flash: FlashState,
    /// Whether a moment of the past is shown.
    pub past: bool,
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
            flash: FlashState::Discarded,
            past: false,
        }
    }
}
