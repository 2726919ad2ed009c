//! A chip whose cores wait in loops, as most programs do most of the time: core 0 for the timer or
//! for a pin, core 1, if it runs, for a pin.

use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::{Image, Segment};
use rp2040_emulator::memory::RAM_BASE;

use crate::picture::{CLOCKS, STORE_TABLE};
use crate::programs;

const CODE: u32 = RAM_BASE + 0x100;
const TIMER_CODE: u32 = RAM_BASE + 0x200;
const PIN_CODE: u32 = RAM_BASE + 0x300;
const STACK: u32 = RAM_BASE + 0x1000;
const STACK_1: u32 = RAM_BASE + 0x2000;
const TABLE: u32 = RAM_BASE + 0x3000;

/// Waits 200 microseconds repeatedly; R0 is the timer's base.
const TIMER: [u16; 8] = [
    0x4803, // ldr r0, =0x40054000
    0x6A81, // ldr r1, [r0, #0x28]
    0x31C8, // adds r1, #200
    0x6A82, // ldr r2, [r0, #0x28]
    0x428A, // cmp r2, r1
    0xD3FC, // bcc to the ldr r2
    0x3301, // adds r3, #1
    0xE7F8, // b to the ldr r1
];

/// Waits until GPIO 5 is high.
const PIN: [u16; 8] = [
    0x4803, // ldr r0, =0xD0000000
    0x6842, // ldr r2, [r0, #4]
    0x0692, // lsls r2, r2, #26
    0xD5FC, // bpl to the ldr r2
    0x3301, // adds r3, #1
    0xE7FA, // b to the ldr r2
    0xBF00, // nop
    0xBF00, // nop
];

/// Names of the programs, by what core 0 waits for; in `both`, core 1 waits for the pin.
pub const NAMES: [&str; 3] = ["timer", "gpio", "both"];

/// Loads R4 with the table and R5 with the program of core 0.
const BEGIN: [u16; 4] = [
    0x4C01, // ldr r4, =TABLE
    0x4D02, // ldr r5, =the program
    0xE004, // b over the literals
    0xBF00, // nop
];

/// Returns the contents of the RAM from the entry [`CODE`] on.
fn program(which: &str) -> Option<Vec<u8>> {
    let first = match which {
        "timer" | "both" => TIMER_CODE,
        "gpio" => PIN_CODE,
        _ => return None,
    };
    let mut table = CLOCKS.to_vec();
    table.push((0x4005_802C, 1 << 9 | 12)); // WATCHDOG_TICK: a microsecond
    if which == "both" {
        // Core 1 is launched through the FIFO (datasheet section 2.8.2).
        let words = [0, 0, 1, RAM_BASE, STACK_1, PIN_CODE | 1];
        table.extend(words.map(|word| (0xD000_0054, word)));
    }
    table.push((0, 0));
    let halfwords =
        |code: &[u16]| code.iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>();
    let mut begin = halfwords(&BEGIN);
    begin.extend([TABLE, first | 1].into_iter().flat_map(u32::to_le_bytes));
    begin.extend(halfwords(&STORE_TABLE));
    // At the end of the table: bx r5.
    begin.extend(0x4728_u16.to_le_bytes());
    let waits =
        |code: &[u16], literal: u32| [halfwords(code), literal.to_le_bytes().to_vec()].concat();
    let table = table.iter().flat_map(|(address, value)| [*address, *value]);
    let mut bytes = vec![];
    for (address, part) in [
        (CODE, begin),
        (TIMER_CODE, waits(&TIMER, 0x4005_4000)),
        (PIN_CODE, waits(&PIN, 0xD000_0000)),
        (TABLE, table.flat_map(u32::to_le_bytes).collect()),
    ] {
        bytes.resize((address - CODE) as usize, 0);
        bytes.extend(part);
    }
    Some(bytes)
}

/// Returns the program as an ELF file that never ends.
pub fn elf(which: &str) -> Option<Vec<u8>> {
    program(which).map(|bytes| programs::elf(&bytes))
}

/// Creates the chip with these cores waiting.
pub fn chip(which: &str) -> Option<Chip> {
    let segments = vec![Segment { address: CODE, bytes: program(which)? }];
    let mut chip = Chip::new(4096);
    chip.load(&Image { segments, ..Image::default() }).expect("RAM only");
    chip.core_mut(0).begin(RAM_BASE, STACK, CODE | 1);
    Some(chip)
}
