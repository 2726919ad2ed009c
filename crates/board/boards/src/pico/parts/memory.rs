//! SPI flashes and SD cards: their content over power cycles, and their connection to the chip.

use hal_mock::memory::{MemoryPart, PoweredMemory, SpiPart as _};
use rp2040_emulator::chip::{Chip, Drive, SpiPins, SpiTarget};

use crate::pico::wiring::MemoryWiring;

/// A memory at a bus of the chip.
#[derive(Clone, Debug)]
struct OnChip(PoweredMemory);

impl SpiTarget for OnChip {
    fn select(&mut self, ns: u64) {
        self.0.select(ns);
    }

    fn deselect(&mut self, ns: u64, is_whole: bool) {
        self.0.deselect(ns, is_whole);
    }

    fn next_output(&mut self, ns: u64) -> Option<u8> {
        self.0.next_output(ns)
    }

    fn receive(&mut self, ns: u64, byte: u8) {
        self.0.receive(ns, byte);
    }

    fn boxed_clone(&self) -> Box<dyn SpiTarget> {
        Box::new(self.clone())
    }
}

/// The memories of a board. The order is that of the wires.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    /// Parts with their content at the last power-on.
    parts: Vec<MemoryPart>,
    /// Numbers of the chip's targets while it has power.
    targets: Vec<Option<usize>>,
}

impl Memories {
    /// Creates memories without power.
    pub(in crate::pico) fn new(parts: Vec<MemoryPart>) -> Self {
        Self { parts, targets: Vec::new() }
    }

    /// Connects the memories to a chip that is powered on.
    pub(in crate::pico) fn attach(&mut self, wiring: &[MemoryWiring], chip: &mut Chip) {
        self.targets.clear();
        for (part, wires) in self.parts.iter().zip(wiring) {
            let MemoryWiring { sck, mosi, miso, chip_select, is_miso_pulled_up, detect } = *wires;
            let pins = SpiPins { sck: sck.number(), mosi: mosi.number(), miso: miso.number() };
            chip.drive(chip_select.number(), Drive::High);
            chip.add_spi_bus(pins, is_miso_pulled_up);
            let target = part.powered().map(|memory| Box::new(OnChip(memory)));
            if let Some(detect) = detect {
                chip.drive(
                    detect.number(),
                    if target.is_some() { Drive::Low } else { Drive::Open },
                );
            }
            let attach =
                |target: Box<OnChip>| chip.attach_spi_target(pins, chip_select.number(), target);
            self.targets.push(target.and_then(attach));
        }
    }

    /// Takes the content of the memories from a chip that loses its power.
    pub(in crate::pico) fn take(&mut self, chip: &Chip) {
        let ns = chip.now_ns();
        for (part, number) in self.parts.iter_mut().zip(self.targets.drain(..)) {
            let target = number.and_then(|number| chip.spi_target(number));
            let target = target.map(|target| target as &dyn std::any::Any);
            if let Some(OnChip(memory)) = target.and_then(|target| target.downcast_ref()) {
                *part = memory.at_power_off(ns);
            }
        }
    }
}

#[cfg(test)]
mod tests;
