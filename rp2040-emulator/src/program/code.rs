//! The instructions of a program, without the data among them.
//!
//! Compilers put constants between functions. The ELF's mapping symbols (ELF for the Arm
//! Architecture, section 5.5.5) mark where code begins (`$t`) and where data does (`$d`). The
//! addresses of code are those at which it runs: for code that a program copies to the RAM, these
//! are in the RAM.

use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, elf};

use super::Program;

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code<'a> {
    /// Address of the first byte.
    pub address: u32,
    /// Instructions in the order of memory.
    pub bytes: &'a [u8],
}

impl Code<'_> {
    /// Returns each instruction's address and first halfword.
    pub fn instructions(&self) -> impl Iterator<Item = (u32, u16)> {
        let (halfwords, _) = self.bytes.as_chunks::<2>();
        let mut at = 0;
        std::iter::from_fn(move || {
            let halfword = u16::from_le_bytes(*halfwords.get(at)?);
            let address = self.address.wrapping_add(2 * at as u32);
            at += if crate::decode::is_wide(halfword) { 2 } else { 1 };
            Some((address, halfword))
        })
    }
}

impl Program {
    /// Returns all code of the program, sorted by address. Empty unless it is an ELF file with
    /// sections.
    pub fn code(&self) -> Vec<Code<'_>> {
        let (Some(elf), Some(file)) = (self.elf(), &self.elf) else { return Vec::new() };
        let marks = marks(&elf);
        let mut code = Vec::new();
        for section in elf.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
            let flags = |wanted: elf::SectionFlags| sh_flags.0 & wanted.0 != 0;
            let range =
                section.file_range().filter(|_| section.kind() != SectionKind::UninitializedData);
            let Some((offset, length)) = range.filter(|_| flags(elf::SHF_ALLOC)) else { continue };
            let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..length as usize));
            let piece =
                Code { address: section.address() as u32, bytes: bytes.unwrap_or_default() };
            // Without marks, a section for instructions contains only instructions.
            pieces(piece, flags(elf::SHF_EXECINSTR), &marks, &mut code);
        }
        code.sort_by_key(|piece| piece.address);
        code
    }
}

/// Returns where code (`true`) and data begin, sorted by address.
fn marks(elf: &ElfFile32<'_, Endianness>) -> Vec<(u32, bool)> {
    let mark = |name: &str| match name.as_bytes() {
        [b'$', b't'] | [b'$', b't', b'.', ..] => Some(true),
        [b'$', b'd'] | [b'$', b'd', b'.', ..] => Some(false),
        _ => None,
    };
    let symbols = elf.symbols();
    let mut marks: Vec<_> = symbols
        .filter_map(|symbol| Some((symbol.address() as u32 & !1, mark(symbol.name().ok()?)?)))
        .collect();
    marks.sort_by_key(|(address, _)| *address);
    marks
}

/// Adds the code of a section to `code`.
fn pieces<'a>(
    section: Code<'a>,
    mut is_code: bool,
    marks: &[(u32, bool)],
    code: &mut Vec<Code<'a>>,
) {
    let Code { address: first, bytes } = section;
    let end = u64::from(first) + bytes.len() as u64;
    let from = marks.partition_point(|(address, _)| *address < first);
    let within = marks[from..].iter().take_while(|(address, _)| u64::from(*address) < end);
    let mut begin = 0;
    let mut add = |range: std::ops::Range<usize>, is_code: bool| {
        if is_code && !range.is_empty() {
            code.push(Code { address: first + range.start as u32, bytes: &bytes[range] });
        }
    };
    for (address, next) in within {
        let at = (address - first) as usize;
        add(begin..at, is_code);
        (begin, is_code) = (at, *next);
    }
    add(begin..bytes.len(), is_code);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_between_functions_is_not_code() {
        let bytes: Vec<u8> = (0..16).collect();
        let section = Code { address: 0x100, bytes: &bytes };
        let marks = [(0x80, true), (0x104, false), (0x108, true), (0x10C, true), (0x110, false)];
        let all: [(u32, usize); 3] = [(0x100, 4), (0x108, 4), (0x10C, 4)];
        for (executable, expected) in [(true, &all[..]), (false, &all[1..])] {
            let mut code = Vec::new();
            pieces(section, executable, &marks, &mut code);
            let found: Vec<_> = code.iter().map(|code| (code.address, code.bytes.len())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_instruction_of_32_bits_is_one() {
        // nop; bl; nop, and half of another instruction.
        let code = Code { address: 0x100, bytes: &[0, 0xBF, 0, 0xF0, 7, 0xF8, 0, 0xBF, 1] };
        let found: Vec<_> = code.instructions().collect();
        assert_eq!(found, [(0x100, 0xBF00), (0x102, 0xF000), (0x106, 0xBF00)]);
    }
}
