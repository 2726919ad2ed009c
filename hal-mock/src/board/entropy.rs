//! The board's entropy source: bits drawn from a seed, different after each power-on.

use virtual_time::Random;

/// Separates this stream from those of bounce and noise with the same seed.
const STREAM: u64 = u64::from_be_bytes(*b"entropy!");

/// An entropy source. Without a seed every bit is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    /// Generator of the seeds of future power-ons.
    seeds: Option<Random>,
    /// Seed of the bits since the last power-on, and their generator.
    now: Option<(u64, Random)>,
    /// Whether every bit is 0 regardless of the seed. The sequence does not advance meanwhile.
    is_stuck: bool,
}

impl Source {
    pub(super) fn new(seed: Option<u64>) -> Self {
        Self { seeds: seed.map(|seed| Random::new(seed ^ STREAM)), now: None, is_stuck: false }
    }

    pub(super) fn power_on(&mut self) {
        self.now = self.seeds.as_mut().map(|seeds| {
            let seed = seeds.next();
            (seed, Random::new(seed))
        });
    }

    pub(super) fn seed(&self) -> Option<u64> {
        self.now.as_ref().map(|(seed, _)| *seed)
    }

    pub(super) fn stick(&mut self, stuck: bool) {
        self.is_stuck = stuck;
    }

    pub(super) fn is_stuck(&self) -> bool {
        self.is_stuck
    }

    /// Returns the top bit of the next number.
    pub(super) fn bit(&mut self) -> bool {
        !self.is_stuck && self.now.as_mut().is_some_and(|(_, bits)| bits.next() >> 63 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(source: &mut Source) -> u64 {
        (0..64).fold(0, |word, _| word << 1 | u64::from(source.bit()))
    }

    #[test]
    fn bits_differ_after_each_power_on_and_repeat_with_the_seed() {
        for seed in 0..9 {
            let (mut one, mut same) = (Source::new(Some(seed)), Source::new(Some(seed)));
            let words = [0; 9].map(|_| {
                one.power_on();
                same.power_on();
                assert_eq!(one.seed(), same.seed());
                let word = word(&mut one);
                assert_eq!(word, self::word(&mut same));
                word
            });
            let mut sorted = words.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), words.len(), "seed {seed}: {words:?}");
        }
    }

    #[test]
    fn a_stuck_source_continues_its_sequence_when_it_is_repaired() {
        let (mut one, mut other) = (Source::new(Some(7)), Source::new(Some(7)));
        one.power_on();
        other.power_on();
        one.stick(true);
        assert_eq!(word(&mut one), 0);
        one.stick(false);
        assert_eq!(word(&mut one), word(&mut other));
    }

    #[test]
    fn without_a_seed_the_bits_are_constant() {
        let mut source = Source::new(None);
        source.power_on();
        assert_eq!((source.seed(), word(&mut source)), (None, 0));
    }
}
