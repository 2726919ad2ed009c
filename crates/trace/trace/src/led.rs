//! The LEDs of a board: their names, their states, and the arguments of `expect led`.
//!
//! An LED of a chain has a number, from 0 at the chain's input.

use core::fmt;
use std::sync::Arc;

use super::button::{ButtonsError, stored};
use super::share::Share;

/// Accepted difference of a duty cycle from that of `expect led NAME 50%`: one percentage point.
const LEVEL_TOLERANCE: u16 = 100;
/// Accepted difference of a colour of three duty cycles, in steps of 255: one percent.
const COLOUR_TOLERANCE: u8 = 3;

/// Kind of an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedKind {
    /// A level.
    Plain,
    /// A duty cycle.
    Pwm,
    /// Three duty cycles or levels.
    Rgb,
    /// A chain with one data line; with or without a white LED in each.
    Chain { count: u16, has_white: bool },
}

impl LedKind {
    /// Returns the kind that a board file calls `word`; `count` and `has_white` are those of a
    /// chain.
    pub fn of_word(word: &str, count: u32, has_white: bool) -> Option<Self> {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        match word {
            "plain" => Some(Self::Plain),
            "pwm" => Some(Self::Pwm),
            "rgb" => Some(Self::Rgb),
            "ws2812" => Some(Self::Chain { count, has_white }),
            _ => None,
        }
    }
}

/// An LED, or a chain of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Led {
    index: u8,
    name: &'static str,
    kind: LedKind,
}

impl Led {
    /// Returns the number of the part among the LEDs of its board, from 0.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    pub const fn name(self) -> &'static str {
        self.name
    }

    pub const fn kind(self) -> LedKind {
        self.kind
    }

    /// Returns the number of LEDs: 1, or that of the chain.
    pub const fn count(self) -> u16 {
        match self.kind {
            LedKind::Chain { count, .. } => count,
            LedKind::Plain | LedKind::Pwm | LedKind::Rgb => 1,
        }
    }

    /// Returns the state without light.
    pub const fn dark(self) -> LedState {
        match self.kind {
            LedKind::Plain | LedKind::Pwm => LedState::Level(Share::ZERO),
            LedKind::Rgb | LedKind::Chain { .. } => LedState::Colour([0; 4]),
        }
    }
}

/// The LEDs of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leds(Arc<[Led]>);

impl Leds {
    /// Maximum number of LEDs and chains of a board.
    pub const MAX: usize = 200;

    /// Returns LEDs with these kinds and names.
    ///
    /// # Errors
    /// If there are more than [`MAX`](Self::MAX), or more names than a process stores.
    pub fn new<'a>(
        parts: impl IntoIterator<Item = (LedKind, &'a str)>,
    ) -> Result<Self, ButtonsError> {
        let mut leds = Vec::new();
        for (kind, name) in parts {
            let index =
                u8::try_from(leds.len()).ok().filter(|index| usize::from(*index) < Self::MAX);
            let index = index.ok_or(ButtonsError::TooManyNames)?;
            leds.push(Led { index, name: stored(name)?, kind });
        }
        Ok(Self(leds.into()))
    }

    /// Returns the LEDs in the order of their numbers.
    pub fn all(&self) -> &[Led] {
        &self.0
    }

    /// Returns the LED of exactly that name.
    pub fn named(&self, name: &str) -> Option<Led> {
        self.0.iter().copied().find(|led| led.name == name)
    }

    /// Adds an LED that a line names, in place of the one with the same name or number.
    pub(super) fn learn(&mut self, led: Led) {
        if self.named(led.name) == Some(led) {
            return;
        }
        let is_other = |own: &&Led| own.name != led.name && own.index != led.index;
        self.0 = self.0.iter().filter(is_other).copied().chain([led]).collect();
    }
}

/// State of an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedState {
    /// Share of the time in which the LED is on.
    Level(Share),
    /// Red, green, blue and white, 0 to 255 each.
    Colour([u8; 4]),
}

impl LedState {
    /// Returns whether there is any light.
    pub fn is_on(self) -> bool {
        match self {
            Self::Level(share) => share > Share::ZERO,
            Self::Colour(colour) => colour != [0; 4],
        }
    }
}

