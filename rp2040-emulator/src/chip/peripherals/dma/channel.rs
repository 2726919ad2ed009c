//! One DMA channel: its registers under their four names, and its progress.

use super::transfer::{Transfer, TransferOutcome};
use crate::chip::peripherals::dreq::{DREQ_FORCE, is_pulse};
use crate::cpu::bus::Width;

// Registers of a channel, by their offset from its first one: RP2040 datasheet 2.5.7.
//
//        | + 0x0        | + 0x4            | + 0x8            | + 0xC, triggers
// 0x00   | READ_ADDR    | WRITE_ADDR       | TRANS_COUNT      | CTRL_TRIG
// 0x10   | AL1_CTRL     | AL1_READ_ADDR    | AL1_WRITE_ADDR   | AL1_TRANS_COUNT_TRIG
// 0x20   | AL2_CTRL     | AL2_TRANS_COUNT  | AL2_READ_ADDR    | AL2_WRITE_ADDR_TRIG
// 0x30   | AL3_CTRL     | AL3_WRITE_ADDR   | AL3_TRANS_COUNT  | AL3_READ_ADDR_TRIG
const DBG_CTDREQ: u32 = 0x0; // CH0_DBG_CTDREQ: pulses of the request not yet used, 2.5.7
const DBG_TCR: u32 = 0x4; // CH0_DBG_TCR: the next transfer count, 2.5.7

const CTRL_EN: u32 = 1;
const CTRL_HIGH_PRIORITY: u32 = 1 << 1;
const CTRL_DATA_SIZE_LSB: u32 = 2;
const CTRL_INCR_READ: u32 = 1 << 4;
const CTRL_INCR_WRITE: u32 = 1 << 5;
const CTRL_RING_SIZE_LSB: u32 = 6;
/// RING_SEL: the ring applies to the write address.
const CTRL_RING_SEL: u32 = 1 << 10;
const CTRL_CHAIN_TO_LSB: u32 = 11;
const CTRL_TREQ_SEL_LSB: u32 = 15;
const CTRL_IRQ_QUIET: u32 = 1 << 21;
const CTRL_BSWAP: u32 = 1 << 22;
const CTRL_SNIFF_EN: u32 = 1 << 23;
const CTRL_BUSY: u32 = 1 << 24;
const CTRL_WRITE_ERROR: u32 = 1 << 29;
const CTRL_READ_ERROR: u32 = 1 << 30;
const CTRL_AHB_ERROR: u32 = 1 << 31;
/// Bits of CTRL that a write sets and clears.
const CTRL_HELD: u32 = 0x00FF_FFFF;

/// Largest number of pulses of a request that are counted.
const MAX_CREDITS: u32 = 63;

/// A register that has four names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    ReadAddress,
    WriteAddress,
    TransferCount,
    Control,
}

/// Order of the registers in each of the four groups of four. The last one of a group triggers.
#[rustfmt::skip] // as the table above
const NAMES: [[Register; 4]; 4] = {
    use Register::{Control, ReadAddress, TransferCount, WriteAddress};
    [
        [ReadAddress, WriteAddress, TransferCount, Control],
        [Control, ReadAddress, WriteAddress, TransferCount],
        [Control, TransferCount, ReadAddress, WriteAddress],
        [Control, WriteAddress, TransferCount, ReadAddress],
    ]
};

/// Effect of a write to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    None,
    /// Zero was written to a trigger: the end of a chain of control blocks. It interrupts if the
    /// channel is quiet.
    Null,
    Start,
}

#[derive(Clone, Debug)]
pub(super) struct Channel {
    read: u32,
    write: u32,
    remaining: u32,
    /// Value of TRANS_COUNT at the next start of the channel.
    reload: u32,
    control: u32,
    busy: bool,
    /// Pulses of the channel's request that have not been used.
    credits: u32,
}

impl Channel {
    /// Creates a channel in its reset state: every channel has CHAIN_TO 0, so only channel 0 has
    /// its own number (RP2040 datasheet 2.5.7).
    pub(super) fn new() -> Self {
        Self { read: 0, write: 0, remaining: 0, reload: 0, control: 0, busy: false, credits: 0 }
    }

    pub(super) fn remaining(&self) -> u32 {
        self.remaining
    }

    /// Returns TREQ_SEL.
    pub(super) fn request(&self) -> usize {
        (self.control >> CTRL_TREQ_SEL_LSB & 0x3F) as usize
    }

    pub(super) fn is_urgent(&self) -> bool {
        self.control & CTRL_HIGH_PRIORITY != 0
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.control & CTRL_IRQ_QUIET != 0
    }

    pub(super) fn swaps(&self) -> bool {
        self.control & CTRL_BSWAP != 0
    }

    pub(super) fn is_sniffed(&self) -> bool {
        self.control & CTRL_SNIFF_EN != 0
    }

    /// Returns whether the channel is started and not complete.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Returns whether the channel is busy and not paused.
    pub(super) fn is_active(&self) -> bool {
        self.busy && self.control & CTRL_EN != 0
    }

