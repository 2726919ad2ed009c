use super::*;

fn memory() -> Memory {
    Memory::new(16 * 1024, 4096)
}

/// Stores `value` in each width at `address` and reads it back.
#[track_caller]
fn check(address: u32, stored: bool) {
    let mut memory = memory();
    assert_eq!(memory.store8(address, 0x1EF), stored);
    assert_eq!(memory.load8(address), stored.then_some(0xEF));
}

#[test]
fn ram_is_264_kib_and_not_a_byte_more() {
    check(RAM_BASE, true);
    check(RAM_BASE + RAM_SIZE as u32 - 1, true);
    check(RAM_BASE + RAM_SIZE as u32, false);
    check(RAM_BASE - 1, false);
}

#[test]
fn unaligned_transfers_are_refused() {
    let mut memory = memory();
    for offset in 1..4 {
        assert_eq!(memory.load32(RAM_BASE + offset), None);
        assert!(!memory.store32(RAM_BASE + offset, 0));
    }
    assert_eq!(memory.load16(RAM_BASE + 1), None);
    assert!(!memory.store16(RAM_BASE + 3, 0));
}

#[test]
fn words_are_little_endian() {
    let mut memory = memory();
    assert!(memory.store32(RAM_BASE, 0x4433_2211));
    assert!(memory.store16(RAM_BASE + 2, 0x6655));
    assert_eq!(memory.bytes(RAM_BASE), Some([0x11, 0x22, 0x55, 0x66]));
}

#[test]
fn stores_do_not_reach_rom_and_flash() {
    let mut memory = memory();
    assert!(!memory.store32(ROM_BASE, 1));
    assert!(!memory.store32(FLASH_BASE, 1));
    assert_eq!(memory.word(FLASH_BASE), Some(0xFFFF_FFFF));
}

#[test]
fn the_flash_repeats_to_the_end_of_its_window() {
    let mut memory = memory();
    memory.load(FLASH_BASE + 0xFFC, &[1, 2, 3, 4]).unwrap();
    for address in [FLASH_BASE + 0xFFC, FLASH_BASE + 0x1FFC, 0x10FF_FFFC, 0x1300_5FFC] {
        assert_eq!(memory.word(address), Some(0x0403_0201), "{address:#x}");
    }
    assert_eq!([FLASH_BASE + 0x1FFD, 0x1400_0FFC].map(|address| memory.word(address)), [None; 2]);
    assert_eq!(Memory::new(16, 0).word(FLASH_BASE), None);
}

#[test]
fn an_instruction_is_decoded_again_after_a_store_to_it() {
    let mut memory = memory();
    assert!(memory.store32(RAM_BASE + 0x100, 0x2102_2001)); // movs r0, #1; movs r1, #2
    let place = memory.place(RAM_BASE + 0x100).unwrap();
    memory.decode(place.index, RAM_BASE + 0x100);
    assert_ne!(memory.instruction(place.index), Instruction::Undecoded);
    assert!(memory.store8(RAM_BASE + 0x100, 3));
    assert_eq!(memory.instruction(place.index), Instruction::Undecoded);
}

#[test]
fn a_store_to_the_second_half_discards_a_wide_instruction() {
    let mut memory = memory();
    assert!(memory.store32(RAM_BASE + 0x1FC, 0xF000_0000));
    assert!(memory.store32(RAM_BASE + 0x200, 0xF800)); // bl, across two pages
    let place = memory.place(RAM_BASE + 0x1FE).unwrap();
    assert_eq!(
        memory.decode(place.index, RAM_BASE + 0x1FE),
        Instruction::Bl { offset: 0 },
        "the instruction must be wide"
    );
    assert!(memory.store16(RAM_BASE + 0x200, 0xF801));
    assert_eq!(memory.instruction(place.index), Instruction::Undecoded);
}

