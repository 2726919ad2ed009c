//! The other console wire: typed bytes on their way to UART0's receiver.
//!
//! Bytes come back to back at the console's rate, each with the time of the end of its stop bit.
//! The receiver has no FIFO here: firmware on this computer reads bytes directly, an emulated chip
//! has its own FIFO. A [`TypingFault`] makes it lose bytes, or receive wrong ones.

use std::collections::VecDeque;

use super::console::BYTE;
use super::input::TypingFault;
use virtual_time::{Instant, Random};

/// Separates the faults of the wire from everything else that is drawn from the seed.
const WIRE: u64 = u64::from_be_bytes(*b"uart\0\0rx");

/// A byte that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedByte {
    pub byte: u8,
    /// Whether a byte before this one was lost (an overrun).
    pub after_loss: bool,
}

/// Bytes that are in transit or have not been read.
#[derive(Clone, Debug)]
pub(super) struct Typing {
    /// Each byte with its arrival time.
    bytes: VecDeque<(Instant, TypedByte)>,
    /// Arrival time of the last byte.
    until: Instant,
    /// The firmware has polled the receiver up to this time and knows of every byte that arrived by
    /// then.
    looked: Option<Instant>,
    /// Share of the bytes that are lost, and that arrive wrong: one in this number.
    lose: Option<u32>,
    garble: Option<u32>,
    /// Whether a byte was lost since the last one that arrived.
    lost: bool,
    /// Draws which bytes have a fault: only from the seed and the number of bytes, so that the same
    /// bytes have one on every board.
    random: Random,
}

impl Typing {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            bytes: VecDeque::new(),
            until: Instant::START,
            looked: None,
            lose: None,
            garble: None,
            lost: false,
            random: Random::new(seed ^ WIRE),
        }
    }

    /// Gives the receiver a fault; `None` repairs it.
    pub(super) fn set_fault(&mut self, fault: Option<TypingFault>) {
        match fault {
            Some(TypingFault::Lose { one_in }) => self.lose = Some(one_in.max(1)),
            Some(TypingFault::Garble { one_in }) => self.garble = Some(one_in.max(1)),
            None => (self.lose, self.garble) = (None, None),
        }
    }

    /// Sends `byte`, at `at` or after the bytes that are in transit.
    pub(super) fn send(&mut self, at: Instant, byte: u8) {
        self.until = self.until.max(at).saturating_add(BYTE);
        let mut happens =
            |share: Option<u32>| share.is_some_and(|one_in| self.random.below(one_in.into()) == 0);
        if happens(self.lose) {
            self.lost = true;
            return;
        }
        let byte = if happens(self.garble) { byte ^ 1 << self.random.below(8) } else { byte };
        let after_loss = std::mem::take(&mut self.lost);
        self.bytes.push_back((self.until, TypedByte { byte, after_loss }));
    }

    /// Removes and returns the next byte, if it has arrived at `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<TypedByte> {
        self.bytes.front().filter(|(at, _)| *at <= now)?;
        self.bytes.pop_front().map(|(_, byte)| byte)
    }

    /// Returns whether the next byte has arrived at `now` and comes after a lost one.
    pub(super) fn has_loss(&self, now: Instant) -> bool {
        self.bytes.front().is_some_and(|(at, next)| *at <= now && next.after_loss)
    }

    /// Returns whether the next byte has arrived at `now` and comes after a lost one. The loss is
    /// reported once.
    pub(super) fn take_loss(&mut self, now: Instant) -> bool {
        let next = self.bytes.front_mut().filter(|(at, _)| *at <= now);
        next.is_some_and(|(_, next)| std::mem::take(&mut next.after_loss))
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
        self.lost = false;
    }
}
