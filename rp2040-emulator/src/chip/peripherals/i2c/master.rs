//! The controller as a master: from commands to steps on the bus.

use super::bus_step::BusStep;
use super::registers::*;
use super::{FIFO_DEPTH, I2c};

const BYTE_BITS: u64 = 9;

impl I2c {
    /// Advances to `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some((step, end)) = self.step
            && end <= ns
        {
            self.step = None;
            match step {
                BusStep::Address => self.address_over(end),
                BusStep::Byte => self.byte_over(end),
                BusStep::Stop => {
                    self.raised |= IC_RAW_INTR_STAT_STOP_DET;
                    self.wires.stop(end);
                    self.holds = None;
                }
            }
            self.go_on(end);
        }
    }

    /// Starts the next command at `ns`, if there is one and the bus is free.
    pub(super) fn go_on(&mut self, ns: u64) {
        let ready = self.enabled && !self.blocked && self.raised & IC_RAW_INTR_STAT_TX_ABRT == 0;
        if self.step.is_some()
            || !ready
            || self.control & IC_CON_MASTER_MODE == 0
            || !self.clock.runs()
        {
            return;
        }
        let Some(command) = self.commands.front().copied() else { return };
        let reading = command & IC_DATA_CMD_CMD != 0;
        let full = self.received.len() >= FIFO_DEPTH;
        if reading && full && self.control & IC_CON_RX_FIFO_FULL_HLD_CTRL != 0 {
            return;
        }
        self.raised |= IC_RAW_INTR_STAT_ACTIVITY;
        match self.holds {
            Some(before) if before == reading && command & IC_DATA_CMD_RESTART == 0 => {
                self.take_command();
                self.begin(BusStep::Byte, ns, BYTE_BITS);
            }
            Some(_) if self.control & IC_CON_IC_RESTART_EN == 0 => self.begin(BusStep::Stop, ns, 1),
            before => {
                self.raised |= IC_RAW_INTR_STAT_START_DET;
                self.raised |= if before.is_some() { IC_RAW_INTR_STAT_RESTART_DET } else { 0 };
                self.take_command();
                let bytes = 1 + u64::from(self.control & IC_CON_IC_10BITADDR_MASTER != 0);
                self.begin(BusStep::Address, ns, 1 + bytes * BYTE_BITS);
            }
        }
    }

    /// ABORT is written to IC_ENABLE: the current step ends, then a stop follows.
    pub(super) fn abort_by_user(&mut self, ns: u64) {
        if self.step.is_some() || self.holds.is_some() {
            self.abort(ABRT_USER_ABRT);
            if self.step.is_none() {
                self.begin(BusStep::Stop, ns, 1);
            }
        }
    }

    /// Whether it holds the bus.
    pub(super) fn is_active(&self) -> bool {
        self.step.is_some() || self.holds.is_some()
    }

    fn take_command(&mut self) {
        self.current = self.commands.pop_front().unwrap_or_default();
    }

    fn begin(&mut self, step: BusStep, ns: u64, bits: u64) {
        // All speeds but standard use the counts of fast speed.
        let speed = self.control >> IC_CON_SPEED_LSB & 3;
        let counts = match speed {
            IC_CON_SPEED_VALUE_STANDARD => &self.counts[..2],
            _ => &self.counts[2..],
        };
        let high = u64::from(counts[0]) + u64::from(self.spike) + 7;
        let low = u64::from(counts[1]) + 1;
        let end = ns.saturating_add(self.clock.ns(bits * (high + low)).max(1));
        self.step = Some((step, end));
    }

    fn address_over(&mut self, ns: u64) {
        let reading = self.current & IC_DATA_CMD_CMD != 0;
        let ten_bits = self.control & IC_CON_IC_10BITADDR_MASTER != 0;
        // SPECIAL without GC_OR_START is a general call.
        let general = self.address & (IC_TAR_SPECIAL | IC_TAR_GC_OR_START) == IC_TAR_SPECIAL;
        let address = match (general, ten_bits) {
            (true, _) => 0,
            (false, true) => self.address & IC_TAR_IC_TAR,
            (false, false) => self.address & 0x7F,
        };
        let source = match (general, ten_bits) {
            (true, _) if reading => ABRT_GCALL_READ,
            (_, true) if reading && self.control & IC_CON_IC_RESTART_EN == 0 => ABRT_10B_RD_NORSTRT,
            _ if self.wires.start(ns, address as u16, reading) => {
                self.holds = Some(reading);
                self.first_byte = true;
                return match self.raised & IC_RAW_INTR_STAT_TX_ABRT {
                    0 => self.begin(BusStep::Byte, ns, BYTE_BITS),
                    _ => self.begin(BusStep::Stop, ns, 1),
                };
            }
            (true, _) => ABRT_GCALL_NOACK,
            (_, true) => ABRT_10ADDR1_NOACK,
            _ => ABRT_7B_ADDR_NOACK,
        };
        self.abort(source);
        self.begin(BusStep::Stop, ns, 1);
    }

    fn byte_over(&mut self, ns: u64) {
        let first = std::mem::take(&mut self.first_byte);
        if self.current & IC_DATA_CMD_CMD != 0 {
            let byte = self.wires.read(ns);
            self.receive(byte, first);
        } else if !self.wires.write(ns, self.current as u8) {
            self.abort(ABRT_TXDATA_NOACK);
        }
        if self.raised & IC_RAW_INTR_STAT_TX_ABRT != 0 || self.current & IC_DATA_CMD_STOP != 0 {
            self.begin(BusStep::Stop, ns, 1);
        }
    }
}
