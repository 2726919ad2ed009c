//! Rules of the flash while it erases or programs.

use rp2040_emulator::chip::{Actor, Chip, Rule};
use rp2040_emulator::memory::FLASH_BASE;

use super::super::assembler::Assembler;
use super::super::program::{B, BKPT, BX_LR, CODE, VECTORS, chip, launch_core_1, to_end};
use super::rules_of;

/// Code in the flash that the boot ROM's functions do not change.
const IN_FLASH: u32 = FLASH_BASE + 0x4000;
/// Sector that the programs erase.
const SECTOR: u32 = 0x8000;
const BLX_R6: u16 = 0x47B0;
const CPSID: u16 = 0xB672;
const CPSIE: u16 = 0xB662;

/// Puts the address of the ROM function of these letters into R6. Changes R0 to R2.
fn look_up(a: &mut Assembler, letters: &[u8; 2]) {
    a.code(&[0x2014, 0x8800]); // movs r0, #0x14; ldrh r0, [r0]: the table
    a.load(1, u16::from_le_bytes(*letters).into());
    a.code(&[0x2218, 0x8812, 0x4790, 0x0006]); // movs r2, #0x18; ldrh r2, [r2]; blx r2; movs r6, r0
}

fn call(a: &mut Assembler, letters: &[u8; 2]) {
    look_up(a, letters);
    a.code(&[BLX_R6]);
}

/// Assembles the erasure of a sector as the SDK does it, and the end.
fn erase(a: &mut Assembler) {
    call(a, b"IF");
    call(a, b"EX");
    look_up(a, b"RE");
    a.load(0, SECTOR);
    a.load(1, 0x1000);
    a.load(2, 0x1_0000);
    a.load(3, 0xD8);
    a.code(&[BLX_R6]);
    call(a, b"FC");
    call(a, b"CX");
    a.code(&[CPSIE, BKPT]);
}

fn put(chip: &mut Chip, address: u32, code: &[u16]) {
    let bytes: Vec<u8> = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    chip.memory_mut().load(address, &bytes).expect("it is memory");
}

/// Returns a chip whose core 0 erases a sector while core 1 loops, in the flash or in the RAM.
fn beside(in_flash: bool) -> Chip {
    let mut chip = chip(|a| {
        a.label("loop");
        a.branch(B, "loop");
        a.label("main");
        launch_core_1(a, if in_flash { IN_FLASH } else { CODE });
        erase(a);
    });
    put(&mut chip, IN_FLASH, &[0xE7FE]);
    to_end(&mut chip);
    chip
}

#[test]
fn the_other_core_does_not_execute_in_a_flash_that_erases() {
    let chip = beside(true);
    assert_eq!(rules_of(&chip), [Rule::FlashNotReadable]);
    let finding = chip.findings()[0];
    assert_eq!((finding.actor, finding.pc), (Actor::Core(1), IN_FLASH));
    assert!(finding.count > 1_000, "it is seen at each instruction: {}", finding.count);
    assert_eq!(rules_of(&beside(false)), []);
}

/// Returns a chip that reads the flash (R5) after the serial mode has begun, or before.
fn reading(after: bool) -> Chip {
    let mut chip = chip(|a| {
        a.label("main");
        a.load(5, IN_FLASH);
        if !after {
            a.code(&[0x6828]); // ldr r0, [r5]
        }
        call(a, b"EX");
        if after {
            a.code(&[0x6828]);
        }
        call(a, b"CX");
        a.code(&[0x6828, BKPT]);
    });
    to_end(&mut chip);
    chip
}

#[test]
fn the_flash_is_not_read_in_serial_mode() {
    assert_eq!(rules_of(&reading(true)), [Rule::FlashNotReadable]);
    assert_eq!(rules_of(&reading(false)), []);
}

/// Returns a chip that erases while SysTick interrupts it, with its handler at this address.
fn interrupted(handler: u32, masked: bool) -> Chip {
    let mut chip = chip(|a| {
        a.label("tick");
        a.code(&[BX_LR]);
        a.label("main");
        a.load(0, 0xE000_E010);
        a.load(1, 100_000);
        a.code(&[0x6041, 0x2107, 0x6001]); // str r1, [r0, #4]; movs r1, #7; str r1, [r0]
        a.code(if masked { &[CPSID] } else { &[CPSIE] });
        erase(a);
    });
    put(&mut chip, IN_FLASH, &[BX_LR]);
    let vector = handler | 1;
    put(&mut chip, VECTORS + 4 * 15, &[vector as u16, (vector >> 16) as u16]);
    to_end(&mut chip);
    chip
}

#[test]
fn no_handler_in_the_flash_is_due_while_it_erases() {
    assert!(rules_of(&interrupted(IN_FLASH, false)).contains(&Rule::FlashInterrupt));
    assert_eq!(rules_of(&interrupted(IN_FLASH, true)), []);
    assert_eq!(rules_of(&interrupted(CODE, false)), []);
}

/// Returns a chip that calls the function that ends XIP at this address.
fn calling(address: u32) -> Chip {
    let mut chip = chip(|a| {
        a.label("call");
        a.code(&[0xB500, BLX_R6, 0xBD00]); // push {lr}; blx r6; pop {pc}
        a.label("main");
        look_up(a, b"EX");
        a.load(5, address | 1);
        a.code(&[0x47A8]); // blx r5
        call(a, b"CX");
        a.code(&[BKPT]);
    });
    put(&mut chip, IN_FLASH, &[0xB500, BLX_R6, 0xBD00]);
    to_end(&mut chip);
    chip
}

#[test]
fn a_function_that_ends_xip_is_called_in_the_ram() {
    assert!(rules_of(&calling(IN_FLASH)).contains(&Rule::FlashCallFromFlash));
    assert_eq!(rules_of(&calling(CODE)), []);
}

/// Returns a chip that calls a function of the flash with these arguments.
fn with_arguments(letters: &[u8; 2], arguments: [u32; 3]) -> Chip {
    let mut chip = chip(|a| {
        a.label("main");
        call(a, b"EX");
        look_up(a, letters);
        for (register, argument) in (0..).zip(arguments) {
            a.load(register, argument);
        }
        a.load(3, 0xD8);
        a.code(&[BLX_R6]);
        call(a, b"CX");
        a.code(&[BKPT]);
    });
    to_end(&mut chip);
    chip
}

#[test]
fn whole_sectors_are_erased_and_whole_pages_programmed_from_the_ram() {
    let rules = |letters, arguments| rules_of(&with_arguments(letters, arguments));
    assert_eq!(rules(b"RE", [SECTOR, 0x1000, 0x1_0000]), []);
    assert_eq!(rules(b"RE", [SECTOR, 0x800, 0x1_0000]), [Rule::FlashRange]);
    assert_eq!(rules(b"RE", [SECTOR + 0x100, 0x1000, 0x1_0000]), [Rule::FlashRange]);
    assert_eq!(rules(b"RP", [SECTOR, CODE, 0x200]), []);
    assert_eq!(rules(b"RP", [SECTOR, CODE, 0x80]), [Rule::FlashRange]);
    assert_eq!(rules(b"RP", [SECTOR, IN_FLASH, 0x100]), [Rule::FlashSource]);
}
