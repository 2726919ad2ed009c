//! The images of a described board's SPI flashes and SD cards, and what a person is shown of them.
//!
//! An image is read once and never written: what a program writes is in the memory of the session.

mod error;
mod fat;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use board_file::BoardFile;
use hal_mock::memory::{Content, MemoryPart};

use super::{BoardFiles, DiskFiles};
pub use error::ImageError;
pub use fat::{Entry, FatKind, Volume};

/// Maximum size of an image in bytes: 32 MiB. A page contains the images of its board.
pub const IMAGE_MAX: usize = 32 << 20;
/// Size of a sector of a card in bytes.
const SECTOR: usize = 512;
/// Largest card with standard capacity (SDSC): 2 GiB.
const STANDARD_MAX: u64 = 2 << 30;

/// Returns the memories, in the order of their wires. Images are in `folder`, and `hash` gets their
/// content.
pub(super) fn memories(
    file: &BoardFile,
    folder: &Path,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<Vec<MemoryPart>, ImageError> {
    let mut parts = Vec::new();
    for flash in &file.spi_flash {
        let path = flash.image.as_ref().map(|image| folder.join(&image.0));
        let image = path.as_deref().map(|path| read(path, files, hash)).transpose()?;
        let image = image.unwrap_or_default();
        if let Some(path) = path.filter(|_| image.len() as u64 > flash.size.0) {
            let (bytes, size) = (image.len() as u64, flash.size.0);
            return Err(ImageError::LargerThanPart { path, bytes, size });
        }
        parts.push(MemoryPart::Flash(Content::new(image.into(), flash.size.0, 0xFF)));
    }
    for card in &file.sd_card {
        let Some(image) = &card.image else {
            parts.push(match card.size {
                Some(size) => card_of(Arc::from([]), size.0),
                None => MemoryPart::EmptySlot,
            });
            continue;
        };
        let path = folder.join(&image.0);
        let image = read(&path, files, hash)?;
        let size = check(&path, &image, card.size.map(|size| size.0))?;
        parts.push(card_of(image.into(), size));
    }
    Ok(parts)
}

fn card_of(image: Arc<[u8]>, size: u64) -> MemoryPart {
    MemoryPart::Card(Content::new(image, MemoryPart::card_size(size), 0))
}

fn read(
    path: &Path,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<Vec<u8>, ImageError> {
    let unreadable = |source| ImageError::Unreadable { path: path.to_owned(), source };
    let bytes = files.data(path, IMAGE_MAX).map_err(unreadable)?;
    if bytes.len() > IMAGE_MAX {
        return Err(ImageError::TooLarge { path: path.to_owned() });
    }
    hash(&bytes);
    Ok(bytes)
}

/// Checks the image of a card, whose board file may give a size, and returns the size of the card.
fn check(path: &Path, image: &[u8], size: Option<u64>) -> Result<u64, ImageError> {
    let (path, bytes) = (path.to_owned(), image.len());
    if bytes == 0 {
        return Err(ImageError::Empty { path });
    }
    if !bytes.is_multiple_of(SECTOR) {
        return Err(ImageError::CutSector { path, bytes });
    }
    let card = size.unwrap_or(bytes as u64);
    if bytes as u64 > card {
        return Err(ImageError::LargerThanPart { path, bytes: bytes as u64, size: card });
    }
    match fat::read(image) {
        Some(volume) if volume.end > card => {
            Err(ImageError::CutVolume { path, kind: volume.kind, end: volume.end, card })
        }
        _ => Ok(card),
    }
}

/// An image of a board, and its FAT volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageReport {
    /// Name of the part.
    pub part: String,
    /// Path in the board file.
    pub path: String,
    /// Size of the image and of its part in bytes.
    pub bytes: u64,
    pub size: u64,
    pub is_card: bool,
    /// The first FAT volume of a card.
    pub volume: Option<Volume>,
}

/// Reads the images that a board file in `folder` names.
///
/// # Errors
/// If an image cannot be read, or is none of its part.
pub fn images(file: &BoardFile, folder: &Path) -> Result<Vec<ImageReport>, ImageError> {
    let all = file.parts();
    let names = |kind: &'static str| all.iter().filter(move |part| part.kind == kind);
    let mut reports = Vec::new();
    let mut add = |part: &str, path: &str, size: Option<u64>, is_card: bool| {
        let at = folder.join(path);
        let image = read(&at, &mut DiskFiles, &mut |_| {})?;
        let bytes = image.len() as u64;
        let size = if is_card {
            MemoryPart::card_size(check(&at, &image, size)?)
        } else {
            match size.filter(|size| bytes > *size) {
                Some(size) => return Err(ImageError::LargerThanPart { path: at, bytes, size }),
                None => size.unwrap_or(bytes),
            }
        };
        reports.push(ImageReport {
            part: part.to_owned(),
            path: path.to_owned(),
            bytes,
            size,
            is_card,
            volume: if is_card { fat::read(&image) } else { None },
        });
        Ok(())
    };
    for (part, flash) in names("spi_flash").zip(&file.spi_flash) {
        if let Some(image) = &flash.image {
            add(&part.name, &image.0, Some(flash.size.0), false)?;
        }
    }
    for (part, card) in names("sd_card").zip(&file.sd_card) {
        if let Some(image) = &card.image {
            add(&part.name, &image.0, card.size.map(|size| size.0), true)?;
        }
    }
    Ok(reports)
}

impl fmt::Display for ImageReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, path, bytes, size, .. } = self;
        write!(out, "{part}: {path}, {bytes} of {size} bytes")?;
        if !self.is_card {
            return Ok(());
        }
        out.write_str(if *size > STANDARD_MAX { ", SDHC" } else { ", SDSC" })?;
        match &self.volume {
            Some(volume) => write!(out, "; {volume}"),
            None => out.write_str("; no FAT volume"),
        }
    }
}

#[cfg(test)]
mod tests;
