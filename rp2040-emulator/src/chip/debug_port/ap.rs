//! The AHB access port of a core (ADIv5.2 C2).

use super::registers::*;
use super::target::{DebugFault, DebugTarget};
use crate::cpu::bus::Width;

#[derive(Clone, Debug)]
pub(super) struct AccessPort {
    core: usize,
    /// CSW: size and increment of a transfer.
    control: u32,
    /// TAR: address of the next transfer.
    address: u32,
}

impl AccessPort {
    pub(super) fn new(core: usize) -> Self {
        Self { core, control: CSW_RESET, address: 0 }
    }

    /// Reads a register; a transfer of DRW reads the target and advances the address.
    pub(super) fn read(
        &mut self,
        register: u8,
        target: &mut dyn DebugTarget,
    ) -> Result<u32, DebugFault> {
        Ok(match register {
            CSW => self.control,
            TAR => self.address,
            DRW => {
                let address = self.address;
                let value = target.debug_read(self.core, address, self.width())?;
                self.advance();
                // A narrow transfer uses the byte lanes of its address.
                value << lane(address)
            }
            BD0..=BD3 => target.debug_read(self.core, self.banked(register), Width::Word)?,
            BASE => BASE_VALUE,
            IDR => IDR_VALUE,
            // CFG: little-endian, no large address, no large data.
            CFG => 0,
            _ => 0,
        })
    }

    /// Writes a register; read-only registers are not changed.
    pub(super) fn write(
        &mut self,
        register: u8,
        value: u32,
        target: &mut dyn DebugTarget,
    ) -> Result<(), DebugFault> {
        match register {
            CSW => self.control = value & CSW_WRITABLE | CSW_DEVICEEN,
            TAR => self.address = value,
            DRW => {
                let (address, width) = (self.address, self.width());
                let value = value >> lane(address) & width.mask();
                target.debug_write(self.core, address, width, value)?;
                self.advance();
            }
            BD0..=BD3 => {
                target.debug_write(self.core, self.banked(register), Width::Word, value)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether an access of this register reaches the target.
    pub(super) const fn is_transfer(register: u8) -> bool {
        matches!(register, DRW | BD0..=BD3)
    }

    fn width(&self) -> Width {
        match self.control & CSW_SIZE {
            0 => Width::Byte,
            1 => Width::Half,
            // Larger sizes are not implemented: the field then reads as a word's.
            _ => Width::Word,
        }
    }

    fn banked(&self, register: u8) -> u32 {
        self.address & !0xF | u32::from(register & 0xC)
    }

    fn advance(&mut self) {
        if self.control & CSW_ADDRINC == CSW_ADDRINC_SINGLE {
            let next = self.address.wrapping_add(self.width().bytes());
            self.address = self.address & !(TAR_BLOCK - 1) | next & (TAR_BLOCK - 1);
        }
    }
}

/// Returns the first bit of the byte lanes of a narrow transfer; 0 for an aligned word.
const fn lane(address: u32) -> u32 {
    (address & 3) * 8
}
