//! Encodes pictures of the LCD as small PNG files: they have few colours, so each pixel is an index
//! into a palette. Such a file is about half the size of a full-colour one, and a page contains
//! hundreds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Cursor;

use ili9341_model::Frame;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use reading::golden::decode_png;

/// Returns the same picture as `png`, in a smaller file if possible.
pub(super) fn small(png: &[u8]) -> Cow<'_, [u8]> {
    let frame = decode_png(Cursor::new(png)).ok();
    let smaller = frame.as_ref().and_then(with_palette).filter(|other| other.len() < png.len());
    smaller.map_or(Cow::Borrowed(png), Cow::Owned)
}

/// Encodes `frame` as a PNG file with a palette; `None` if it has too many colours for one.
fn with_palette(frame: &Frame) -> Option<Vec<u8>> {
    let mut numbers: BTreeMap<u32, u8> = BTreeMap::new();
    let mut palette = Vec::new();
    let mut pixels = Vec::with_capacity(frame.pixels().len());
    for pixel in frame.pixels() {
        let next = numbers.len();
        let number = match numbers.get(pixel) {
            Some(number) => *number,
            None => {
                let number = u8::try_from(next).ok()?;
                numbers.insert(*pixel, number);
                palette.extend_from_slice(&pixel.to_be_bytes()[1..]);
                number
            }
        };
        pixels.push(number);
    }
    let (depth, each) = match numbers.len() {
        0..=2 => (BitDepth::One, 8),
        3..=4 => (BitDepth::Two, 4),
        5..=16 => (BitDepth::Four, 2),
        _ => (BitDepth::Eight, 1),
    };
    let pack = |part: &[u8]| {
        let byte = part.iter().fold(0_u16, |byte, pixel| byte << (8 / each) | u16::from(*pixel));
        // The last byte of a row is padded with zero bits at its end.
        (byte << (8 / each * (each - part.len()))) as u8
    };
    let rows = pixels.chunks(frame.width().max(1));
    let data: Vec<u8> = rows.flat_map(|row| row.chunks(each).map(pack)).collect();

    let side = |pixels: usize| u32::try_from(pixels).ok();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, side(frame.width())?, side(frame.height())?);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(palette);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&data).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use reading::golden::encode_png;

    use super::*;

    #[test]
    fn a_small_picture_is_the_same_picture() {
        for (width, height, colours) in [
            (320, 240, 1),
            (317, 9, 2),
            (9, 317, 3),
            (33, 33, 5),
            (319, 3, 16),
            (301, 7, 17),
            (99, 99, 256),
        ] {
            let pixels = (0..width * height).map(|at| (at as u32 * 7 / 3 % colours) * 0x0001_0101);
            let frame = Frame::from_pixels(width, height, pixels.collect());
            let file = with_palette(&frame).unwrap();
            let read = decode_png(Cursor::new(&file[..])).unwrap();
            assert!(read.pixels() == frame.pixels(), "{width}x{height}, {colours} colours");
        }
    }

    #[test]
    fn a_picture_without_a_palette_is_unchanged() {
        let many = Frame::from_pixels(300, 1, (0..300).collect());
        assert_eq!(with_palette(&many), None);
        let png = encode_png(&many);
        assert_eq!(small(&png), png);
        assert_eq!(small(b"no picture"), &b"no picture"[..]);
    }
}
