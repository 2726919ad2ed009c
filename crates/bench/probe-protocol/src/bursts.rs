//! Packed LCD traffic: bursts of bytes with their times, as
//! [`Observation::Bursts`](crate::Observation::Bursts) carries them.
//!
//! A burst is a sequence of bytes back to back, with SCK idle before and after it. A redraw of text
//! has a million of them a second, each of a few bytes, so one message carries many:
//!
//! ```text
//! burst  gap << 1 | dc · run … · took << 2 | 2
//! run    count << 2 | 0 · `count` bytes        as they came
//!        count << 2 | 1 · two bytes            these two, `count` times
//! ```
//!
//! Numbers are varints (seven bits a byte, the low ones first). `gap` is the time since the end of
//! the previous burst, `took` the time from the burst's first bit to the end of its last, both in
//! units of [`STAMP_NS`]. The first burst's gap is 0.
//!
//! [`Packer`] writes bursts, [`bursts`] reads them. Neither allocates.

pub use crate::frame::PACKED;
use crate::message::{Packed, ProbeTime};

/// Unit of time in nanoseconds: one iteration of the probe's state machines, three cycles at 200
/// MHz.
pub const STAMP_NS: u64 = 15;

/// Number of consecutive equal pairs from which on a repeated run is shorter than plain bytes.
const WORTH_PACKING: usize = 3;
/// Largest length of a varint of 32 bits, in bytes.
const NUMBER: usize = 5;
/// Room that a burst needs at least, in bytes: its gap, a run's header, two bytes, its end.
const LEAST: usize = 3 * NUMBER + 2;
/// Longest repetition that a reader accepts: the bytes of a few whole pictures.
const LONGEST: u32 = 1 << 20;

const RUN_PLAIN: u32 = 0;
const RUN_REPEATED: u32 = 1;
const END: u32 = 2;

/// Packs bursts until [`PACKED`] bytes are full.
pub struct Packer {
    bytes: [u8; PACKED],
    length: usize,
    /// Beginning of the first burst and end of the last one, in units of [`STAMP_NS`].
    begin: u64,
    end: u64,
}

impl Default for Packer {
    fn default() -> Self {
        Self::new()
    }
}

impl Packer {
    /// Creates a packer without bursts.
    pub const fn new() -> Self {
        Self { bytes: [0; PACKED], length: 0, begin: 0, end: 0 }
    }

    /// Returns whether there is no burst.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the beginning of the first burst, in units of [`STAMP_NS`], and the packed bursts.
    pub fn packed(&self) -> (u64, &[u8]) {
        (self.begin, &self.bytes[..self.length])
    }

    /// Returns the end of the last burst, in units of [`STAMP_NS`].
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// Removes all bursts.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds a burst that begins at `begin` and takes `took`, both in units of [`STAMP_NS`]. Returns
    /// how many of `bytes` fitted and how long those took; the caller adds the rest as a burst of
    /// its own to the next message. Returns 0 bytes if there was no room.
    pub fn add(&mut self, begin: u64, took: u32, dc: bool, bytes: &[u8]) -> (usize, u32) {
        if bytes.is_empty() || self.room() < LEAST {
            return (0, 0);
        }
        let gap = if self.length == 0 {
            self.begin = begin;
            0
        } else {
            begin.saturating_sub(self.end).min(u64::from(u32::MAX >> 1)) as u32
        };
        let before = self.length;
        // A gap that was clamped moves its burst earlier.
        let begin = if self.length == 0 { begin } else { self.end + u64::from(gap) };
        self.number(gap << 1 | u32::from(dc));
        let done = self.runs(bytes);
        if done == 0 {
            // The gap has used the room of the first run.
            self.length = before;
            return (0, 0);
        }
        let took = if done == bytes.len() {
            took
        } else {
            (u64::from(took) * done as u64 / bytes.len() as u64) as u32
        };
        let took = took.min(u32::MAX >> 2);
        self.number(took << 2 | END);
        self.end = begin + u64::from(took);
        (done, took)
    }

    const fn room(&self) -> usize {
        PACKED - self.length
    }

    /// Writes runs and returns how many of `bytes` fitted, with room left for the burst's end.
    fn runs(&mut self, bytes: &[u8]) -> usize {
        let (mut at, mut plain) = (0, 0);
        while at < bytes.len() {
            let equal = equal_pairs(&bytes[at..]);
            if equal < WORTH_PACKING {
                at = bytes.len().min(at + 2 * equal.max(1));
                continue;
            }
            let done = self.plain(&bytes[plain..at]);
            if plain + done < at || self.room() < LEAST {
                return plain + done;
            }
            self.number((equal as u32) << 2 | RUN_REPEATED);
            self.copy(&bytes[at..at + 2]);
            at += 2 * equal;
            plain = at;
        }
        plain + self.plain(&bytes[plain..])
    }

