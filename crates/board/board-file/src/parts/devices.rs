//! Memories on SPI, and devices on I2C.

use crate::quantity::ByteSize;
use crate::table::table;
use crate::table::value::{FilePath, Name, Pin, Whole};

use super::{FLASH_MAX, SECTOR};

/// 32 GiB, the largest SDHC card.
const CARD_MAX: u64 = 32 << 30;

table! {
    /// An SPI flash chip beside the program's flash.
    SpiFlash, "an SPI flash" {
        /// Name of the chip; needed if there are several.
        name: Name = optional;
        /// Clock.
        sck: Pin = required;
        /// Data to the chip.
        mosi: Pin = required;
        /// Data from the chip.
        miso: Pin = required;
        /// Chip select, active low.
        cs: Pin = required;
        /// Size of the chip, a power of two.
        size: ByteSize<SECTOR, FLASH_MAX> = required;
        /// Its content at the first power-on; left out, it is erased. The file is never written.
        image: FilePath = optional;
    }
}

table! {
    /// An SD card in SPI mode.
    SdCard, "an SD card" {
        /// Name of the card; needed if there are several.
        name: Name = optional;
        /// Clock.
        sck: Pin = required;
        /// Data to the card.
        mosi: Pin = required;
        /// Data from the card.
        miso: Pin = required;
        /// Chip select, active low.
        cs: Pin = required;
        /// Contact of the slot that is closed while a card is inserted.
        detect: Pin = optional;
        /// Size of the card, in whole sectors of 512 B; left out, that of the image. The rest of
        /// the card reads as zeros.
        size: ByteSize<SECTOR, CARD_MAX> = optional;
        /// Its content at the first power-on, from its first sector on; left out, the card is
        /// empty, or the slot if there is no `size`. The file is never written.
        image: FilePath = optional;
    }
}

table! {
    /// An I2C device whose registers have fixed answers.
    I2cDevice, "an I2C device" {
        /// Name of the device; needed if there are several.
        name: Name = optional;
        /// Data.
        sda: Pin = required;
        /// Clock.
        scl: Pin = required;
        /// Address on the bus, without the bit for reading.
        address: Whole<8, 0x77> = required;
        /// The registers; all others answer 0xFF.
        registers: Vec<Register> = list;
    }
}

table! {
    /// A register with its fixed answer.
    Register, "a register" {
        /// Number of the register: the first byte that the program writes.
        register: Whole<0, 0xFF> = required;
        /// The bytes that it answers; reading on repeats the last one.
        answer: Vec<Whole<0, 0xFF>> = required;
    }
}
