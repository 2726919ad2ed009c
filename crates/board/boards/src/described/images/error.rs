//! Reasons why an image is none of its part.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::fat::FatKind;
use super::{IMAGE_MAX, SECTOR};

/// Reason why an image is none of its part. `Display` gives the fact, the limit and the next step.
#[derive(Debug, Error)]
pub enum ImageError {
    /// The file cannot be read.
    #[error("the image {} cannot be read: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The file is larger than an image can be.
    #[error(
        "the image {} has more than {} MiB, the limit of an image: cut it after the part that is \
         used, and give the card its `size`", path.display(), IMAGE_MAX >> 20
    )]
    TooLarge { path: PathBuf },
    /// The image of a card has no bytes.
    #[error(
        "the image {} has no bytes; for an empty card write a `size` and no `image`", path.display()
    )]
    Empty { path: PathBuf },
    /// The image is larger than the part.
    #[error(
        "the image {} has {bytes} bytes, and the `size` of its part is {size}: write a `size` of at \
         least {bytes} B, or name another image", path.display()
    )]
    LargerThanPart { path: PathBuf, bytes: u64, size: u64 },
    /// The image of a card ends within a sector.
    #[error(
        "the image {} is cut at byte {bytes}, in the middle of sector {}: it has {} of {SECTOR} bytes; \
         copy the card again, or fill the image with zeros up to {} bytes",
        path.display(), bytes / SECTOR, bytes % SECTOR, bytes.div_ceil(SECTOR) * SECTOR
    )]
    CutSector { path: PathBuf, bytes: usize },
    /// The image of a card ends within its FAT volume.
    #[error(
        "the image {} is cut: its {kind} volume ends at byte {end}, and the card at byte {card}; copy \
         the whole card, or write a `size` of at least {end} B, and the rest reads as zeros",
        path.display()
    )]
    CutVolume { path: PathBuf, kind: FatKind, end: u64, card: u64 },
}
