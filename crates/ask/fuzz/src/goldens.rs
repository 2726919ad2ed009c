//! Compares frames and chains of frames of a judged trace with the golden files in its folder. This
//! module writes nothing. Differences are data, so that two failures can be compared.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use hal_mock::replay::ChainFrame;
use ili9341_model::Frame;
use reading::golden::{
    DIFFERENCE_COLOUR, GoldenError, Mismatch, PngError, chain::FrameHash, compare_part,
    difference_part, read_png,
};
use runner::{ChainDifference, ChainRecord};
use trace::FrameCheck;

/// Mark of an equal pixel. No panel shows this value: its pixels are `0x00RRGGBB`.
const EQUAL: u32 = u32::MAX;

/// Reason why the LCD does not match a golden or a chain. Its text is a sentence without a full
/// stop.
#[derive(Debug, thiserror::Error)]
pub(super) enum GoldenFault {
    /// The golden is missing or cannot be read.
    #[error(transparent)]
    Unreadable(PngError),
    /// The golden has another size than the compared frame.
    #[error(transparent)]
    OtherSize(Mismatch),
    /// The frame on the LCD differs from the golden.
    #[error("{mismatch}")]
    Differs {
        mismatch: Mismatch,
        /// Hash of the differing pixels, as shown on the LCD.
        pixels: FrameHash,
    },
    /// The chain's file is missing or cannot be read.
    #[error("{0}")]
    UnreadableChain(Box<dyn Error + Send + Sync>),
    /// The frames differ from those of the chain.
    #[error("{} is expected, but {difference}", path.display())]
    ChainDiffers { path: PathBuf, difference: Box<ChainDifference> },
}

/// Compares frames with the goldens in a folder.
pub(super) struct GoldenComparer<'a> {
    folder: &'a Path,
    /// Chains that have begun.
    records: BTreeMap<String, ChainRecord>,
}

impl<'a> GoldenComparer<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, records: BTreeMap::new() }
    }

    pub(super) fn check(&self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let golden = read_png(self.folder.join(format!("{}.png", expected.name)))
            .map_err(|error| GoldenError::reported(GoldenFault::Unreadable(error)))?;
        compare_part(actual, &golden, expected.shown(actual), &expected.rules).map_err(|mismatch| {
            GoldenError::reported(match mismatch {
                Mismatch::Size { .. } => GoldenFault::OtherSize(mismatch),
                Mismatch::Pixels(_) => {
                    let pixels = differing_pixels(expected, actual, &golden);
                    GoldenFault::Differs { mismatch, pixels }
                }
            })
        })
    }

    /// Adds the next frame of the chain `name`.
    pub(super) fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        let path = self.chain_path(name);
        let record = self.records.entry(name.to_owned());
        record.or_insert_with(|| ChainRecord::begin(&path)).add(seen);
    }

    /// Compares the chain `name`, which has ended.
    pub(super) fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        let path = self.chain_path(name);
        let record = self.records.remove(name);
        let record = record.unwrap_or_else(|| ChainRecord::begin(&path));
        let difference = match &record.expected {
            Ok(expected) => record.difference(expected),
            Err(_) => {
                let Err(error) = record.expected else { return Ok(()) };
                return Err(GoldenError::reported(GoldenFault::UnreadableChain(error)));
            }
        };
        difference.map_or(Ok(()), |difference| {
            let difference = Box::new(difference);
            Err(GoldenError::reported(GoldenFault::ChainDiffers { path, difference }))
        })
    }

    fn chain_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.frames"))
    }
}

/// Returns a hash of the differing pixels and their colours on the LCD. All pictures have one size.
fn differing_pixels(expected: &FrameCheck, actual: &Frame, golden: &Frame) -> FrameHash {
    let marks = difference_part(actual, golden, expected.shown(actual), &expected.rules);
    let part = actual.part(expected.shown(actual));
    let pixels = marks.pixels().iter().zip(part.pixels());
    let pixels = pixels.map(|(mark, is)| if *mark == DIFFERENCE_COLOUR { *is } else { EQUAL });
    FrameHash::of(&Frame::from_pixels(marks.width(), marks.height(), pixels.collect()))
}
