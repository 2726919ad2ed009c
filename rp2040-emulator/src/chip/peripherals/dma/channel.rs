//! One channel: its registers under their four names, and how far it is.

use super::{Outcome, PERMANENT, Transfer, is_pulse};
use crate::bus::Width;

/// CTRL
const ENABLED: u32 = 1;
const URGENT: u32 = 1 << 1;
const INCREMENT_READ: u32 = 1 << 4;
const INCREMENT_WRITE: u32 = 1 << 5;
const RING_WRITES: u32 = 1 << 10;
const QUIET: u32 = 1 << 21;
const SWAP: u32 = 1 << 22;
const SNIFFED: u32 = 1 << 23;
const BUSY: u32 = 1 << 24;
const WRITE_ERROR: u32 = 1 << 29;
const READ_ERROR: u32 = 1 << 30;
const ANY_ERROR: u32 = 1 << 31;
const WRITABLE: u32 = 0x00FF_FFFF;

/// The most pulses of a request that are owed.
const MAX_CREDITS: u32 = 63;

/// Which register stands where, in each of the four groups of four. The last one triggers.
const READ: usize = 0;
const WRITE: usize = 1;
const COUNT: usize = 2;
const CONTROL: usize = 3;
const NAMES: [[usize; 4]; 4] = [
    [READ, WRITE, COUNT, CONTROL],
    [CONTROL, READ, WRITE, COUNT],
    [CONTROL, COUNT, READ, WRITE],
    [CONTROL, WRITE, COUNT, READ],
];

/// What a write to a register asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    None,
    /// Zero written to a trigger ends a chain of control blocks: for a quiet channel, that
    /// interrupts.
    Null,
    Start,
}

#[derive(Clone, Debug)]
pub(super) struct Channel {
    read: u32,
    write: u32,
    remaining: u32,
    /// What TRANS_COUNT begins with when the channel is next started.
    reload: u32,
    control: u32,
    busy: bool,
    /// Pulses of its request that have not been used.
    credits: u32,
}

impl Channel {
    /// After reset, a channel is chained to itself, which means to none.
    pub(super) fn new(number: usize) -> Self {
        Self {
            read: 0,
            write: 0,
            remaining: 0,
            reload: 0,
            control: (number as u32) << 11,
            busy: false,
            credits: 0,
        }
    }

    pub(super) fn remaining(&self) -> u32 {
        self.remaining
    }

    /// TREQ_SEL.
    pub(super) fn request(&self) -> usize {
        (self.control >> 15 & 0x3F) as usize
    }

    pub(super) fn is_urgent(&self) -> bool {
        self.control & URGENT != 0
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.control & QUIET != 0
    }

    pub(super) fn swaps(&self) -> bool {
        self.control & SWAP != 0
    }

    pub(super) fn is_sniffed(&self) -> bool {
        self.control & SNIFFED != 0
    }

    /// Started, not at its end.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Busy, and not paused.
    pub(super) fn is_active(&self) -> bool {
        self.busy && self.control & ENABLED != 0
    }

    /// Whether it can go on, given the levels of the requests.
    pub(super) fn is_able(&self, ready: u64) -> bool {
        let request = self.request();
        self.is_active()
            && match request {
                _ if self.remaining == 0 => true,
                PERMANENT => true,
                _ if is_pulse(request) => self.credits != 0,
                _ => ready >> request & 1 != 0,
            }
    }

    pub(super) fn waits_for(&self, request: usize) -> bool {
        self.busy && self.request() == request
    }

    pub(super) fn add_credits(&mut self, count: u32) {
        self.credits = self.credits.saturating_add(count).min(MAX_CREDITS);
    }

    /// Begins anew, if it is enabled and not busy.
    pub(super) fn start(&mut self) {
        if self.control & ENABLED != 0 && !self.busy {
            self.busy = true;
            self.remaining = self.reload;
            self.credits = 0;
        }
    }

