//! Identification of a board's firmware for reports: the hash of its sources, and for a program in
//! a file its SHA-256 and time.
//!
//! The Pico's binary has the hash of its sources in its flash; other programs may not. This module
//! does not know how to load or run a program, nor the format of a report.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use rp2040_emulator::image::Image;
use rp2040_emulator::program::Program;
use sha2::{Digest, Sha256};

use crate::board::Board;
use crate::described::DescribedBoard;
use crate::factory::BoardFactory;
use crate::pico;
use crate::probe::BoardSettings;

/// Beginning of the line in the flash of nudge's own firmware that has the hash of its sources.
const SOURCE_MARK: &str = "nudge-firmware-source=";
/// Number of digits of the hash of the sources.
const SOURCE_DIGITS: usize = 16;

/// Number of digits of a SHA-256 that are shown.
const SHA256_DIGITS: usize = 16;

/// Identification of the firmware that a board runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirmwareIdentity {
    /// The firmware that this program was compiled with.
    Native {
        /// Hash of its sources.
        sources: &'static str,
    },
    /// A program in a file, for the LCD board.
    Program {
        program: ProgramIdentity,
        /// Hash of the sources of this program's firmware.
        own_sources: &'static str,
    },
    /// A board that a board file describes, with its program.
    Described {
        /// The board file.
        board: PathBuf,
        /// First digits of the SHA-256 of the board file, its panel's table and its program.
        sha256: String,
        /// Parts of the file that the machine does not have.
        missing: Vec<String>,
        /// `None`: a firmware that is linked into this program.
        program: Option<ProgramIdentity>,
    },
    /// Real boards, whose flash cannot be read.
    Real {
        /// Ports of the probes.
        ports: Vec<PathBuf>,
        /// Hash of the sources that each board's `boot` line must name; `None`: any.
        sources: Option<&'static str>,
    },
}

/// Identification of a program in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramIdentity {
    pub file: PathBuf,
    /// First digits of the SHA-256 of the file's bytes.
    pub sha256: String,
    /// Time at which the file was written, in UTC, if the file system has it.
    pub written: Option<String>,
    /// Hash of the sources of nudge's own firmware; `None` for other programs.
    pub sources: Option<String>,
}

impl FirmwareIdentity {
    /// Identifies the firmware of `board`, whose machines `boards` builds.
    ///
    /// # Errors
    /// If the program's file can no longer be read.
    pub fn of(board: &Board, boards: &BoardFactory) -> io::Result<Self> {
        let (firmware, program) = match boards {
            BoardFactory::Native(firmware, _) => {
                return Ok(Self::Native { sources: firmware.sources() });
            }
            BoardFactory::Probe(firmware, pool, settings) => {
                let is_checked = *settings == BoardSettings::OfHeader { any_firmware: false };
                let sources = is_checked.then(|| firmware.sources());
                return Ok(Self::Real { ports: pool.ports().to_vec(), sources });
            }
            BoardFactory::Described(board) => return Self::described(board),
            BoardFactory::Pico(firmware, program)
            | BoardFactory::EmulatedProbe(firmware, program, _) => (firmware, program),
        };
        let file = match board {
            Board::Pico(Some(file)) => Some(file.clone()),
            _ => pico::firmware::path(),
        };
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        let program = ProgramIdentity::of(&file, program)?;
        Ok(Self::Program { program, own_sources: firmware.sources() })
    }

    /// Identifies the firmware of a described board.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub fn described(board: &DescribedBoard) -> io::Result<Self> {
        let program = board.program_path().zip(board.program());
        Ok(Self::Described {
            board: board.path().to_owned(),
            sha256: board.digest().chars().take(SHA256_DIGITS).collect(),
            missing: board.missing(),
            program: program
                .map(|(path, program)| ProgramIdentity::of(path, program))
                .transpose()?,
        })
    }

    /// Returns `native, firmware source 1f0c5b8e27d94a63`. `named` names the program's file.
    pub fn name(&self, named: impl Fn(&Path) -> String) -> String {
        match self {
            Self::Native { sources } => format!("native, source {sources}"),
            Self::Real { ports, sources } => {
                let ports: Vec<String> = ports.iter().map(|port| named(port)).collect();
                let sources = match sources {
                    Some(sources) => format!("source {sources}"),
                    None => "what the board has in its flash".to_owned(),
                };
                format!("probe, {sources}, at {}", ports.join(", "))
            }
            Self::Program { program, .. } => format!("pico, {}", program.name(named)),
            Self::Described { board, sha256, program, .. } => {
                let firmware = match program {
                    Some(program) => program.name(&named),
                    None => "the firmware of this program".to_owned(),
                };
                format!("{}, SHA-256 {sha256}, with {firmware}", named(board))
            }
        }
    }

    /// Returns the remark that the program was built from other sources than this one, or that the
    /// board file has parts without a model, if that is so.
    pub fn note(&self, named: impl Fn(&Path) -> String) -> Option<String> {
        if let Self::Described { board, missing, .. } = self
            && !missing.is_empty()
        {
            return Some(format!(
                "{} has parts that the emulated board does not have yet, and whose pins are open: {}",
                named(board),
                missing.join(", ")
            ));
        }
        let Self::Program {
            program: ProgramIdentity { file, sources: Some(sources), .. },
            own_sources,
        } = self
        else {
            return None;
        };
        (sources != own_sources).then(|| {
            format!(
                "{} was built from other firmware sources ({sources}) than this nudge \
                 ({own_sources}); build the older of the two again, the program with `make firmware`",
                named(file)
            )
        })
    }
}

