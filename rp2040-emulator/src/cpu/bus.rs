//! The interface of a core to everything beyond its registers and memory: a [`Bus`].
//!
//! Accesses that are neither in [`Memory`] nor to system registers of the
//! core go to the bus. The bus knows the devices; the core does not.

use crate::cpu::memory::Memory;

/// How wide a transfer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Byte,
    Half,
    Word,
}

impl Width {
    /// Number of bytes: 1, 2 or 4.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word => 4,
        }
    }

    /// Mask of the bits that a transfer of this width carries.
    pub const fn mask(self) -> u32 {
        match self {
            Self::Byte => 0xFF,
            Self::Half => 0xFFFF,
            Self::Word => 0xFFFF_FFFF,
        }
    }
}

/// One transfer: core, address, time and instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Number of the core.
    pub core: u8,
    /// Address, aligned to `width`.
    pub address: u32,
    pub width: Width,
    /// The core's cycle count at the beginning of the instruction.
    pub cycle: u64,
    /// The address of the instruction.
    pub pc: u32,
}

/// The bus responded with an error: nothing is mapped there, or not for this transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusFault;

/// The devices around a core.
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

    /// The interrupt lines of `core` at `cycle`; bit n is interrupt n.
    fn interrupts(&mut self, core: u8, cycle: u64) -> u32;

    /// The interrupt lines that are also the NMI of `core`.
    fn nmi_mask(&self, _core: u8) -> u32 {
        0
    }

    /// The cycle at which [`interrupts`](Self::interrupts) must be called again if nothing is
    /// written to the bus before.
    fn next_change(&self, core: u8) -> u64;

    /// Returns the cycle before which a load of `core` from `address` gives the same value again
    /// without an effect, provided that nothing is written to the bus and no interrupt line changes
    /// ([`next_change`](Self::next_change)) before. 0 if that is not known. The load was the bus's
    /// last access.
    fn steady_until(&self, _core: u8, _address: u32) -> u64 {
        0
    }

    /// Returns the number of cycles after which the word that `core` has just loaded from `address`
    /// is one more, modulo 2^32; `None` if it does not count. The load was the bus's last access,
    /// and has no effect that the next one does not have as well.
    fn count_cycles(&self, core: u8, address: u32) -> Option<u64> {
        let _ = (core, address);
        None
    }

    /// Reports that `core` has waited until `cycle` without executing the rounds of its loop.
    fn waited(&mut self, core: u8, cycle: u64) {
        let _ = (core, cycle);
    }

    /// Whether accesses to the memory must be reported by
    /// [`accessed_memory`](Self::accessed_memory). While they must, a core executes one instruction
    /// at a time.
    fn watches_memory(&self) -> bool {
        false
    }

    /// Reports that a core has fetched a word of instructions from the memory at the address of the
    /// access, or has loaded from there or stored to RAM there a word at most.
    fn accessed_memory(&mut self, _access: Access) {}

    /// Whether the run must end now, because the owner of core and bus has to act.
    fn wants_stop(&self) -> bool {
        false
    }

    /// Does the work at `cycle` that needs only bus and memory. Returns true if that was the reason
    /// for [`wants_stop`](Self::wants_stop): then the run continues, and
    /// [`interrupts`](Self::interrupts) must be called again.
    fn serve(&mut self, _memory: &mut Memory, _cycle: u64) -> bool {
        false
    }

    /// Reports that a core has stored to a watched part of the memory in `cycle`. Words that were
    /// read from it before must be read again if they are read after that cycle.
    fn source_changed(&mut self, _cycle: u64) {}

    /// `core` has executed SEV: sets the event registers of all other cores.
    fn event(&mut self, core: u8);

    /// Reports a write to VTOR of an address that is not aligned.
    fn misaligned_vectors(&mut self, _access: Access, _address: u32) {}

    /// Reports an access to `what`, a part of the core that is not modelled.
    fn not_modelled(&mut self, access: Access, what: &'static str, write: bool);
}
