//! The board's source of chance: noise, bit by bit, and the numbers that are drawn from it.
//!
//! A board hands its source in like a pin. It knows no game: `interface/app/chance.rs` says what
//! the numbers decide.

use crate::game::random::Random;
use crate::time::Instant;

/// A source of noise.
pub trait Entropy {
    /// The next bit. That of a source that stands still is always the same.
    fn bit(&mut self) -> bool;

    /// The first press since power-on was at `pressed`: a moment that no one chooses to the
    /// microsecond. A source that can lets its bits depend on it from now on.
    fn stir(&mut self, pressed: Instant);
}

/// What makes the seeds of [`Source::Seeded`] other ones than those of games. The virtual board has the same:
/// with the same seed both flip the same coins.
pub const STREAM: u64 = u64::from_be_bytes(*b"entropy!");

/// A source of chance that a person may have replaced.
#[derive(Clone)]
pub enum Source<E> {
    /// The board's own.
    Board(E),
    /// Bits that follow from a seed.
    Seeded(Random),
    /// It stands still.
    Still,
}

impl<E: Entropy> Entropy for Source<E> {
    fn bit(&mut self) -> bool {
        match self {
            Self::Board(source) => source.bit(),
            Self::Seeded(bits) => bits.heads(),
            Self::Still => false,
        }
    }

    fn stir(&mut self, pressed: Instant) {
        match self {
            Self::Board(source) => source.stir(pressed),
            // The seed alone decides.
            Self::Seeded(_) | Self::Still => {}
        }
    }
}

/// Bits that a number is drawn from.
pub const BITS_A_NUMBER: u32 = u64::BITS;

/// Draws a number; `None` if the source stands still.
pub fn draw(source: &mut impl Entropy) -> Option<u64> {
    let word = (0..BITS_A_NUMBER).fold(0, |word, _| word << 1 | u64::from(source.bit()));
    // Bits that lean to one side are spread over the whole number.
    (word != 0 && word != u64::MAX).then(|| Random::new(word).number())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits from the lowest one of a word on, again and again.
    struct Wheel(u64);

    impl Entropy for Wheel {
        fn bit(&mut self) -> bool {
            self.0 = self.0.rotate_right(1);
            self.0 >> 63 == 1
        }

        fn stir(&mut self, _: Instant) {}
    }

    #[test]
    fn a_source_that_stands_still_gives_no_number() {
        assert_eq!(draw(&mut Wheel(0)), None);
        assert_eq!(draw(&mut Wheel(u64::MAX)), None);
    }

    #[test]
    fn a_single_bit_makes_another_number() {
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