/// Writes `off`, `on`, `50%`, `#ff0000` or, with white, `#00000080`.
impl fmt::Display for LedState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(Share::ZERO) => out.write_str("off"),
            Self::Level(Share::WHOLE) => out.write_str("on"),
            Self::Level(share) => out.write_str(&share.percent()),
            Self::Colour([0, 0, 0, 0]) => out.write_str("off"),
            Self::Colour([red, green, blue, 0]) => write!(out, "#{red:02x}{green:02x}{blue:02x}"),
            Self::Colour([red, green, blue, white]) => {
                write!(out, "#{red:02x}{green:02x}{blue:02x}{white:02x}")
            }
        }
    }
}

/// The state in `expect led`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedLight {
    /// Any light.
    On,
    Off,
    /// A duty cycle, within one percentage point.
    Level(Share),
    /// A colour; without a white of its own that is 0.
    Colour {
        rgb: [u8; 3],
        white: Option<u8>,
    },
}

/// Writes `on`, `off`, `50%` or `#ff0000`.
impl fmt::Display for LedLight {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On => out.write_str("on"),
            Self::Off => out.write_str("off"),
            Self::Level(share) => out.write_str(&share.percent()),
            Self::Colour { rgb: [red, green, blue], white } => {
                write!(out, "#{red:02x}{green:02x}{blue:02x}")?;
                white.map_or(Ok(()), |white| write!(out, "{white:02x}"))
            }
        }
    }
}

/// The arguments of `expect led`: `STATUS on`, `STRIP 3 #ff0000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedCheck {
    pub led: Led,
    /// Number in the chain, from 0; `None`: the LED, or all of a chain.
    pub number: Option<u16>,
    pub expected: LedLight,
}

impl LedCheck {
    /// Returns whether the state is the expected one. Duty cycles have a tolerance; the bytes of a
    /// chain have none.
    pub fn holds(&self, state: LedState) -> bool {
        match (self.expected, state) {
            (LedLight::On, state) => state.is_on(),
            (LedLight::Off, state) => !state.is_on(),
            (LedLight::Level(wanted), LedState::Level(is)) => {
                wanted.ten_thousandths().abs_diff(is.ten_thousandths()) <= LEVEL_TOLERANCE
            }
            (LedLight::Colour { rgb: [red, green, blue], white }, LedState::Colour(is)) => {
                let tolerance = if self.led.kind == LedKind::Rgb { COLOUR_TOLERANCE } else { 0 };
                let wanted = [red, green, blue, white.unwrap_or_default()];
                wanted.iter().zip(is).all(|(wanted, is)| wanted.abs_diff(is) <= tolerance)
            }
            (LedLight::Level(_), LedState::Colour(_))
            | (LedLight::Colour { .. }, LedState::Level(_)) => false,
        }
    }

    /// Returns the two colours whose exchange makes the expected state of this one.
    pub fn exchanged(&self, state: LedState) -> Option<[&'static str; 2]> {
        const NAMES: [&str; 3] = ["red", "green", "blue"];
        let LedState::Colour(colour) = state else { return None };
        [[0, 1], [0, 2], [1, 2]].into_iter().find_map(|[one, other]| {
            let mut colour = colour;
            colour.swap(one, other);
            self.holds(LedState::Colour(colour)).then_some([NAMES[one], NAMES[other]])
        })
    }
}

impl fmt::Display for LedCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.led.name)?;
        if let Some(number) = self.number {
            write!(out, " {number}")?;
        }
        write!(out, " {}", self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: LedKind, expected: LedLight, state: LedState) -> bool {
        let led = Leds::new([(kind, "L")]).unwrap().all()[0];
        LedCheck { led, number: None, expected }.holds(state)
    }

    #[test]
    fn a_duty_cycle_may_differ_by_one_percentage_point() {
        let of = |share| {
            let state = LedState::Level(Share::from_ten_thousandths(share));
            check(LedKind::Pwm, LedLight::Level(Share::from_percent(50)), state)
        };
        assert_eq!([4_899, 4_900, 5_100, 5_101].map(of), [false, true, true, false]);
    }

    #[test]
    fn only_a_colour_of_duty_cycles_has_a_tolerance() {
        let red = LedLight::Colour { rgb: [255, 0, 0], white: None };
        let chain = LedKind::Chain { count: 1, has_white: false };
        let of = |red_level| LedState::Colour([red_level, 0, 0, 0]);
        assert!(check(LedKind::Rgb, red, of(252)) && !check(LedKind::Rgb, red, of(251)));
        assert!(check(chain, red, of(255)) && !check(chain, red, of(254)));
    }
}
