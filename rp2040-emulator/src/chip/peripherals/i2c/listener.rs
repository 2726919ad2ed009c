//! The controller's receiver on its two wires while its pins have levels. It detects starts and
//! stops, and as a target addresses and bytes, which it acknowledges or sends.
//!
//! It holds SCL low while the program has no byte for a read, and, with RX_FIFO_FULL_HLD_CTRL,
//! while the FIFO for received bytes is full. Addresses have seven bits.

use super::registers::*;
use super::wave::Pulls;
use super::{FIFO_DEPTH, I2c};

/// Meaning of the bits on the wires for this controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Ignored until the next start.
    #[default]
    Idle,
    Address,
    /// Bytes to this controller.
    Receive,
    /// Bytes from this controller.
    Send,
}

#[derive(Clone, Debug)]
pub(super) struct Listener {
    sda: bool,
    scl: bool,
    /// Whether a start has been seen, and no stop since.
    busy: bool,
    phase: Phase,
    /// Bits of the current byte; `bits` is their number. The acknowledgement follows after eight.
    byte: u8,
    bits: u8,
    /// Whether SDA was low in the acknowledgement bit.
    acknowledged: bool,
    pulls: Pulls,
}

impl Default for Listener {
    fn default() -> Self {
        Self {
            sda: true,
            scl: true,
            busy: false,
            phase: Phase::Idle,
            byte: 0,
            bits: 0,
            acknowledged: false,
            pulls: Pulls::default(),
        }
    }
}

/// Number of bits of a byte; the acknowledgement follows.
const BYTE: u8 = 8;
const WITH_ACKNOWLEDGEMENT: u8 = 9;

impl Listener {
    pub(super) fn pulls(&self) -> Pulls {
        self.pulls
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Releases the wires and forgets the transfer, when the controller is switched off.
    pub(super) fn forget(&mut self) {
        *self = Self { sda: self.sda, scl: self.scl, ..Self::default() };
    }

    /// Ends the controller's part in the current transfer.
    fn leave(&mut self) {
        self.phase = Phase::Idle;
        self.pulls = Pulls::default();
    }
}

impl I2c {
    /// Processes the levels that the wires have from `ns` on.
    pub(super) fn listen(&mut self, sda: bool, scl: bool, ns: u64) {
        let before = (self.listener.sda, self.listener.scl);
        (self.listener.sda, self.listener.scl) = (sda, scl);
        match (before, (sda, scl)) {
            ((true, true), (false, true)) => self.start_seen(),
            ((false, true), (true, true)) => self.stop_seen(ns),
            ((_, false), (_, true)) => self.scl_rises(),
            ((_, true), (_, false)) => self.scl_falls(),
            _ => {}
        }
    }

    /// Continues after the program has accessed a FIFO, which may end the reason to hold SCL low.
    pub(super) fn listen_again(&mut self) {
        if self.listener.pulls.scl {
            match self.listener.phase {
                Phase::Send => self.send_next(),
                Phase::Receive => self.take_received_byte(),
                Phase::Idle | Phase::Address => {}
            }
        }
    }

    fn start_seen(&mut self) {
        let listens = self.enabled
            && self.control & IC_CON_IC_SLAVE_DISABLE == 0
            // The controller does not address itself.
            && self.wave.is_none();
        let listener = &mut self.listener;
        listener.busy = true;
        listener.leave();
        listener.bits = 0;
        listener.phase = if listens { Phase::Address } else { Phase::Idle };
    }

    fn stop_seen(&mut self, ns: u64) {
        self.listener.busy = false;
        let listens = self.enabled && self.control & IC_CON_IC_SLAVE_DISABLE == 0;
        self.listener.leave();
        if listens && self.wave.is_none() {
            self.end_call();
        }
        // As a master, the controller may have waited for the bus.
        self.go_on(ns);
    }

    fn scl_rises(&mut self) {
        let listener = &mut self.listener;
        match listener.bits {
            BYTE.. => listener.acknowledged = !listener.sda,
            _ if listener.phase == Phase::Idle => {}
            _ => {
                listener.byte = listener.byte << 1 | u8::from(listener.sda);
                listener.bits += 1;
            }
        }
    }

    fn scl_falls(&mut self) {
        let (phase, bits) = (self.listener.phase, self.listener.bits);
        match (phase, bits) {
            (Phase::Idle, _) => {}
            (Phase::Address, BYTE) => {
                self.answer();
            }
            (Phase::Receive, BYTE) => self.take_received_byte(),
            (Phase::Send, BYTE) => {
                self.listener.pulls.sda = false;
                self.listener.bits = WITH_ACKNOWLEDGEMENT;
            }
            (_, WITH_ACKNOWLEDGEMENT..) => self.byte_acknowledged(),
            (Phase::Send, _) => self.put_bit(),
            (Phase::Address | Phase::Receive, _) => {}
        }
    }

    /// Processes eight bits after a start: acknowledges the controller's own address.
    fn answer(&mut self) {
        let byte = self.listener.byte;
        let seven_bits = self.control & IC_CON_10BITADDR_SLAVE == 0;
        if seven_bits && self.call(u16::from(byte >> 1), byte & 1 != 0) {
            self.listener.pulls.sda = true;
            self.listener.bits = WITH_ACKNOWLEDGEMENT;
        } else {
            self.listener.leave();
        }
    }

    /// Processes a received byte: acknowledges it, or waits until there is room for it.
    fn take_received_byte(&mut self) {
        let full = self.received.len() >= FIFO_DEPTH;
        if full && self.control & IC_CON_RX_FIFO_FULL_HLD_CTRL != 0 {
            self.listener.pulls.scl = true;
            return;
        }
        let acknowledged = self.take_byte(self.listener.byte);
        self.listener.pulls = Pulls { sda: acknowledged, scl: false };
        self.listener.bits = WITH_ACKNOWLEDGEMENT;
    }

    /// Processes the end of an acknowledgement bit.
    fn byte_acknowledged(&mut self) {
        let listener = &mut self.listener;
        listener.pulls.sda = false;
        listener.bits = 0;
        if !listener.acknowledged {
            return listener.leave();
        }
        match (listener.phase, self.called) {
            (Phase::Address, Some(true)) | (Phase::Send, _) => {
                self.listener.phase = Phase::Send;
                self.send_next();
            }
            _ => listener.phase = Phase::Receive,
        }
    }

    /// Begins the next byte of a read, or holds SCL low until the program has provided one.
    fn send_next(&mut self) {
        let byte = self.give_byte();
        self.listener.pulls.scl = byte.is_none();
        if let Some(byte) = byte {
            self.listener.byte = byte;
            self.listener.bits = 0;
            self.put_bit();
        }
    }

    /// Puts the next bit of the byte on SDA. It is always the highest, because
    /// [`scl_rises`](Self::scl_rises) shifts the byte.
    fn put_bit(&mut self) {
        self.listener.pulls.sda = self.listener.byte & 0x80 == 0;
    }
}
