//! Detects tones in the edges of the buzzer's line.
//!
//! Edges are passed in with their times. A [`Tone`](crate::Observation::Tone) is known once
//! [`PERIODS`] periods have been even, or fewer if the line then rests. Times are in units of any
//! clock; the module reads none.

/// Number of even periods measured before a tone is reported: the error of a time stamp is spread
/// over them.
pub const PERIODS: u32 = 16;
/// Smallest number of even periods that make a tone. Fewer are a click, or the end of another tone.
const LEAST: u32 = 2;

/// A detected change of the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToneChange {
    /// From `at` on, `periods` periods took `took` units.
    Tone {
        /// Time of the first edge.
        at: u64,
        /// Number of periods measured.
        periods: u32,
        /// Duration of these periods.
        took: u64,
    },
    /// The line rests since then.
    Silence {
        /// End of the tone: half a period after its last edge, where the next edge would have been.
        /// After a click: the last edge.
        at: u64,
    },
}

/// Detects tones. Two changes can become known at once, a tone and its end; [`take`](Self::take)
/// returns them one by one.
#[derive(Clone, Debug)]
pub struct ToneDetector {
    /// Time without an edge after which the line is silent, in units.
    rest: u64,
    /// Largest deviation of a period from the tone's period, in units.
    error: u64,
    /// First rising edge of the periods being measured.
    first: Option<u64>,
    periods: u32,
    /// Last rising edge; `edge` is the last edge of either direction.
    risen: u64,
    edge: Option<u64>,
    /// Duration and number of periods of the tone that was reported.
    said: Option<(u64, u32)>,
    found: [Option<ToneChange>; 2],
}

impl ToneDetector {
    /// Creates a detector. `rest` is the longest period of a tone; `error` is the largest deviation
    /// of a period.
    pub const fn new(rest: u64, error: u64) -> Self {
        Self {
            rest,
            error,
            first: None,
            periods: 0,
            risen: 0,
            edge: None,
            said: None,
            found: [None; 2],
        }
    }

    /// Returns the next unreported sound, oldest first. Call it until it returns `None` before
    /// passing the next edge.
    pub fn take(&mut self) -> Option<ToneChange> {
        let [first, second] = &mut self.found;
        first.take().or_else(|| second.take())
    }

    /// Returns the edge from which on the sound is undecided: a tone, another pitch or silence may
    /// begin there.
    pub fn undecided(&self) -> Option<u64> {
        match (self.first, self.said) {
            (Some(first), None) => Some(first),
            (Some(_), Some(_)) => Some(self.risen),
            (None, _) => self.edge,
        }
    }

    /// Processes an edge at `at`, after which the line is `high`.
    pub fn edge(&mut self, at: u64, high: bool) {
        self.pass(at);
        self.edge = Some(at);
        if !high {
            return;
        }
        let Some(first) = self.first else {
            (self.first, self.periods, self.risen) = (Some(at), 0, at);
            return;
        };
        let period = at.saturating_sub(self.risen);
        let off = match self.said {
            Some((took, periods)) => period.abs_diff(took / u64::from(periods)),
            None if self.periods == 0 => 0,
            None => period.abs_diff((self.risen - first) / u64::from(self.periods)),
        };
        if off > self.error {
            // The pitch changed at the previous rising edge.
            self.decide();
            (self.first, self.periods, self.said) = (Some(self.risen), 0, None);
        }
        self.risen = at;
        self.periods = self.periods.saturating_add(1);
        if self.said.is_none() && self.periods == PERIODS {
            self.decide();
        }
    }

    /// Processes the time up to `now`, without an edge.
    pub fn pass(&mut self, now: u64) {
        let Some(edge) = self.edge else { return };
        // A tone that was reported ends after a period without an edge.
        let rest = match self.said {
            Some((took, periods)) => took / u64::from(periods) + self.error,
            None => self.rest,
        };
        if now.saturating_sub(edge) > rest {
            self.decide();
            let half = self.said.map_or(0, |(took, periods)| took / u64::from(periods) / 2);
            self.put(ToneChange::Silence { at: edge + half });
            (self.first, self.periods, self.edge, self.said) = (None, 0, None, None);
        }
    }

    /// Reports the measured tone, unless it was reported already.
    fn decide(&mut self) {
        if let (Some(at), None) = (self.first, self.said)
            && self.periods >= LEAST
            && self.risen > at
        {
            let took = self.risen - at;
            self.said = Some((took, self.periods));
            self.put(ToneChange::Tone { at, periods: self.periods, took });
        }
    }

    fn put(&mut self, sound: ToneChange) {
        let place = usize::from(self.found[0].is_some());
        self.found[place] = Some(sound);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Returns the sounds of a line that toggles after each of `halves`, and then rests.
    fn sounds(halves: &[u64]) -> Vec<ToneChange> {
        let mut tones = ToneDetector::new(10_000, 2);
        let (mut at, mut found) = (100, vec![]);
        for (number, half) in halves.iter().enumerate() {
            tones.edge(at, number % 2 == 0);
            found.extend(std::iter::from_fn(|| tones.take()));
            at += half;
        }
        tones.pass(at + 20_000);
        found.extend(std::iter::from_fn(|| tones.take()));
        assert_eq!(tones.undecided(), None);
        found
    }

    #[test]
    fn an_even_line_is_one_tone_and_then_silence() {
        let found = sounds(&[500; 101]);
        let whole = u64::from(PERIODS) * 1_000;
        let tone = ToneChange::Tone { at: 100, periods: PERIODS, took: whole };
        assert_eq!(found, [tone, ToneChange::Silence { at: 100 + 101 * 500 }]);
    }

    #[test]
    fn a_short_tone_is_known_when_the_line_rests() {
        let found = sounds(&[500; 7]);
        let tone = ToneChange::Tone { at: 100, periods: 3, took: 3_000 };
        assert_eq!(found, [tone, ToneChange::Silence { at: 3_600 }]);
    }

    #[test]
    fn a_new_pitch_starts_at_its_first_edge() {
        let found = sounds(&[[500; 40], [300; 40]].concat());
        let next = 100 + 40 * 500;
        assert_eq!(found.len(), 3);
        assert_eq!(found[1], ToneChange::Tone { at: next, periods: PERIODS, took: 16 * 600 });
    }

    #[test]
    fn a_click_is_no_tone() {
        assert_eq!(sounds(&[500, 500]), [ToneChange::Silence { at: 600 }]);
    }

    #[test]
    fn undecided_from_the_first_edge_of_a_possible_tone() {
        let mut tones = ToneDetector::new(10_000, 2);
        tones.edge(100, true);
        tones.edge(600, false);
        assert_eq!(tones.undecided(), Some(100));
        for number in 1..40 {
            tones.edge(100 + 1_000 * number, true);
            tones.edge(600 + 1_000 * number, false);
        }
        // Another pitch may begin at the last rising edge.
        assert_eq!(tones.undecided(), Some(39_100));
    }
}
