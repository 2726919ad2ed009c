//! A program as a file: the bytes to load into the chip, and the further contents of an ELF file.
//!
//! [`Program::load`] has one rule: ELF, UF2 and Intel HEX files are recognised by their contents.
//! Any other contents are a raw image of the flash if the file's name ends in `.bin`, and no
//! program otherwise. It does not depend on the purpose of the program.

mod code;
mod cyw43;
mod debug_information;
mod exit;
mod source;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

use crate::backtrace::Names;
use crate::chip::{BootError, Chip};
use crate::cpu::memory::{MAX_FLASH_SIZE, RAM_BASE, RAM_SIZE};
use crate::image::{Image, ImageError, Symbols};

pub use code::Code;
pub use debug_information::{DebugInformation, DebugInformationError};
pub use exit::sdk_exit;
pub use source::{CodePlace, SourceLine, source_file};

/// Size of the flash of a Pico in bytes.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;

/// Size of the largest file that is read: 64 MiB. ELF files contain debugging information, which is
/// not loaded.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// File name extension of a raw image of the flash.
const RAW_EXTENSION: &str = "bin";

/// A reason why a file cannot be loaded. `Display` gives one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The file cannot be opened or read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// Path of the file as given by the caller.
        path: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
    /// The path is a FIFO, a device or a socket.
    #[error("{}: it is no regular file", .0.display())]
    NotRegular(PathBuf),
    /// The path is a folder.
    #[error("{}: this is a folder; name the program in it", .0.display())]
    Folder(PathBuf),
    /// The file is longer than 64 MiB.
    #[error(
        "{}: it is larger than any program, {} MiB", .0.display(), FILE_BYTES_MAX >> 20
    )]
    TooLarge(PathBuf),
    /// The file has no bytes.
    #[error("{}: the file is empty; name an ELF or a UF2 file, or FILE.bin", .0.display())]
    Empty(PathBuf),
    /// The file is neither ELF, UF2 nor Intel HEX, and its name does not end in `.bin`.
    #[error("{}: {}: FILE.bin", .0.display(), ImageError::Unknown)]
    UnknownFormat(PathBuf),
    /// The contents are not a program for the RP2040.
    #[error("{}: {source}", path.display())]
    Image {
        /// Path of the file as given by the caller.
        path: PathBuf,
        /// Reason why the contents are invalid.
        source: ImageError,
    },
}

/// A program that the RP2040 can run.
#[derive(Clone, Debug)]
pub struct Program {
    image: Image,
    /// The whole file, if it is an ELF.
    elf: Option<Vec<u8>>,
    /// Error in the debugging information, if any, once it has been checked.
    debug_information: OnceLock<Option<DebugInformationError>>,
}

impl Program {
    /// Reads the file at `path`: ELF, UF2 or Intel HEX by its contents, otherwise a raw image of
    /// the flash if the name ends in `.bin`.
    ///
    /// # Errors
    /// Returns a [`ProgramError`] if the file cannot be read or is not a program for the RP2040.
    pub fn load(path: &Path) -> Result<Self, ProgramError> {
        Self::of_file(path, &read(path)?)
    }

    /// Reads the bytes of the file at `path` like [`load`](Self::load).
    ///
    /// # Errors
    /// Returns a [`ProgramError`] if they are not a program for the RP2040.
    pub fn of_file(path: &Path, bytes: &[u8]) -> Result<Self, ProgramError> {
        let is_raw = path.extension().is_some_and(|extension| extension == RAW_EXTENSION);
        let program = match Self::parse(bytes) {
            Err(ImageError::Unknown) if is_raw => Self::from_bin(bytes),
            program => program,
        };
        program.map_err(|error| match error {
            ImageError::Unknown => ProgramError::UnknownFormat(path.to_owned()),
            source => ProgramError::Image { path: path.to_owned(), source },
        })
    }

