//! The blocks whose accesses need a check: those that RESETS holds, and those without their clock.
//!
//! Each block has a bit, found by its address, so that an access to any other block costs a few
//! instructions.

use super::Devices;

/// Position of the bits of the blocks on the bus of the fast peripherals.
const FAST: u32 = 32;
/// A bit that no block has.
const NONE: u32 = 63;

/// Bits of the blocks, by the bit of RESETS that holds them (datasheet section 2.14.3) and the
/// address map (2.2): blocks on the APB are 16 KiB apart.
const BLOCKS: [(u32, u32); 24] = [
    (0, 19),        // ADC
    (1, 12),        // BUSCTRL
    (2, FAST),      // DMA
    (3, 17),        // I2C0
    (4, 18),        // I2C1
    (5, 5),         // IO_BANK0
    (6, 6),         // IO_QSPI
    (8, 7),         // PADS_BANK0
    (9, 8),         // PADS_QSPI
    (10, FAST + 2), // PIO0
    (11, FAST + 3), // PIO1
    (12, 10),       // PLL_SYS
    (13, 11),       // PLL_USB
    (14, 20),       // PWM
    (15, 23),       // RTC
    (16, 15),       // SPI0
    (17, 16),       // SPI1
    (18, 1),        // SYSCFG
    (19, 0),        // SYSINFO
    (20, 27),       // TBMAN
    (21, 21),       // TIMER
    (22, 13),       // UART0
    (23, 14),       // UART1
    (24, FAST + 1), // USBCTRL
];

/// Mask of blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held(u64);

impl Held {
    /// Returns the blocks that a value of RESETS.RESET holds.
    pub(super) fn by(reset: u32) -> Self {
        let held = BLOCKS.iter().filter(|(bit, _)| reset >> bit & 1 != 0);
        Self(held.fold(0, |mask, (_, block)| mask | 1 << block))
    }

    /// Whether the block at `address` is held.
    #[inline(always)]
    pub(super) fn has(self, address: u32) -> bool {
        let block = match address >> 28 {
            4 => address >> 14 & 31,
            5 => FAST + (address >> 20 & 15),
            _ => NONE,
        };
        self.0 >> block & 1 != 0
    }
}

impl Devices {
    /// Recomputes the blocks that RESETS holds.
    pub(super) fn note_held(&mut self) {
        self.held = Held::by(self.resets.held());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_held_by_its_own_bit() {
        for (bit, address) in [
            (0, 0x4004_C000),
            (2, 0x5000_0430),
            (8, 0x4001_C004),
            (11, 0x5030_00C8),
            (15, 0x4005_C00C),
            (22, 0x4003_4030),
            (24, 0x5011_0040),
            (24, 0x5010_0000),
        ] {
            assert!(Held::by(1 << bit).has(address), "{address:#x}");
            assert!(!Held::by(!(1 << bit)).has(address), "{address:#x}");
        }
        for address in [0x4000_8000, 0x4000_C000, 0x4005_8000, 0xD000_0010, 0x1800_0000] {
            assert!(!Held::by(u32::MAX).has(address), "{address:#x} is never held");
        }
    }
}
