//! The probe's firmware as a UF2 file. Only this firmware is written to a probe: the board's
//! firmware on a probe would drive the wires that the board drives as well.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use boards::emulated_probe;

/// Maximum size of a firmware file in bytes. This firmware has 200 KB as UF2; a full flash of a
/// Pico would take half of this limit.
const BYTES_MAX: u64 = 8 << 20;
/// Size of a UF2 block in bytes (github.com/microsoft/uf2): magic words, flags, address, size,
/// number, count, family, data, magic word.
const BLOCK: usize = 512;
const MAGIC: [(usize, u32); 3] = [(0, 0x0A32_4655), (4, 0x9E5D_5157), (508, 0x0AB1_6F30)];
const FLAGS: usize = 8;
const SIZE: usize = 16;
const FAMILY: usize = 28;
const DATA: usize = 32;
/// Maximum number of data bytes in a block.
const DATA_MAX: usize = 476;
/// Flag: the block's family field is a family, not a file size.
const HAS_FAMILY: u32 = 0x2000;
/// Family of the RP2040, RP2040 datasheet 2.8.4.
const RP2040: u32 = 0xE48B_FF56;

/// The probe's USB name, which its firmware contains.
const MARK: &[u8] = b"nudge probe";

/// Reasons why a file is not the firmware of a probe.
#[derive(Debug, thiserror::Error)]
pub enum FirmwareFileError {
    /// The firmware has not been built.
    #[error(
        "there is no target/firmware/nudge-probe.uf2; build it with `make firmware`, or name the file"
    )]
    NotBuilt,
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The file is not a UF2 file of whole blocks for the RP2040.
    #[error("{}: this is no UF2 file for the RP2040; `make firmware` builds nudge-probe.uf2", .0.display())]
    NotUf2(PathBuf),
    /// The file is another program.
    #[error(
        "{}: this is not the probe's firmware; another one would drive wires that the board drives as well. `make firmware` \
         builds nudge-probe.uf2", .0.display()
    )]
    NotAProbe(PathBuf),
}

pub struct ProbeFirmware(Vec<u8>);

impl ProbeFirmware {
    /// Reads the file at `path`, or the one that `make firmware` has built.
    ///
    /// # Errors
    /// If there is no file, or if it is not the probe's firmware.
    pub fn open(path: Option<&Path>) -> Result<Self, FirmwareFileError> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => {
                let built = emulated_probe::path().map(|elf| elf.with_extension("uf2"));
                built.filter(|uf2| uf2.is_file()).ok_or(FirmwareFileError::NotBuilt)?
            }
        };
        let mut bytes = Vec::new();
        let read = host::input_files::open(&path)
            .and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes));
        if let Err(source) = read {
            return Err(FirmwareFileError::Unreadable { path, source });
        }
        let Some(program) = data(&bytes) else { return Err(FirmwareFileError::NotUf2(path)) };
        if !program.windows(MARK.len()).any(|part| part == MARK) {
            return Err(FirmwareFileError::NotAProbe(path));
        }
        Ok(Self(bytes))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Returns the data in the blocks of a UF2 file for the RP2040; `None` if a block is invalid.
fn data(file: &[u8]) -> Option<Vec<u8>> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    if blocks.is_empty() || !rest.is_empty() || file.len() as u64 > BYTES_MAX {
        return None;
    }
    let mut program = Vec::new();
    for block in blocks {
        let word = |at: usize| {
            let bytes = block.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        let is_whole = MAGIC.iter().all(|(at, magic)| word(*at) == Some(*magic));
        if !is_whole || word(FLAGS)? & HAS_FAMILY == 0 || word(FAMILY)? != RP2040 {
            return None;
        }
        let size = usize::try_from(word(SIZE)?).ok().filter(|size| *size <= DATA_MAX)?;
        program.extend_from_slice(&block[DATA..DATA + size]);
    }
    Some(program)
}
