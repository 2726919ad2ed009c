//! A program of the Pico that stops when B3 is pressed.

use std::fs;
use std::path::Path;

use rp2040_emulator::image::Image;

/// Returns the Pico's program of `make firmware`, an ELF file, changed to stop when B3 is pressed.
/// The handler of the pins' interrupt is replaced by code that first checks the pin.
pub fn crashing() -> Vec<u8> {
    /// Address of the vector table, after the second stage of the boot loader.
    const TABLE: u32 = 0x1000_0100;
    /// Offset of the vector of IO_IRQ_BANK0, interrupt 13 (RP2040 datasheet 2.3.2).
    const PINS: usize = 4 * (16 + 13);
    /// Offset of the vectors of interrupts 5 to 12 (USB, XIP, PIO, DMA). They are not used, so
    /// there is room for 16 instructions.
    const ROOM: usize = 4 * (16 + 5);
    /// B3's pin is GPIO 4.
    const PIN: u16 = 4;
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../firmware/nudge-pico.elf");
    let mut bytes = fs::read(program).unwrap();
    let image = Image::parse(&bytes).unwrap();
    let vectors = image.segments.iter().find_map(|segment| {
        let from = TABLE.checked_sub(segment.address)? as usize;
        segment.bytes.get(from..from + 4 * 48)
    });
    let vectors = vectors.expect("a vector table").to_vec();
    let from = bytes.windows(vectors.len()).position(|bytes| bytes == vectors);
    let table = &mut bytes[from.expect("the table is in the file")..];
    let before: [u8; 4] = table[PINS..PINS + 4].try_into().unwrap();
    let code = [
        0x4803,                  // ldr r0, SIO
        0x6840,                  // ldr r0, [r0, #4]: GPIO_IN
        0x0800 | (PIN + 1) << 6, // lsrs r0, r0, #5: the pin is the carry
        0xD301,                  // bcc: a contact that is closed pulls it low
        0x4802,                  // ldr r0, the vector that was here
        0x4700,                  // bx r0
        0xDE00,                  // udf #0
        0xDE00,
    ];
    let code = code.into_iter().flat_map(u16::to_le_bytes);
    let words = 0xD000_0000_u32.to_le_bytes().into_iter().chain(before);
    let all: Vec<u8> = code.chain(words).collect();
    table[ROOM..ROOM + all.len()].copy_from_slice(&all);
    let entry = TABLE + ROOM as u32 + 1;
    table[PINS..PINS + 4].copy_from_slice(&entry.to_le_bytes());
    bytes
}
