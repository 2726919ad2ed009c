//! A part of a suite, for distributing the traces over several machines.

use core::cmp::Reverse;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::collections::{BTreeMap, BinaryHeap};

use super::find::FoundTrace;

/// Part `number` of `of`. Every trace is in exactly one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    number: u32,
    of: u32,
}

impl Shard {
    /// Returns whether this is the first part, which also reports everything that belongs to no
    /// trace.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }

    /// Returns the number of parts.
    pub const fn of(self) -> u32 {
        self.of
    }

    /// Returns all parts of the suite in order.
    pub fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.of).map(move |number| Self { number, of: self.of })
    }

    /// Retains the traces of this part, in their order. Without `durations` it takes every `of`-th
    /// trace, and the sizes of two parts differ by at most one trace. With `durations` the parts
    /// take about the same time: starting with the longest, each trace goes to the part with the
    /// least work so far. A trace that is not in `durations` counts as the average of the others.
    /// The selection depends only on the traces' paths and on `durations`, so it is the same on all
    /// machines.
    pub fn select(self, traces: &mut Vec<FoundTrace>, durations: &[(String, Duration)]) {
        let parts = parts(traces, durations, self.of);
        let mut parts = parts.iter();
        traces.retain(|_| parts.next().is_some_and(|part| *part == self.number - 1));
    }
}

/// Returns the part of each trace, from 0.
fn parts(traces: &[FoundTrace], durations: &[(String, Duration)], of: u32) -> Vec<u32> {
    if durations.is_empty() {
        return (0..of).cycle().take(traces.len()).collect();
    }
    let known: BTreeMap<&str, Duration> =
        durations.iter().map(|(path, took)| (path.as_str(), *took)).collect();
    let total: Duration = known.values().sum();
    let average = total / u32::try_from(known.len()).unwrap_or(u32::MAX);
    let took = |trace: &FoundTrace| {
        let path = trace.path.display().to_string();
        known.get(path.as_str()).copied().unwrap_or(average)
    };
    let mut longest_first: Vec<(Duration, usize)> =
        traces.iter().enumerate().map(|(at, trace)| (took(trace), at)).collect();
    longest_first.sort_by_key(|(took, at)| (Reverse(*took), *at));
    // The part with the least work is on top.
    let mut heap: BinaryHeap<Reverse<(Duration, u32)>> =
        (0..of).map(|part| Reverse((Duration::ZERO, part))).collect();
    let mut parts = vec![0; traces.len()];
    for (took, at) in longest_first {
        // The heap is never empty: there is at least one part.
        let Some(Reverse((busy, part))) = heap.pop() else { break };
        parts[at] = part;
        heap.push(Reverse((busy + took, part)));
    }
    parts
}

/// Prints `2/3`.
impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

/// Reason why a text does not name a part of a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The part's number is 0 or greater than the number of parts.
    #[error("there is no part {number} of {of}; the parts are 1/{of} to {of}/{of}")]
    NoSuchPart {
        /// Number of the part, from 1.
        number: u32,
        /// Number of parts.
        of: u32,
    },
    /// The text is not two numbers.
    #[error("`{text}` is no part; write the first of three as 1/3, the last as 3/3")]
    NoPart { text: String },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        match parsed {
            Some(shard) if (1..=shard.of).contains(&shard.number) => Ok(shard),
            Some(Self { number, of }) if of > 0 => Err(ShardError::NoSuchPart { number, of }),
            _ => Err(ShardError::NoPart { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: usize) -> FoundTrace {
        let path = format!("{name:03}.trace").into();
        FoundTrace { path, artifacts: "".into() }
    }

    #[test]
    fn every_trace_is_in_exactly_one_part() {
        for (count, of) in [(0, 1), (1, 3), (115, 4), (7, 7), (10, 9)] {
            let all: Vec<FoundTrace> = (0..count).map(found).collect();
            let parts = (1..=of).map(|number| {
                let mut part = all.clone();
                Shard { number, of }.select(&mut part, &[]);
                part
            });
            let parts: Vec<Vec<FoundTrace>> = parts.collect();
            let mut together: Vec<FoundTrace> = parts.concat();
            together.sort_by(|one, other| one.path.cmp(&other.path));
            assert_eq!(together, all, "{count} in {of}");
            let most = parts.iter().map(Vec::len).max().unwrap_or_default();
            assert!(parts.iter().all(|part| part.len() + 1 >= most), "{count} in {of}");
        }
    }

    #[test]
    fn parts_of_known_duration_take_about_the_same_time() {
        let all: Vec<FoundTrace> = (0..40).map(found).collect();
        // A few traces take most of the time, and the last five have no known duration.
        let seconds = |at: usize| if at.is_multiple_of(9) { 30 } else { 1 + at as u64 % 3 };
        let durations: Vec<(String, Duration)> = (0..35)
            .map(|at| (format!("{at:03}.trace"), Duration::from_secs(seconds(at))))
            .collect();
        let total: u64 = (0..35).map(seconds).sum();
        let mut loads = Vec::new();
        let mut together = Vec::new();
        for number in 1..=4 {
            let mut part = all.clone();
            Shard { number, of: 4 }.select(&mut part, &durations);
            assert!(part.is_sorted_by_key(|trace| &trace.path), "in their order");
            let known = part.iter().filter_map(|trace| {
                trace.path.to_str()?.strip_suffix(".trace")?.parse::<usize>().ok()
            });
            loads.push(known.map(|at| if at < 35 { seconds(at) } else { total / 35 }).sum::<u64>());
            together.extend(part);
        }
        together.sort_by(|one, other| one.path.cmp(&other.path));
        assert_eq!(together, all);
        let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
        assert!(most - least <= 3, "{loads:?}");
    }

    #[test]
    fn invalid_parts_are_refused() {
        assert_eq!("2/3".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/3".to_owned()));
        for text in ["0/3", "4/3", "1/0", "0/0", "3", "", "a/b", "1/3/4", "-1/3"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("1/3"), "{text}: {error}");
        }
        for (text, expected) in [
            ("4/3", "there is no part 4 of 3; the parts are 1/3 to 3/3"),
            ("3", "`3` is no part; write the first of three as 1/3, the last as 3/3"),
        ] {
            assert_eq!(text.parse::<Shard>().unwrap_err().to_string(), expected);
        }
    }
}
