//! A program as a file: what is loaded into the chip, and what an ELF file says besides.
//!
//! [`Program::load`] takes ELF, UF2, and, if its name ends in `.bin`, a raw image of the flash.
//! It does not know what the program is for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::chip::{BootError, Chip};
use crate::cpu::memory::{RAM_BASE, RAM_SIZE};
use crate::image::{Image, ImageError, Symbols};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

/// Bytes of flash on a Pico.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;

/// More than any program: ELF files carry along what a debugger reads.
const LARGEST_FILE: u64 = 64 << 20;

/// The bytes of a program's file.
///
/// # Errors
/// If it cannot be read, or has more of them than any program.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, even an endless one.
    File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let limit = LARGEST_FILE >> 20;
        return Err(io::Error::other(format!("it is larger than any program, {limit} MiB")));
    }
    Ok(bytes)
}

/// What is wrong with a program's file: one sentence that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError(pub String);

impl std::fmt::Display for ProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProgramError {}

/// A program that the RP2040 can run.
#[derive(Clone, Debug)]
pub struct Program {
    image: Image,
    /// The whole file, if it is an ELF.
    elf: Option<Vec<u8>>,
}

impl Program {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read, or is no program for the RP2040.
    pub fn load(path: &Path) -> Result<Self, ProgramError> {
        let wrong = |what: String| ProgramError(format!("{}: {what}", path.display()));
        if path.is_dir() {
            return Err(wrong("this is a folder; name the program in it".into()));
        }
        let bytes = read(path).map_err(|error| wrong(error.to_string()))?;
        if bytes.is_empty() {
            return Err(wrong("the file is empty; name an ELF or a UF2 file, or FILE.bin".into()));
        }
        let raw = path.extension().is_some_and(|extension| extension == "bin");
        let program = if raw { Self::from_bin(&bytes) } else { Self::parse(bytes) };
        program.map_err(|error| wrong(error.0))
    }

    /// Takes `bytes` as what the flash holds from its beginning on.
    ///
    /// # Errors
    /// There are none, or more than any flash has.
    pub fn from_bin(bytes: &[u8]) -> Result<Self, ProgramError> {
        let image = Image::from_bin(bytes).map_err(|error| ProgramError(error.to_string()))?;
        Ok(Self { image, elf: None })
    }

    /// Reads an ELF or a UF2 file.
    ///
    /// # Errors
    /// It is neither, or for another chip.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, ProgramError> {
        let image = Image::parse(&bytes).map_err(|error| match error {
            ImageError::Unknown => ProgramError(format!("{error}: FILE.bin")),
            error => ProgramError(error.to_string()),
        })?;
        let elf = bytes.starts_with(b"\x7FELF").then_some(bytes);
        Ok(Self { image, elf })
    }

    /// A Pico with this program, switched on. BKPT stops it.
    ///
    /// # Errors
    /// The program is larger than the flash, or the chip does not boot it.
    pub fn boot(&self) -> Result<Chip, BootError> {
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(&self.image)?;
        chip.set_debugged(true);
        match (chip.power_on(), self.image.entry) {
            // A program that is loaded into the RAM alone is started by a debugger.
            (Err(_), Some(entry)) if self.is_in_ram() => {
                chip.core_mut(0).begin(0, RAM_BASE + RAM_SIZE as u32, entry);
                Ok(chip)
            }
            (result, _) => result.map(|()| chip),
        }
    }

    fn is_in_ram(&self) -> bool {
        self.image.segments.iter().all(|segment| segment.address >= RAM_BASE)
    }

    /// The names of the functions; only ELF files have any.
    pub fn symbols(&self) -> &Symbols {
        &self.image.symbols
    }

    /// Addresses and lengths of what is loaded.
    pub fn segments(&self) -> impl Iterator<Item = (u32, u32)> {
        self.image.segments.iter().map(|segment| (segment.address, segment.bytes.len() as u32))
    }

    /// The bytes of the ELF's section of this name; empty if it has none.
    pub fn section(&self, name: &str) -> &[u8] {
        let range = self.elf().and_then(|elf| elf.section_by_name(name)?.file_range());
        let (Some((offset, length)), Some(elf)) = (range, &self.elf) else { return &[] };
        elf.get(offset as usize..).and_then(|rest| rest.get(..length as usize)).unwrap_or_default()
    }

    /// The value of the first of these symbols that the ELF has.
    pub fn value(&self, names: &[&str]) -> Option<u32> {
        let elf = self.elf()?;
        names.iter().find_map(|name| {
            let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name))?;
            Some(symbol.address() as u32)
        })
    }

    /// The end of the last section in the RAM that is below `top`, but for those that only set room
    /// aside for stacks and the heap.
    pub fn end_of_data(&self, top: u32) -> u32 {
        let sections = self.elf().into_iter().flat_map(|elf| {
            elf.sections()
                .filter(|section| {
                    section
                        .name()
                        .is_ok_and(|name| !name.contains("stack") && !name.contains("heap"))
                })
                .map(|section| (section.address() + section.size()) as u32)
                .collect::<Vec<_>>()
        });
        sections.filter(|end| (RAM_BASE..top).contains(end)).max().unwrap_or(RAM_BASE)
    }

    /// Whether it came as an ELF file.
    pub fn is_elf(&self) -> bool {
        self.elf.is_some()
    }

    fn elf(&self) -> Option<ElfFile32<'_, Endianness>> {
        ElfFile32::parse(self.elf.as_deref()?).ok()
    }
}
