//! Time as the firmware sees it: the Pico's 1 MHz timer, as an argument.
//!
//! Nothing in this crate reads a clock. Whoever calls `step` says what time it is.

use core::ops::{Add, Sub};

/// A moment, or a span, in microseconds since power-on. Wraps after 584,000 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub u64);

impl Micros {
    /// Power-on; also the empty span.
    pub const ZERO: Self = Self(0);

    /// `millis` milliseconds.
    pub const fn from_millis(millis: u32) -> Self {
        Self(millis as u64 * 1_000)
    }

    /// The span from `earlier` to `self`; zero if `earlier` is later.
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Micros {
    type Output = Self;
    fn add(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub for Micros {
    type Output = Self;
    fn sub(self, earlier: Self) -> Self {
        self.since(earlier)
    }
}

/// When `step` wants to be called again. An input edge always wakes it earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// At once: there is more to do.
    Now,
    /// At this moment.
    At(Micros),
    /// Only when an input changes.
    OnInput,
}

impl Wake {
    /// The earlier of the two.
    pub fn or_earlier(self, other: Self) -> Self {
        match (self, other) {
            (Self::Now, _) | (_, Self::Now) => Self::Now,
            (Self::OnInput, wake) | (wake, Self::OnInput) => wake,
            (Self::At(one), Self::At(two)) => Self::At(one.min(two)),
        }
    }
}

impl From<Option<Micros>> for Wake {
    fn from(at: Option<Micros>) -> Self {
        at.map_or(Self::OnInput, Self::At)
    }
}
