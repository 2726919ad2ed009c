use super::*;

const RP2040: u32 = 0xE48B_FF56;

/// Builds a UF2 block with `bytes` for `address`, number `number` of `count`.
fn numbered(address: u32, family: u32, number: u32, count: u32) -> Vec<u8> {
    let mut block = block(address, &[number as u8; 256], 0x2000, family);
    block[20..24].copy_from_slice(&number.to_le_bytes());
    block[24..28].copy_from_slice(&count.to_le_bytes());
    block
}

/// Builds a UF2 block with `bytes` for `address`.
fn block(address: u32, bytes: &[u8], flags: u32, family: u32) -> Vec<u8> {
    let mut block = vec![];
    for word in [0x0A32_4655, 0x9E5D_5157, flags, address, bytes.len() as u32, 0, 1, family] {
        block.extend(u32::to_le_bytes(word));
    }
    block.extend(bytes);
    block.resize(508, 0);
    block.extend(0x0AB1_6F30u32.to_le_bytes());
    block
}

/// Builds an ELF file with one segment for `address` and one function there.
fn elf(address: u32, bytes: &[u8], entry: u32) -> Vec<u8> {
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1];
    file.resize(16, 0);
    file.extend([2, 0, 40, 0]); // executable, ARM
    for word in [1, entry, 52, 0, 0] {
        file.extend(u32::to_le_bytes(word)); // version, entry, program and section headers, flags
    }
    for half in [52, 32, 1, 40, 0, 0] {
        file.extend(u16::to_le_bytes(half));
    }
    let size = bytes.len() as u32;
    for word in [1, 84, address, address, size, size, 5, 4] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(bytes);
    file
}

/// Parses `file` and checks the error message.
#[track_caller]
fn check(file: &[u8], error: &str) {
    match Image::parse(file) {
        Ok(image) => panic!("parsed as {image:?}"),
        Err(found) => assert_eq!(found.to_string(), error),
    }
}

#[test]
fn an_elf_file_gives_its_segment_and_entry() {
    let image = Image::parse(&elf(0x1000_0000, &[1, 2, 3, 4], 0x1000_0001)).unwrap();
    assert_eq!(image.segments, [Segment { address: 0x1000_0000, bytes: vec![1, 2, 3, 4] }]);
    assert_eq!(image.entry, Some(0x1000_0001));
}

#[test]
fn uf2_blocks_that_follow_each_other_become_one_segment() {
    let mut file = block(0x1000_0000, &[1; 256], 0x2000, 0xE48B_FF56);
    file.extend(block(0x1000_0100, &[2; 256], 0x2000, 0xE48B_FF56));
    file.extend(block(0x1000_0200, &[9; 256], 1, 0)); // not for the flash
    file.extend(block(0x1001_0000, &[3; 16], 0, 0));
    let image = Image::parse(&file).unwrap();
    let sizes: Vec<_> = image.segments.iter().map(|s| (s.address, s.bytes.len())).collect();
    assert_eq!(sizes, [(0x1000_0000, 512), (0x1001_0000, 16)]);
}

#[test]
fn blocks_of_other_families_are_skipped_in_any_order() {
    const RP2350: u32 = 0xE48B_FF59;
    let other = numbered(0x1000_0000, RP2350, 0, 1);
    let own = [0, 1].map(|n| numbered(0x1000_0000 + 256 * n, RP2040, n, 2));
    for file in [
        [&own[0][..], &own[1], &other].concat(),
        [&other[..], &own[0], &own[1]].concat(),
        [&own[0][..], &other, &own[1]].concat(),
    ] {
        let segments = Image::parse(&file).unwrap().segments;
        let bytes = [[0; 256], [1; 256]].concat();
        assert_eq!(segments, [Segment { address: 0x1000_0000, bytes }]);
    }
    check(&other, "this UF2 file is for family 0xe48bff59, the RP2040 is 0xe48bff56");
}

#[test]
fn a_missing_block_is_an_error() {
    let block = |n: u32| numbered(0x1000_0000 + 256 * n, RP2040, n, 3);
    let error = "block 1 of the 3 of this UF2 file is missing; the chip would wait for it, so write \
                 or copy the file again";
    check(&[block(0), block(2)].concat(), error);
    assert!(Image::parse(&[block(2), block(0), block(1)].concat()).is_ok());
}

#[test]
fn a_program_that_is_copied_to_ram_has_its_entry_there() {
    let mut file = elf(0x1000_0000, &[0; 8], 0x2000_0005);
    assert_eq!(Image::parse(&file).unwrap_err(), ImageError::WrongEntry(0x2000_0005));
    file[60..64].copy_from_slice(&0x2000_0000_u32.to_le_bytes()); // p_vaddr
    let image = Image::parse(&file).unwrap();
    assert_eq!(image.segments[0].address, 0x1000_0000);
}

