//! An I2C controller (DW_apb_i2c): commands, FIFOs, interrupts, aborts, DMA requests (datasheet
//! section 4.3).
//!
//! As a master it addresses the attached [`I2cTarget`]s, a byte at a time: an address or a byte
//! takes nine bits, a start or a stop one; the SCL counts give the duration of a bit. As a target
//! it is called by the board ([`I2c::call`]), which defines the timing.
//!
//! Transfers are bytes while the pins are not observed ([`I2c::set_pins`]). From then on they are
//! also edges of SDA and SCL: `wave` sends the bits, attached devices answer, and `listener`
//! receives them, which also makes the controller a target of other masters on the wires.
//!
//! START bytes, the bus clear and high speed are not modelled.

use std::collections::VecDeque;

use crate::chip::rate::Rate;

mod access;
mod bus_step;
mod listener;
mod master;
mod outside;
mod pins;
mod registers;
mod target;
mod wave;

use bus_step::BusStep;
use listener::Listener;
use registers::*;
use target::Wires;
pub use target::{I2cEvent, I2cTarget};
use wave::Wave;

const FIFO_DEPTH: usize = 16;

#[derive(Clone, Debug)]
pub(in crate::chip) struct I2c {
    clock: Rate,
    wires: Wires,
    /// IC_CON; IC_TAR and IC_SAR follow.
    control: u32,
    address: u32,
    own_address: u32,
    /// High and low counts of standard speed, then of fast speed.
    counts: [u32; 4],
    spike: u32,
    /// Registers that store their value without effect.
    sda_hold: u32,
    sda_setup: u32,
    ack_general_call: u32,
    nack_only: u32,
    enabled: bool,
    blocked: bool,
    commands: VecDeque<u32>,
    received: VecDeque<u32>,
    mask: u32,
    /// Interrupts that stay active until they are cleared.
    raised: u32,
    receive_level: u32,
    transmit_level: u32,
    dma: u32,
    dma_levels: [u32; 2],
    abort_source: u32,
    /// Current step on the bus, and the nanosecond of its end.
    step: Option<(BusStep, u64)>,
    /// Direction of a transfer that holds the bus between two commands; true for a read.
    holds: Option<bool>,
    /// Whether the last byte of a read has been neither acknowledged nor refused yet.
    acknowledgement_pending: bool,
    /// Command whose address is being sent.
    current: u32,
    /// Direction in which another master has addressed this controller; true for a read.
    called: Option<bool>,
    first_byte: bool,
    /// Whether both pins have levels.
    has_pins: bool,
    /// Edges of a transfer that has begun while the pins had levels.
    wave: Option<Wave>,
    listener: Listener,
}

impl Default for I2c {
    fn default() -> Self {
        Self {
            clock: Rate::default(),
            wires: Wires::default(),
            control: IC_CON_RESET,
            address: IC_TAR_RESET,
            own_address: IC_SAR_RESET,
            counts: [
                IC_SS_SCL_HCNT_RESET,
                IC_SS_SCL_LCNT_RESET,
                IC_FS_SCL_HCNT_RESET,
                IC_FS_SCL_LCNT_RESET,
            ],
            spike: IC_FS_SPKLEN_RESET,
            sda_hold: IC_SDA_HOLD_RESET,
            sda_setup: IC_SDA_SETUP_RESET,
            ack_general_call: IC_ACK_GENERAL_CALL_RESET,
            nack_only: 0,
            enabled: false,
            blocked: false,
            commands: VecDeque::with_capacity(FIFO_DEPTH),
            received: VecDeque::with_capacity(FIFO_DEPTH),
            mask: IC_INTR_MASK_RESET,
            raised: 0,
            receive_level: 0,
            transmit_level: 0,
            dma: 0,
            dma_levels: [0; 2],
            abort_source: 0,
            step: None,
            holds: None,
            acknowledgement_pending: false,
            current: 0,
            called: None,
            first_byte: false,
            has_pins: false,
            wave: None,
            listener: Listener::default(),
        }
    }
}

impl I2c {
    /// Returns the controller after its reset; its clock and the attached devices are retained.
    pub(in crate::chip) fn after_reset(&mut self, ns: u64) -> Self {
        if self.holds.is_some() || self.step.is_some() {
            self.wires.stop(ns);
        }
        Self { clock: self.clock, wires: std::mem::take(&mut self.wires), ..Self::default() }
    }

    /// Changes the frequency of the system clock at `ns`. The current step retains its duration.
    pub(in crate::chip) fn set_clock(&mut self, hz: u64, ns: u64) {
        self.advance(ns);
        self.clock = Rate::new(Some(hz));
    }

    /// Returns the nanosecond at which the current step ends, if an interrupt or DMA request can
    /// depend on it; `u64::MAX` otherwise.
    pub(in crate::chip) fn next(&self) -> u64 {
        let matters = self.mask != 0 || self.dma != 0;
        self.step.filter(|_| matters).map_or(u64::MAX, |(_, end)| end)
    }

    /// Returns the interrupt line.
    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.interrupts() & self.mask != 0
    }

    /// Returns the DMA requests for transmitting and for receiving.
    pub(in crate::chip) fn requests(&self) -> (bool, bool) {
        let [transmit, receive] = self.dma_levels.map(|level| level as usize);
        (
            self.dma & IC_DMA_CR_TDMAE != 0 && self.enabled && self.commands.len() <= transmit,
            self.dma & IC_DMA_CR_RDMAE != 0 && self.received.len() > receive,
        )
    }

    /// Returns IC_RAW_INTR_STAT.
    fn interrupts(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        // With TX_EMPTY_CTRL the last command must also have left the shift register.
        let shifting = matches!(self.step, Some((BusStep::Address | BusStep::Byte, _)))
            && self.control & IC_CON_TX_EMPTY_CTRL != 0;
        let level = self.transmit_level as usize;
        let empty = self.enabled && self.commands.len() <= level && !shifting;
        self.raised
            | bit(empty, IC_RAW_INTR_STAT_TX_EMPTY)
            | bit(self.received.len() > self.receive_level as usize, IC_RAW_INTR_STAT_RX_FULL)
    }

    /// Stores a received byte; `first` marks the first one after an address.
    fn receive(&mut self, byte: u8, first: bool) {
        if self.received.len() < FIFO_DEPTH {
            self.received
                .push_back(u32::from(byte) | u32::from(first) << IC_DATA_CMD_FIRST_DATA_BYTE_LSB);
        } else {
            self.raised |= IC_RAW_INTR_STAT_RX_OVER;
        }
    }

    /// Discards the commands and sets the abort reason; the upper bits contain the number of
    /// discarded commands.
    fn abort(&mut self, source: u32) {
        self.abort_source |= source | (self.commands.len() as u32) << TX_FLUSH_CNT_LSB;
        self.commands.clear();
        self.raised |= IC_RAW_INTR_STAT_TX_ABRT;
    }
}

#[cfg(test)]
mod tests;
