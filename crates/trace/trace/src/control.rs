//! The parts of a board that a person moves besides its buttons: encoders, switches, joysticks,
//! potentiometers and touch panels, with the names that traces use.

use std::fmt;
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
    /// A touch panel on a display, with the pixels under it.
    Touch(TouchArea),
}

/// The pixels under a touch panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TouchArea {
    /// Number of the display, from 0.
    pub display: u8,
    /// Size of the display in pixels, as the viewer sees it.
    pub width: u16,
    pub height: u16,
}

impl TouchArea {
    /// An area for kinds in messages.
    pub(super) const ANY: Self = Self { display: 0, width: 0, height: 0 };

    /// Returns whether the display has this pixel.
    pub const fn contains(self, point: Point) -> bool {
        point.x < self.width && point.y < self.height
    }
}

impl ControlKind {
    /// Returns the kind of the parts in this table of a board file; `area` is that of a touch panel.
    pub fn of_table(table: &str, area: Option<TouchArea>) -> Option<Self> {
        let others = [Self::Encoder, Self::Switch, Self::Joystick, Self::Potentiometer];
        let all = others.into_iter().chain(area.map(Self::Touch));
        all.into_iter().find(|kind| kind.table() == table)
    }

    /// Returns whether the two are of the same kind, whatever their areas.
    pub fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Returns the table of a board file that describes such a part.
    pub const fn table(self) -> &'static str {
        match self {
            Self::Touch(_) => "touch",
            other => other.noun(),
        }
    }

    /// Returns the kind in messages: "encoder".
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Switch => "switch",
            Self::Joystick => "joystick",
            Self::Potentiometer => "potentiometer",
            Self::Touch(_) => "touch panel",
        }
    }

    /// Returns the verb that moves such a part.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Encoder => "turn",
            Self::Switch => "switch",
            Self::Joystick | Self::Potentiometer => "set",
            Self::Touch(_) => "touch",
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
    /// `touch PAD at 120,40`, `touch PAD at 120,40 for 1s`: puts the finger on a pixel.
    Touch {
        at: Point,
        /// Time after which the finger leaves; `None`: it remains.
        hold: Option<Nanos>,
    },
    /// `drag PAD to 200,40 over 300ms`: moves the finger in a straight line.
    Drag { to: Point, over: Nanos },
    /// `lift PAD`: the finger leaves.
    Lift,
}

/// A pixel of a display, from its upper left corner as the viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    pub x: u16,
    pub y: u16,
}

/// Writes the pixel as in a trace: `120,40`.
impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{}", self.x, self.y)
    }
}

impl Movement {
    /// Returns the time that the movement takes.
    pub const fn lasts(self) -> Nanos {
        match self {
            Self::Turn { over: Some(over), .. } => over,
            Self::Turn { by, over: None } => Nanos(TURN_DETENT.0 * by.unsigned_abs() as u64),
            Self::Touch { hold: Some(time), .. } | Self::Drag { over: time, .. } => time,
            Self::Switch(_) | Self::Set { .. } | Self::Touch { hold: None, .. } | Self::Lift => {
                Nanos::ZERO
            }
        }
    }
}
