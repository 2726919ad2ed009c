//! Coarse history of a session for the strip below the board. This module knows no window.

use virtual_time::{Instant, Nanos};

/// Maximum number of bins. If there are more, pairs of bins are merged.
const BINS_MAX: usize = 2_048;
/// Initial span of a bin.
const SPAN: Nanos = Nanos::from_millis(20);

/// An event in a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A button went down, a control moved, a line was typed, or the power was switched off.
    Press,
    /// A frame was complete.
    Frame,
    /// The firmware wrote a line on its console.
    Message,
}

impl Mark {
    const fn bit(self) -> u8 {
        match self {
            Self::Press => 1,
            Self::Frame => 2,
            Self::Message => 4,
        }
    }
}

/// Events in equal bins from power-on to the present. Memory does not grow with the session: bins
/// become longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    span: Nanos,
    bins: Vec<u8>,
}

impl Default for Marks {
    fn default() -> Self {
        Self { span: SPAN, bins: Vec::new() }
    }
}

impl Marks {
    /// Adds `mark` at `at`.
    pub fn add(&mut self, at: Instant, mark: Mark) {
        while at.0 / self.span.0 >= BINS_MAX as u64 {
            let halves = self.bins.chunks(2);
            self.bins = halves.map(|pair| pair.iter().fold(0, |both, bin| both | bin)).collect();
            self.span = Nanos(self.span.0.saturating_mul(2));
        }
        let bin = (at.0 / self.span.0) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] |= mark.bit();
    }

    /// Returns the span of a bin, and a byte for each bin.
    pub(super) fn parts(&self) -> (Nanos, &[u8]) {
        (self.span, &self.bins)
    }

    /// Builds marks from the values of [`parts`](Self::parts); `None` if they are no such values.
    pub(super) fn from_parts(span: Nanos, bins: Vec<u8>) -> Option<Self> {
        (span >= SPAN && bins.len() <= BINS_MAX).then_some(Self { span, bins })
    }

    /// Removes the marks after `at`.
    pub fn cut(&mut self, at: Instant) {
        let kept = usize::try_from(at.0 / self.span.0).unwrap_or(usize::MAX).saturating_add(1);
        self.bins.truncate(kept);
    }

    /// Returns whether there is such a mark from `from` to `until`, which is excluded.
    pub fn has(&self, mark: Mark, from: Instant, until: Instant) -> bool {
        let at = |moment: u64| usize::try_from(moment / self.span.0).unwrap_or(usize::MAX);
        let first = at(from.0);
        let last = at(until.0.saturating_sub(1)).max(first).min(self.bins.len().saturating_sub(1));
        let bins = self.bins.get(first..=last).unwrap_or_default();
        bins.iter().any(|bin| bin & mark.bit() != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    #[test]
    fn a_mark_stays_at_its_time_in_a_long_session() {
        let mut marks = Marks::default();
        marks.add(ms(1_000), Mark::Press);
        assert!(marks.has(Mark::Press, ms(1_000), ms(1_020)));
        assert!(!marks.has(Mark::Press, ms(1_020), ms(2_000)));
        assert!(!marks.has(Mark::Frame, ms(0), ms(2_000)));
        marks.add(Instant::from_secs(3_600), Mark::Message);
        assert!(marks.bins.len() <= BINS_MAX);
        assert!(marks.has(Mark::Press, ms(0), ms(2_000)));
        assert!(!marks.has(Mark::Press, ms(10_000), Instant::from_secs(4_000)));
        assert!(marks.has(Mark::Message, Instant::from_secs(3_590), Instant::from_secs(3_601)));
        // A bin is now 2.56 s long, and the first one contains the mark at 1 s.
        assert_eq!(marks.span, Nanos::from_millis(2_560));
        marks.cut(Instant::from_secs(60));
        assert!(!marks.has(Mark::Message, ms(0), Instant::from_secs(9_000)));
        assert!(marks.has(Mark::Press, ms(0), ms(2_000)));
    }
}
