//! A part of a suite, so that several machines share the work.

use core::fmt;
use core::str::FromStr;

use super::find::FoundTrace;

/// Part `number` of `of`: every trace is in exactly one of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u32,
    of: u32,
}

impl Shard {
    /// Whether it is the first, which also reports what belongs to no trace.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }

    /// Retains this part of `traces`: every `of`-th in their order. The selection depends only on the
    /// traces' paths, so it is the same on all machines. The sizes of two parts differ by one trace
    /// at most.
    pub fn select(self, traces: &mut Vec<FoundTrace>) {
        let mut nth = 0;
        traces.retain(|_| {
            let mine = nth % self.of == self.number - 1;
            nth += 1;
            mine
        });
    }
}

/// `2/3`.
impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

/// Why a text names no part of a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// There are not so many parts.
    #[error("there is no part {number} of {of}; the parts are 1/{of} to {of}/{of}")]
    NoSuchPart {
        /// The part, from 1.
        number: u32,
        /// How many parts there are.
        of: u32,
    },
    /// The text is not two numbers.
    #[error("`{text}` is no part; write the first of three as 1/3, the last as 3/3")]
    NoPart {
        /// The text.
        text: String,
    },
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
    fn every_trace_is_in_exactly_one_part_and_the_parts_are_alike() {
        for (count, of) in [(0, 1), (1, 3), (115, 4), (7, 7), (10, 9)] {
            let all: Vec<FoundTrace> = (0..count).map(found).collect();
            let parts = (1..=of).map(|number| {
                let mut part = all.clone();
                Shard { number, of }.select(&mut part);
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
    fn what_is_no_part_is_refused() {
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
