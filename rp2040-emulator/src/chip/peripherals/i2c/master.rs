//! The controller as a master: converts commands to steps on the bus.

use super::bus_step::BusStep;
use super::registers::*;
use super::wave::{BitTimes, WaveEnd};
use super::{FIFO_DEPTH, I2c, I2cEvent};

const BYTE_BITS: u64 = 9;

impl I2c {
    /// Advances to `ns`.
    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        while let Some((step, end)) = self.step
            && end <= ns
        {
            self.step = None;
            self.over(step, end);
            self.go_on(end);
        }
        while let Some(end) = self.wave.as_mut().and_then(|wave| wave.advance(ns)) {
            self.wave_over(end, ns);
        }
    }

    /// Handles the end of a step's wave by `ns`.
    fn wave_over(&mut self, end: WaveEnd, ns: u64) {
        let step = self.step.take().map(|(step, _)| step);
        match (end, step) {
            // Another master has won the bus.
            (WaveEnd::Lost, _) => {
                self.abort(ABRT_LOST);
                self.wires.leave();
                (self.wave, self.holds) = (None, None);
                self.go_on(ns);
            }
            (WaveEnd::Over(end), Some(step)) => {
                self.over(step, end);
                if step == BusStep::Stop {
                    self.wave = None;
                }
                self.go_on(end);
            }
            // The stop after the controller was switched off.
            (WaveEnd::Over(end), None) => {
                self.wave = None;
                self.go_on(end);
            }
        }
    }

    fn over(&mut self, step: BusStep, ns: u64) {
        match step {
            BusStep::Address => self.address_over(ns),
            BusStep::Byte => self.byte_over(ns),
            BusStep::Stop => {
                self.raised |= IC_RAW_INTR_STAT_STOP_DET;
                self.wires.stop(ns);
                self.holds = None;
            }
        }
    }

    /// Starts the next command at `ns`, if there is one and the bus is free.
    pub(super) fn go_on(&mut self, ns: u64) {
        let ready = self.enabled && !self.blocked && self.raised & IC_RAW_INTR_STAT_TX_ABRT == 0;
        if self.step.is_some()
            || !ready
            || self.control & IC_CON_MASTER_MODE == 0
            || !self.clock.runs()
            || self.waits_for_wires()
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
                self.begin_byte(ns);
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

    /// Aborts when ABORT is written to IC_ENABLE: the current step ends, then a stop follows.
    pub(super) fn abort_by_user(&mut self, ns: u64) {
        if self.step.is_some() || self.holds.is_some() {
            self.abort(ABRT_USER_ABRT);
            if self.step.is_none() {
                self.begin(BusStep::Stop, ns, 1);
            }
        }
    }

    /// Returns whether the stop of an aborted transfer is still on the wires, or another master
    /// uses them.
    fn waits_for_wires(&self) -> bool {
        match &self.wave {
            Some(wave) => wave.is_busy(),
            None => self.has_pins && self.holds.is_none() && self.listener.is_busy(),
        }
    }

    /// Leaves the bus when the controller is switched off. A step on the bus ends with a stop. A
    /// transfer between two commands is not ended, and continues when the controller is switched on
    /// again; the datasheet does not state this, but the SDK does it between two parts of a
    /// transfer.
    pub(super) fn leave_bus(&mut self, ns: u64) {
        self.listener.forget();
        if self.step.take().is_none() {
            return;
        }
        self.wires.stop(ns);
        self.holds = None;
        let owed = std::mem::take(&mut self.acknowledgement_pending);
        if let Some(wave) = &mut self.wave {
            wave.stop_now(owed, ns);
        }
    }

    /// Returns whether the controller holds the bus.
    pub(super) fn is_active(&self) -> bool {
        self.step.is_some() || self.holds.is_some()
    }

    fn take_command(&mut self) {
        self.current = self.commands.pop_front().unwrap_or_default();
    }

    /// Starts a byte, which its receiver acknowledges. The acknowledgement of a byte that is read
    /// belongs to the next step, because it depends on whether another byte is read.
    fn begin_byte(&mut self, ns: u64) {
        let reading = self.current & IC_DATA_CMD_CMD != 0;
        self.begin(BusStep::Byte, ns, if reading { BYTE_BITS - 1 } else { BYTE_BITS });
    }

    fn begin(&mut self, step: BusStep, ns: u64, bits: u64) {
        let owed = std::mem::take(&mut self.acknowledgement_pending);
        let bits = bits + u64::from(owed);
        // All speeds except standard use the counts of fast speed.
        let speed = self.control >> IC_CON_SPEED_LSB & 3;
        let counts = match speed {
            IC_CON_SPEED_VALUE_STANDARD => &self.counts[..2],
            _ => &self.counts[2..],
        };
        let high = u64::from(counts[0]) + u64::from(self.spike) + 7;
        let low = u64::from(counts[1]) + 1;
        let end = ns.saturating_add(self.clock.ns(bits * (high + low)).max(1));
        if self.wave.is_none() && !(self.has_pins && step == BusStep::Address) {
            self.step = Some((step, end));
            return;
        }
        let cycles = |cycles: u64| self.clock.ns(cycles).max(1);
        let hold = u64::from(self.sda_hold & IC_SDA_HOLD_TX).min(low - 1);
        let times = BitTimes { high: cycles(high), low: cycles(low), hold: cycles(hold) };
        self.draw(step, owed, ns, times, end);
        // The wave determines the end of the step.
        self.step = Some((step, u64::MAX));
    }

    /// Returns the address of the next transfer, and whether it has ten bits.
    pub(super) fn called_address(&self) -> (u16, bool) {
        let ten_bits = self.control & IC_CON_IC_10BITADDR_MASTER != 0;
        match (self.is_general_call(), ten_bits) {
            (true, _) => (0, false),
            (false, true) => ((self.address & IC_TAR_IC_TAR) as u16, true),
            (false, false) => ((self.address & 0x7F) as u16, false),
        }
    }

    /// Returns whether the transfer is a general call: SPECIAL without GC_OR_START.
    fn is_general_call(&self) -> bool {
        self.address & (IC_TAR_SPECIAL | IC_TAR_GC_OR_START) == IC_TAR_SPECIAL
    }

    /// Returns whether the address is acknowledged, by a level or by an attached device.
    fn address_acknowledged(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        let acknowledged = match &self.wave {
            // The acknowledgement is the last bit of each byte; the acknowledgement of a previous
            // byte may precede them.
            Some(wave) => {
                let mut bytes = wave.bits().rchunks_exact(BYTE_BITS as usize);
                bytes.all(|byte| byte.last() == Some(&false))
            }
            None => self.wires.offer(ns, address, reading),
        };
        self.wires.note(ns, I2cEvent::Start { address, reading, acknowledged });
        acknowledged
    }

    fn address_over(&mut self, ns: u64) {
        let reading = self.current & IC_DATA_CMD_CMD != 0;
        let ten_bits = self.control & IC_CON_IC_10BITADDR_MASTER != 0;
        let (general, (address, _)) = (self.is_general_call(), self.called_address());
        let source = match (general, ten_bits) {
            (true, _) if reading => ABRT_GCALL_READ,
            (_, true) if reading && self.control & IC_CON_IC_RESTART_EN == 0 => ABRT_10B_RD_NORSTRT,
            _ if self.address_acknowledged(ns, address, reading) => {
                self.holds = Some(reading);
                self.first_byte = true;
                return match self.raised & IC_RAW_INTR_STAT_TX_ABRT {
                    0 => self.begin_byte(ns),
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
            let byte = match &self.wave {
                Some(wave) => {
                    // An acknowledgement before the eight bits is shifted out.
                    wave.bits().iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))
                }
                None => self.wires.take(ns),
            };
            self.wires.note(ns, I2cEvent::Read(byte));
            self.receive(byte, first);
            self.acknowledgement_pending = true;
        } else {
            let byte = self.current as u8;
            let acknowledged = match &self.wave {
                Some(wave) => wave.bits().last() == Some(&false),
                None => self.wires.give(ns, byte),
            };
            self.wires.note(ns, I2cEvent::Written { byte, acknowledged });
            if !acknowledged {
                self.abort(ABRT_TXDATA_NOACK);
            }
        }
        if self.raised & IC_RAW_INTR_STAT_TX_ABRT != 0 || self.current & IC_DATA_CMD_STOP != 0 {
            self.begin(BusStep::Stop, ns, 1);
        }
    }
}
