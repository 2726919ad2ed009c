//! The parts of a board that a person moves besides its buttons: encoders, switches, joysticks and
//! potentiometers, with the names that traces use.

use std::sync::Arc;

use super::button::{ButtonsError, stored};
use super::limits::TURN_DETENT;
use super::share::Share;
use virtual_time::Nanos;

/// Kind of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControlKind {
    Encoder,
    Switch,
    Joystick,
    Potentiometer,
}

impl ControlKind {
    /// Returns the kind of the parts in this table of a board file.
    pub fn of_table(table: &str) -> Option<Self> {
        let all = [Self::Encoder, Self::Switch, Self::Joystick, Self::Potentiometer];
        all.into_iter().find(|kind| kind.noun() == table)
    }

    /// Returns the kind in messages: "encoder".
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Switch => "switch",
            Self::Joystick => "joystick",
            Self::Potentiometer => "potentiometer",
        }
    }

    /// Returns the verb that moves such a part.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Encoder => "turn",
            Self::Switch => "switch",
            Self::Joystick | Self::Potentiometer => "set",
        }
    }
}

/// A part that a person moves, other than a push button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Control {
    index: u8,
    name: &'static str,
    kind: ControlKind,
}

impl Control {
    /// Returns the number of the part among the controls of its board, from 0.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    pub const fn name(self) -> &'static str {
        self.name
    }

    pub const fn kind(self) -> ControlKind {
        self.kind
    }
}

/// The controls of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controls(Arc<[Control]>);

impl Controls {
    /// Maximum number of controls of a board.
    pub const MAX: usize = 200;

    /// Returns controls with these kinds and names.
    ///
    /// # Errors
    /// If there are more than [`MAX`](Self::MAX), or more names than a process stores.
    pub fn new<'a>(
        parts: impl IntoIterator<Item = (ControlKind, &'a str)>,
    ) -> Result<Self, ButtonsError> {
        let mut controls = Vec::new();
        for (kind, name) in parts {
            let index =
                u8::try_from(controls.len()).ok().filter(|index| usize::from(*index) < Self::MAX);
            let index = index.ok_or(ButtonsError::TooManyNames)?;
            controls.push(Control { index, name: stored(name)?, kind });
        }
        Ok(Self(controls.into()))
    }

    /// Returns the controls in the order of their numbers.
    pub fn all(&self) -> &[Control] {
        &self.0
    }

    /// Returns the control of exactly that name.
    pub fn named(&self, name: &str) -> Option<Control> {
        self.0.iter().copied().find(|control| control.name == name)
    }

    /// Adds a control that a line names, in place of the one with the same name or number.
    pub(super) fn learn(&mut self, control: Control) {
        if self.named(control.name) == Some(control) {
            return;
        }
        let is_other = |own: &&Control| own.name != control.name && own.index != control.index;
        self.0 = self.0.iter().filter(is_other).copied().chain([control]).collect();
    }
}

/// A movement of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// `turn ENC by 3`, `turn ENC by -3 over 200ms`
    Turn {
        /// Number of detents, not 0; clockwise if positive.
        by: i16,
        /// Duration of the whole turn; `None`: [`TURN_DETENT`] for each detent.
        over: Option<Nanos>,
    },
    /// `switch S on` (true), `switch S off`
    Switch(bool),
    /// `set VOLUME 0.5`, `set JOY 0.5,0.1`
    Set {
        /// Voltage of a potentiometer, or of a joystick's horizontal axis, as a share of 3.3 V.
        x: Share,
        /// Voltage of a joystick's vertical axis.
        y: Option<Share>,
    },
}

impl Movement {
    /// Returns the time that the movement takes.
    pub const fn lasts(self) -> Nanos {
        match self {
            Self::Turn { over: Some(over), .. } => over,
            Self::Turn { by, over: None } => Nanos(TURN_DETENT.0 * by.unsigned_abs() as u64),
            Self::Switch(_) | Self::Set { .. } => Nanos::ZERO,
        }
    }
}
