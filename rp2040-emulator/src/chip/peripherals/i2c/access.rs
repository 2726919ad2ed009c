//! Reads and writes of the registers (datasheet section 4.3.17).

use super::registers::*;
use super::{FIFO_DEPTH, I2c};
use crate::chip::peripherals::array::index;

/// Interrupts that IC_CLR_INTR clears.
const ALL_CLEARED: u32 = IC_RAW_INTR_STAT_RX_UNDER
    | IC_RAW_INTR_STAT_RX_OVER
    | IC_RAW_INTR_STAT_TX_OVER
    | IC_RAW_INTR_STAT_RD_REQ
    | IC_RAW_INTR_STAT_TX_ABRT
    | IC_RAW_INTR_STAT_RX_DONE
    | IC_RAW_INTR_STAT_ACTIVITY
    | IC_RAW_INTR_STAT_STOP_DET
    | IC_RAW_INTR_STAT_START_DET
    | IC_RAW_INTR_STAT_GEN_CALL;

impl I2c {
    /// Reads a register; `None` if there is none at `offset`.
    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        let value = match offset {
            IC_CON => self.control,
            IC_TAR => self.address,
            IC_SAR => self.own_address,
            IC_DATA_CMD => self.take_received(),
            IC_SS_SCL_HCNT..=IC_FS_SCL_LCNT => self.counts[index(offset, IC_SS_SCL_HCNT)],
            IC_INTR_STAT => self.interrupts() & self.mask,
            IC_INTR_MASK => self.mask,
            IC_RAW_INTR_STAT => self.interrupts(),
            IC_RX_TL => self.receive_level,
            IC_TX_TL => self.transmit_level,
            IC_CLR_INTR..=IC_CLR_GEN_CALL | IC_CLR_RESTART_DET => self.clear(offset),
            IC_ENABLE => {
                let blocked = if self.blocked { IC_ENABLE_TX_CMD_BLOCK } else { 0 };
                u32::from(self.enabled) | blocked
            }
            IC_STATUS => self.status(),
            IC_TXFLR => self.commands.len() as u32,
            IC_RXFLR => self.received.len() as u32,
            IC_SDA_HOLD => self.sda_hold,
            IC_TX_ABRT_SOURCE => self.abort_source,
            IC_SLV_DATA_NACK_ONLY => self.nack_only,
            IC_DMA_CR => self.dma,
            IC_DMA_TDLR => self.dma_levels[0],
            IC_DMA_RDLR => self.dma_levels[1],
            IC_SDA_SETUP => self.sda_setup,
            IC_ACK_GENERAL_CALL => self.ack_general_call,
            IC_ENABLE_STATUS => u32::from(self.enabled),
            IC_FS_SPKLEN => self.spike,
            IC_COMP_PARAM_1 => 0,
            IC_COMP_VERSION => IC_COMP_VERSION_RESET,
            IC_COMP_TYPE => IC_COMP_TYPE_RESET,
            _ => return None,
        };
        self.listen_again();
        self.go_on(ns);
        Some(value)
    }

    /// Writes a register; `None` if there is none at `offset`.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, ns: u64) -> Option<()> {
        self.advance(ns);
        match offset {
            // These can only be written while the controller is disabled.
            IC_CON | IC_TAR | IC_SAR | IC_SS_SCL_HCNT..=IC_FS_SCL_LCNT | IC_FS_SPKLEN
                if self.enabled => {}
            IC_CON => self.control = value & IC_CON_BITS,
            IC_TAR => self.address = value & IC_TAR_BITS,
            IC_SAR => self.own_address = value & IC_SAR_BITS,
            IC_DATA_CMD => self.add_command(value & IC_DATA_CMD_COMMAND),
            IC_SS_SCL_HCNT | IC_FS_SCL_HCNT => {
                let count = (value & IC_SCL_CNT_BITS).max(IC_SCL_HCNT_MIN);
                self.counts[index(offset, IC_SS_SCL_HCNT)] = count;
            }
            IC_SS_SCL_LCNT | IC_FS_SCL_LCNT => {
                let count = (value & IC_SCL_CNT_BITS).max(IC_SCL_LCNT_MIN);
                self.counts[index(offset, IC_SS_SCL_HCNT)] = count;
            }
            IC_INTR_MASK => self.mask = value & IC_INTR_MASK_BITS,
            IC_RX_TL => self.receive_level = (value & IC_TL_BITS).min(FIFO_DEPTH as u32 - 1),
            IC_TX_TL => self.transmit_level = (value & IC_TL_BITS).min(FIFO_DEPTH as u32 - 1),
            IC_ENABLE => self.enable(value, ns),
            IC_SDA_HOLD => self.sda_hold = value & IC_SDA_HOLD_BITS,
            IC_SLV_DATA_NACK_ONLY => self.nack_only = value & IC_SLV_DATA_NACK_ONLY_NACK,
            IC_DMA_CR => self.dma = value & IC_DMA_CR_BITS,
            IC_DMA_TDLR => self.dma_levels[0] = value & IC_DMA_DLR_BITS,
            IC_DMA_RDLR => self.dma_levels[1] = value & IC_DMA_DLR_BITS,
            IC_SDA_SETUP => self.sda_setup = value & IC_SDA_SETUP_BITS,
            IC_ACK_GENERAL_CALL => self.ack_general_call = value & IC_ACK_GENERAL_CALL_BITS,
            IC_FS_SPKLEN => self.spike = (value & IC_FS_SPKLEN_BITS).max(1),
            // Read-only.
            IC_INTR_STAT
            | IC_RAW_INTR_STAT
            | IC_CLR_INTR..=IC_CLR_GEN_CALL
            | IC_STATUS..=IC_RXFLR
            | IC_TX_ABRT_SOURCE
            | IC_ENABLE_STATUS
            | IC_CLR_RESTART_DET
            | IC_COMP_PARAM_1..=IC_COMP_TYPE => {}
            _ => return None,
        }
        self.listen_again();
        self.go_on(ns);
        Some(())
    }

    fn take_received(&mut self) -> u32 {
        self.received.pop_front().unwrap_or_else(|| {
            self.raised |= IC_RAW_INTR_STAT_RX_UNDER;
            0
        })
    }

    fn add_command(&mut self, command: u32) {
        // A disabled controller, and one with an abort that is not cleared, discards commands.
        if !self.enabled || self.raised & IC_RAW_INTR_STAT_TX_ABRT != 0 {
            return;
        }
        if self.commands.len() < FIFO_DEPTH {
            self.commands.push_back(command);
            self.raised &= !IC_RAW_INTR_STAT_RD_REQ;
        } else {
            self.raised |= IC_RAW_INTR_STAT_TX_OVER;
        }
    }

    /// Reads IC_CLR_INTR or a similar register. Returns 1 if an interrupt was cleared.
    fn clear(&mut self, offset: u32) -> u32 {
        let bits = match offset {
            IC_CLR_INTR => ALL_CLEARED,
            IC_CLR_RX_UNDER => IC_RAW_INTR_STAT_RX_UNDER,
            IC_CLR_RX_OVER => IC_RAW_INTR_STAT_RX_OVER,
            IC_CLR_TX_OVER => IC_RAW_INTR_STAT_TX_OVER,
            IC_CLR_RD_REQ => IC_RAW_INTR_STAT_RD_REQ,
            IC_CLR_TX_ABRT => IC_RAW_INTR_STAT_TX_ABRT,
            IC_CLR_RX_DONE => IC_RAW_INTR_STAT_RX_DONE,
            IC_CLR_ACTIVITY => IC_RAW_INTR_STAT_ACTIVITY,
            IC_CLR_STOP_DET => IC_RAW_INTR_STAT_STOP_DET,
            IC_CLR_START_DET => IC_RAW_INTR_STAT_START_DET,
            IC_CLR_GEN_CALL => IC_RAW_INTR_STAT_GEN_CALL,
            _ => IC_RAW_INTR_STAT_RESTART_DET,
        };
        let set = self.raised & bits;
        // ACTIVITY remains set while the bus is active.
        let stays =
            if self.is_active() || self.called.is_some() { IC_RAW_INTR_STAT_ACTIVITY } else { 0 };
        self.raised &= !(bits & !stays);
        if bits & IC_RAW_INTR_STAT_TX_ABRT != 0 {
            self.abort_source = 0;
        }
        u32::from(set != 0)
    }

    fn enable(&mut self, value: u32, ns: u64) {
        let enabled = value & IC_ENABLE_ENABLE != 0;
        if self.enabled && !enabled {
            self.leave_bus(ns);
            self.called = None;
            self.commands.clear();
            self.received.clear();
            // An idle controller has no interrupt left except an abort, which a read must clear.
            self.raised &= IC_RAW_INTR_STAT_TX_ABRT;
        }
        self.enabled = enabled;
        self.blocked = value & IC_ENABLE_TX_CMD_BLOCK != 0;
        if value & IC_ENABLE_ABORT != 0 && enabled {
            self.abort_by_user(ns);
        }
    }

    fn status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        let (master, target) = (self.is_active(), self.called.is_some());
        bit(master || target, IC_STATUS_ACTIVITY)
            | bit(self.commands.len() < FIFO_DEPTH, IC_STATUS_TFNF)
            | bit(self.commands.is_empty(), IC_STATUS_TFE)
            | bit(!self.received.is_empty(), IC_STATUS_RFNE)
            | bit(self.received.len() == FIFO_DEPTH, IC_STATUS_RFF)
            | bit(master, IC_STATUS_MST_ACTIVITY)
            | bit(target, IC_STATUS_SLV_ACTIVITY)
    }
}
