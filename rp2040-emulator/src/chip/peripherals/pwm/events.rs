//! The source that advances a slice's divider: the system clock, or the slice's input B (datasheet
//! section 4.5.2.5).
//!
//! The divider counts events: cycles, cycles while B is high, or edges of B. They are sixteenths
//! here, like the dividers. The synchroniser's two cycles are not modelled.

/// DIVMODE of a slice's CSR, 4.5.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DivMode {
    /// Every cycle.
    #[default]
    Free,
    /// Cycles while B is high.
    Level,
    /// Rising edges of B.
    Rise,
    /// Falling edges of B.
    Fall,
}

impl DivMode {
    /// Returns the mode of the field's value.
    pub(super) fn of(field: u32) -> Self {
        match field & 3 {
            0 => Self::Free,
            1 => Self::Level,
            2 => Self::Rise,
            _ => Self::Fall,
        }
    }
}

/// Number at which the events of input B start to count, so that a change of the phase can go below
/// it.
const FIRST: u64 = 1 << 32;

#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    mode: DivMode,
    /// Level of B.
    high: bool,
    /// Number of events of B until the time `until`, in sixteenths.
    passed: u64,
    until: u64,
}

impl Events {
    pub(super) fn mode(&self) -> DivMode {
        self.mode
    }

    /// Selects the events to count from the time `at` on. Returns true if the mode has changed.
    pub(super) fn set_mode(&mut self, mode: DivMode, at: u64) -> bool {
        let changed = self.mode != mode;
        if changed {
            (self.mode, self.passed, self.until) = (mode, FIRST, at);
        }
        changed
    }

    /// Returns the number of events until the time `at`; the system clock has one for each cycle.
    pub(super) fn count(&self, at: u64) -> u64 {
        match self.mode {
            DivMode::Free => at,
            DivMode::Level if self.high => self.passed + at.saturating_sub(self.until),
            DivMode::Level | DivMode::Rise | DivMode::Fall => self.passed,
        }
    }

    /// Returns the time of event number `count`, if it does not depend on a change of B; `None` if
    /// it does.
    pub(super) fn time_of(&self, count: u64) -> Option<u64> {
        match self.mode {
            DivMode::Free => Some(count),
            DivMode::Level if self.high => {
                Some(self.until.saturating_add(count.saturating_sub(self.passed)))
            }
            DivMode::Level | DivMode::Rise | DivMode::Fall => None,
        }
    }

    /// Sets the level of B from the time `at` on.
    pub(super) fn sense(&mut self, high: bool, at: u64) {
        match self.mode {
            DivMode::Rise if high && !self.high => self.passed += 16,
            DivMode::Fall if !high && self.high => self.passed += 16,
            DivMode::Level => (self.passed, self.until) = (self.count(at), at.max(self.until)),
            DivMode::Free | DivMode::Rise | DivMode::Fall => {}
        }
        self.high = high;
    }
}