    /// Writes a plain run and returns how many of `bytes` fitted.
    fn plain(&mut self, bytes: &[u8]) -> usize {
        let most = self.room().saturating_sub(2 * NUMBER);
        let bytes = &bytes[..bytes.len().min(most)];
        if !bytes.is_empty() {
            self.number((bytes.len() as u32) << 2 | RUN_PLAIN);
            self.copy(bytes);
        }
        bytes.len()
    }

    fn copy(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes[self.length] = number as u8 | 0x80;
            self.length += 1;
            number >>= 7;
        }
        self.bytes[self.length] = number as u8;
        self.length += 1;
    }
}

/// Returns how many times the first two of `bytes` are repeated from its beginning; 0 if it has
/// fewer than two bytes.
fn equal_pairs(bytes: &[u8]) -> usize {
    let mut pairs = bytes.chunks_exact(2);
    let Some(&[first, second]) = pairs.next() else { return 0 };
    1 + pairs.take_while(|pair| pair[0] == first && pair[1] == second).count()
}

/// An unpacked burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst<'a> {
    /// Start of the first bit.
    pub at: ProbeTime,
    /// Duration from the start of the first bit to the end of the last, in nanoseconds.
    pub took: u64,
    /// Level of DC at the end of the burst.
    pub dc: bool,
    /// Number of bytes.
    pub length: usize,
    runs: &'a [u8],
}

impl<'a> Burst<'a> {
    /// Returns the burst's bytes in order, as runs.
    pub const fn runs(&self) -> Runs<'a> {
        Runs { rest: self.runs }
    }
}

/// The error for bytes that are not a valid burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBurst;

/// Returns an iterator over the bursts of a message that begins at `at`.
pub const fn bursts(at: ProbeTime, packed: &[u8]) -> Bursts<'_> {
    Bursts { end: at, rest: packed }
}

/// Iterator returned by [`bursts`]. It ends at the first invalid burst.
#[derive(Clone, Debug)]
pub struct Bursts<'a> {
    end: ProbeTime,
    rest: &'a [u8],
}

impl<'a> Bursts<'a> {
    fn read(&mut self) -> Option<Burst<'a>> {
        let head = number(&mut self.rest)?;
        let at = self.end.after(u64::from(head >> 1) * STAMP_NS);
        let runs = self.rest;
        let mut length = 0;
        loop {
            let before = self.rest.len();
            match run(&mut self.rest)? {
                Run::Bytes(bytes) => length += bytes.len(),
                Run::End(took) => {
                    let took = u64::from(took) * STAMP_NS;
                    self.end = at.after(took);
                    let runs = &runs[..runs.len() - before];
                    return Some(Burst { at, took, dc: head & 1 != 0, length, runs });
                }
            }
        }
    }
}

impl<'a> Iterator for Bursts<'a> {
    type Item = Result<Burst<'a>, InvalidBurst>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let burst = self.read();
        if burst.is_none() {
            self.rest = &[];
        }
        Some(burst.ok_or(InvalidBurst))
    }
}

/// Iterator over the bytes of a burst, as runs.
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Runs<'a> {
    type Item = Packed<'a>;

    fn next(&mut self) -> Option<Packed<'a>> {
        match run(&mut self.rest)? {
            Run::Bytes(bytes) => Some(bytes),
            Run::End(_) => None,
        }
    }
}

enum Run<'a> {
    Bytes(Packed<'a>),
    End(u32),
}

