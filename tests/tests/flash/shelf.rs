//! Files as the tests see them: kind, name and content.

use embedded_storage::nor_flash::NorFlash;
use firmware_core::name::Name;
use firmware_core::storage::StorageError;
use firmware_core::storage::files::FileKind;
use firmware_core::storage::files::{self, FileEntry, Writer};

/// Bytes that are appended at once, as the firmware does it.
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

/// A file whose content is drawn from `seed`.
pub fn file(kind: FileKind, name: &str, seed: u64, bytes: usize) -> File {
    let content = noise(seed).map(|n| n as u8).take(bytes).collect();
    File { kind, name: Name::new(name).expect("a name"), content }
}

/// A saved game.
pub fn game(name: &str, seed: u64) -> File {
    file(FileKind::Game, name, seed, 2300)
}

/// Writes `file` over one of its name, or beside the others.
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

/// Everything that is there, newest first, as [`files::read`] gives it.
#[track_caller]
pub fn shelf<F: NorFlash>(chip: &mut F) -> Vec<File> {
    let listing = files::list(chip, None).expect("powered");
    assert_eq!(listing.damaged, 0, "damaged headers");
    listing.files.iter().map(|entry| content(chip, entry)).collect()
}

/// A file with its content, damaged or not.
#[track_caller]
pub fn content<F: NorFlash>(chip: &mut F, entry: &FileEntry) -> File {
    let mut content = vec![0; entry.length as usize];
    assert_eq!(files::read(chip, entry, 0, &mut content), Ok(content.len()));
    File { kind: entry.kind, name: entry.name, content }
}

/// A small source of noise, the same for the same seed.
pub fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}
