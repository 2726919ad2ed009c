//! SPI flashes and SD cards: their content over power cycles, and their connection to the chip.

use rp2040_emulator::chip::{Chip, Drive, SpiPins, SpiTarget};

use super::content::Content;
use super::sd_card::SdCard;
use super::spi_flash::SpiFlash;
use crate::pico::wiring::MemoryWiring;

/// An SPI flash or a slot of an SD card, with its content.
#[derive(Clone, Debug)]
pub(crate) enum MemoryPart {
    Flash(Content),
    Card(Content),
    /// A slot without a card.
    EmptySlot,
}

impl MemoryPart {
    /// Returns the size in bytes of a card with room for `bytes`.
    pub(crate) fn card_size(bytes: u64) -> u64 {
        SdCard::size_for(bytes)
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
            let target: Option<Box<dyn SpiTarget>> = match part {
                MemoryPart::Flash(content) => Some(Box::new(SpiFlash::new(content.clone()))),
                MemoryPart::Card(content) => Some(Box::new(SdCard::new(content.clone()))),
                MemoryPart::EmptySlot => None,
            };
            if let Some(detect) = detect {
                chip.drive(
                    detect.number(),
                    if target.is_some() { Drive::Low } else { Drive::Open },
                );
            }
            let attach = |target| chip.attach_spi_target(pins, chip_select.number(), target);
            self.targets.push(target.and_then(attach));
        }
    }

    /// Takes the content of the memories from a chip that loses its power.
    pub(in crate::pico) fn take(&mut self, chip: &Chip) {
        let ns = chip.now_ns();
        for (part, number) in self.parts.iter_mut().zip(self.targets.drain(..)) {
            let target = number.and_then(|number| chip.spi_target(number));
            let Some(target) = target.map(|target| target as &dyn std::any::Any) else { continue };
            if let Some(flash) = target.downcast_ref::<SpiFlash>() {
                *part = MemoryPart::Flash(flash.content_at(ns));
            } else if let Some(card) = target.downcast_ref::<SdCard>() {
                *part = MemoryPart::Card(card.content_at(ns));
            }
        }
    }
}

#[cfg(test)]
mod tests;