fn run<'a>(rest: &mut &'a [u8]) -> Option<Run<'a>> {
    let head = number(rest)?;
    let count = head >> 2;
    Some(match head & 3 {
        RUN_PLAIN if count > 0 => {
            let (bytes, behind) = rest.split_at_checked(count as usize)?;
            *rest = behind;
            Run::Bytes(Packed::Plain(bytes))
        }
        RUN_REPEATED if count > 0 && count <= LONGEST / 2 => {
            let (pair, behind) = rest.split_first_chunk::<2>()?;
            *rest = behind;
            Run::Bytes(Packed::Repeated(*pair, count))
        }
        END => Run::End(count),
        _ => return None,
    })
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for place in 0..NUMBER {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        let bits = u32::from(byte & 0x7F);
        if place == NUMBER - 1 && bits > 0xF {
            return None;
        }
        number |= bits << (7 * place);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;

    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    use super::*;

    fn expand(burst: &Burst<'_>) -> Vec<u8> {
        let mut bytes = vec![];
        for run in burst.runs() {
            match run {
                Packed::Plain(plain) => bytes.extend(plain),
                Packed::Repeated(pair, times) => bytes.extend(pair.repeat(times as usize)),
            }
        }
        bytes
    }

    #[test]
    fn a_window_costs_little_more_than_its_bytes() {
        let mut packer = Packer::new();
        let (mut at, mut length) = (1_000, 0);
        for (dc, bytes) in [(false, &[0x2A][..]), (true, &[0, 1, 0, 9]), (false, &[0x2C])] {
            let took = 17 * bytes.len() as u32;
            assert_eq!(packer.add(at, took, dc, bytes), (bytes.len(), took));
            at += u64::from(took) + 60;
            length += bytes.len();
        }
        assert!(packer.packed().1.len() <= length + 3 * 3 + 2, "{}", packer.packed().1.len());
    }

    #[test]
    fn one_colour_takes_a_few_bytes() {
        let mut packer = Packer::new();
        assert_eq!(packer.add(5, 9_000, true, &[0x12, 0x34].repeat(256)), (512, 9_000));
        assert!(packer.packed().1.len() < 12);
    }

    #[test]
    fn bytes_that_do_not_fit_are_left_with_their_time() {
        let noise: Vec<u8> = (0..=255u8).flat_map(|n| [n, n.wrapping_mul(91) ^ 7]).collect();
        let mut packer = Packer::new();
        let (done, took) = packer.add(0, 512 * 17, true, &noise);
        assert!(done > 400 && done < 512);
        assert_eq!(u64::from(took), 512 * 17 * done as u64 / 512);
        assert_eq!(packer.add(9_999, 17, true, &[1]), (0, 0));
    }

    #[test]
    fn a_burst_that_does_not_fit_leaves_the_packer_unchanged() {
        let noise: Vec<u8> = (0..=255u8).flat_map(|n| [n, n.wrapping_mul(91) ^ 7]).collect();
        let mut refused = 0;
        for first in 1..noise.len() {
            for gap in [0, 1 << 6, 1 << 13, 1 << 20, 1 << 27] {
                let mut packer = Packer::new();
                let (done, took) = packer.add(0, 17, true, &noise[..first]);
                let packed = packer.packed().1.to_vec();
                if packer.add(u64::from(took) + gap, 17, true, &[7; 40]) == (0, 0) {
                    refused += 1;
                    assert!(packer.packed().1 == packed, "behind {done} bytes and {gap}");
                }
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn runs_without_bytes_or_without_an_end_are_broken() {
        for wrong in [&[0x00][..], &[0, 0], &[0, 1, 5, 5], &[0, 4], &[0xFF; 6], &[0, 3]] {
            assert_eq!(bursts(ProbeTime(0), wrong).last(), Some(Err(InvalidBurst)), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn packed_bursts_are_read_back(
            whole in prop::collection::vec(
                (0..3u64, 0..9_000u32, any::<bool>(), prop::collection::vec(0..3u8, 1..700)),
                1..20,
            ),
        ) {
            let mut packer = Packer::new();
            let (mut clock, mut expected, mut found) = (77u64, vec![], vec![]);
            let read = |packer: &mut Packer, found: &mut Vec<_>| {
                let (begin, packed) = packer.packed();
                for burst in bursts(ProbeTime(begin * STAMP_NS), packed) {
                    let burst = burst.expect("a burst");
                    let bytes = expand(&burst);
                    assert_eq!(bytes.len(), burst.length);
                    found.push((burst.at.0 / STAMP_NS, burst.took / STAMP_NS, burst.dc, bytes));
                }
                packer.clear();
            };
            for (gap, took, dc, bytes) in &whole {
                let mut rest = &bytes[..];
                let mut left = *took;
                clock += gap;
                while !rest.is_empty() {
                    let (done, spent) = packer.add(clock, left, *dc, rest);
                    if done == 0 {
                        prop_assert!(!packer.is_empty());
                        read(&mut packer, &mut found);
                        continue;
                    }
                    expected.push((clock, u64::from(spent), *dc, rest[..done].to_vec()));
                    (clock, left, rest) = (clock + u64::from(spent), left - spent, &rest[done..]);
                }
            }
            read(&mut packer, &mut found);
            prop_assert_eq!(expected, found);
        }

        #[test]
        fn nothing_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for burst in bursts(ProbeTime(u64::MAX - 5), &bytes).flatten() {
                let _ = burst.runs().count();
            }
        }
    }
}
