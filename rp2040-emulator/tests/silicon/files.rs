//! Files as the boot ROM takes them.

use rp2040_emulator::chip::Halt;
use rp2040_emulator::memory::RAM_BASE;
use rp2040_emulator::program::Program;

/// Builds a UF2 file with a block of 256 bytes for each of these addresses and halfwords.
fn uf2(blocks: &[(u32, &[u16])]) -> Vec<u8> {
    let count = blocks.len() as u32;
    let block = |(number, (address, code)): (usize, &(u32, &[u16]))| {
        let head =
            [0x0A32_4655, 0x9E5D_5157, 0x2000, *address, 256, number as u32, count, 0xE48B_FF56];
        let mut block: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
        block.extend(code.iter().flat_map(|halfword| halfword.to_le_bytes()));
        block.resize(508, 0);
        block.extend(0x0AB1_6F30_u32.to_le_bytes());
        block
    };
    blocks.iter().enumerate().flat_map(block).collect()
}

#[test]
fn a_uf2_for_the_ram_alone_starts_at_its_lowest_address() {
    // movs r0, #7; bkpt #0. The higher block comes first.
    let file = uf2(&[(RAM_BASE + 0x1100, &[0xBE01]), (RAM_BASE + 0x1000, &[0x2007, 0xBE00])]);
    let mut chip = Program::parse(&file).expect("a program").boot().expect("it starts");
    assert_eq!(chip.core(0).register(13), 0x2004_2000, "the end of the RAM");
    assert_eq!(chip.run(1_000_000), Halt::Breakpoint(0, 0));
    assert_eq!(chip.core(0).pc(), RAM_BASE + 0x1002);
    assert_eq!(chip.core(0).register(0), 7);
}