#[test]
fn a_file_of_unknown_format_is_an_error() {
    check(
        b"hello",
        "this is neither an ELF nor a UF2 nor a HEX file; a raw image of the flash must be named \
         as such",
    );
    check(
        &[],
        "this is neither an ELF nor a UF2 nor a HEX file; a raw image of the flash must be named \
         as such",
    );
}

#[test]
fn a_hex_file_is_segments_at_its_addresses() {
    let file = b":020000041000EA\n:04000000DEADBEEFC4\r\n:0400040001020304EE\n\
                 :020000042000DA\n:01001000AB44\n:00000001FF\n";
    let segments = Image::parse(file).unwrap().segments;
    let found: Vec<_> = segments.iter().map(|s| (s.address, s.bytes.as_slice())).collect();
    let flash: &[u8] = &[0xDE, 0xAD, 0xBE, 0xEF, 1, 2, 3, 4];
    assert_eq!(found, [(0x1000_0000, flash), (0x2000_0010, &[0xAB])]);
    for (text, line, error) in [
        (":00000001FF\n:00000001FF\n", 2, HexError::AfterEnd),
        (":020000041000EA\n", 0, HexError::NoEnd),
        (":020000041000EA\nhello\n", 2, HexError::Record(ihex::ReaderError::MissingStartCode)),
        (
            ":04000000DEADBEEFC5\n",
            1,
            HexError::Record(ihex::ReaderError::ChecksumMismatch(0xC4, 0xC5)),
        ),
    ] {
        assert_eq!(Image::parse(text.as_bytes()).unwrap_err(), ImageError::BrokenHex(line, error));
    }
}

#[test]
fn other_machines_are_named() {
    let mut file = elf(0x1000_0000, &[0; 4], 0x1000_0001);
    file[18] = 243;
    check(&file, "this ELF file is for RISC-V, the RP2040 needs 32-bit ARM");
    file[4] = 2;
    check(&file, "this ELF file is for a 64-bit machine, the RP2040 needs 32-bit ARM");
    check(
        &block(0x1000_0000, &[0; 4], 0x2000, 0xE48B_FF59),
        "this UF2 file is for family 0xe48bff59, the RP2040 is 0xe48bff56",
    );
}

#[test]
fn a_file_cut_short_is_an_error_wherever_it_is_cut() {
    let elf = elf(0x1000_0000, &[7; 64], 0x1000_0001);
    for length in 0..elf.len() {
        assert!(Image::parse(&elf[..length]).is_err(), "an ELF of {length} bytes");
    }
    let uf2 = block(0x1000_0000, &[1; 256], 0, 0);
    for length in 0..uf2.len() {
        assert!(Image::parse(&uf2[..length]).is_err(), "a UF2 of {length} bytes");
    }
    check(&uf2[..511], "block 0 of this UF2 file is cut short");
}

#[test]
fn a_program_outside_flash_and_ram_does_not_load() {
    check(
        &elf(0x0800_0000, &[0; 4], 0x0800_0001),
        "4 bytes at 0x08000000 are neither in the flash (from 0x10000000, at most 16 MiB) nor in \
         the RAM (0x20000000 to 0x20041fff)",
    );
    let error = Image::from_bin(&vec![0; MAX_FLASH_SIZE + 1]).unwrap_err();
    assert_eq!(error, ImageError::OutsideMemory(FLASH_BASE, MAX_FLASH_SIZE + 1));
}

#[test]
fn an_entry_must_be_thumb_code_that_is_loaded() {
    for entry in [0x1000_0000, 0x1000_0005, 0] {
        let file = elf(0x1000_0000, &[0; 4], entry);
        assert_eq!(Image::parse(&file).unwrap_err(), ImageError::WrongEntry(entry));
    }
}

#[test]
fn an_empty_file_has_nothing_to_load() {
    assert_eq!(Image::from_bin(&[]).unwrap_err(), ImageError::Empty);
    check(&elf(0x1000_0000, &[], 1), "this file has nothing to load");
}

#[test]
fn symbols_name_addresses_and_demangle() {
    let symbols = Symbols::new([
        (0x1000_0101, 8, "_ZN4main4loop17h0123456789abcdefE"),
        (0x1000_0201, 0, "Reset"),
        (0x1000_0100, 0, "$t"),
    ]);
    assert_eq!(symbols.describe(0x1000_0104).to_string(), "0x10000104 main::loop+0x4");
    assert_eq!(symbols.describe(0x1000_0200).to_string(), "0x10000200 Reset");
    assert_eq!(symbols.describe(0x1000_0108).to_string(), "0x10000108");
    assert_eq!(symbols.address("Reset"), Some(0x1000_0200));
    assert_eq!(symbols.range(0x1000_0107), Some(0x1000_0100..0x1000_0108));
    assert_eq!(symbols.range(0x1000_0108), None);
    assert_eq!(symbols.range(0x1000_0400), Some(0x1000_0200..u32::MAX));
}
