//! The controller as a master: from commands to what is on the wires.

use super::{
    ABORT, ACTIVITY, FIFO_DEPTH, HOLD_IF_FULL, I2c, MASTER, MAY_RESTART, RESTART_DETECTED,
    START_DETECTED, STOP_DETECTED, TEN_BITS,
};

/// Bits of a command.
const READ: u32 = 1 << 8;
const STOP: u32 = 1 << 9;
const RESTART: u32 = 1 << 10;
/// IC_TAR: GC_OR_START and SPECIAL, whose combination 0 and 1 is a general call.
const SPECIAL: u32 = 3 << 10;
const GENERAL_CALL: u32 = 1 << 11;
/// IC_TX_ABRT_SOURCE
const ADDRESS_NACK: u32 = 1;
const TEN_BITS_NACK: u32 = 1 << 1;
const DATA_NACK: u32 = 1 << 3;
const GENERAL_CALL_NACK: u32 = 1 << 4;
const GENERAL_CALL_READ: u32 = 1 << 5;
const NO_RESTART: u32 = 1 << 10;
const USER_ABORT: u32 = 1 << 16;

const BYTE_BITS: u64 = 9;

/// What is on the wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A start and the address.
    Address,
    Byte,
    /// A stop; true if it ends an abort or a transfer, false if a start follows.
    Stop,
}

impl I2c {
    /// Lets time pass until `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some((step, end)) = self.step
            && end <= ns
        {
            self.step = None;
            match step {
                Step::Address => self.address_over(end),
                Step::Byte => self.byte_over(end),
                Step::Stop => {
                    self.raised |= STOP_DETECTED;
                    self.wires.stop(end);
                    self.holds = None;
                }
            }
            self.go_on(end);
        }
    }

    /// Begins with the next command at `ns`, if there is one and nothing else is on the wires.
    pub(super) fn go_on(&mut self, ns: u64) {
        let ready = self.enabled && !self.blocked && self.raised & ABORT == 0;
        if self.step.is_some() || !ready || self.control & MASTER == 0 || !self.clock.runs() {
            return;
        }
        let Some(command) = self.commands.front().copied() else { return };
        let reading = command & READ != 0;
        let full = self.received.len() >= FIFO_DEPTH;
        if reading && full && self.control & HOLD_IF_FULL != 0 {
            return;
        }
        self.raised |= ACTIVITY;
        match self.holds {
            Some(before) if before == reading && command & RESTART == 0 => {
                self.take_command();
                self.begin(Step::Byte, ns, BYTE_BITS);
            }
            Some(_) if self.control & MAY_RESTART == 0 => self.begin(Step::Stop, ns, 1),
            before => {
                self.raised |= START_DETECTED;
                self.raised |= if before.is_some() { RESTART_DETECTED } else { 0 };
                self.take_command();
                let bytes = 1 + u64::from(self.control & TEN_BITS != 0);
                self.begin(Step::Address, ns, 1 + bytes * BYTE_BITS);
            }
        }
    }

    /// ABORT is written to IC_ENABLE: what is on the wires ends, then comes a stop.
    pub(super) fn abort_by_user(&mut self, ns: u64) {
        if self.step.is_some() || self.holds.is_some() {
            self.abort(USER_ABORT);
            if self.step.is_none() {
                self.begin(Step::Stop, ns, 1);
            }
        }
    }

    /// Whether it has the bus.
    pub(super) fn is_active(&self) -> bool {
        self.step.is_some() || self.holds.is_some()
    }

    fn take_command(&mut self) {
        self.current = self.commands.pop_front().unwrap_or_default();
    }

    fn begin(&mut self, step: Step, ns: u64, bits: u64) {
        // Standard speed is 1; the others take the counts of fast speed.
        let counts = if self.control >> 1 & 3 == 1 { &self.counts[..2] } else { &self.counts[2..] };
        let high = u64::from(counts[0]) + u64::from(self.spike) + 7;
        let low = u64::from(counts[1]) + 1;
        let end = ns.saturating_add(self.clock.ns(bits * (high + low)).max(1));
        self.step = Some((step, end));
    }

    fn address_over(&mut self, ns: u64) {
        let reading = self.current & READ != 0;
        let ten_bits = self.control & TEN_BITS != 0;
        let general = self.address & SPECIAL == GENERAL_CALL;
        let address = match (general, ten_bits) {
            (true, _) => 0,
            (false, true) => self.address & 0x3FF,
            (false, false) => self.address & 0x7F,
        };
        let source = match (general, ten_bits) {
            (true, _) if reading => GENERAL_CALL_READ,
            (_, true) if reading && self.control & MAY_RESTART == 0 => NO_RESTART,
            _ if self.wires.start(ns, address as u16, reading) => {
                self.holds = Some(reading);
                self.first_byte = true;
                return match self.raised & ABORT {
                    0 => self.begin(Step::Byte, ns, BYTE_BITS),
                    _ => self.begin(Step::Stop, ns, 1),
                };
            }
            (true, _) => GENERAL_CALL_NACK,
            (_, true) => TEN_BITS_NACK,
            _ => ADDRESS_NACK,
        };
        self.abort(source);
        self.begin(Step::Stop, ns, 1);
    }

    fn byte_over(&mut self, ns: u64) {
        let first = std::mem::take(&mut self.first_byte);
        if self.current & READ != 0 {
            let byte = self.wires.read(ns);
            self.receive(byte, first);
        } else if !self.wires.write(ns, self.current as u8) {
            self.abort(DATA_NACK);
        }
        if self.raised & ABORT != 0 || self.current & STOP != 0 {
            self.begin(Step::Stop, ns, 1);
        }
    }
}
