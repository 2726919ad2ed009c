//! Lays out pictures next to each other on sheets, for inspection.

use std::path::Path;

use ili9341_model::Frame;
use reading::golden::write_png;

use crate::vision::Vision;

/// Pictures in a row.
const COLUMNS: usize = 4;
/// Rows of pictures on a sheet.
const ROWS: usize = 6;
/// Pixels between two pictures.
const GAP: usize = 6;
/// Colour between the pictures.
const BETWEEN: u32 = 0x0080_0080;

/// Writes `frames`, all of one size, into `folder`, as every kind of colour vision sees them:
/// `NAME-VISION-NN.png`.
///
/// # Panics
/// If a sheet cannot be written.
pub fn write_sheets(folder: &Path, name: &str, frames: &[Frame]) {
    for vision in Vision::ALL {
        for (nth, part) in frames.chunks(COLUMNS * ROWS).enumerate() {
            let path = folder.join(format!("{name}-{}-{nth:02}.png", vision.name()));
            if let Err(error) = write_png(&path, &vision.seen_by(&sheet(part))) {
                panic!("{error}");
            }
        }
    }
}

/// Lays out `frames` in rows.
fn sheet(frames: &[Frame]) -> Frame {
    let Some(first) = frames.first() else { return Frame::filled(1, 1, BETWEEN) };
    let (width, height) = (first.width() + GAP, first.height() + GAP);
    let mut sheet =
        Frame::filled(COLUMNS * width, frames.len().div_ceil(COLUMNS) * height, BETWEEN);
    for (nth, frame) in frames.iter().enumerate() {
        let (left, top) = (nth % COLUMNS * width, nth / COLUMNS * height);
        for (y, row) in frame.pixels().chunks(frame.width()).enumerate() {
            let at = (top + y) * sheet.width() + left;
            sheet.pixels_mut()[at..at + row.len()].copy_from_slice(row);
        }
    }
    sheet
}
