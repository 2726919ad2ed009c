//! Time as the firmware sees it: the Pico's 1 MHz timer, as an argument.
//!
//! Nothing in this crate reads a clock: the caller of `step` passes the time. A point in time is an
//! [`Instant`], a duration is [`Micros`]. Neither has operators: arithmetic that saturates says so
//! in its name.

/// A point in time, in microseconds since power-on. The last one is 584,000 years after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub u64);

impl Instant {
    pub const POWER_ON: Self = Self(0);

    /// Returns the time `span` later, at most the last representable one.
    #[must_use]
    pub const fn saturating_add(self, span: Micros) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Returns the duration from `earlier` to `self`, or zero if `earlier` is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

/// A duration, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub u64);

impl Micros {
    /// Returns a duration of `millis` milliseconds.
    pub const fn from_millis(millis: u32) -> Self {
        Self(millis as u64 * 1_000)
    }

    /// Returns the duration multiplied by `times`, at most the longest one.
    #[must_use]
    pub const fn saturating_mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// Returns how many times `part` fits into the duration.
    ///
    /// # Panics
    /// If `part` is zero.
    #[inline(always)]
    pub const fn whole(self, part: Self) -> u64 {
        self.0 / part.0
    }
}

/// Time at which `step` must be called again. An input edge always wakes it earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Immediately: there is more to do.
    Now,
    /// At this time.
    At(Instant),
    /// Only when an input changes.
    OnInput,
}

impl Wake {
    /// Returns the earlier of the two.
    pub fn or_earlier(self, other: Self) -> Self {
        match (self, other) {
            (Self::Now, _) | (_, Self::Now) => Self::Now,
            (Self::OnInput, wake) | (wake, Self::OnInput) => wake,
            (Self::At(one), Self::At(two)) => Self::At(one.min(two)),
        }
    }
}

impl From<Option<Instant>> for Wake {
    fn from(at: Option<Instant>) -> Self {
        at.map_or(Self::OnInput, Self::At)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_saturate_at_both_ends() {
        let (early, late) = (Instant(3_000), Instant(8_000));
        assert_eq!(late.saturating_since(early), Micros::from_millis(5));
        assert_eq!(early.saturating_since(late), Micros(0));
        assert_eq!(early.saturating_add(Micros(5_000)), late);
        assert_eq!(Instant(u64::MAX).saturating_add(Micros(1)), Instant(u64::MAX));
    }

    #[test]
    fn a_span_holds_whole_parts_only() {
        assert_eq!(Micros(159_999).whole(Micros::from_millis(80)), 1);
        assert_eq!(Micros::from_millis(80).saturating_mul(2).whole(Micros::from_millis(80)), 2);
    }
}
