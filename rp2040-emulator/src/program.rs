//! A program as a file: the bytes to load into the chip, and the further contents of an ELF file.
//!
//! [`Program::load`] takes ELF, UF2, and, if its name ends in `.bin`, a raw image of the flash.
//! It does not depend on the purpose of the program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::chip::{BootError, Chip};
use crate::cpu::memory::{RAM_BASE, RAM_SIZE};
use crate::image::{Image, ImageError, Symbols};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

/// Bytes of flash on a Pico.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;

/// The largest file that is read: ELF files also contain debugging information.
const LARGEST_FILE: u64 = 64 << 20;

/// The bytes of a program's file.
///
/// # Errors
/// If the file cannot be read, or is larger than 64 MiB.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Reading one byte more than allowed detects a file that is too large, even an endless one.
    File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let limit = LARGEST_FILE >> 20;
        return Err(io::Error::other(format!("it is larger than any program, {limit} MiB")));
    }
    Ok(bytes)
}

/// Why a file is not a program that the RP2040 can run.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The path names a folder.
    #[error("this is a folder; name the program in it")]
    Folder,
    /// The file cannot be read, or is larger than any program.
    #[error("{0}")]
    Unreadable(#[source] io::Error),
    /// The file has no bytes.
    #[error("the file is empty; name an ELF or a UF2 file, or FILE.bin")]
    EmptyFile,
    /// The file is neither ELF nor UF2, and its name does not end in `.bin`.
    #[error("{}: FILE.bin", ImageError::Unknown)]
    UnknownFormat,
    /// The file's contents are not a program for the RP2040.
    #[error("{0}")]
    Image(#[source] ImageError),
    /// One of the above, of the file at this path.
    #[error("{}: {error}", path.display())]
    OfFile {
        /// The path as given.
        path: PathBuf,
        /// What is wrong with the file.
        #[source]
        error: Box<ProgramError>,
    },
}

impl From<ImageError> for ProgramError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Unknown => Self::UnknownFormat,
            error => Self::Image(error),
        }
    }
}

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
    /// [`ProgramError::OfFile`]: the file cannot be read, or is not a program for the RP2040.
    pub fn load(path: &Path) -> Result<Self, ProgramError> {
        Self::load_file(path)
            .map_err(|error| ProgramError::OfFile { path: path.into(), error: Box::new(error) })
    }

    fn load_file(path: &Path) -> Result<Self, ProgramError> {
        if path.is_dir() {
            return Err(ProgramError::Folder);
        }
        let bytes = read(path).map_err(ProgramError::Unreadable)?;
        if bytes.is_empty() {
            return Err(ProgramError::EmptyFile);
        }
        let raw = path.extension().is_some_and(|extension| extension == "bin");
        if raw { Self::from_bin(&bytes) } else { Self::parse(bytes) }
    }

    /// Takes `bytes` as the contents of the flash from its beginning on.
    ///
    /// # Errors
    /// There are none, or more than 16 MiB.
    pub fn from_bin(bytes: &[u8]) -> Result<Self, ProgramError> {
        Ok(Self { image: Image::from_bin(bytes)?, elf: None })
    }

    /// Reads an ELF or a UF2 file.
    ///
    /// # Errors
    /// [`ProgramError`]: the file is neither, or for another chip.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, ProgramError> {
        let image = Image::parse(&bytes)?;
        let elf = bytes.starts_with(b"\x7FELF").then_some(bytes);
        Ok(Self { image, elf })
    }

    /// A Pico with this program, powered on. BKPT stops it.
    ///
    /// # Errors
    /// The program is larger than the flash, or the chip does not boot it.
    pub fn boot(&self) -> Result<Chip, BootError> {
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(&self.image)?;
        chip.set_debugged(true);
        match (chip.power_on(), self.image.entry) {
            // A debugger starts a program that is in RAM only.
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

    /// The names of the functions; only ELF files have them.
    pub fn symbols(&self) -> &Symbols {
        &self.image.symbols
    }

    /// Addresses and lengths of what is loaded.
    pub fn segments(&self) -> impl Iterator<Item = (u32, u32)> {
        self.image.segments.iter().map(|segment| (segment.address, segment.bytes.len() as u32))
    }

    /// The bytes of the ELF section of this name; empty if there is none.
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

    /// The end of the last section in RAM below `top`, without the sections that reserve space for
    /// stacks and the heap.
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

    /// Whether the file is an ELF file.
    pub fn is_elf(&self) -> bool {
        self.elf.is_some()
    }

    fn elf(&self) -> Option<ElfFile32<'_, Endianness>> {
        ElfFile32::parse(self.elf.as_deref()?).ok()
    }
}
