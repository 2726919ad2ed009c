//! Finds the first bad commit between a good one and a bad one, with as few judgements as git's own
//! bisection.
//!
//! Merges need no special case: a good commit makes all its ancestors good, a bad one leaves only
//! its own ancestors. This module knows neither git nor builds: both are arguments.

use std::collections::HashSet;
use std::hash::Hash;

/// The verdict on a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The trace passes.
    Good,
    /// The trace fails.
    Bad,
    /// The commit cannot be judged: it cannot be built, or cannot read the trace.
    Skip,
}

/// The result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<C> {
    /// The first bad commit.
    First(C),
    /// One of these is the first bad commit: all but the last were skipped, the last is bad.
    OneOf(Vec<C>),
}

/// Returns the first bad commit after `good` and up to `bad`.
///
/// `between` lists the commits that the bad one has and no good one has, including the bad one.
/// Commits that split the rest most evenly must come first. `judge` also receives the number of
/// candidates.
///
/// # Errors
/// The first error that an argument returns.
pub fn search<C: Clone + Eq + Hash, E>(
    good: C,
    mut bad: C,
    mut between: impl FnMut(&[C], &C) -> Result<Vec<C>, E>,
    mut judge: impl FnMut(&C, usize) -> Result<Verdict, E>,
) -> Result<Found<C>, E> {
    let mut good = vec![good];
    let mut skipped = HashSet::new();
    loop {
        let candidates = between(&good, &bad)?;
        let untried = candidates.iter().find(|one| **one != bad && !skipped.contains(*one));
        let Some(next) = untried.cloned() else {
            let mut left: Vec<C> = candidates.into_iter().filter(|one| *one != bad).collect();
            if left.is_empty() {
                return Ok(Found::First(bad));
            }
            left.push(bad);
            return Ok(Found::OneOf(left));
        };
        match judge(&next, candidates.len())? {
            Verdict::Good => good.push(next),
            Verdict::Bad => bad = next,
            Verdict::Skip => drop(skipped.insert(next)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// Returns the ancestors of a commit, including itself. The parents of each commit have smaller
    /// numbers.
    fn ancestors(parents: &[Vec<usize>], of: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([of]);
        let mut open = vec![of];
        while let Some(one) = open.pop() {
            open.extend(parents[one].iter().filter(|parent| found.insert(**parent)));
        }
        found
    }

    /// Generates a history in which every commit descends from commit 0.
    fn history() -> impl Strategy<Value = Vec<Vec<usize>>> {
        proptest::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()),
            1..40,
        )
        .prop_map(|commits| {
            let mut parents: Vec<Vec<usize>> = vec![Vec::new()];
            for (one, other, merges) in commits {
                let count = parents.len();
                let mut of = vec![count - 1 - one.index(count.min(3))];
                if merges {
                    of.push(other.index(count));
                }
                of.dedup();
                parents.push(of);
            }
            parents
        })
    }

    proptest! {
        #[test]
        fn a_planted_commit_is_found_in_any_history(
            parents in history(), planted in any::<prop::sample::Index>(), broken in proptest::collection::vec(0_usize..40, 0..6)
        ) {
            let bad = parents.len() - 1;
            let all: Vec<usize> = ancestors(&parents, bad).into_iter().filter(|one| *one > 0).collect();
            let planted = all[planted.index(all.len())];
            let is_bad = |one: usize| ancestors(&parents, one).contains(&planted);
            let mut judged = 0;
            let between = |good: &[usize], bad: &usize| -> Result<Vec<usize>, Infallible> {
                let good: BTreeSet<usize> = good.iter().flat_map(|one| ancestors(&parents, *one)).collect();
                let mut left: Vec<usize> = ancestors(&parents, *bad).difference(&good).copied().collect();
                let count = left.len();
                let inside: BTreeSet<usize> = left.iter().copied().collect();
                let parts = |one: usize| {
                    let below = ancestors(&parents, one).intersection(&inside).count();
                    below.min(count - below)
                };
                left.sort_by_key(|one| std::cmp::Reverse(parts(*one)));
                Ok(left)
            };
            let found = search(0, bad, between, |one, _| {
                judged += 1;
                Ok(match *one {
                    one if broken.contains(&one) && one != bad => Verdict::Skip,
                    one if is_bad(one) => Verdict::Bad,
                    _ => Verdict::Good,
                })
            });
            match found.unwrap() {
                Found::First(first) => prop_assert_eq!(first, planted),
                Found::OneOf(left) => {
                    prop_assert!(left.contains(&planted), "{:?} {}", left, planted);
                    prop_assert!(left[..left.len() - 1].iter().all(|one| broken.contains(one)));
                }
            }
            // Each commit is judged at most once.
            prop_assert!(judged <= all.len(), "{judged} of {}", all.len());
        }
    }

    #[test]
    fn a_line_of_a_thousand_commits_takes_ten_judgements() {
        let between = |good: &[u32], bad: &u32| -> Result<Vec<u32>, Infallible> {
            let from = good.iter().max().copied().unwrap_or_default() + 1;
            let mut left: Vec<u32> = (from..=*bad).collect();
            let middle = from.midpoint(*bad);
            left.sort_by_key(|one| one.abs_diff(middle));
            Ok(left)
        };
        let mut judged = 0;
        let found = search(0, 1_000, between, |one, _| {
            judged += 1;
            Ok(if *one >= 700 { Verdict::Bad } else { Verdict::Good })
        });
        assert_eq!(found, Ok(Found::First(700)));
        assert!(judged <= 11, "{judged}");
    }
}
