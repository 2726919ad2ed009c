//! SPI flashes and SD cards: models that answer byte by byte, and their content over power cycles.
//!
//! [`MemoryPart`] is a memory without power, [`PoweredMemory`] the model while it has power. The models
//! know no pin and no clock: times are arguments, in nanoseconds since the power-on.

mod content;
mod sd_card;
mod spi_flash;

pub use content::Content;
pub use sd_card::SdCard;
pub use spi_flash::SpiFlash;

/// A device at an SPI bus with a chip select, in modes 0 and 3. Times never decrease.
pub trait SpiPart {
    /// Handles the fall of chip select.
    fn select(&mut self, ns: u64);

    /// Handles the rise of chip select. `is_whole` is whether the number of clocks since its fall is a
    /// multiple of eight.
    fn deselect(&mut self, ns: u64, is_whole: bool);

    /// Returns the output on MISO during the next eight bits; `None` if the device drives nothing. The
    /// bits are sent only when [`receive`](Self::receive) follows.
    fn next_output(&mut self, ns: u64) -> Option<u8>;

    /// Handles a byte on MOSI that ends at `ns`.
    fn receive(&mut self, ns: u64, byte: u8);
}

/// An SPI flash or a slot of an SD card, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryPart {
    /// An SPI flash.
    Flash(Content),
    /// A slot with a card.
    Card(Content),
    /// A slot without a card.
    EmptySlot,
}

/// A memory while it has power.
#[derive(Clone, Debug)]
pub enum PoweredMemory {
    /// An SPI flash.
    Flash(SpiFlash),
    /// A card.
    Card(SdCard),
}

impl MemoryPart {
    /// Returns the size in bytes of a card with room for `bytes`.
    pub fn card_size(bytes: u64) -> u64 {
        SdCard::size_for(bytes)
    }

    /// Returns the memory with power; `None` for a slot without a card.
    pub fn powered(&self) -> Option<PoweredMemory> {
        match self {
            Self::Flash(content) => Some(PoweredMemory::Flash(SpiFlash::new(content.clone()))),
            Self::Card(content) => Some(PoweredMemory::Card(SdCard::new(content.clone()))),
            Self::EmptySlot => None,
        }
    }
}

impl PoweredMemory {
    /// Returns the memory as it is when its power fails at `ns`.
    pub fn at_power_off(&self, ns: u64) -> MemoryPart {
        match self {
            Self::Flash(flash) => MemoryPart::Flash(flash.content_at(ns)),
            Self::Card(card) => MemoryPart::Card(card.content_at(ns)),
        }
    }

    fn part(&mut self) -> &mut dyn SpiPart {
        match self {
            Self::Flash(flash) => flash,
            Self::Card(card) => card,
        }
    }
}

impl SpiPart for PoweredMemory {
    fn select(&mut self, ns: u64) {
        self.part().select(ns);
    }

    fn deselect(&mut self, ns: u64, is_whole: bool) {
        self.part().deselect(ns, is_whole);
    }

    fn next_output(&mut self, ns: u64) -> Option<u8> {
        self.part().next_output(ns)
    }

    fn receive(&mut self, ns: u64, byte: u8) {
        self.part().receive(ns, byte);
    }
}
