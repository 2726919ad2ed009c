use super::*;
use crate::cpu::disassemble::disassemble;

/// Decodes `first` and `second` and compares what the disassembler makes of it at address 0x100.
#[track_caller]
fn check(first: u16, second: u16, expected: &str) {
    assert_eq!(disassemble(decode(first, second), 0x100), expected);
}

#[test]
fn shifts_by_an_encoded_zero_are_moves_or_shifts_by_32() {
    check(0x0008, 0, "movs r0, r1");
    check(0x0808, 0, "lsrs r0, r1, #32");
    check(0x1008, 0, "asrs r0, r1, #32");
}

#[test]
fn branches_count_from_the_instruction_plus_four() {
    check(0xE7FE, 0, "b 0x00000100");
    check(0xD1FC, 0, "bne 0x000000fc");
    check(0xF7FF, 0xFFFE, "bl 0x00000100");
    check(0xF000, 0xF801, "bl 0x00000106");
    check(0xF400, 0xD000, "bl 0xff000104");
}

#[test]
fn stack_lists_name_the_link_register_and_the_program_counter() {
    check(0xB5F0, 0, "push {r4, r5, r6, r7, lr}");
    check(0xBD81, 0, "pop {r0, r7, pc}");
    check(0xB500, 0, "push {lr}");
}

#[test]
fn load_multiple_writes_its_base_back_unless_it_loads_it() {
    check(0xC906, 0, "ldm r1, {r1, r2}");
    check(0xC905, 0, "ldm r1!, {r0, r2}");
    check(0xC105, 0, "stm r1!, {r0, r2}");
}

#[test]
fn empty_lists_are_undefined() {
    for first in [0xB400, 0xBC00, 0xC000, 0xC800] {
        assert_eq!(decode(first, 0), Instruction::Undefined { encoding: first });
    }
}

#[test]
fn system_instructions_name_their_special_registers() {
    check(0xF3EF, 0x8005, "mrs r0, IPSR");
    check(0xF380, 0x8814, "msr CONTROL, r0");
    check(0xB672, 0, "cpsid i");
    check(0xF3BF, 0x8F5F, "dmb sy");
    check(0xBF20, 0, "wfe");
}

#[test]
fn every_pair_of_halfwords_decodes_and_disassembles() {
    for first in 0..=u16::MAX {
        for second in [0x0000, 0x8000, 0xA234, 0xD7FF, 0xF800, 0xFFFF] {
            let instruction = decode(first, second);
            assert!(!disassemble(instruction, 0x1000_0000).is_empty());
            if instruction.size() == 4 {
                assert!(is_wide(first), "{first:04x} is a halfword alone");
            }
        }
    }
}
