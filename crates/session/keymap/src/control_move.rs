//! Movements of a control by a key.

use trace::ControlKind;

/// A movement of an encoder, a switch, a joystick or a potentiometer by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlMove {
    /// Turns an encoder by a detent.
    Counterclockwise,
    Clockwise,
    /// Changes the position of a switch.
    Toggle,
    /// Moves a potentiometer by a step.
    Less,
    More,
    /// Tilts a joystick while the key is held.
    Left,
    Right,
    Up,
    Down,
}

impl ControlMove {
    /// Returns the movements of a kind of control, in the order of `keys` in a board file.
    pub const fn of(kind: ControlKind) -> &'static [Self] {
        match kind {
            ControlKind::Encoder => &[Self::Counterclockwise, Self::Clockwise],
            ControlKind::Switch => &[Self::Toggle],
            ControlKind::Potentiometer => &[Self::Less, Self::More],
            ControlKind::Joystick => &[Self::Left, Self::Right, Self::Up, Self::Down],
            ControlKind::Touch(_) => &[],
        }
    }

    /// Returns the end of the movement's name in a key map, which follows the name of the control.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Counterclockwise => ".CCW",
            Self::Clockwise => ".CW",
            Self::Toggle => "",
            Self::Less => ".LESS",
            Self::More => ".MORE",
            Self::Left => ".LEFT",
            Self::Right => ".RIGHT",
            Self::Up => ".UP",
            Self::Down => ".DOWN",
        }
    }

    /// Returns whether a held key repeats the movement.
    pub const fn repeats(self) -> bool {
        matches!(self, Self::Counterclockwise | Self::Clockwise | Self::Less | Self::More)
    }
}
