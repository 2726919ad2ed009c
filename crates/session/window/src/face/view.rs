//! State that the picture of the board shows besides its panel.

use host::clock::Speed;
pub use live::FlashState;
use trace::ButtonSet;

pub use super::part_state::{PartState, PartStates};

/// Whether virtual time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    Runs,
    /// Virtual time is paused.
    Paused,
    /// A debugger has stopped the firmware.
    Debugged,
    /// The machine has stopped.
    Broken,
}

/// Whether the buzzer is audible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    On,
    /// The user has muted it.
    Muted,
    /// This computer has no sound device.
    Missing,
}

/// Whether presses are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    Off,
    /// Presses are written into the file of this name.
    To(String),
    /// Presses were recorded until a write failed.
    Failed,
}

/// State that the board shows besides its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The buttons that are down.
    pub down: ButtonSet,
    /// Whether the board has power.
    pub powered: bool,
    /// Whether the buzzer sounds.
    pub tone: bool,
    /// Whether virtual time runs.
    pub running: Running,
    /// The speed of virtual time that was chosen.
    pub speed: Speed,
    /// The present speed of virtual time.
    pub pace: Speed,
    /// Whether the buzzer is audible.
    pub sound: Sound,
    /// Volume in percent.
    pub volume: u8,
    /// Whether presses are recorded.
    pub recording: Recording,
    /// Whether the flash outlasts the session.
    pub flash: FlashState,
    /// States of the parts that are no buttons.
    pub parts: PartStates,
    /// Whether the past is shown.
    pub past: bool,
    /// Whether the past is played.
    pub plays: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            down: ButtonSet::EMPTY,
            powered: true,
            tone: false,
            running: Running::Runs,
            speed: Speed::REAL,
            pace: Speed::REAL,
            sound: Sound::On,
            volume: 100,
            recording: Recording::Off,
            flash: FlashState::Discarded,
            parts: PartStates::default(),
            past: false,
            plays: false,
        }
    }
}
