//! The connection between the pins and the targets on SPI buses.

use super::{Devices, PinChange, PinChanges};
use crate::chip::peripherals::io_bank::IoBank;
use crate::chip::peripherals::spi::{Spi, SpiPins, SpiTarget, SpiTargets};

/// The targets of all buses.
pub(super) struct AllTargets<'a> {
    pub(super) spis: &'a mut [Spi; 2],
    pub(super) loose: &'a mut SpiTargets,
}

impl AllTargets<'_> {
    /// Handles the levels of the pins at `ns`. The levels that follow are noted.
    pub(super) fn change(
        &mut self,
        bank: &mut IoBank,
        sio: (u32, u32),
        changes: &mut PinChanges,
        ns: u64,
    ) {
        let mut driven = false;
        for spi in self.spis.iter_mut() {
            // Frames that end before the change reach the targets first.
            spi.advance(ns);
            driven |= spi.targets().change(bank, ns);
        }
        driven |= self.loose.change(bank, ns);
        if driven {
            settle(bank, sio, changes, ns);
        }
    }

    /// Returns the pins of which a target needs each edge now, as a mask.
    pub(super) fn clocked_pins(&self) -> u32 {
        clocked_pins(self.spis, self.loose)
    }
}

fn clocked_pins(spis: &[Spi; 2], loose: &SpiTargets) -> u32 {
    spis.iter().fold(loose.clocked_pins(), |pins, spi| pins | spi.clocked_pins())
}

fn settle(bank: &mut IoBank, sio: (u32, u32), changes: &mut PinChanges, ns: u64) {
    let before = bank.levels();
    if bank.settle(sio) {
        changes.note(before, PinChange { ns, levels: bank.levels() });
    }
}

impl Devices {
    /// Adds an SPI bus for targets, and lets a resistor pull its MISO up if `is_pulled_up`. Returns
    /// false if a pin does not exist.
    pub(in crate::chip) fn add_spi_bus(&mut self, pins: SpiPins, is_pulled_up: bool) -> bool {
        let is_added = self.targets_at(pins).add_bus(pins, is_pulled_up);
        self.has_targets |= is_added;
        self.spi_devices |= is_added;
        self.route_targets();
        is_added
    }

    /// Attaches a target, and returns its number. Returns `None`, and attaches nothing, if a pin
    /// does not exist.
    pub(in crate::chip) fn attach_spi_target(
        &mut self,
        pins: SpiPins,
        chip_select: usize,
        target: Box<dyn SpiTarget>,
    ) -> Option<usize> {
        if !self.add_spi_bus(pins, false) {
            return None;
        }
        let number = self.target_count;
        if !self.targets_at(pins).attach(pins, chip_select, number, target) {
            return None;
        }
        self.target_count += 1;
        self.route_targets();
        Some(number)
    }

    fn targets_at(&mut self, pins: SpiPins) -> &mut SpiTargets {
        match pins.controller() {
            Some(number) => self.spis[number & 1].targets(),
            None => &mut self.loose_targets,
        }
    }

    /// Returns the target with this number.
    pub(in crate::chip) fn spi_target(&self, number: usize) -> Option<&dyn SpiTarget> {
        let of_spis = self.spis.iter().find_map(|spi| spi.target(number));
        of_spis.or_else(|| self.loose_targets.get(number))
    }

    /// Returns all targets.
    pub(in crate::chip) fn spi_targets_mut(&mut self) -> impl Iterator<Item = &mut dyn SpiTarget> {
        let of_spis = self.spis.iter_mut().flat_map(|spi| spi.targets().all_mut());
        of_spis.chain(self.loose_targets.all_mut())
    }

    /// Passes the functions of the pins to the targets. Every change of the pins' control registers
    /// calls it.
    pub(super) fn route_targets(&mut self) {
        if !self.has_targets {
            return;
        }
        let ns = self.now_ns;
        let bank = &mut self.bank;
        let mut driven = self.loose_targets.route(bank, ns);
        for spi in &mut self.spis {
            spi.advance(ns);
            driven |= spi.targets().route(bank, ns);
        }
        if driven {
            settle(&mut self.bank, self.sio.outputs(), &mut self.changes, ns);
            self.pios.set_inputs(self.bank.inputs());
        }
    }

    /// Returns the pins of which a target needs each edge now, as a mask.
    pub(super) fn clocked_pins(&self) -> u32 {
        if self.has_targets { clocked_pins(&self.spis, &self.loose_targets) } else { 0 }
    }

    /// Passes the levels of the pins to the targets.
    pub(super) fn move_targets(&mut self) {
        if !self.has_targets {
            return;
        }
        let sio = self.sio.outputs();
        let mut targets = AllTargets { spis: &mut self.spis, loose: &mut self.loose_targets };
        targets.change(&mut self.bank, sio, &mut self.changes, self.now_ns);
        self.pios.set_inputs(self.bank.inputs());
    }
}
