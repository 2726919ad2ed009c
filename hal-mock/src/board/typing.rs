//! The other console wire: typed bytes on their way to UART0's receiver.
//!
//! Bytes come back to back at the console's rate, each with the time of the end of its stop bit.
//! The receiver has no FIFO here: firmware on this computer reads bytes directly, an emulated chip
//! has its own FIFO.

use std::collections::VecDeque;

use super::console::BYTE;
use virtual_time::Instant;

/// Bytes that are in transit or have not been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Typing {
    /// Each byte with its arrival time.
    bytes: VecDeque<(Instant, u8)>,
    /// Arrival time of the last byte.
    until: Instant,
    /// The firmware has polled the receiver up to this time and knows of every byte that arrived by
    /// then.
    looked: Option<Instant>,
}

impl Typing {
    /// Sends `byte`, at `at` or after the bytes that are in transit.
    pub(super) fn send(&mut self, at: Instant, byte: u8) {
        self.until = self.until.max(at).saturating_add(BYTE);
        self.bytes.push_back((self.until, byte));
    }

    /// Removes and returns the next byte, if it has arrived at `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<u8> {
        self.bytes.front().filter(|(at, _)| *at <= now)?;
        self.bytes.pop_front().map(|(_, byte)| byte)
    }

    /// Returns whether a byte has arrived at `now`. The firmware may leave it in the receiver.
    pub(super) fn look(&mut self, now: Instant) -> bool {
        self.looked = Some(now);
        self.bytes.front().is_some_and(|(at, _)| *at <= now)
    }

    /// Returns the arrival time of the next byte that the firmware does not know of.
    pub(super) fn next(&self) -> Option<Instant> {
        let known = self.bytes.partition_point(|(at, _)| self.looked.is_some_and(|to| *at <= to));
        self.bytes.get(known).map(|(at, _)| *at)
    }

    /// Returns the arrival time of the last byte that was sent.
    pub(super) fn until(&self) -> Instant {
        self.until
    }

    /// Discards all bytes: a board without power receives none.
    pub(super) fn lose_power(&mut self) {
        self.bytes.clear();
    }
}
