//! Comparison of frames; intact, damaged and huge PNG files.

mod chains;
mod hashes;
mod parts;
mod relations;

use std::fs;
use std::io;

use png::{BitDepth, ColorType, Encoder};
use proptest::prelude::*;

use super::*;

fn checks(width: usize, height: usize) -> Frame {
    let pixels = (0..width * height).map(|at| (at as u32).wrapping_mul(0x0001_2345) >> 8);
    Frame::from_pixels(width, height, pixels.map(|pixel| pixel & 0x00FF_FFFF).collect())
}

#[track_caller]
fn check_refused(bytes: &[u8], because: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden.png");
    fs::write(&path, bytes).unwrap();
    let message = read_png(&path).unwrap_err().to_string();
    assert!(message.starts_with(&path.display().to_string()), "{message}");
    assert!(message.contains(because), "{message}");
}

fn encoded(colour: ColorType, depth: BitDepth, palette: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(samples).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn a_difference_names_first_pixel_count_and_rectangle() {
    let expected = Frame::filled(320, 240, 0x00FF_FFFF);
    let mut actual = expected.clone();
    assert_eq!(compare(&actual, &expected), Ok(()));
    for (x, y) in [(30, 10), (12, 11), (31, 14)] {
        actual.pixels_mut()[y * 320 + x] = 0x0010_2030;
    }
    let Err(mismatch) = compare(&actual, &expected) else { panic!("they differ") };
    assert_eq!(
        mismatch.to_string(),
        "3 pixels differ, in the rectangle x=12 y=10 20x5; the first is x=30 y=10: #102030, \
         expected #ffffff"
    );
}

#[test]
fn errors_of_goldens_are_equal_if_their_texts_are() {
    let chain = |name: &str| GoldenError::ChainsNotCompared { name: name.into() };
    assert_eq!(chain("boot"), chain("boot"));
    assert_ne!(chain("boot"), chain("menu"));
    assert_ne!(chain("boot"), GoldenError::from("boot"));
    assert_eq!(GoldenError::from("boot"), GoldenError::from("boot".to_owned()));
    let differs =
        |width| GoldenError::from(Mismatch::Size { actual: (width, 1), expected: (1, 1) });
    assert_eq!(differs(2), differs(2));
    assert_ne!(differs(2), differs(3));
}

#[test]
fn an_error_of_the_owner_of_goldens_keeps_its_type() {
    let error = GoldenError::reported(io::Error::from(io::ErrorKind::NotFound));
    let kind = error.cause::<io::Error>().map(io::Error::kind);
    assert_eq!(kind, Some(io::ErrorKind::NotFound));
    assert!(error.cause::<PngError>().is_none());
    assert!(GoldenError::from("boot").cause::<io::Error>().is_none());
}

#[test]
fn frames_of_different_sizes_are_a_size_mismatch() {
    let mismatch = compare(&checks(320, 240), &checks(240, 320)).unwrap_err();
    assert_eq!(mismatch.to_string(), "the frame is 320x240, the golden 240x320");
    let picture = difference_frame(&checks(3, 1), &checks(1, 2));
    assert_eq!(size(&picture), (3, 2));
    assert_eq!(picture.pixel(2, 0), Some(DIFFERENCE_COLOUR));
    assert_eq!(picture.pixel(2, 1), Some(DIFFERENCE_COLOUR));
}

#[test]
fn the_difference_picture_dims_equal_pixels() {
    let expected = Frame::from_pixels(2, 1, vec![0x00FF_FFFF, 0]);
    let actual = Frame::from_pixels(2, 1, vec![0x00FF_FFFF, 1]);
    let picture = difference_frame(&actual, &expected);
    assert_eq!(picture.pixels(), [0x0055_5555, DIFFERENCE_COLOUR]);
}

#[test]
fn grey_palette_and_opaque_alpha_are_read_as_colours() {
    use BitDepth::{Eight, One, Sixteen};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden.png");
    for (bytes, pixels) in [
        (encoded(ColorType::Grayscale, Eight, &[], &[9, 200]), [0x0009_0909, 0x00C8_C8C8]),
        (encoded(ColorType::Grayscale, One, &[], &[0x40]), [0, 0x00FF_FFFF]),
        (encoded(ColorType::Grayscale, Sixteen, &[], &[9, 1, 200, 2]), [0x0009_0909, 0x00C8_C8C8]),
        (
            encoded(ColorType::GrayscaleAlpha, Eight, &[], &[9, 255, 7, 255]),
            [0x0009_0909, 0x0007_0707],
        ),
        (
            encoded(ColorType::Indexed, Eight, &[1, 2, 3, 4, 5, 6], &[1, 0]),
            [0x0004_0506, 0x0001_0203],
        ),
        (
            encoded(ColorType::Rgba, Eight, &[], &[1, 2, 3, 255, 4, 5, 6, 255]),
            [0x0001_0203, 0x0004_0506],
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(read_png(&path).unwrap().pixels(), pixels);
    }
}

#[test]
fn an_invalid_golden_is_refused_with_its_name_and_the_reason() {
    let whole = encode_png(&checks(320, 240));
    check_refused(b"", "ends too early");
    check_refused(b"not a picture at all", "is no PNG");
    check_refused(&whole[..whole.len() / 2], "ends too early");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    check_refused(&flipped, "is no PNG");
    let glass = encoded(ColorType::Rgba, BitDepth::Eight, &[], &[1, 2, 3, 254, 4, 5, 6, 255]);
    check_refused(&glass, "transparent");
    let missing = read_png("no/such/golden.png").unwrap_err().to_string();
    assert!(missing.starts_with("no/such/golden.png: cannot be read: "), "{missing}");
}

/// 20,000x20,000 pixels of one colour are a few hundred kilobytes of PNG and 1.2 GB of memory. The
/// header alone suffices to refuse the file; no more is read.
#[test]
fn a_picture_that_unpacks_to_gigabytes_is_refused_by_its_size() {
    let mut bytes = Vec::new();
    let encoder = Encoder::new(&mut bytes, 20_000, 20_000);
    drop(encoder.write_header().unwrap());
    check_refused(&bytes, "is 20000x20000 pixels; at most 1024x1024");
}

#[test]
fn a_picture_that_claims_to_be_huge_is_refused_by_its_header() {
    let mut bytes = Vec::new();
    let writer = Encoder::new(&mut bytes, 1025, 1).write_header().unwrap();
    drop(writer);
    check_refused(&bytes, "is 1025x1 pixels; at most 1024x1024");
}

#[test]
fn a_picture_has_up_to_1024_pixels_a_side() {
    for (width, height, reads) in [(1024, 1, true), (1, 1024, true), (1, 1025, false)] {
        let bytes = encode_png(&Frame::filled(width, height, 0x0010_2030));
        let read = decode_png(io::Cursor::new(bytes));
        assert_eq!(read.is_ok_and(|frame| size(&frame) == (width, height)), reads);
    }
}

#[test]
fn a_picture_can_name_the_program_that_made_it() {
    let frame = checks(3, 2);
    let marked = encode_png_by(&frame, "nudge 1.2");
    assert_eq!(decode_png(io::Cursor::new(&marked)).unwrap(), frame);
    let names = |bytes: &[u8]| bytes.windows(18).any(|part| part == b"Software\0nudge 1.2");
    assert!(names(&marked) && !names(&encode_png(&frame)));
}

#[test]
fn an_unreadable_file_and_a_truncated_one_are_distinguished() {
    let fault = |kind: io::ErrorKind| PngFault::from(png::DecodingError::IoError(kind.into()));
    assert!(matches!(fault(io::ErrorKind::UnexpectedEof), PngFault::Truncated));
    assert!(matches!(fault(io::ErrorKind::PermissionDenied), PngFault::Read(_)));
}

#[test]
fn a_written_picture_replaces_the_old_one_and_no_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden.png");
    write_png(&path, &checks(4, 3)).unwrap();
    write_png(&path, &checks(3, 4)).unwrap();
    assert_eq!(read_png(&path).unwrap(), checks(3, 4));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    let taken = folder.path().join("folder.png");
    fs::create_dir(&taken).unwrap();
    let message = write_png(&taken, &checks(3, 4)).unwrap_err().to_string();
    assert!(message.contains("folder.png: cannot be written: "), "{message}");
    assert!(write_png(&path, &Frame::filled(0, 4, 0)).is_err());
    assert_eq!(read_png(&path).unwrap(), checks(3, 4), "the old one stays");
}

proptest! {
    #[test]
    fn a_written_picture_is_read_back_to_the_pixel(width in 1..40_usize, height in 1..40_usize) {
        let bytes = encode_png(&checks(width, height));
        prop_assert_eq!(decode_png(io::Cursor::new(bytes)).unwrap(), checks(width, height));
    }

    #[test]
    fn damaged_pictures_never_panic(at in 0..200_usize, with: u8) {
        let mut bytes = encode_png(&checks(9, 9));
        let at = at % bytes.len();
        bytes[at] = with;
        let _ = decode_png(io::Cursor::new(bytes));
    }
}
