//! The connection between the PIOs and the pins.
//!
//! The PIOs are advanced lazily: every access to pins or PIOs first advances them to its cycle.

use super::{Devices, PinChange, PinChanges};
use crate::chip::peripherals::io_bank::IoBank;
use crate::chip::peripherals::pio::{Outputs, PIO_COUNT, World};
use crate::chip::time::Time;

/// The pins of the chip.
struct Pins<'a> {
    bank: &'a mut IoBank,
    sio: (u32, u32),
    time: &'a Time,
    changes: &'a mut PinChanges,
}

impl World for Pins<'_> {
    fn drive(&mut self, cycle: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        let before = self.bank.levels();
        self.bank.set_pios(outputs);
        if self.bank.settle(self.sio) {
            let change = PinChange { ns: self.time.ns(cycle), levels: self.bank.levels() };
            self.changes.note(before, change);
        }
        self.bank.inputs()
    }

    fn pins_interrupt(&self) -> bool {
        self.bank.interrupt(0) || self.bank.interrupt(1)
    }
}

/// A copy of the pins for looking ahead, without other accesses.
struct Foreseen {
    bank: IoBank,
    sio: (u32, u32),
}

impl World for Foreseen {
    fn drive(&mut self, _: u64, outputs: [Outputs; PIO_COUNT]) -> u32 {
        self.bank.set_pios(outputs);
        self.bank.settle(self.sio);
        self.bank.inputs()
    }

    fn pins_interrupt(&self) -> bool {
        self.bank.interrupt(0) || self.bank.interrupt(1)
    }
}

impl Devices {
    /// Advances the PIOs to `cycle`. Every access to the pins calls this first.
    #[inline]
    pub(in crate::chip) fn catch_up(&mut self, cycle: u64) {
        if self.pios.is_done(cycle) {
            self.pios.pass(cycle);
        } else {
            self.execute_pios(cycle);
        }
    }

    fn execute_pios(&mut self, cycle: u64) {
        let sio = self.sio.outputs();
        let mut pins =
            Pins { bank: &mut self.bank, sio, time: &self.time, changes: &mut self.changes };
        let before = pins.bank.levels();
        self.pios.advance(cycle, &mut pins);
        if self.spi_devices && before != self.bank.levels() {
            self.tell_spi_devices();
        }
    }

    /// The pins' levels at `cycle`, without other accesses until then.
    pub(in crate::chip) fn levels_at(&self, cycle: u64) -> u32 {
        if self.pios.is_done(cycle) {
            return self.bank.levels();
        }
        let mut world = Foreseen { bank: self.bank.clone(), sio: self.sio.outputs() };
        self.pios.clone().advance(cycle, &mut world);
        world.bank.levels()
    }

    /// The cycle by which the PIOs may have changed an interrupt, or a request that the DMA waits
    /// for.
    pub(super) fn next_of_pios(&mut self) -> u64 {
        if self.pios.is_quiet() {
            return u64::MAX;
        }
        let requests = self.dma.listens() as u32 & 0xFFFF;
        let world = || Foreseen { bank: self.bank.clone(), sio: self.sio.outputs() };
        self.pios.next(requests, self.bank.listens_to_pios(), world)
    }

    /// Applies a change of the PIOs' outputs that took no cycle.
    pub(super) fn take_pio_outputs(&mut self) {
        self.bank.set_pios(self.pios.outputs());
        self.settle();
    }
}
