//! The cable to the probe: a [`Link`] in virtual time. Time passes only while the host reads.

use std::collections::VecDeque;
use std::time::Duration;

use probe::{Cut, Link};

use crate::world::Bench;

/// Interval at which a waiting read polls for received bytes, in nanoseconds.
const STEP_NS: u64 = 250_000;
/// Index of the probe's serial port.
const PORT: usize = 0;

/// The host's end of the cable to the probe.
pub struct BenchLink {
    bench: Bench,
    received: VecDeque<u8>,
}

impl Bench {
    /// Returns a link to the probe over the USB cable.
    pub fn link(&self) -> BenchLink {
        BenchLink { bench: self.clone(), received: VecDeque::new() }
    }
}

impl BenchLink {
    fn is_connected(&self) -> bool {
        self.bench.with(|world| world.probe.usb_host().is_some_and(|host| host.ports() > PORT))
    }

    fn check(&self) -> Result<(), Cut> {
        if self.is_connected() { Ok(()) } else { Err(Cut("the USB cable is off".into())) }
    }

    /// Advances the bench's time by `span_ns`.
    fn pass(&self, span_ns: u64) -> Result<(), Cut> {
        self.bench.advance(span_ns).map_err(|error| Cut(error.to_string()))
    }
}

impl Link for BenchLink {
    fn now(&mut self) -> Duration {
        Duration::from_nanos(self.bench.now_ns())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.check()?;
        let sent =
            self.bench.with(|world| world.probe.usb_host_mut().map(|it| it.send(PORT, bytes)));
        Ok(sent.unwrap_or_default())
    }

    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        let until = self.now() + wait;
        loop {
            let bytes =
                self.bench.with(|world| world.probe.usb_host_mut().map(|it| it.receive(PORT)));
            self.received.extend(bytes.unwrap_or_default());
            if !self.received.is_empty() || self.now() >= until {
                break;
            }
            self.check()?;
            let left = until.saturating_sub(self.now()).as_nanos() as u64;
            self.pass(left.min(STEP_NS))?;
        }
        let length = into.len().min(self.received.len());
        for (place, byte) in into.iter_mut().zip(self.received.drain(..length)) {
            *place = byte;
        }
        Ok(length)
    }

    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        self.received.clear();
        let until = self.now() + wait;
        while !self.is_connected() {
            let left = until.saturating_sub(self.now()).as_nanos() as u64;
            if left == 0 {
                return self.check();
            }
            self.pass(left.min(STEP_NS))?;
        }
        Ok(())
    }
}
