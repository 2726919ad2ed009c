//! Observations that wait for USB, in postcard's encoding, in the order in which they are said.
//!
//! The power-on frame of 155 KB comes in 40 ms, and USB takes 40 KB in that time at most: what is packed waits here. When it is
//! full, what comes is lost, and the host is told from when on.

use probe_protocol::bursts::PACKED;
use probe_protocol::{Observation, ProbeTime, Wire};

use crate::chip::Now;

/// Bytes.
const ROOM: usize = 120 * 1024;
/// An observation, at most: packed bursts with their head.
pub const OBSERVATION: usize = PACKED + 16;
/// Left free for all but the LCD's bytes and the console's.
const RESERVE: usize = 2 * 1024;
/// From one mark to the next, in microseconds.
const MARK_US: u64 = 1_000;

const _: () = assert!(MARK_US < probe_protocol::MARK_EVERY_US);

/// See the module.
pub struct Outbox {
    bytes: [u8; ROOM],
    begin: usize,
    length: usize,
    marked_us: u64,
    /// When the LCD's bytes and the console's were first lost.
    lost: [Option<ProbeTime>; 2],
    told: [bool; 2],
    scratch: [u8; OBSERVATION],
}

impl Outbox {
    /// Nothing waits.
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

    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.begin, self.length, self.marked_us) = (0, 0, 0);
        (self.lost, self.told) = ([None; 2], [false; 2]);
    }

    /// Says something. If there is no room it is lost: the line to the host has stood still for long then, which ends the
    /// session.
    pub fn say(&mut self, observation: &Observation<'_>) {
        self.put(observation, 0);
    }

    /// As [`say`](Self::say), for what can be much; when it began to be lost is told.
    pub fn say_of(&mut self, wire: Wire, at: ProbeTime, observation: &Observation<'_>) {
        // Behind what was lost nothing is whole: the host fails.
        let place = usize::from(wire == Wire::Uart);
        if self.lost[place].is_none() && !self.put(observation, RESERVE) {
            self.lose(wire, at);
        }
    }

    /// What was on this wire is lost from `at` on.
    pub fn lose(&mut self, wire: Wire, at: ProbeTime) {
        let place = usize::from(wire == Wire::Uart);
        self.lost[place].get_or_insert(at);
        if !self.told[place] {
            self.told[place] = self.put(&Observation::Overrun { at, wire }, 0);
        }
    }

    /// Says that everything before `known` was said, if it is time to; `done` is how many
    /// tasks are.
    pub fn mark(&mut self, now: Now, known: ProbeTime, done: u32) {
        if now.micros.saturating_sub(self.marked_us) >= MARK_US
            && self.put(&Observation::Mark { before: known, done }, 0)
        {
            self.marked_us = now.micros;
        }
    }

    /// The oldest, without its length; copied to `into`.
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

    /// Forgets the oldest.
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
