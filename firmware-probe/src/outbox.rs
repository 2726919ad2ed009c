//! Observations that wait for USB, in postcard's encoding, in the order in which they are reported.
//!
//! The power-on frame of 155 KB comes in 40 ms, and USB takes at most 40 KB in that time: packed
//! bursts wait here. When the outbox is full, new observations are lost, and the host is notified
//! of the time at which that began.

use probe_protocol::bursts::PACKED;
use probe_protocol::{Observation, ProbeTime, Wire};

use crate::chip::Now;

/// Capacity in bytes.
const ROOM: usize = 116 * 1024;
/// Maximum length of an observation in bytes: packed bursts with their head.
pub const OBSERVATION: usize = PACKED + 16;
/// Number of bytes reserved for observations other than the LCD's and the console's bytes.
const RESERVE: usize = 2 * 1024;
/// Interval between two marks in microseconds.
const MARK_US: u64 = 1_000;

const _: () = assert!(MARK_US < probe_protocol::MARK_EVERY_US);

/// Queue of observations.
pub struct Outbox {
    bytes: [u8; ROOM],
    begin: usize,
    length: usize,
    marked_us: u64,
    /// Times at which the LCD's bytes and the console's were first lost.
    lost: [Option<ProbeTime>; 2],
    told: [bool; 2],
    scratch: [u8; OBSERVATION],
}

impl Outbox {
    /// Creates an empty outbox.
    pub const fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            begin: 0,
            length: 0,
            marked_us: 0,
            lost: [None; 2],
            told: [false; 2],
            scratch: [0; OBSERVATION],
        }
    }

    /// Discards everything.
    pub fn clear(&mut self) {
        (self.begin, self.length, self.marked_us) = (0, 0, 0);
        (self.lost, self.told) = ([None; 2], [false; 2]);
    }

    /// Queues an observation. If there is no room it is lost: the line to the host has then been
    /// blocked for a long time, which ends the session.
    pub fn push(&mut self, observation: &Observation<'_>) {
        self.put(observation, 0);
    }

    /// As [`push`](Self::say), for large amounts of data; the time of the first loss is reported.
    pub fn push_bulk(&mut self, wire: Wire, at: ProbeTime, observation: &Observation<'_>) {
        // Data after the loss is incomplete: the host fails.
        let place = usize::from(wire == Wire::Uart);
        if self.lost[place].is_none() && !self.put(observation, RESERVE) {
            self.lose(wire, at);
        }
    }

    /// Records that data of this wire is lost from `at` on.
    pub fn lose(&mut self, wire: Wire, at: ProbeTime) {
        let place = usize::from(wire == Wire::Uart);
        self.lost[place].get_or_insert(at);
        if !self.told[place] {
            self.told[place] = self.put(&Observation::Overrun { at, wire }, 0);
        }
    }

    /// Reports that everything before `known` was reported, if a mark is due; `done` is the number
    /// of finished tasks.
    pub fn mark(&mut self, now: Now, known: ProbeTime, done: u32) {
        if now.micros.saturating_sub(self.marked_us) >= MARK_US
            && self.put(&Observation::Mark { before: known, done }, 0)
        {
            self.marked_us = now.micros;
        }
    }

    /// Returns the oldest observation without its length, copied to `into`.
    pub fn front<'b>(&self, into: &'b mut [u8; OBSERVATION]) -> Option<&'b [u8]> {
        if self.length == 0 {
            return None;
        }
        let length = usize::from(self.byte(0)) | usize::from(self.byte(1)) << 8;
        let begin = self.place(2);
        let first = length.min(ROOM - begin);
        into[..first].copy_from_slice(&self.bytes[begin..begin + first]);
        into[first..length].copy_from_slice(&self.bytes[..length - first]);
        Some(&into[..length])
    }

    /// Removes the oldest observation.
    pub fn pop(&mut self) {
        if self.length > 0 {
            let length = 2 + (usize::from(self.byte(0)) | usize::from(self.byte(1)) << 8);
            self.begin = self.place(length);
            self.length -= length;
        }
    }

    fn put(&mut self, observation: &Observation<'_>, reserve: usize) -> bool {
        let Ok(encoded) = postcard::to_slice(observation, &mut self.scratch) else { return false };
        let length = encoded.len();
        if ROOM - self.length < length + 2 + reserve {
            return false;
        }
        let head = [length as u8, (length >> 8) as u8];
        for (offset, byte) in head.into_iter().enumerate() {
            let place = self.place(self.length + offset);
            self.bytes[place] = byte;
        }
        let begin = self.place(self.length + 2);
        let first = length.min(ROOM - begin);
        self.bytes[begin..begin + first].copy_from_slice(&self.scratch[..first]);
        self.bytes[..length - first].copy_from_slice(&self.scratch[first..length]);
        self.length += length + 2;
        true
    }

    fn byte(&self, offset: usize) -> u8 {
        self.bytes[self.place(offset)]
    }

    fn place(&self, offset: usize) -> usize {
        let place = self.begin + offset;
        if place >= ROOM { place - ROOM } else { place }
    }
}
