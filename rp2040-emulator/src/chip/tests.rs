//! Tests of the chip as a program sees it: scripts of reads and writes, executed by a small
//! program.

use super::*;

mod analogue;
mod boot;
mod boot_rom;
mod bursts;
mod cores;
mod dma;
mod functions;
mod i2c_wires;
mod peripherals;
mod random;
mod registers;
mod reports;
mod reset_values;
mod rtc;
mod serial;
mod step;
mod system_blocks;
mod waits;

/// A step of a script; BKPT #0 ends the script.
#[derive(Clone, Copy)]
enum Do {
    Write(u32, u32),
    /// Loads a word; its value is stored for [`Played::read`].
    Read(u32),
    /// Stores the lowest byte.
    Byte(u32, u32),
    Wfi,
    /// Calls the ROM function of these letters with these three arguments and stores its result.
    Rom(&'static [u8; 2], [u32; 3]),
}
use Do::{Byte, Read, Rom, Wfi, Write};

const PROGRAM: u32 = FLASH_BASE + 0x100;
const CODE: u32 = FLASH_BASE + 0x200;
const SCRIPT: u32 = FLASH_BASE + 0x1000;
const RESULTS: u32 = RAM_BASE + 0x1000;
const STACK: u32 = RAM_BASE + 0x1_0000;
const HANDLER: u32 = CODE + 0x80;
const SECOND_CORE: u32 = CODE + 0xC0;
const FLASH_SIZE: usize = 64 * 1024;

/// Second stage: sets the vector table at 0x10000100 and starts the program in it.
const BOOT2: &[u16] = &[
    0x4803, // ldr r0, =0x10000100
    0x4904, // ldr r1, =0xE000ED08
    0x6008, // str r0, [r1]
    0xC806, // ldm r0!, {r1, r2}
    0xF381, 0x8808, // msr MSP, r1
    0x4710, // bx r2
    0xBF00, 0x0100, 0x1000, 0xED08, 0xE000,
];

/// Executes the script at R4 and stores the values read at R5.
const PLAYER: &[u16] = &[
    0x4C18, // ldr r4, =SCRIPT
    0x4D19, // ldr r5, =RESULTS
    0xCC07, // ldm r4!, {r0, r1, r2}
    0x2801, // cmp r0, #1
    0xD307, // bcc to the end
    0xD008, // beq to the store
    0x2803, // cmp r0, #3
    0xD308, // bcc to the load
    0xD00A, // beq to the byte
    0x2804, // cmp r0, #4
    0xD00A, // beq to the wait
    0xE00B, // b to the call
    0xBF00, // nop
    0xBE00, // bkpt #0
    0xE7FE, // b .
    0x600A, // str r2, [r1]
    0xE7F0, // b to the ldm
    0x680A, // ldr r2, [r1]
    0xC504, // stm r5!, {r2}
    0xE7ED, // b to the ldm
    0x700A, // strb r2, [r1]
    0xE7EB, // b to the ldm
    0xBF30, // wfi
    0xE7E9, // b to the ldm
    0xBF00, // nop
    // R1 is the code, the three arguments follow.
    0x2014, // movs r0, #0x14
    0x8800, // ldrh r0, [r0]
    0x2218, // movs r2, #0x18
    0x8812, // ldrh r2, [r2]
    0x4790, // blx r2
    0x0006, // movs r6, r0
    0xCC07, // ldm r4!, {r0, r1, r2}
    0x47B0, // blx r6
    0xC501, // stm r5!, {r0}
    0xE7DE, // b to the ldm
];

/// Sends its CPUID plus 0x42 to core 0 through the FIFO, and sleeps.
const SECOND: &[u16] = &[
    0x20D0, // movs r0, #0xD0
    0x0600, // lsls r0, r0, #24
    0x6801, // ldr r1, [r0]: CPUID
    0x3142, // adds r1, #0x42
    0x6541, // str r1, [r0, #0x54]: FIFO_WR
    0xBF40, // sev
    0xBF30, // wfi
    0xE7FD, // b to the wfi
];

fn halfwords(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a flash with the second stage, the player and a script. Every handler is BKPT #1 and a
/// return.
fn flash(script: &[Do]) -> Vec<u8> {
    let mut flash = halfwords(BOOT2);
    flash.resize(252, 0);
    flash.extend(rom::boot2_checksum(&flash).to_le_bytes());
    let mut vectors = vec![STACK, CODE | 1];
    vectors.resize(48, HANDLER | 1);
    let mut put = |address: u32, bytes: &[u8]| {
        flash.resize((address - FLASH_BASE) as usize, 0xFF);
        flash.extend(bytes);
    };
    put(PROGRAM, &words(&vectors));
    let mut code = PLAYER.to_vec();
    code.resize(0x32, 0);
    put(CODE, &halfwords(&code));
    put(CODE + 0x64, &words(&[SCRIPT, RESULTS]));
    put(HANDLER, &halfwords(&[0xBE01, 0x4770]));
    put(SECOND_CORE, &halfwords(SECOND));
    let mut list = vec![];
    for step in script {
        list.extend(match *step {
            Write(address, value) => vec![1, address, value],
            Read(address) => vec![2, address, 0],
            Byte(address, value) => vec![3, address, value],
            Wfi => vec![4, 0, 0],
            Rom(letters, [a, b, c]) => {
                vec![5, u16::from_le_bytes(*letters).into(), 0, a, b, c]
            }
        });
    }
    list.push(0);
    put(SCRIPT, &words(&list));
    flash
}

fn chip(script: &[Do]) -> Chip {
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&Image::from_bin(&flash(script)).unwrap()).unwrap();
    chip.set_debugged(true);
    chip.power_on().unwrap();
    chip
}

/// B to itself.
const ENDLESS: u16 = 0xE7FE;

/// Replaces the player's BKPT #0 by another instruction.
fn instead_of_the_end(chip: &mut Chip, instruction: u16) {
    chip.memory_mut().load(CODE + 26, &instruction.to_le_bytes()).unwrap();
}

const SECOND_NS: u64 = 1_000_000_000;

/// Executes `script` to its end and checks the values that it has read.
#[track_caller]
fn check(script: &[Do], read: &[u32]) -> Chip {
    let mut chip = chip(script);
    let halt = chip.run(SECOND_NS);
    let fault = chip.core(0).fault().map(ToString::to_string);
    assert_eq!(halt, Halt::Breakpoint(0, 0), "{fault:?}");
    let values: Vec<u32> =
        (0..read.len()).map(|n| chip.memory().word(RESULTS + 4 * n as u32).unwrap()).collect();
    assert_eq!(values, read, "{values:x?}");
    chip
}

/// Sets XOSC, PLL and clocks as every program does: 125 MHz, and a tick of a microsecond.
const CLOCKS: [Do; 9] = [
    Write(0x4002_4000, 0xFAB_AA0),
    Write(0x4002_8008, 125),
    Write(0x4002_8004, 0),
    Write(0x4002_800C, 6 << 16 | 2 << 12),
    Write(0x4000_8030, 2),
    Write(0x4000_803C, 1),
    Write(0x4000_8048, 1 << 11),
    Write(0x4005_802C, 1 << 9 | 12),
    Write(0x4000_F000, 0x01FF_FFFF), // RESETS, by the alias that clears
];

fn after_clocks(script: &[Do]) -> Vec<Do> {
    CLOCKS.iter().chain(script).copied().collect()
}

/// Returns the next random number: xorshift.
fn random(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}
