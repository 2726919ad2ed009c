//! What the board does to a controller: attaches devices, or calls it as a target.

use super::registers::*;
use super::{I2c, I2cTarget};

impl I2c {
    /// Puts a device on the bus.
    pub(in crate::chip) fn attach(&mut self, target: Box<dyn I2cTarget>) {
        self.wires.attach(target);
    }

    /// A start and an address come in. True if the controller is a target with this address.
    pub(in crate::chip) fn call(&mut self, address: u16, reading: bool) -> bool {
        let mine = u32::from(address) == self.own_address & IC_SAR_BITS;
        let listens = self.enabled && self.control & IC_CON_IC_SLAVE_DISABLE == 0;
        // Who has been called and is called again without a stop sees a repeated start.
        let repeated = self.called.is_some();
        self.called = (listens && mine).then_some(reading);
        if listens {
            self.raised |= IC_RAW_INTR_STAT_START_DET | IC_RAW_INTR_STAT_ACTIVITY;
        }
        if repeated && self.called.is_some() {
            self.raised |= IC_RAW_INTR_STAT_RESTART_DET;
        }
        if self.called == Some(true) {
            if !self.commands.is_empty() {
                self.abort(ABRT_SLVFLUSH_TXFIFO);
            }
            self.raised |= IC_RAW_INTR_STAT_RD_REQ;
        }
        self.first_byte = true;
        self.called.is_some()
    }

    /// A byte comes in. True if it is acknowledged.
    pub(in crate::chip) fn take_byte(&mut self, byte: u8) -> bool {
        let takes = self.called == Some(false) && self.nack_only == 0;
        if takes {
            let first = std::mem::take(&mut self.first_byte);
            self.receive(byte, first);
        }
        takes
    }

    /// The byte that the controller answers a read with; `None` while the program has not given
    /// one, and the controller stretches the clock.
    pub(in crate::chip) fn give_byte(&mut self) -> Option<u8> {
        if self.called != Some(true) {
            return None;
        }
        let byte = self.commands.pop_front();
        if byte.is_none() {
            self.raised |= IC_RAW_INTR_STAT_RD_REQ;
        }
        byte.map(|byte| byte as u8)
    }

    /// A stop comes in; the last byte that was read was not acknowledged.
    pub(in crate::chip) fn end_call(&mut self) {
        let called = self.called.take();
        if called == Some(true) {
            self.raised |= IC_RAW_INTR_STAT_RX_DONE;
        }
        if called.is_some() || self.control & IC_CON_STOP_DET_IFADDRESSED == 0 {
            self.raised |= IC_RAW_INTR_STAT_STOP_DET;
        }
    }
}
