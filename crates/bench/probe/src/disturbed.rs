//! A link around any other that loses, doubles and changes bytes, is cut, falls silent, or delivers
//! noise.

use std::time::Duration;

use virtual_time::Random;

use crate::link::{Cut, Link};

/// Faults of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Bytes of every 100,000 that are lost, in each direction.
    pub lost: u64,
    /// Bytes of every 100,000 that are doubled.
    pub doubled: u64,
    /// Bytes of every 100,000 in which one bit is changed.
    pub changed: u64,
    /// The link is cut from the first time to the second.
    pub cut: Option<(Duration, Duration)>,
    /// No byte arrives in either direction from the first time to the second, and no error is
    /// reported.
    pub silent: Option<(Duration, Duration)>,
    /// All bytes from the probe are noise from this time on.
    pub noise_from: Option<Duration>,
}

/// A link with faults.
pub struct FaultyLink<L> {
    inner: L,
    faults: Faults,
    random: Random,
}

impl<L: Link> FaultyLink<L> {
    /// Wraps `inner`; `seed` decides which bytes are affected.
    pub fn new(inner: L, faults: Faults, seed: u64) -> Self {
        Self { inner, faults, random: Random::new(seed) }
    }

    fn disturb(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Faults { lost, doubled, changed, .. } = self.faults;
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            let drawn = self.random.below(100_000);
            if drawn < lost {
                continue;
            }
            let changes = drawn < lost + changed;
            out.push(if changes { byte ^ (1 << self.random.below(8)) } else { *byte });
            if !changes && drawn < lost + changed + doubled {
                out.push(*byte);
            }
        }
        out
    }

    fn is_within(&mut self, span: Option<(Duration, Duration)>) -> bool {
        let now = self.inner.now();
        span.is_some_and(|(from, to)| (from..to).contains(&now))
    }

    fn if_whole(&mut self) -> Result<(), Cut> {
        match self.is_within(self.faults.cut) {
            true => Err(Cut("the cable is pulled".into())),
            false => Ok(()),
        }
    }
}

impl<L: Link> Link for FaultyLink<L> {
    fn now(&mut self) -> Duration {
        self.inner.now()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.if_whole()?;
        if !self.is_within(self.faults.silent) {
            let disturbed = self.disturb(bytes);
            self.inner.write(&disturbed)?;
        }
        Ok(bytes.len())
    }

    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        self.if_whole()?;
        // A doubled byte needs room.
        let mut buffer = vec![0; into.len() / 2];
        let read = self.inner.read(&mut buffer, wait)?;
        self.if_whole()?;
        if self.is_within(self.faults.silent) {
            return Ok(0);
        }
        let mut bytes = self.disturb(&buffer[..read]);
        let now = self.inner.now();
        if self.faults.noise_from.is_some_and(|from| now >= from) {
            bytes = bytes.iter().map(|_| self.random.below(256) as u8).collect();
        }
        into[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        if let Err(cut) = self.if_whole() {
            // Time passes, and bytes that the probe sends in it are lost.
            self.inner.read(&mut [0; 4096], wait)?;
            return Err(cut);
        }
        self.inner.reconnect(wait)
    }
}
