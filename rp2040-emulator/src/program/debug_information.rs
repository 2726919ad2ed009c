//! The debugging information of a program's ELF file (DWARF), as far as it can be trusted.
//!
//! A file may be truncated, damaged or malicious. Readers of DWARF skip units that they cannot
//! read, call themselves for each nested function, and read a line table once for each unit that
//! refers to it. So the module reads everything once, with bounds, before any lookup. Any defect
//! makes the whole information an error, because otherwise a part of the lines would be reported as
//! if it were all of them. Damage that changes a number into another valid one cannot be detected.

use addr2line::Context;
use addr2line::gimli::{self, AttributeValue, DwTag, EndianSlice, LittleEndian, Unit, UnitRef};
use object::{Object, ObjectSection};
use thiserror::Error;

use super::Program;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// Debugging information of a program, for looking up addresses.
pub type DebugInformation<'a> = Context<Bytes<'a>>;

/// Largest size of all line tables in bytes, each counted for each unit that refers to it. The
/// largest programs for the chip have a quarter of it.
const LINE_BYTES_MAX: usize = 8 << 20;
/// Largest size of all names in bytes, each counted wherever it is used.
const NAME_BYTES_MAX: usize = 64 << 20;
/// Largest number of address ranges.
const RANGES_MAX: usize = 1 << 20;
/// Largest nesting depth of entries: readers call themselves for each function in a function.
const DEPTH_MAX: isize = 400;

/// A reason why debugging information cannot be used. `Display` gives the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DebugInformationError {
    /// A section reaches beyond the end of the file.
    #[error("its section {0} reaches beyond the end of the file")]
    BeyondEnd(String),
    /// A section is compressed.
    #[error(
        "its section {0} is compressed; `objcopy --decompress-debug-sections` writes a file that can be read"
    )]
    Compressed(String),
    /// Data outside of all units, such as a table of addresses, is invalid.
    #[error("{0}")]
    Broken(#[source] gimli::Error),
    /// A compilation unit cannot be read.
    #[error("the unit at byte {offset:#x} of .debug_info is broken: {source}")]
    Unit {
        /// Offset of the unit.
        offset: usize,
        /// Error in the unit.
        source: gimli::Error,
    },
    /// The tables claim more entries than any program has.
    #[error("it has more {0} than any program for this chip")]
    TooLarge(&'static str),
}

impl Program {
    /// Returns the debugging information; it has no entries if the file has none.
    ///
    /// # Errors
    /// Returns an error if any part of it is invalid.
    pub fn debug_information(&self) -> Result<DebugInformation<'_>, DebugInformationError> {
        if let Some(error) = self.debug_information_error() {
            return Err(error.clone());
        }
        Context::from_dwarf(self.dwarf()?).map_err(DebugInformationError::Broken)
    }

    /// Returns the reason why the debugging information cannot be used, if it cannot. The file is
    /// checked only once.
    pub fn debug_information_error(&self) -> Option<&DebugInformationError> {
        let look = || {
            self.check_sections()?;
            check(&self.dwarf()?)
        };
        self.debug_information.get_or_init(|| look().err()).as_ref()
    }

    fn dwarf(&self) -> Result<gimli::Dwarf<Bytes<'_>>, DebugInformationError> {
        let section = |id: gimli::SectionId| {
            Ok::<_, gimli::Error>(EndianSlice::new(self.section(id.name()), LittleEndian))
        };
        gimli::Dwarf::load(section).map_err(DebugInformationError::Broken)
    }

    fn check_sections(&self) -> Result<(), DebugInformationError> {
        let Some(elf) = self.elf() else { return Ok(()) };
        let length = self.elf_file().map_or(0, <[u8]>::len) as u64;
        for section in elf.sections() {
            let Ok(name) = section.name() else { continue };
            if name.starts_with(".zdebug_") {
                return Err(DebugInformationError::Compressed(name.to_owned()));
            }
            if !name.starts_with(".debug_") {
                continue;
            }
            if let object::SectionFlags::Elf { sh_flags, .. } = section.flags()
                && sh_flags.contains(object::elf::SHF_COMPRESSED)
            {
                return Err(DebugInformationError::Compressed(name.to_owned()));
            }
            if section.file_range().is_some_and(|(from, bytes)| from.saturating_add(bytes) > length)
            {
                return Err(DebugInformationError::BeyondEnd(name.to_owned()));
            }
        }
        Ok(())
    }
}

