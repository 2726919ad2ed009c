//! What a core sees beyond its own registers and the memory that it executes from: a [`Bus`].
//!
//! The core asks the bus for every address that [`Memory`](crate::cpu::memory::Memory) does not answer and
//! that is not one of its own system registers. The bus knows the devices, the core knows none.

use crate::cpu::memory::Memory;

/// How wide a transfer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Eight bits.
    Byte,
    /// Sixteen bits.
    Half,
    /// Thirty-two bits.
    Word,
}

impl Width {
    /// Bytes: 1, 2 or 4.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word => 4,
        }
    }

    /// The bits that a transfer of this width keeps.
    pub const fn mask(self) -> u32 {
        match self {
            Self::Byte => 0xFF,
            Self::Half => 0xFFFF,
            Self::Word => 0xFFFF_FFFF,
        }
    }
}

/// One transfer: who, where, when and from which instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The number of the core.
    pub core: u8,
    /// Aligned to `width`.
    pub address: u32,
    /// How many bytes.
    pub width: Width,
    /// The core's cycle count as the instruction begins.
    pub cycle: u64,
    /// The address of the instruction.
    pub pc: u32,
}

/// The bus answered with an error: nothing is mapped there, or not for this transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusFault;

/// Everything around a core.
pub trait Bus {
    /// Reads; the upper bits of a narrow transfer must be zero.
    ///
    /// # Errors
    /// [`BusFault`] makes the core take a HardFault.
    fn read(&mut self, access: Access) -> Result<u32, BusFault>;

    /// Writes `value`, whose upper bits are zero for a narrow transfer.
    ///
    /// # Errors
    /// [`BusFault`] makes the core take a HardFault.
    fn write(&mut self, access: Access, value: u32) -> Result<(), BusFault>;

    /// The interrupt lines of `core` as they stand at `cycle`; bit n is interrupt n.
    fn interrupts(&mut self, core: u8, cycle: u64) -> u32;

    /// The cycle at which the bus must be asked for [`interrupts`](Self::interrupts) again if
    /// nothing is written to it until then.
    fn next_change(&self, core: u8) -> u64;

    /// Whether the run must end here, because something is to be done that the bus cannot do by
    /// itself.
    fn wants_stop(&self) -> bool {
        false
    }

    /// Does what the bus can do by itself at `cycle` if it has the memory. True if it was why
    /// [`wants_stop`](Self::wants_stop) said so: then it no longer is, and
    /// [`interrupts`](Self::interrupts) must be asked again.
    fn serve(&mut self, _memory: &mut Memory, _cycle: u64) -> bool {
        false
    }

    /// `core` has executed SEV: every other core's event register is to be set.
    fn event(&mut self, core: u8);

    /// `access` wants `what` of the core itself, which is not modelled: for a report.
    fn not_modelled(&mut self, access: Access, what: &'static str, write: bool);
}