#[test]
fn a_store_to_its_branch_discards_a_pair() {
    let mut memory = memory();
    assert!(memory.store16(RAM_BASE + 0x1FE, 0x2800)); // cmp r0, #0
    assert!(memory.store16(RAM_BASE + 0x200, 0xD0FE)); // beq, on the next page
    let place = memory.place(RAM_BASE + 0x1FE).unwrap();
    let both = memory.decode(place.index, RAM_BASE + 0x1FE);
    assert!(matches!(both, Instruction::CmpImmediateThen { .. }), "{both:?}");
    assert!(memory.store16(RAM_BASE + 0x200, 0xD1FE));
    assert_eq!(memory.instruction(place.index), Instruction::Undecoded);
}

#[test]
fn every_region_ends_with_an_end() {
    let mut memory = memory();
    for (base, size) in [(ROM_BASE, 16 * 1024), (FLASH_BASE, 4096), (RAM_BASE, RAM_SIZE as u32)] {
        let last = memory.place(base + size - 2).unwrap();
        assert_eq!(memory.instruction(last.index + 1), Instruction::End);
        assert_eq!(memory.instruction(last.index), Instruction::Undecoded);
        assert_eq!(memory.place(base + size), None);
    }
}

#[test]
fn copies_share_the_flash_until_one_of_them_writes_to_it() {
    let mut memory = Memory::new(0, 4 * 4096);
    memory.load(FLASH_BASE, &[7; 4 * 4096]).unwrap();
    let mut copy = memory.clone();
    assert_eq!(memory.flash.own_pages(&copy.flash), 0);
    assert!(copy.erase_flash(4096, 4096));
    assert!(copy.program_flash(8192, &[0xFF; 4096]), "it changes nothing");
    assert_eq!(memory.flash.own_pages(&copy.flash), 1);
    assert_eq!([&memory, &copy].map(|one| one.byte(FLASH_BASE + 4096)), [Some(7), Some(0xFF)]);
}

#[test]
fn copies_share_what_is_decoded_until_one_of_them_changes_it() {
    let mut memory = memory();
    assert!(memory.store16(RAM_BASE, 0x2001)); // movs r0, #1
    let index = memory.place(RAM_BASE).unwrap().index;
    let decoded = memory.decode(index, RAM_BASE);
    let mut copy = memory.clone();
    assert_eq!(copy.instruction(index), decoded);
    assert_eq!(memory.code.own_pages(&copy.code), 0);
    assert!(copy.store16(RAM_BASE, 0x2002));
    assert_eq!(copy.place(RAM_BASE).unwrap().index, index);
    assert_eq!(copy.instruction(index), Instruction::Undecoded);
    assert_ne!(copy.decode(index, RAM_BASE), decoded);
    assert_eq!(memory.instruction(index), decoded);
    assert_eq!(memory.code.own_pages(&copy.code), 1);
}

#[test]
fn programming_only_clears_bits_and_erasing_sets_them() {
    let mut memory = memory();
    assert!(memory.program_flash(8, &[0xF0]));
    assert!(memory.program_flash(8, &[0x3C]));
    assert_eq!(memory.byte(FLASH_BASE + 8), Some(0x30));
    assert!(memory.erase_flash(0, 4096));
    assert_eq!(memory.byte(FLASH_BASE + 8), Some(0xFF));
    assert!(!memory.erase_flash(4096, 1));
    assert!(!memory.program_flash(4095, &[0, 0]));
}

#[test]
fn the_other_windows_show_the_same_memory() {
    let mut memory = memory();
    memory.program_flash(0, &[1, 2, 3, 4]);
    for window in [0x1100_0000, 0x1200_0000, 0x1300_0000] {
        assert_eq!(memory.load32(window), Some(0x0403_0201));
    }
    // The second word of the striped RAM is the first of its second bank.
    assert!(memory.store32(RAM_BASE + 4, 7));
    assert_eq!(memory.load32(0x2101_0000), Some(7));
    assert!(memory.store8(0x2103_0005, 9));
    assert_eq!(memory.load8(RAM_BASE + 16 + 12 + 1), Some(9));
    assert_eq!(memory.load32(0x2104_0000), None);
}