    fn width(&self) -> Width {
        match self.control >> 2 & 3 {
            0 => Width::Byte,
            1 => Width::Half,
            _ => Width::Word,
        }
    }

    /// The error that an address gives which the width does not allow.
    pub(super) fn misaligned(&self) -> Option<Outcome> {
        let bytes = self.width().bytes();
        if !self.read.is_multiple_of(bytes) {
            Some(Outcome::ReadError)
        } else if !self.write.is_multiple_of(bytes) {
            Some(Outcome::WriteError)
        } else {
            None
        }
    }

    /// The next transfer; a pulse of its request is used up by it.
    pub(super) fn transfer(&mut self, channel: usize, cycle: u64) -> Transfer {
        self.credits = self.credits.saturating_sub(1);
        Transfer { channel, cycle, read: self.read, write: self.write, width: self.width() }
    }

    /// A transfer is done; true if it was the last one.
    pub(super) fn step(&mut self) -> bool {
        let bytes = self.width().bytes();
        let (kept_read, kept_write) = self.kept();
        let stepped =
            |address: u32, kept: u32| address & kept | address.wrapping_add(bytes) & !kept;
        if self.control & INCREMENT_READ != 0 {
            self.read = stepped(self.read, kept_read);
        }
        if self.control & INCREMENT_WRITE != 0 {
            self.write = stepped(self.write, kept_write);
        }
        // An abort may have come from this very transfer.
        self.remaining = self.remaining.saturating_sub(1);
        self.busy && self.remaining == 0
    }

    /// The upper bits of the two addresses that a ring does not change.
    fn kept(&self) -> (u32, u32) {
        match (self.control >> 6 & 15, self.control & RING_WRITES) {
            (0, _) => (0, 0),
            (bits, 0) => (u32::MAX << bits, 0),
            (bits, _) => (0, u32::MAX << bits),
        }
    }

    /// All is done: the channel that it starts, itself for none.
    pub(super) fn complete(&mut self) -> usize {
        self.busy = false;
        (self.control >> 11 & 15) as usize
    }

    pub(super) fn abort(&mut self) {
        self.busy = false;
        self.credits = 0;
    }

    pub(super) fn halt(&mut self, outcome: Outcome) {
        self.busy = false;
        self.control |= match outcome {
            Outcome::Done => 0,
            Outcome::ReadError => READ_ERROR,
            Outcome::WriteError => WRITE_ERROR,
        };
    }

    /// `offset` counts from the channel's first register.
    pub(super) fn read(&self, offset: u32) -> u32 {
        match name(offset) {
            READ => self.read,
            WRITE => self.write,
            COUNT => self.remaining,
            _ => {
                let error = self.control & (READ_ERROR | WRITE_ERROR) != 0;
                let busy = if self.busy { BUSY } else { 0 };
                self.control | busy | if error { ANY_ERROR } else { 0 }
            }
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Trigger {
        match name(offset) {
            READ => self.read = value,
            WRITE => self.write = value,
            COUNT => self.reload = value,
            _ => {
                let errors = self.control & (READ_ERROR | WRITE_ERROR) & !value;
                self.control = value & WRITABLE | errors;
            }
        }
        match (offset & 0xC, value) {
            (0xC, 0) if self.is_quiet() => Trigger::Null,
            (0xC, 1..) => Trigger::Start,
            _ => Trigger::None,
        }
    }

    /// DBG_CTDREQ and DBG_TCR.
    pub(super) fn read_debug(&self, offset: u32) -> Option<u32> {
        match offset {
            0 => Some(self.credits),
            4 => Some(self.reload),
            _ => None,
        }
    }

    pub(super) fn write_debug(&mut self, offset: u32) -> Option<()> {
        match offset {
            0 => self.credits = 0,
            4 => {}
            _ => return None,
        }
        Some(())
    }
}

fn name(offset: u32) -> usize {
    NAMES[(offset >> 4 & 3) as usize][(offset >> 2 & 3) as usize]
}
