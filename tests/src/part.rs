//! Selects the cases of a long test that this run plays. `make test` plays one part of sixteen, which
//! the commit determines; without the variable, and in `make long`, a test plays all cases. This
//! module does not know the cases.
//!
//! A test of the command that takes long and has one case is [left out](is_left_out) of three runs of
//! four; `make test-tools` runs all of them.
//!
//! Each case is independent. Statements about all cases together are checked only if the run is
//! whole.

use std::env;
use std::panic::Location;

/// The variable that names the part: `K/N`, K from 1 to N, as in `nudge replay --shard`.
pub const VARIABLE: &str = "NUDGE_PART";
/// The variable that names the part of the tests that ask [`is_left_out`].
pub const COMMAND_VARIABLE: &str = "NUDGE_COMMAND_PART";

/// Returns whether the test that calls this is in another part of the command's tests than
/// [`COMMAND_VARIABLE`] names; a note says so. A test that calls it twice may be left out by one call.
///
/// # Panics
/// If the value is not `K/N`.
#[track_caller]
pub fn is_left_out() -> bool {
    let place = Location::caller();
    let is_left_out = Part::of(COMMAND_VARIABLE)
        .is_some_and(|part| !part.has(number_of(place.file(), place.line())));
    if is_left_out {
        println!("{place}: left out of this part; `make test-tools` runs it");
    }
    is_left_out
}

/// Returns a number of a place in the sources that spreads tests over the parts.
fn number_of(file: &str, line: u32) -> usize {
    let name =
        file.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    name.wrapping_add(line as usize)
}

/// Every N-th case, beginning with the K-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    first: usize,
    of: usize,
}

impl Part {
    pub const WHOLE: Self = Self { first: 0, of: 1 };

    /// Returns part `number` of `of` parts, counted from 1.
    pub const fn new(number: usize, of: usize) -> Self {
        assert!(1 <= number && number <= of);
        Self { first: number - 1, of }
    }

    /// Returns the part that [`VARIABLE`] names.
    ///
    /// # Panics
    /// If the value is not `K/N`.
    #[track_caller]
    pub fn of_this_run() -> Self {
        Self::of(VARIABLE).unwrap_or(Self::WHOLE)
    }

    /// Returns the part that the environment variable `variable` names, if it is set.
    ///
    /// # Panics
    /// If the value is not `K/N`.
    #[track_caller]
    pub fn of(variable: &str) -> Option<Self> {
        let text = env::var_os(variable)?;
        let part = text.to_str().and_then(Self::read);
        Some(part.unwrap_or_else(|| panic!("{variable} is `K/N` with K from 1 to N, not {text:?}")))
    }

    /// Parses `K/N`.
    fn read(text: &str) -> Option<Self> {
        let (part, of) = text.split_once('/')?;
        let (part, of): (usize, usize) = (part.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&part).then(|| Self { first: part - 1, of })
    }

    /// Returns whether all cases are played.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Returns whether this part contains the case with that number.
    pub fn has(self, case: usize) -> bool {
        case % self.of == self.first
    }

    /// Returns the cases of `all` in this part. Each case is in exactly one part.
    pub fn pick<C>(self, all: impl IntoIterator<Item = C>) -> impl Iterator<Item = C> {
        all.into_iter().skip(self.first).step_by(self.of)
    }

    /// Returns the cases of `few` in this part, if there may be fewer of them than parts: at least
    /// one. Each case is in one part or more.
    pub fn some<C>(
        self,
        few: impl IntoIterator<Item = C, IntoIter: ExactSizeIterator>,
    ) -> impl Iterator<Item = C> {
        let few = few.into_iter();
        let of = self.of.min(few.len()).max(1);
        few.skip(self.first % of).step_by(of)
    }

    /// Returns this part's number of `all` random cases: at least one.
    pub fn share(self, all: u32) -> u32 {
        all.div_ceil(u32::try_from(self.of).unwrap_or(u32::MAX)).max(1)
    }

    /// Returns a seed for the random cases of this part: each part draws others.
    pub fn seed(self, seed: u64) -> u64 {
        seed.wrapping_add(self.first as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_is_in_exactly_one_part() {
        for of in 1..6 {
            let parts = (1..=of).map(|part| Part::read(&format!("{part}/{of}")).expect("a part"));
            let parts: Vec<Part> = parts.collect();
            let mut all: Vec<usize> = parts.iter().flat_map(|part| part.pick(0..10)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>(), "{of} parts");
            let has = |case| parts.iter().filter(|part| part.has(case)).count();
            assert!((0..10).all(|case| has(case) == 1), "{of} parts");
        }
    }

    #[test]
    fn of_few_cases_each_part_has_one() {
        let picked = |number| Part::new(number, 8).some([0, 1, 2]).collect::<Vec<_>>();
        assert_eq!(
            (1..=8).map(picked).collect::<Vec<_>>(),
            [[0], [1], [2], [0], [1], [2], [0], [1]]
        );
        assert_eq!(Part::new(2, 2).some(0..5).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(Part::WHOLE.some(0..3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(Part::new(2, 2).some(0..0).count(), 0);
    }

    #[test]
    fn a_part_number_is_from_1_to_the_number_of_parts() {
        assert_eq!(Part::read("1/1"), Some(Part::WHOLE));
        assert_eq!(Part::read("4/4"), Some(Part { first: 3, of: 4 }));
        for wrong in ["", "1", "0/4", "5/4", "0/0", "1/", "a/b", "-1/4", "1/4/2"] {
            assert_eq!(Part::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tests_that_are_left_out_are_spread_over_the_parts() {
        let lines = (10..400).step_by(26);
        let numbers = lines.map(|line| number_of("simulator/tests/cli/why.rs", line) % 3);
        let mut counts = [0; 3];
        numbers.for_each(|number| counts[number] += 1);
        assert_eq!(counts, [5, 5, 5]);
        // In a run without the variable nothing is left out.
        assert!(env::var_os(COMMAND_VARIABLE).is_some() || !is_left_out());
    }

    #[test]
    fn some_case_is_always_drawn() {
        let quarter = Part::read("2/4").expect("a part");
        assert_eq!([60, 8, 5, 1].map(|all| quarter.share(all)), [15, 2, 2, 1]);
        assert_eq!(Part::WHOLE.share(60), 60);
    }

    #[test]
    fn each_part_draws_from_a_seed_of_its_own() {
        assert_eq!([1, 2, 3].map(|number| Part::new(number, 3).seed(20)), [20, 21, 22]);
        assert_eq!(Part::WHOLE.seed(20), 20);
    }
}
