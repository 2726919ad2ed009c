//! ELF files, read by the `object` crate: the segments at their load addresses, and the names of
//! functions.

use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Object, ObjectSymbol, SymbolKind, elf};

use super::error::{ElfError, ElfMachine, ImageError};
use super::segment::Segment;
use super::symbols::Symbols;

/// Returns the segments, the entry, and the functions.
pub(super) fn parse(file: &[u8]) -> Result<(Vec<Segment>, u32, Symbols), ImageError> {
    let broken = |error: object::Error| ImageError::BrokenElf(error.into());
    check_machine(file)?;
    let parsed = ElfFile32::<object::Endianness>::parse(file).map_err(broken)?;
    let endian = parsed.endian();
    let mut segments = vec![];
    for header in parsed.elf_program_headers() {
        if header.p_type(endian) == elf::PT_LOAD {
            let bytes = header
                .data(endian, file)
                .map_err(|()| ImageError::BrokenElf(ElfError::ShortSegment))?;
            // Data that is copied to RAM at the start is in the flash until then.
            segments.push(Segment { address: header.p_paddr(endian), bytes: bytes.to_vec() });
        }
    }
    let symbols =
        parsed.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text).filter_map(|symbol| {
            Some((symbol.address() as u32, symbol.size() as u32, symbol.name().ok()?))
        });
    Ok((segments, parsed.elf_header().e_entry(endian), Symbols::new(symbols)))
}

/// Checks class, byte order and machine, which are at fixed offsets at the beginning of the file.
fn check_machine(file: &[u8]) -> Result<(), ImageError> {
    let other = |machine| Err(ImageError::OtherMachine(machine));
    let (Some(&class), Some(&order), Some(&[low, high])) =
        (file.get(4), file.get(5), file.get(18..).and_then(|rest| rest.first_chunk::<2>()))
    else {
        return Err(ImageError::BrokenElf(ElfError::ShortHeader));
    };
    if class != elf::ELFCLASS32.0 {
        return other(ElfMachine::Bits64);
    }
    if order != elf::ELFDATA2LSB.0 {
        return other(ElfMachine::BigEndian);
    }
    match elf::Machine(u16::from_le_bytes([low, high])) {
        elf::EM_ARM => Ok(()),
        elf::EM_RISCV => other(ElfMachine::RiscV),
        elf::EM_386 => other(ElfMachine::X86),
        elf::EM_XTENSA => other(ElfMachine::Xtensa),
        elf::Machine(number) => other(ElfMachine::Other(number)),
    }
}