impl ProgramIdentity {
    /// Identifies the program in a file.
    fn of(file: &Path, program: &Program) -> io::Result<Self> {
        let (sha256, written) = file_identity(file)?;
        let sources = sources(program.image());
        Ok(Self { file: file.to_owned(), sha256, written, sources })
    }

    /// Returns `a.elf, SHA-256 5f70bf18a0860070, written 2026-11-27T21:50:37Z`.
    fn name(&self, named: impl Fn(&Path) -> String) -> String {
        let mut name = format!("{}, SHA-256 {}", named(&self.file), self.sha256);
        if let Some(written) = &self.written {
            name += &format!(", written {written}");
        }
        if let Some(sources) = &self.sources {
            name += &format!(", source {sources}");
        }
        name
    }
}

/// Returns the beginning of the SHA-256 of a file, and the time at which it was written.
fn file_identity(file: &Path) -> io::Result<(String, Option<String>)> {
    let mut opened = File::open(file)?;
    let written = opened.metadata()?.modified().ok();
    let written = written.map(DateTime::<Utc>::from);
    let written = written.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true));
    Ok((sha256(&mut opened)?[..SHA256_DIGITS].to_owned(), written))
}

/// Returns the SHA-256 of the bytes that `reader` reads, in 64 hexadecimal digits.
///
/// # Errors
/// The errors of the reader.
pub fn sha256(reader: &mut impl io::Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(reader, &mut HashWriter(&mut hasher))?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writer that hashes its input.
struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the hash of the sources in the flash of nudge's own firmware; `None` for another
/// program.
pub fn sources(image: &Image) -> Option<String> {
    // UF2 files have the flash in pieces, in order.
    let flash: Vec<u8> = image.segments.iter().flat_map(|part| &part.bytes).copied().collect();
    let marker = SOURCE_MARK.as_bytes();
    // The hash, and the end of the line.
    let mut lines = flash.windows(marker.len() + SOURCE_DIGITS + 1);
    lines.find_map(|line| {
        let hash = str::from_utf8(line.strip_prefix(marker)?).ok()?.strip_suffix('\n')?;
        hash.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| hash.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use rp2040_emulator::image::Segment;

    use super::*;

    #[test]
    fn the_mark_of_the_sources_is_found_in_pieces_too() {
        let hash = "1f0c5b8e27d94a63";
        let mark = format!("{SOURCE_MARK}{hash}\n");
        let bytes = [b"abc".as_slice(), mark.as_bytes(), &[0; 9]].concat();
        assert_eq!(sources(&Image::from_bin(&bytes).unwrap()).as_deref(), Some(hash));
        let (first, second) = bytes.split_at(20);
        let part = |address, bytes: &[u8]| Segment { address, bytes: bytes.to_vec() };
        let segments = vec![part(0x1000_0000, first), part(0x1000_0014, second)];
        let image = Image { segments, ..Image::default() };
        assert_eq!(sources(&image).as_deref(), Some(hash));
        let other = b"nudge-firmware-source=<script>alert(1)\n0123456789";
        assert_eq!(sources(&Image::from_bin(other).unwrap()), None);
    }

    #[test]
    fn a_program_of_other_sources_is_named_and_any_other_is_not() {
        let of = |sources: Option<&str>| {
            let sources = sources.map(str::to_owned);
            let (sha256, written) = ("5f70bf18a0860070".to_owned(), None);
            let program = ProgramIdentity { file: "a.elf".into(), sha256, written, sources };
            FirmwareIdentity::Program { program, own_sources: "1f0c5b8e27d94a63" }
        };
        let named = |file: &Path| file.display().to_string();
        let old = of(Some("0123456789abcdef"));
        assert_eq!(
            old.name(named),
            "pico, a.elf, SHA-256 5f70bf18a0860070, source 0123456789abcdef"
        );
        let note = old.note(named).unwrap();
        assert!(note.starts_with("a.elf was built from other firmware sources (0123456789abcdef)"));
        assert_eq!(of(Some("1f0c5b8e27d94a63")).note(named), None);
        assert_eq!(of(None).note(named), None);
        let native = FirmwareIdentity::Native { sources: "1f0c5b8e27d94a63" };
        assert_eq!(native.note(named), None);
    }
}
