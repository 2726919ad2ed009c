//! Stores of the fast loop to devices.
//!
//! A store to a device needs only the time from the core, and mostly changes nothing on which the
//! core must act. The block then continues after it. Loads are left to the other loop, which finds
//! loops that wait.

use crate::cpu::bus::{Access, Bus, Width};
use crate::cpu::execute::transfer::{DEVICES, SINGLE_CYCLE_IO};

/// The core's own registers are not on the bus.
const PRIVATE: u32 = 0xE000_0000;

/// The instruction that stores.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu::execute) struct Place {
    pub(in crate::cpu::execute) slot: u32,
    /// Cycles of the budget that are left when the instruction begins.
    pub(in crate::cpu::execute) left: u32,
}

/// The result of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu::execute) enum Stored {
    /// The store was not executed.
    No,
    /// The bus responded with an error.
    Refused,
    Yes {
        /// Number of cycles by which the store is shorter than one to memory.
        refund: u32,
        /// Whether the block may continue with the next instruction.
        goes_on: bool,
    },
}

/// Access to devices from the fast loop.
pub(in crate::cpu::execute) trait Outside {
    fn store(&mut self, address: u32, width: Width, value: u32, place: Place) -> Stored;
}

/// No access to devices.
pub(in crate::cpu::execute) struct NoBus;

impl Outside for NoBus {
    #[inline(always)]
    fn store(&mut self, _: u32, _: Width, _: u32, _: Place) -> Stored {
        Stored::No
    }
}

/// The bus of a core.
pub(in crate::cpu::execute) struct OnBus<'a, B> {
    pub(in crate::cpu::execute) bus: &'a mut B,
    pub(in crate::cpu::execute) core: u8,
    /// The cycle at which the budget ends.
    pub(in crate::cpu::execute) end: u64,
    /// The latest cycle at which the core may access the bus.
    pub(in crate::cpu::execute) horizon: u64,
    /// The cycle at which the core next samples its surroundings. A store may bring it nearer.
    pub(in crate::cpu::execute) until: u64,
    /// The address of slot 0.
    pub(in crate::cpu::execute) base: u32,
}

impl<B: Bus> Outside for OnBus<'_, B> {
    #[inline(never)]
    fn store(&mut self, address: u32, width: Width, value: u32, place: Place) -> Stored {
        if !(DEVICES..PRIVATE).contains(&address) || !address.is_multiple_of(width.bytes()) {
            return Stored::No;
        }
        let pc = self.base.wrapping_add(2 * place.slot);
        let cycle = self.end.wrapping_sub(place.left.into());
        if cycle > self.horizon {
            return Stored::No;
        }
        let access = Access { core: self.core, address, width, cycle, pc };
        if self.bus.write(access, value & width.mask()).is_err() {
            return Stored::Refused;
        }
        let change = self.bus.next_change(self.core);
        let goes_on = change >= self.until && !self.bus.watches_memory();
        self.until = self.until.min(change);
        Stored::Yes { refund: u32::from(address >> 28 == SINGLE_CYCLE_IO), goes_on }
    }
}
