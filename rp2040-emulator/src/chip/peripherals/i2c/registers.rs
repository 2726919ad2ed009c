//! The registers (datasheet section 4.3.17).

use super::{
    ABORT, ACTIVITY, FIFO_DEPTH, I2c, READ_REQUEST, RESTART_DETECTED, RX_DONE, RX_OVER, RX_UNDER,
    START_DETECTED, STOP_DETECTED, TX_OVER,
};

const GENERAL_CALL: u32 = 1 << 11;
/// The bits of a command.
const COMMAND: u32 = 0x7FF;
const CONTROL_WRITABLE: u32 = 0x7FF;
const MASK_WRITABLE: u32 = 0x1FFF;
/// What IC_CLR_INTR clears.
const ALL_CLEARED: u32 = RX_UNDER
    | RX_OVER
    | TX_OVER
    | READ_REQUEST
    | ABORT
    | RX_DONE
    | ACTIVITY
    | STOP_DETECTED
    | START_DETECTED
    | GENERAL_CALL;

impl I2c {
    /// Reads a register; `None` where there is none.
    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        let value = match offset {
            0x00 => self.control,
            0x04 => self.address,
            0x08 => self.own_address,
            0x10 => self.take_received(),
            0x14..=0x20 => self.counts[(offset as usize - 0x14) / 4],
            0x2C => self.interrupts() & self.mask,
            0x30 => self.mask,
            0x34 => self.interrupts(),
            0x38 => self.receive_level,
            0x3C => self.transmit_level,
            0x40..=0x68 | 0xA8 => self.clear(offset),
            0x6C => u32::from(self.enabled) | u32::from(self.blocked) << 2,
            0x70 => self.status(),
            0x74 => self.commands.len() as u32,
            0x78 => self.received.len() as u32,
            0x7C => self.held[0],
            0x80 => self.abort_source,
            0x84 => self.nack_only,
            0x88 => self.dma,
            0x8C | 0x90 => self.dma_levels[(offset as usize - 0x8C) / 4],
            0x94 | 0x98 => self.held[(offset as usize - 0x90) / 4],
            0x9C => u32::from(self.enabled),
            0xA0 => self.spike,
            0xF4 => 0,
            // Version and type of the DW_apb_i2c.
            0xF8 => 0x3230_312A,
            0xFC => 0x4457_0140,
            _ => return None,
        };
        self.go_on(ns);
        Some(value)
    }

    /// Writes a register; `None` where there is none.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            // These can only be written while the controller is disabled.
            0x00 | 0x04 | 0x08 | 0x14..=0x20 | 0xA0 if self.enabled => {}
            0x00 => self.control = value & CONTROL_WRITABLE,
            0x04 => self.address = value & 0xFFF,
            0x08 => self.own_address = value & 0x3FF,
            0x10 => self.add_command(value & COMMAND),
            // The smallest counts that there are.
            0x14 | 0x1C => self.counts[(offset as usize - 0x14) / 4] = (value & 0xFFFF).max(6),
            0x18 | 0x20 => self.counts[(offset as usize - 0x14) / 4] = (value & 0xFFFF).max(8),
            0x30 => self.mask = value & MASK_WRITABLE,
            0x38 => self.receive_level = (value & 0xFF).min(FIFO_DEPTH as u32 - 1),
            0x3C => self.transmit_level = (value & 0xFF).min(FIFO_DEPTH as u32 - 1),
            0x6C => self.enable(value, ns),
            0x7C => self.held[0] = value & 0xFF_FFFF,
            0x84 => self.nack_only = value & 1,
            0x88 => self.dma = value & 3,
            0x8C | 0x90 => self.dma_levels[(offset as usize - 0x8C) / 4] = value & 0xF,
            0x94 | 0x98 => self.held[(offset as usize - 0x90) / 4] = value & 0xFF,
            0xA0 => self.spike = (value & 0xFF).max(1),
            // Only to be read.
            0x2C | 0x34 | 0x40..=0x68 | 0x70..=0x78 | 0x80 | 0x9C | 0xA8 | 0xF4..=0xFC => {}
            _ => return None,
        }
        self.go_on(ns);
        Some(())
    }

    fn take_received(&mut self) -> u32 {
        self.received.pop_front().unwrap_or_else(|| {
            self.raised |= RX_UNDER;
            0
        })
    }

    fn add_command(&mut self, command: u32) {
        // While the controller is disabled, or an abort has not been cleared, nothing stays.
        if !self.enabled || self.raised & ABORT != 0 {
            return;
        }
        if self.commands.len() < FIFO_DEPTH {
            self.commands.push_back(command);
            self.raised &= !READ_REQUEST;
        } else {
            self.raised |= TX_OVER;
        }
    }

    /// Reading a register of IC_CLR_INTR's kind: gives whether there was anything to clear.
    fn clear(&mut self, offset: u32) -> u32 {
        let bits = match offset {
            0x40 => ALL_CLEARED,
            0x44 => RX_UNDER,
            0x48 => RX_OVER,
            0x4C => TX_OVER,
            0x50 => READ_REQUEST,
            0x54 => ABORT,
            0x58 => RX_DONE,
            0x5C => ACTIVITY,
            0x60 => STOP_DETECTED,
            0x64 => START_DETECTED,
            0x68 => GENERAL_CALL,
            _ => RESTART_DETECTED,
        };
        let set = self.raised & bits;
        // Activity stays as long as there is some.
        let stays = if self.is_active() || self.called.is_some() { ACTIVITY } else { 0 };
        self.raised &= !(bits & !stays);
        if bits & ABORT != 0 {
            self.abort_source = 0;
        }
        u32::from(set != 0)
    }

    fn enable(&mut self, value: u32, ns: u64) {
        let enabled = value & 1 != 0;
        if self.enabled && !enabled {
            // What is on the wires ends with a stop.
            if self.is_active() {
                self.wires.stop(ns);
            }
            self.step = None;
            self.holds = None;
            self.called = None;
            self.commands.clear();
            self.received.clear();
            // Once it is idle no interrupt is left, but an abort has to be cleared by a read.
            self.raised &= ABORT;
        }
        self.enabled = enabled;
        self.blocked = value & 4 != 0;
        if value & 2 != 0 && enabled {
            self.abort_by_user(ns);
        }
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { 1 << bit } else { 0 };
        let (master, target) = (self.is_active(), self.called.is_some());
        bit(master || target, 0)
            | bit(self.commands.len() < FIFO_DEPTH, 1)
            | bit(self.commands.is_empty(), 2)
            | bit(!self.received.is_empty(), 3)
            | bit(self.received.len() == FIFO_DEPTH, 4)
            | bit(master, 5)
            | bit(target, 6)
    }
}
