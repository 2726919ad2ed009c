//! A chip whose DMA feeds its SPI at 31.25 MHz without a pause, as when drawing leaves the core
//! free, while core 0 is busy.

use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::{Image, Segment};
use rp2040_emulator::memory::RAM_BASE;

use crate::programs::MIXED;

const CODE: u32 = RAM_BASE + 0x100;
const STACK: u32 = RAM_BASE + 0x1000;
const DATA: u32 = RAM_BASE + 0x2000;
const TABLE: u32 = RAM_BASE + 0x3000;
/// Address of 32 KiB that the DMA reads in a ring.
const PICTURE: u32 = RAM_BASE + 0x8000;

/// Stores the second word of each pair at R4 to the address in the first word, until that is zero.
pub const STORE_TABLE: [u16; 5] = [
    0xCC03, // ldm r4!, {r0, r1}
    0x2800, // cmp r0, #0
    0xD001, // beq over the next two
    0x6001, // str r1, [r0]
    0xE7FA, // b to the ldm
];

/// Registers that set up XOSC, PLL and clocks for 125 MHz and release every device from reset.
#[rustfmt::skip] // an address and a value a line
pub const CLOCKS: [(u32, u32); 8] = [
    (0x4002_4000, 0xFAB_AA0),           // XOSC
    (0x4002_8008, 125),                 // PLL_SYS: 125 MHz
    (0x4002_8004, 0),
    (0x4002_800C, 6 << 16 | 2 << 12),
    (0x4000_8030, 2),                   // CLK_REF
    (0x4000_803C, 1),                   // CLK_SYS
    (0x4000_8048, 1 << 11),             // CLK_PERI
    (0x4000_F000, 0x01FF_FFFF), // RESETS: all released
];

#[rustfmt::skip] // an address and a value a line
const TRANSFER: [(u32, u32); 9] = [
    (0x4003_C000, 7),                   // SSPCR0: eight bits
    (0x4003_C010, 4),                   // SSPCPSR: 31.25 MHz
    (0x4003_C024, 2),                   // SSPDMACR: transmit
    (0x4003_C004, 2),                   // SSPCR1: on
    (0x5000_0000, PICTURE),             // READ_ADDR
    (0x5000_0004, 0x4003_C008),         // WRITE_ADDR: SSPDR
    (0x5000_0008, u32::MAX),            // TRANS_COUNT
    // CTRL: paced by SPI0, in a ring of 32 KiB, reads incremented, bytes, on.
    (0x5000_000C, 16 << 15 | 15 << 6 | 1 << 4 | 1),
    (0, 0),
];

/// Creates the chip, with its core at the beginning.
pub fn chip() -> Chip {
    let mut code = STORE_TABLE.to_vec();
    code.extend(MIXED);
    code.push(0xE000 | (-(MIXED.len() as i32) - 2) as u16 & 0x7FF);
    let code = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    let table = CLOCKS.iter().chain(&TRANSFER).flat_map(|(address, value)| [*address, *value]);
    let table = table.flat_map(u32::to_le_bytes).collect();
    let picture = (0..0x8000).map(|at: u32| ((at * 7) >> 3) as u8).collect();
    let segments = [(CODE, code), (TABLE, table), (PICTURE, picture)];
    let segments = segments.map(|(address, bytes)| Segment { address, bytes }).to_vec();
    let mut chip = Chip::new(4096);
    chip.load(&Image { segments, ..Image::default() }).expect("RAM only");
    let core = chip.core_mut(0);
    core.begin(RAM_BASE, STACK, CODE | 1);
    core.set_register(4, TABLE);
    core.set_register(7, DATA);
    chip
}
