//! ELF files, read by the `object` crate: the segments at their load addresses, and the names of
//! functions.

use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Object, ObjectSymbol, SymbolKind, elf};

use super::error::{ElfError, ElfMachine, ImageError};
use super::segment::Segment;
use super::symbols::Symbols;

/// The contents of an ELF file.
pub(super) struct Parsed {
    /// Segments at their load addresses.
    pub(super) segments: Vec<Segment>,
    pub(super) entry: u32,
    /// Names of functions.
    pub(super) symbols: Symbols,
    /// Addresses and lengths of the segments while the program runs.
    pub(super) places: Vec<(u32, u32)>,
}

/// Reads an ELF file.
pub(super) fn parse(file: &[u8]) -> Result<Parsed, ImageError> {
    let broken = |error: object::Error| ImageError::BrokenElf(error.into());
    check_machine(file)?;
    let parsed = ElfFile32::<object::Endianness>::parse(file).map_err(broken)?;
    let endian = parsed.endian();
    let (mut segments, mut places) = (vec![], vec![]);
    for header in parsed.elf_program_headers() {
        if header.p_type(endian) == elf::PT_LOAD {
            let bytes = header
                .data(endian, file)
                .map_err(|()| ImageError::BrokenElf(ElfError::ShortSegment))?;
            places.push((header.p_vaddr(endian), bytes.len() as u32));
            // Data that is copied to RAM at the start is in the flash until then.
            segments.push(Segment { address: header.p_paddr(endian), bytes: bytes.to_vec() });
        }
    }
    let symbols =
        parsed.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text).filter_map(|symbol| {
            Some((symbol.address() as u32, symbol.size() as u32, symbol.name().ok()?))
        });
    let (entry, symbols) = (parsed.elf_header().e_entry(endian), Symbols::new(symbols));
    Ok(Parsed { segments, entry, symbols, places })
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
