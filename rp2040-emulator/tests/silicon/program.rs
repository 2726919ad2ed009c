//! A chip that runs a program in RAM, assembled here or as a list of accesses.

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::memory::RAM_BASE;

use super::assembler::Assembler;

/// Address of the vector table; only HardFault has a handler of its own.
pub const VECTORS: u32 = RAM_BASE;
pub const CODE: u32 = RAM_BASE + 0x100;
pub const STACK: u32 = RAM_BASE + 0x3_0000;
/// Stack of core 1.
pub const STACK_1: u32 = RAM_BASE + 0x3_8000;
const SCRIPT: u32 = RAM_BASE + 0x1_0000;
const RESULTS: u32 = RAM_BASE + 0x2_0000;

/// One second, in which each program here ends.
pub const SECOND_NS: u64 = 1_000_000_000;

/// Encodings without operands.
pub const UDF: u16 = 0xDE00;
pub const BKPT: u16 = 0xBE00;
pub const BX_LR: u16 = 0x4770;
pub const B: u16 = 0xE000;
pub const BEQ: u16 = 0xD000;
pub const BNE: u16 = 0xD100;

/// Returns a chip about to execute the program that `write` assembles from label `main`. HardFault
/// goes to label `fault`, if there is one.
pub fn chip(write: impl FnOnce(&mut Assembler)) -> Chip {
    let mut assembler = Assembler::new(CODE);
    write(&mut assembler);
    let (code, labels) = assembler.finish();
    let mut chip = Chip::new(64 * 1024);
    chip.power_on().expect_err("the flash is erased");
    chip.set_debugged(true);
    let bytes: Vec<u8> = code.into_iter().flat_map(u16::to_le_bytes).collect();
    chip.memory_mut().load(CODE, &bytes).expect("it is RAM");
    let fault = labels.get("fault").map_or(0, |address| address | 1);
    let vectors = [STACK, labels["main"] | 1, 0, fault].map(u32::to_le_bytes).concat();
    chip.memory_mut().load(VECTORS, &vectors).expect("it is RAM");
    chip.core_mut(0).begin(VECTORS, STACK, labels["main"] | 1);
    chip
}

/// Assembles the launch of core 1 at `entry`; changes R1 and R7.
pub fn launch_core_1(a: &mut Assembler, entry: u32) {
    a.load(7, 0xD000_0050);
    a.code(&[0x68B9]); // ldr r1, [r7, #8]: the 0 of the ROM
    for word in [0, 0, 1, VECTORS, STACK_1, entry | 1] {
        a.load(1, word);
        a.code(&[0x6079, 0x68B9]); // str r1, [r7, #4]; ldr r1, [r7, #8]
    }
}

/// A step of a list of accesses.
#[derive(Clone, Copy)]
pub enum Do {
    Write(u32, u32),
    /// Stores the lowest byte.
    Byte(u32, u32),
    /// Loads a word, and stores it for the results.
    Read(u32),
    /// Passes this number of iterations of four cycles.
    Pass(u32),
}

/// Returns a chip about to execute `steps`, which ends at BKPT #0.
pub fn script(steps: &[Do]) -> Chip {
    let mut chip = chip(|a| {
        a.label("main");
        a.load(4, SCRIPT);
        a.load(5, RESULTS);
        a.label("next");
        a.code(&[0xCC07, 0x2800]); // ldm r4!, {r0, r1, r2}; cmp r0, #0
        a.branch(BEQ, "write");
        a.code(&[0x2801]);
        a.branch(BEQ, "byte");
        a.code(&[0x2802]);
        a.branch(BEQ, "read");
        a.code(&[0x2803]);
        a.branch(BEQ, "pass");
        a.code(&[BKPT]);
        a.label("write");
        a.code(&[0x600A]); // str r2, [r1]
        a.branch(B, "next");
        a.label("byte");
        a.code(&[0x700A]); // strb r2, [r1]
        a.branch(B, "next");
        a.label("read");
        a.code(&[0x680A, 0x602A, 0x3504]); // ldr r2, [r1]; str r2, [r5]; adds r5, #4
        a.branch(B, "next");
        a.label("pass");
        a.code(&[0x46C0, 0x3A01]); // nop; subs r2, #1
        a.branch(BNE, "pass");
        a.branch(B, "next");
    });
    let words = steps.iter().flat_map(|step| match *step {
        Do::Write(address, value) => [0, address, value],
        Do::Byte(address, value) => [1, address, value],
        Do::Read(address) => [2, address, 0],
        Do::Pass(count) => [3, 0, count],
    });
    let bytes: Vec<u8> = words.chain([9, 0, 0]).flat_map(u32::to_le_bytes).collect();
    chip.memory_mut().load(SCRIPT, &bytes).expect("it is RAM");
    chip
}

/// Runs a program to its BKPT #0.
#[track_caller]
pub fn to_end(chip: &mut Chip) {
    let until = chip.now_ns() + SECOND_NS;
    assert_eq!(chip.run(until), Halt::Breakpoint(0, 0), "{:?}", chip.fault());
}

/// Runs `steps`, and returns the values that they read.
#[track_caller]
pub fn reads(steps: &[Do]) -> Vec<u32> {
    let mut chip = script(steps);
    to_end(&mut chip);
    results(&chip, steps)
}

/// Returns the values that `steps` have read in `chip`.
pub fn results(chip: &Chip, steps: &[Do]) -> Vec<u32> {
    let count = steps.iter().filter(|step| matches!(step, Do::Read(_))).count() as u32;
    (0..count).map(|n| chip.memory().word(RESULTS + 4 * n).expect("it is RAM")).collect()
}