    /// Uses `bytes` as the contents of the flash from its first address on.
    ///
    /// # Errors
    /// Returns an [`ImageError`] if there are no bytes, or more than in the largest flash (16 MiB).
    pub fn from_bin(bytes: &[u8]) -> Result<Self, ImageError> {
        let image = Image::from_bin(bytes)?;
        Ok(Self { image, elf: None, debug_information: OnceLock::new() })
    }

    /// Reads the bytes of an ELF, a UF2 or an Intel HEX file.
    ///
    /// # Errors
    /// Returns an [`ImageError`] if they are none of them, or a program for another chip.
    pub fn parse(bytes: &[u8]) -> Result<Self, ImageError> {
        let image = Image::parse(bytes)?;
        let elf = bytes.starts_with(b"\x7FELF").then(|| bytes.to_vec());
        Ok(Self { image, elf, debug_information: OnceLock::new() })
    }

    /// Returns a Pico with this program, powered on. BKPT stops it.
    ///
    /// # Errors
    /// Returns an error if the program is larger than the flash, or the chip does not boot it.
    pub fn boot(&self) -> Result<Chip, BootError> {
        self.boot_on(FLASH_SIZE)
    }

    /// As [`boot`](Self::boot), for a board with `flash_size` bytes of flash, at most
    /// [`MAX_FLASH_SIZE`].
    ///
    /// # Errors
    /// As [`boot`](Self::boot).
    pub fn boot_on(&self, flash_size: usize) -> Result<Chip, BootError> {
        let mut chip = Chip::new(flash_size.min(MAX_FLASH_SIZE));
        chip.load(&self.image)?;
        chip.set_debugged(true);
        self.restart(&mut chip)?;
        Ok(chip)
    }

    /// Resets `chip`, which has this program loaded, as a debugger does: memory retains its
    /// contents, and the flash is booted. A program that is in RAM only starts at its entry, or at
    /// its lowest address if the file names none, as the boot ROM starts a UF2.
    ///
    /// # Errors
    /// Returns an error if the chip does not boot the contents of its flash.
    pub fn restart(&self, chip: &mut Chip) -> Result<(), BootError> {
        let booted = chip.power_on();
        if booted.is_err() && self.is_in_ram() {
            let lowest = self.image.segments.iter().map(|segment| segment.address | 1).min();
            let entry = self.image.entry.or(lowest).unwrap_or_default();
            chip.core_mut(0).begin(0, RAM_BASE + RAM_SIZE as u32, entry);
            return Ok(());
        }
        booted
    }

    /// Returns the bytes to load into the chip's memory.
    pub fn image(&self) -> &Image {
        &self.image
    }

    fn is_in_ram(&self) -> bool {
        self.image.segments.iter().all(|segment| segment.address >= RAM_BASE)
    }

    /// Returns whether the program has the driver of a CYW43439, the radio of the Pico W.
    pub fn has_cyw43(&self) -> bool {
        cyw43::has_cyw43(&self.image)
    }

    /// Returns the names of the functions; only ELF files have them.
    pub fn symbols(&self) -> &Symbols {
        &self.image.symbols
    }

    /// Describes `address` with the function and the lines of source that it belongs to, if the
    /// program has symbols and debugging information.
    pub fn describe(&self, address: u32) -> String {
        self.place(address).to_string()
    }

    /// Returns addresses and lengths of the segments, in bytes.
    pub fn segments(&self) -> impl Iterator<Item = (u32, u32)> {
        self.image.segments.iter().map(|segment| (segment.address, segment.bytes.len() as u32))
    }

    /// Returns the bytes of the ELF section of this name; empty if there is none.
    pub fn section(&self, name: &str) -> &[u8] {
        let range = self.elf().and_then(|elf| elf.section_by_name(name)?.file_range());
        let (Some((offset, length)), Some(elf)) = (range, &self.elf) else { return &[] };
        elf.get(offset as usize..).and_then(|rest| rest.get(..length as usize)).unwrap_or_default()
    }