    /// Returns whether the channel can transfer, given the levels of the requests.
    pub(super) fn is_able(&self, ready: u64) -> bool {
        let request = self.request();
        self.is_active()
            && match request {
                _ if self.remaining == 0 => true,
                DREQ_FORCE => true,
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

    /// Starts the channel, if it is enabled and not busy.
    pub(super) fn start(&mut self) {
        if self.control & CTRL_EN != 0 && !self.busy {
            self.busy = true;
            self.remaining = self.reload;
            self.credits = 0;
        }
    }

    fn width(&self) -> Width {
        match self.control >> CTRL_DATA_SIZE_LSB & 3 {
            0 => Width::Byte,
            1 => Width::Half,
            _ => Width::Word,
        }
    }

    /// Returns the error of an address that is not aligned to the width.
    pub(super) fn misaligned(&self) -> Option<TransferOutcome> {
        let bytes = self.width().bytes();
        if !self.read.is_multiple_of(bytes) {
            Some(TransferOutcome::ReadError)
        } else if !self.write.is_multiple_of(bytes) {
            Some(TransferOutcome::WriteError)
        } else {
            None
        }
    }

    /// Returns the next transfer and uses up one pulse of the channel's request.
    pub(super) fn transfer(&mut self, channel: usize, cycle: u64) -> Transfer {
        self.use_credit();
        self.next(channel, cycle)
    }

    pub(super) fn use_credit(&mut self) {
        self.credits = self.credits.saturating_sub(1);
    }

    /// Returns the next transfer, as if it were made in this cycle.
    pub(super) fn next(&self, channel: usize, cycle: u64) -> Transfer {
        Transfer {
            channel,
            cycle,
            read: self.read,
            write: self.write,
            width: self.width(),
            has_waited: false,
        }
    }

    /// Counts a transfer. Returns true if it was the last one.
    pub(super) fn step(&mut self) -> bool {
        let bytes = self.width().bytes();
        let (kept_read, kept_write) = self.kept();
        let stepped =
            |address: u32, kept: u32| address & kept | address.wrapping_add(bytes) & !kept;
        if self.control & CTRL_INCR_READ != 0 {
            self.read = stepped(self.read, kept_read);
        }
        if self.control & CTRL_INCR_WRITE != 0 {
            self.write = stepped(self.write, kept_write);
        }
        // This transfer may itself have written an abort.
        self.remaining = self.remaining.saturating_sub(1);
        self.busy && self.remaining == 0
    }

    /// Returns masks of the upper bits of the two addresses that a ring does not change.
    fn kept(&self) -> (u32, u32) {
        match (self.control >> CTRL_RING_SIZE_LSB & 15, self.control & CTRL_RING_SEL) {
            (0, _) => (0, 0),
            (bits, 0) => (u32::MAX << bits, 0),
            (bits, _) => (0, u32::MAX << bits),
        }
    }

    /// Completes the channel. Returns the channel to start, which is the channel itself for none.
    pub(super) fn complete(&mut self) -> usize {
        self.busy = false;
        (self.control >> CTRL_CHAIN_TO_LSB & 15) as usize
    }

    pub(super) fn abort(&mut self) {
        self.busy = false;
        self.credits = 0;
    }

    pub(super) fn halt(&mut self, outcome: TransferOutcome) {
        self.busy = false;
        self.control |= match outcome {
            TransferOutcome::Done => 0,
            TransferOutcome::ReadError => CTRL_READ_ERROR,
            TransferOutcome::WriteError => CTRL_WRITE_ERROR,
        };
    }

    /// Reads the register at `offset` from the channel's first register.
    pub(super) fn read(&self, offset: u32) -> u32 {
        match name(offset) {
            Register::ReadAddress => self.read,
            Register::WriteAddress => self.write,
            Register::TransferCount => self.remaining,
            Register::Control => {
                let error = self.control & (CTRL_READ_ERROR | CTRL_WRITE_ERROR) != 0;
                let busy = if self.busy { CTRL_BUSY } else { 0 };
                self.control | busy | if error { CTRL_AHB_ERROR } else { 0 }
            }
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Trigger {
        match name(offset) {
            Register::ReadAddress => self.read = value,
            Register::WriteAddress => self.write = value,
            Register::TransferCount => self.reload = value,
            Register::Control => {
                let errors = self.control & (CTRL_READ_ERROR | CTRL_WRITE_ERROR) & !value;
                self.control = value & CTRL_HELD | errors;
            }
        }
        match (is_trigger(offset), value) {
            (true, 0) if self.is_quiet() => Trigger::Null,
            (true, 1..) => Trigger::Start,
            _ => Trigger::None,
        }
    }

    /// Reads DBG_CTDREQ or DBG_TCR.
    pub(super) fn read_debug(&self, offset: u32) -> Option<u32> {
        match offset {
            DBG_CTDREQ => Some(self.credits),
            DBG_TCR => Some(self.reload),
            _ => None,
        }
    }

    pub(super) fn write_debug(&mut self, offset: u32) -> Option<()> {
        match offset {
            DBG_CTDREQ => self.credits = 0,
            DBG_TCR => {}
            _ => return None,
        }
        Some(())
    }
}

/// Returns whether a register is the last of a group, which starts the channel.
fn is_trigger(offset: u32) -> bool {
    offset >> 2 & 3 == 3
}

fn name(offset: u32) -> Register {
    NAMES[(offset >> 4 & 3) as usize][(offset >> 2 & 3) as usize]
}
