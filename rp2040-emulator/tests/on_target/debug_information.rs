//! Debugging information that is overwritten at random must give lines or an error, and no panic.

use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection};
use rp2040_emulator::program::Program;

use super::board::file;

#[test]
fn damaged_debugging_information_gives_lines_or_an_error() {
    let whole = file("uart");
    let elf: ElfFile32<'_, Endianness> = ElfFile32::parse(&*whole).expect("an ELF");
    let sections: Vec<_> = elf
        .sections()
        .filter(|section| section.name().is_ok_and(|name| name.starts_with(".debug_")))
        .filter_map(|section| section.file_range())
        .collect();
    assert!(sections.len() > 5, "{sections:?}");
    let intact = Program::parse(&whole).expect("a program");
    assert_eq!(intact.debug_information_error(), None);
    let (mut broken, mut read) = (0, 0);
    for seed in 0..300_u64 {
        let mut state = seed;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        let mut bytes = whole.clone();
        let (offset, size) = sections[below(sections.len() as u64) as usize];
        for _ in 0..=below(8) {
            bytes[(offset + below(size)) as usize] = below(256) as u8;
        }
        let program = Program::parse(&bytes).expect("its code is whole");
        match program.debug_information() {
            Ok(information) => {
                read += 1;
                for code in program.code() {
                    let first = u64::from(code.address);
                    let end = first + code.bytes.len() as u64;
                    // A table that contradicts itself may still be refused here.
                    let _ = information.find_location_range(first, end).map(Iterator::count);
                }
                assert!(!program.place(intact.code()[0].address + 64).to_string().is_empty());
            }
            Err(error) => {
                broken += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(broken > 30 && read > 30, "{broken} broken, {read} read");
}
