//! The board's source of randomness: noise bits, and the numbers that are drawn from them.
//!
//! A board provides its source like a pin. This module knows no game: `interface/app/chance.rs`
//! uses the numbers.

use crate::game::random::Random;
use crate::time::Instant;

/// A source of noise.
pub trait Entropy {
    /// Returns the next bit. A constant source always returns the same bit.
    fn bit(&mut self) -> bool;

    /// Mixes in the time of the first press since power-on, which no user can choose to the
    /// microsecond. From then on the bits of a source that supports this depend on it.
    fn stir(&mut self, pressed: Instant);
}

/// Constant that makes the seeds of [`Source::Seeded`] different from those of games. The virtual
/// board uses the same: with the same seed both flip the same coins.
pub const STREAM: u64 = u64::from_be_bytes(*b"entropy!");

/// A source of randomness that the user may have replaced.
#[derive(Clone)]
pub enum Source<E> {
    /// The board's own source.
    Board(E),
    /// Bits from a pseudo-random sequence.
    Seeded(Random),
    /// A constant source.
    Constant,
}

impl<E: Entropy> Entropy for Source<E> {
    fn bit(&mut self) -> bool {
        match self {
            Self::Board(source) => source.bit(),
            Self::Seeded(bits) => bits.heads(),
            Self::Constant => false,
        }
    }

    fn stir(&mut self, pressed: Instant) {
        match self {
            Self::Board(source) => source.stir(pressed),
            // The seed alone decides.
            Self::Seeded(_) | Self::Constant => {}
        }
    }
}

/// Number of bits that a number is drawn from.
pub const BITS_A_NUMBER: u32 = u64::BITS;

/// Draws a number; `None` if the source is constant.
pub fn draw(source: &mut impl Entropy) -> Option<u64> {
    let word = (0..BITS_A_NUMBER).fold(0, |word, _| word << 1 | u64::from(source.bit()));
    // Spreads biased bits over the whole number.
    (word != 0 && word != u64::MAX).then(|| Random::new(word).number())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bits of a word repeatedly, beginning with the lowest one.
    struct Wheel(u64);

    impl Entropy for Wheel {
        fn bit(&mut self) -> bool {
            self.0 = self.0.rotate_right(1);
            self.0 >> 63 == 1
        }

        fn stir(&mut self, _: Instant) {}
    }

    #[test]
    fn a_constant_source_gives_no_number() {
        assert_eq!(draw(&mut Wheel(0)), None);
        assert_eq!(draw(&mut Wheel(u64::MAX)), None);
    }

    #[test]
    fn a_single_bit_changes_the_number() {
        let numbers = (0..64).map(|bit| draw(&mut Wheel(1 << bit)));
        for (nth, number) in numbers.clone().enumerate() {
            assert!(number.is_some());
            assert!(numbers.clone().skip(nth + 1).all(|other| other != number));
        }
    }

    #[test]
    fn only_the_boards_own_source_is_stirred() {
        struct Stirred(Option<Instant>);
        impl Entropy for Stirred {
            fn bit(&mut self) -> bool {
                false
            }
            fn stir(&mut self, pressed: Instant) {
                self.0 = Some(pressed);
            }
        }
        let mut own = Source::Board(Stirred(None));
        own.stir(Instant(42));
        assert!(matches!(own, Source::Board(Stirred(Some(Instant(42))))));
        let mut seeded = Source::<Stirred>::Seeded(Random::new(5));
        seeded.stir(Instant(42));
        assert_eq!(draw(&mut seeded), draw(&mut Source::<Stirred>::Seeded(Random::new(5))));
    }
}
