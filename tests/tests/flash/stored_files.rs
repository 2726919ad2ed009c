//! Files of a flash for the tests: kind, name and content.

use embedded_storage::nor_flash::NorFlash;
use firmware_core::name::Name;
use firmware_core::storage::StorageError;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::files::{self, FileEntry, Writer};

/// Number of bytes that are appended at once, as in the firmware.
const CHUNK: usize = 1000;

/// A saved game or a log.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    pub kind: FileKind,
    pub name: Name,
    pub content: Vec<u8>,
}

impl std::fmt::Debug for File {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?} {} of {} bytes", self.kind, self.name, self.content.len())
    }
}

/// Creates a file with random content from `seed`.
pub fn file(kind: FileKind, name: &str, seed: u64, bytes: usize) -> File {
    let content = noise(seed).map(|n| n as u8).take(bytes).collect();
    File { kind, name: Name::new(name).expect("a name"), content }
}

/// Creates a saved game.
pub fn game(name: &str, seed: u64) -> File {
    file(FileKind::Game, name, seed, 2300)
}

/// Writes `file`, replacing one with its name if there is one.
pub fn write<F: NorFlash>(chip: &mut F, file: &File) -> Result<FileEntry, StorageError> {
    let most = file.content.len() as u32;
    let writer = Writer::begin(chip, file.kind, file.name, most)?;
    append(chip, writer, file)
}

/// Writes `file` in place of `old`.
pub fn write_instead_of<F: NorFlash>(
    chip: &mut F,
    file: &File,
    old: &FileEntry,
) -> Result<FileEntry, StorageError> {
    let most = file.content.len() as u32;
    let writer = Writer::begin_instead_of(chip, file.kind, file.name, most, old)?;
    append(chip, writer, file)
}

fn append<F: NorFlash>(
    chip: &mut F,
    mut writer: Writer,
    file: &File,
) -> Result<FileEntry, StorageError> {
    for chunk in file.content.chunks(CHUNK) {
        writer.append(chip, chunk)?;
    }
    writer.finish(chip)
}

/// Returns all files, newest first, as [`files::read`] reads them.
#[track_caller]
pub fn stored<F: NorFlash>(chip: &mut F) -> Vec<File> {
    let listing = files::list(chip, None).expect("powered");
    assert_eq!(listing.damaged, 0, "damaged headers");
    listing.files.iter().map(|entry| content(chip, entry)).collect()
}

/// Returns a file with its content, damaged or not.
#[track_caller]
pub fn content<F: NorFlash>(chip: &mut F, entry: &FileEntry) -> File {
    let mut content = vec![0; entry.length as usize];
    assert_eq!(files::read(chip, entry, 0, &mut content), Ok(content.len()));
    File { kind: entry.kind, name: entry.name, content }
}

/// Returns random numbers, the same for the same seed.
pub fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}
