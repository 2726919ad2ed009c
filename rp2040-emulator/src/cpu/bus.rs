//! The interface of a core to everything beyond its registers and memory: a [`Bus`].
//!
//! Accesses that are neither in [`Memory`] nor to system registers of the
//! core go to the bus. The bus knows the devices; the core does not.

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

/// One transfer: core, address, time and instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The number of the core.
    pub core: u8,
    /// Aligned to `width`.
    pub address: u32,
    /// The width.
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

    /// The cycle before which a load of `core` from `address`, the bus's last, gives the value that it
    /// has just given, without an effect, if nothing is written to the bus and no interrupt line changes
    /// ([`next_change`](Self::next_change)) before. 0 if that is not known.
    fn steady_until(&self, _core: u8, _address: u32) -> u64 {
        0
    }

    /// The word that `core` has just loaded from `address`, the bus's last, is one more every so many cycles,
    /// modulo 2^32 and without an effect of the load that the next does not have as well. `None` if it does not count so.
    fn count_cycles(&self, core: u8, address: u32) -> Option<u64> {
        let _ = (core, address);
        None
    }

    /// A core has waited until this cycle, and the rounds of its loop have not been executed.
    fn waited(&mut self, core: u8, cycle: u64) {
        let _ = (core, cycle);
    }

    /// Whether accesses to the memory must be reported by
    /// [`accessed_memory`](Self::accessed_memory). While they must, a core executes one instruction at a
    /// time.
    fn watches_memory(&self) -> bool {
        false
    }

    /// A core has fetched a word of instructions from the memory at `address`, has loaded from there, or
    /// has stored to RAM: a word at most.
    fn accessed_memory(&mut self, _address: u32) {}

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

    /// `core` has executed SEV: sets the event registers of all other cores.
    fn event(&mut self, core: u8);

    /// Reports an access to `what`, a part of the core that is not modelled.
    fn not_modelled(&mut self, access: Access, what: &'static str, write: bool);
}