/// Reads all units and tables of `dwarf` once.
fn check(dwarf: &gimli::Dwarf<Bytes<'_>>) -> Result<(), DebugInformationError> {
    let mut sizes = Sizes::default();
    let mut units = dwarf.units();
    while let Some(header) = units.next().map_err(DebugInformationError::Broken)? {
        let offset = header.debug_info_offset().map_or(0, |offset| offset.0);
        let broken = |source| DebugInformationError::Unit { offset, source };
        let unit = dwarf.unit(header).map_err(broken)?;
        sizes.add(dwarf, &unit).map_err(broken)?;
        sizes.check()?;
    }
    Ok(())
}

/// Totals over all units.
#[derive(Default)]
struct Sizes {
    line_bytes: usize,
    name_bytes: usize,
    ranges: usize,
    depth: isize,
}

impl Sizes {
    fn check(&self) -> Result<(), DebugInformationError> {
        let what = match self {
            Self { line_bytes, .. } if *line_bytes > LINE_BYTES_MAX => "lines",
            Self { name_bytes, .. } if *name_bytes > NAME_BYTES_MAX => "names",
            Self { ranges, .. } if *ranges > RANGES_MAX => "ranges of addresses",
            Self { depth, .. } if *depth > DEPTH_MAX => "nested functions",
            _ => return Ok(()),
        };
        Err(DebugInformationError::TooLarge(what))
    }

    fn add(
        &mut self,
        dwarf: &gimli::Dwarf<Bytes<'_>>,
        unit: &Unit<Bytes<'_>>,
    ) -> Result<(), gimli::Error> {
        let unit = UnitRef::new(dwarf, unit);
        self.add_lines(unit)?;
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() && self.check().is_ok() {
            self.depth = self.depth.max(entries.next_depth());
            let Some(abbreviation) = entries.read_abbreviation()? else { continue };
            for specification in abbreviation.attributes() {
                let attribute = entries.read_attribute(*specification)?;
                match attribute.value() {
                    value
                        if attribute.name() == gimli::DW_AT_ranges
                            && has_code(abbreviation.tag()) =>
                    {
                        self.add_ranges(unit, value)?;
                    }
                    // Readers leave out names that they cannot read.
                    value @ (AttributeValue::DebugStrRef(_)
                    | AttributeValue::DebugLineStrRef(_)
                    | AttributeValue::DebugStrOffsetsIndex(_)) => {
                        self.name_bytes += unit.attr_string(value)?.len();
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn add_lines(&mut self, unit: UnitRef<'_, Bytes<'_>>) -> Result<(), gimli::Error> {
        let Some(program) = &unit.line_program else { return Ok(()) };
        let header = program.header();
        self.line_bytes = self.line_bytes.saturating_add(header.raw_program_buf().len());
        let folder = unit.comp_dir.map_or(0, |folder| folder.len());
        for file in header.file_names() {
            let within = file.directory(header).map(|name| unit.attr_string(name)).transpose()?;
            let name = unit.attr_string(file.path_name())?;
            self.name_bytes += folder + within.map_or(0, |within| within.len()) + name.len();
            self.line_bytes += 1;
        }
        if self.check().is_err() {
            return Ok(());
        }
        // Every row is executed.
        let mut rows = program.clone().rows();
        while rows.next_row()?.is_some() {}
        Ok(())
    }

    fn add_ranges<'a>(
        &mut self,
        unit: UnitRef<'_, Bytes<'a>>,
        value: AttributeValue<Bytes<'a>>,
    ) -> Result<(), gimli::Error> {
        let Some(mut ranges) = unit.attr_ranges(value)? else { return Ok(()) };
        // Compilers write empty ranges that wrap around; readers leave them out.
        while self.ranges <= RANGES_MAX && matches!(ranges.next(), Ok(Some(_))) {
            self.ranges += 1;
        }
        Ok(())
    }
}

/// Returns whether readers collect the ranges of entries with this tag.
fn has_code(tag: DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_compile_unit | gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine
    )
}
