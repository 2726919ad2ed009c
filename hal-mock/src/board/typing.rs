//! The other console wire: what is typed, on its way to UART0's receiver.
//!
//! Bytes come back to back at the console's rate, each with the end of its stop bit. The receiver has no FIFO here: firmware on
//! this computer takes them when it looks, an emulated chip has a FIFO of its own.

use std::collections::VecDeque;

use super::console::BYTE;
use virtual_time::Instant;

/// Bytes that are under way or have not been taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Typing {
    /// Each with the moment at which it has arrived.
    bytes: VecDeque<(Instant, u8)>,
    /// When the last one has arrived.
    until: Instant,
    /// The firmware has looked whether there is one, up to here: what has arrived is no news any more.
    looked: Option<Instant>,
}

impl Typing {
    /// Sends `byte`, from `at` on or behind those that are under way.
    pub(super) fn send(&mut self, at: Instant, byte: u8) {
        self.until = self.until.max(at).saturating_add(BYTE);
        self.bytes.push_back((self.until, byte));
    }

    /// The next byte, if it has arrived at `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<u8> {
        self.bytes.front().filter(|(at, _)| *at <= now)?;
        self.bytes.pop_front().map(|(_, byte)| byte)
    }

    /// Whether there is one at `now`. The firmware may leave it for later.
    pub(super) fn look(&mut self, now: Instant) -> bool {
        self.looked = Some(now);
        self.bytes.front().is_some_and(|(at, _)| *at <= now)
    }

    /// When the next byte arrives of which the firmware does not know.
    pub(super) fn next(&self) -> Option<Instant> {
        let known = self.bytes.partition_point(|(at, _)| self.looked.is_some_and(|to| *at <= to));
        self.bytes.get(known).map(|(at, _)| *at)
    }

    /// When the last byte that was sent has arrived.
    pub(super) fn until(&self) -> Instant {
        self.until
    }

    /// A board without power hears nothing.
    pub(super) fn lose_power(&mut self) {
        self.bytes.clear();
    }
}
