//! The interface to the board: attaching devices, and addressing the controller as a target.

use super::registers::*;
use super::{I2c, I2cEvent, I2cTarget};

impl I2c {
    /// Attaches a device to the bus, which is connected only while these pins have the controller's
    /// function; bit n is GPIO n.
    pub(in crate::chip) fn attach(&mut self, target: Box<dyn I2cTarget>, pins: u32) {
        self.wires.attach(target, pins);
    }

    /// Returns all devices.
    pub(in crate::chip) fn targets(&self) -> impl Iterator<Item = &dyn I2cTarget> {
        self.wires.all()
    }

    /// Returns all devices, for changes.
    pub(in crate::chip) fn targets_mut(&mut self) -> impl Iterator<Item = &mut dyn I2cTarget> {
        self.wires.all_mut()
    }

    /// Returns whether a device is connected to certain pins.
    pub(in crate::chip) fn needs_pins(&self) -> bool {
        self.wires.needs_pins()
    }

    /// Sets the pins that have the controller's function; bit n is GPIO n.
    pub(in crate::chip) fn route(&mut self, pins: u32) {
        self.wires.route(pins);
    }

    /// Returns the events on the bus since the last call; the first call starts the recording.
    pub(in crate::chip) fn take_events(&mut self) -> Vec<(u64, I2cEvent)> {
        self.wires.take_events()
    }

    /// Receives a start and an address. Returns true if the controller is a target with this
    /// address.
    pub(in crate::chip) fn call(&mut self, address: u16, reading: bool) -> bool {
        let mine = u32::from(address) == self.own_address & IC_SAR_BITS;
        let listens = self.enabled && self.control & IC_CON_IC_SLAVE_DISABLE == 0;
        // A second call without a stop is a repeated start.
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

    /// Receives a byte. Returns true if it is acknowledged.
    pub(in crate::chip) fn take_byte(&mut self, byte: u8) -> bool {
        let takes = self.called == Some(false) && self.nack_only == 0;
        if takes {
            let first = std::mem::take(&mut self.first_byte);
            self.receive(byte, first);
        }
        takes
    }

    /// Returns the byte that the controller sends for a read; `None` while the program has not
    /// provided one. The controller then stretches the clock.
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

    /// Receives a stop; the last byte of a read was not acknowledged.
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
