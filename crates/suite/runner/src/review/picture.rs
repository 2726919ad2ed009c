//! The golden and the present frame on one picture, for the terminal.

use std::io::Cursor;

use ili9341_model::{Frame, Region};
use reading::golden;

use super::ReviewedCause;
use crate::options::picture_protocol::PictureProtocol;
use crate::reporters::half_blocks::half_blocks;
use crate::reporters::inline_picture::picture;

/// Width of the strip between two frames, in pixels, and its colour.
const STRIP: (usize, u32) = (8, 0x0080_8080);
/// Width of a picture of characters.
const COLUMNS: usize = 78;
/// Pixels around the difference that a picture of characters shows.
const AROUND: usize = 6;

impl ReviewedCause<'_> {
    /// Returns the output that shows the golden, and right of it the present frame, on a terminal
    /// with this protocol, or else as characters; `None` if there is no frame.
    pub fn picture(&self, protocol: Option<PictureProtocol>) -> Option<String> {
        let decode = |png: &[u8]| golden::decode_png(Cursor::new(png)).ok();
        let (before, after) = (self.before.and_then(decode), decode(self.after?)?);
        Some(match protocol {
            Some(protocol) => picture(protocol, &golden::encode_png(&beside(before, after))) + "\n",
            None => {
                let part = before.as_ref().map_or(whole(&after), |before| around(before, &after));
                let before = before.map(|before| before.part(part));
                half_blocks(&beside(before, after.part(part)), COLUMNS)
            }
        })
    }
}

fn whole(frame: &Frame) -> Region {
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region { x: 0, y: 0, width: side(frame.width()), height: side(frame.height()) }
}

/// Returns the smallest region with all pixels that differ, and some around it.
fn around(before: &Frame, after: &Frame) -> Region {
    let size = |frame: &Frame| (frame.width(), frame.height());
    let (width, height) = size(after);
    if size(before) != (width, height) || width == 0 {
        return whole(after);
    }
    let pixels = before.pixels().iter().zip(after.pixels()).enumerate();
    let differs = pixels.filter(|(_, (was, is))| was != is).map(|(at, _)| (at % width, at / width));
    let bounds = differs.fold(None, |found: Option<[usize; 4]>, (x, y)| {
        let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
        Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
    });
    let Some([left, top, right, bottom]) = bounds else { return whole(after) };
    let (x, y) = (left.saturating_sub(AROUND), top.saturating_sub(AROUND));
    let (end_x, end_y) = ((right + AROUND + 1).min(width), (bottom + AROUND + 1).min(height));
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region { x: side(x), y: side(y), width: side(end_x - x), height: side(end_y - y) }
}

/// Returns both frames on one, the first one at the left.
fn beside(before: Option<Frame>, after: Frame) -> Frame {
    let Some(before) = before else { return after };
    let width = before.width() + STRIP.0 + after.width();
    let height = before.height().max(after.height());
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let row = |frame: &Frame| -> Vec<u32> {
            (0..frame.width()).map(|x| frame.pixel(x, y).unwrap_or(STRIP.1)).collect()
        };
        pixels.extend(row(&before));
        pixels.extend([STRIP.1].repeat(STRIP.0));
        pixels.extend(row(&after));
    }
    Frame::from_pixels(width, height, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_frames_are_beside_each_other_around_the_difference() {
        let before = Frame::filled(100, 50, 0);
        let mut after = before.clone();
        after.pixels_mut()[20 * 100 + 40] = 0xFF_FFFF;
        assert_eq!(around(&before, &after), Region { x: 34, y: 14, width: 13, height: 13 });
        let both = beside(Some(before), after);
        assert_eq!((both.width(), both.height()), (208, 50));
        assert_eq!((both.pixel(40, 20), both.pixel(148, 20)), (Some(0), Some(0xFF_FFFF)));
    }
}
