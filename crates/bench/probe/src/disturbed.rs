//! A line that loses, doubles and changes what is on it, is cut, or says rubbish: around any other.

use std::time::Duration;

use virtual_time::Random;

use crate::link::{Cut, Link};

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Of 100,000 bytes in each direction so many are lost,
    pub lost: u64,
    /// so many doubled,
    pub doubled: u64,
    /// and of so many one bit is changed.
    pub changed: u64,
    /// It is cut from the first moment to the second.
    pub cut: Option<(Duration, Duration)>,
    /// Nothing arrives in either direction from the first moment to the second, and nobody is told.
    pub silent: Option<(Duration, Duration)>,
    /// What comes from the probe from this moment on is noise.
    pub rubbish_from: Option<Duration>,
}

/// A disturbed line.
pub struct Disturbed<L> {
    inner: L,
    faults: Faults,
    random: Random,
}

impl<L: Link> Disturbed<L> {
    /// A line around `inner`; `seed` decides which bytes.
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

impl<L: Link> Link for Disturbed<L> {
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
        if self.faults.rubbish_from.is_some_and(|from| now >= from) {
            bytes = bytes.iter().map(|_| self.random.below(256) as u8).collect();
        }
        into[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        if let Err(cut) = self.if_whole() {
            // Time passes, and what the probe says meanwhile is lost.
            self.inner.read(&mut [0; 4096], wait)?;
            return Err(cut);
        }
        self.inner.reconnect(wait)
    }
}
