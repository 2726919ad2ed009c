//! The file that is flashed: where it is, and what it is by its content.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use rp2040_emulator::image::{Image, ImageError};

/// Where `make firmware` puts what it builds, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-pico.elf";

/// More than any program: ELF files carry along what a debugger reads.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// A program for the RP2040.
#[derive(Debug)]
pub struct Program {
    /// What is loaded.
    pub image: Image,
    /// Where it was found.
    pub path: PathBuf,
}

/// Why there is no program, as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError(String);

impl fmt::Display for ProgramError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Reads an ELF or UF2 file, or a raw image of the flash.
    ///
    /// # Errors
    /// If it cannot be read, or is no program for the RP2040.
    pub fn read(path: &Path) -> Result<Self, ProgramError> {
        let name = path.display();
        let bytes = fs::metadata(path)
            .and_then(|about| match about.len() {
                ..=LARGEST_FILE => fs::read(path),
                _ => Err(std::io::Error::other("it is larger than any program")),
            })
            .map_err(|error| ProgramError(format!("{name} cannot be read: {error}")))?;
        let image = match Image::parse(&bytes) {
            // A raw image begins with the second stage of booting, which a core checks by its
            // sum before it is run.
            Err(ImageError::Unknown) => Image::from_bin(&bytes),
            image => image,
        };
        let image = image.map_err(|error| ProgramError(format!("{name}: {error}")))?;
        Ok(Self { image, path: path.to_owned() })
    }

    /// The firmware that `make firmware` has built last.
    ///
    /// # Errors
    /// If it has not been built, or cannot be read.
    pub fn built() -> Result<Self, ProgramError> {
        // Programs and tests lie in Cargo's target folder, the latter deeper.
        let folders = std::env::current_exe().unwrap_or_default();
        let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
        let here = Path::new("target").join(FIRMWARE);
        match beside.chain([here]).find(|path| path.is_file()) {
            Some(path) => Self::read(&path),
            None => Err(ProgramError(format!(
                "there is no target/{FIRMWARE}; build it with `make firmware`, or name another \
                 program: `--board pico=FILE`"
            ))),
        }
    }

    /// An address with the function that it is in.
    pub fn describe(&self, address: u32) -> String {
        self.image.symbols.describe(address).to_string()
    }
}