    /// Returns the symbols in the ELF section of this name, each with the bytes that it names
    /// there; none if there is no such section. A symbol that reaches beyond the section has no
    /// bytes.
    pub fn symbols_in(&self, section: &str) -> Vec<(String, Vec<u8>)> {
        let Some(elf) = self.elf() else { return vec![] };
        let Some(section) = elf.section_by_name(section) else { return vec![] };
        let inside = elf.symbols().filter(|symbol| symbol.section_index() == Some(section.index()));
        inside
            .filter_map(|symbol| {
                let bytes = section.data_range(symbol.address(), symbol.size());
                let bytes = bytes.ok().flatten().unwrap_or_default();
                Some((symbol.name().ok()?.to_owned(), bytes.to_vec()))
            })
            .collect()
    }

    /// Returns the bytes of the file if it is an ELF file.
    pub fn elf_file(&self) -> Option<&[u8]> {
        self.elf.as_deref()
    }

    /// Returns the value of the first of these symbols that the ELF has.
    pub fn value(&self, names: &[&str]) -> Option<u32> {
        let elf = self.elf()?;
        names.iter().find_map(|name| {
            let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name))?;
            Some(symbol.address() as u32)
        })
    }

    /// Returns the end of the last section in RAM below `top`, ignoring the sections that reserve
    /// space for stacks and the heap.
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

    /// Returns whether the file is an ELF file.
    pub fn is_elf(&self) -> bool {
        self.elf.is_some()
    }

    fn elf(&self) -> Option<ElfFile32<'_, Endianness>> {
        ElfFile32::parse(self.elf.as_deref()?).ok()
    }
}

impl Names for Program {
    fn describe(&self, address: u32) -> String {
        self.describe(address)
    }
}

/// Reads the file at `path`.
fn read(path: &Path) -> Result<Vec<u8>, ProgramError> {
    if path.is_dir() {
        return Err(ProgramError::Folder(path.to_owned()));
    }
    // Opening a FIFO would wait for a writer, and a device may have no end.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(ProgramError::NotRegular(path.to_owned()));
    }
    let mut bytes = Vec::new();
    // One byte above the limit detects a file that is too large, even one without an end.
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|source| ProgramError::Unreadable { path: path.to_owned(), source })?;
    match bytes.len() as u64 {
        0 => Err(ProgramError::Empty(path.to_owned())),
        length if length > FILE_BYTES_MAX => Err(ProgramError::TooLarge(path.to_owned())),
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const UF2: [u8; 8] = [0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E];

    /// Checks the error for a file of this name and contents; `None` if it is loaded.
    #[track_caller]
    fn check(name: &str, content: &[u8], expected: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let error = Program::load(&path).err().map(|error| error.to_string());
        assert_eq!(error, expected.map(|error| format!("{}{error}", path.display())));
    }

    #[test]
    fn a_raw_image_is_taken_only_by_the_name_bin() {
        check("zeros.bin", &[0; 1024], None);
        let neither = ": this is neither an ELF nor a UF2 nor a HEX file; a raw image of the flash \
                       must be named as such: FILE.bin";
        for name in ["junk.img", "junk", "bin", "junk.BIN", "junk.bin.img"] {
            check(name, &[0; 1024], Some(neither));
        }
    }

    #[test]
    fn the_content_counts_before_the_name() {
        for name in ["cut.bin", "cut.uf2", "cut"] {
            check(name, &UF2, Some(": block 0 of this UF2 file is cut short"));
        }
        let cut = ": this ELF file cannot be read: it ends within its header";
        for name in ["cut.bin", "cut.elf", "cut"] {
            check(name, b"\x7FELF", Some(cut));
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_reason() {
        let empty = ": the file is empty; name an ELF or a UF2 file, or FILE.bin";
        check("empty.bin", b"", Some(empty));
        check("empty.elf", b"", Some(empty));
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Program::load(folder.path()), Err(ProgramError::Folder(_))));
        let missing = Program::load(&folder.path().join("missing.elf")).unwrap_err();
        assert!(missing.to_string().contains("missing.elf cannot be read: "), "{missing}");
    }
}
