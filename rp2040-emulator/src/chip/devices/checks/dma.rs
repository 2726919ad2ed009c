//! Rules of the DMA (datasheet section 2.5).

use crate::chip::devices::Devices;
use crate::chip::peripherals::dma::{Transfer, TransferOutcome};
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::{Access, Width};

// Registers of a channel: datasheet 2.5.7.
const CHANNELS_END: u32 = 0x300;
const STRIDE: u32 = 0x40;
const READ_ADDR: u32 = 0x00;
const WRITE_ADDR: u32 = 0x04;
const CTRL_TRIG: u32 = 0x0C;
const AL1_CTRL: u32 = 0x10;
const MULTI_CHAN_TRIGGER: u32 = 0x430;
const CTRL_EN: u32 = 1;
const CTRL_DATA_SIZE_LSB: u32 = 2;
const CTRL_BUSY: u32 = 1 << 24;
/// End of the ROM, which ignores writes.
const ROM_END: u32 = 16 * 1024;

/// Returns the channel that a write to this register starts.
fn started_by(offset: u32) -> Option<u32> {
    (offset < CHANNELS_END && offset % 0x10 == 0xC).then_some(offset / STRIDE)
}

impl Devices {
    fn channel(&mut self, channel: u32, register: u32) -> u32 {
        let cycle = self.now_cycle;
        self.dma.read(channel * STRIDE + register, cycle).unwrap_or_default()
    }

    /// Whether a channel is busy and not paused.
    fn runs(&mut self, channel: u32) -> bool {
        self.channel(channel, AL1_CTRL) & (CTRL_BUSY | CTRL_EN) == CTRL_BUSY | CTRL_EN
    }

    pub(super) fn check_dma_start(&mut self, offset: u32, value: u32, access: Access) {
        let channels = match started_by(offset) {
            // Without EN, the write pauses the channel.
            Some(_) if offset % STRIDE == CTRL_TRIG && value & CTRL_EN == 0 => return,
            // A zero ends a chain of control blocks.
            Some(channel) if value != 0 => 1 << channel,
            None if offset == MULTI_CHAN_TRIGGER => value & 0xFFF,
            _ => return,
        };
        for channel in (0..12).filter(|channel| channels >> channel & 1 != 0) {
            if self.runs(channel) {
                self.broken(Rule::DmaBusy, access, Some(Detail::Number(channel)));
            }
        }
    }

    pub(super) fn check_dma_started(&mut self, offset: u32, access: Access) {
        let Some(channel) = started_by(offset) else { return };
        let control = self.channel(channel, AL1_CTRL);
        let bytes = 1 << (control >> CTRL_DATA_SIZE_LSB & 3);
        let wrong = [READ_ADDR, WRITE_ADDR].into_iter().find_map(|register| {
            Some(self.channel(channel, register)).filter(|address| address % bytes != 0)
        });
        if let Some(address) = wrong.filter(|_| control & CTRL_EN != 0) {
            self.broken(Rule::DmaMisaligned, access, Some(Detail::Address(address)));
        }
        let to = self.channel(channel, WRITE_ADDR);
        if to < ROM_END && control & CTRL_EN != 0 {
            self.broken(Rule::DmaToRom, access, Some(Detail::Address(to)));
        }
    }

    /// Notes a transfer that the bus has refused.
    #[cold]
    #[inline(never)]
    pub(in crate::chip::devices) fn note_dma_error(
        &mut self,
        transfer: &Transfer,
        outcome: TransferOutcome,
    ) {
        let is_read = matches!(outcome, TransferOutcome::ReadError);
        let address = if is_read { transfer.read } else { transfer.write };
        let access = Access { core: 0, address, width: Width::Word, cycle: transfer.cycle, pc: 0 };
        self.broken(Rule::DmaBusError, access, Some(Detail::Address(address)));
    }
}
